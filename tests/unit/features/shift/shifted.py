"""Samples for the tests of weights and coverage."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import heldout as ho


def normal(seed: int, n_rows: int, mean: float = 0.0, n_columns: int = 3) -> NDArray[np.float64]:
    """Independent normal columns; the first is shifted."""
    rows = np.random.default_rng(seed).normal(size=(n_rows, n_columns))
    rows[:, 0] += mean
    return rows


def mixed_table(seed: int, n_rows: int, missing: float = 0.1, levels: str = "abc") -> ho.Table:
    """Two numbers, one of them with gaps, a category with gaps, a boolean and a date."""
    generator = np.random.default_rng(seed)
    is_missing = generator.uniform(size=(2, n_rows)) < missing
    level_codes = generator.integers(0, len(levels), n_rows).astype(np.int32)
    return ho.Table(
        [
            ho.Column("size", "number", np.where(is_missing[0], np.nan, generator.normal(size=n_rows))),
            ho.Column("age", "number", generator.integers(18, 72, n_rows).astype(float)),
            ho.Column("town", "category", np.where(is_missing[1], -1, level_codes), tuple(levels)),
            ho.Column("paid", "boolean", generator.integers(0, 2, n_rows).astype(np.int32), ("no", "yes")),
            ho.Column("day", "date", generator.integers(18000, 18400, n_rows).astype(float)),
        ]
    )
