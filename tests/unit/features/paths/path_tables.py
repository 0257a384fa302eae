"""Small random tables of all kinds, with or without gaps."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout import Column, Table
from heldout.table.column import category_column

TOWNS = ("Aachen", "Bonn", "Trier", "Ulm")


def path_table(seed: int, n_rows: int, gaps: float = 0.0, towns: tuple[str, ...] = TOWNS) -> Table:
    """Two numbers, a category and a boolean."""
    draw = np.random.default_rng(seed)
    size = np.where(draw.random(n_rows) < gaps, np.nan, draw.integers(0, 9, n_rows).astype(float))
    mass = np.where(draw.random(n_rows) < gaps, np.nan, draw.integers(0, 5, n_rows) / 4)
    town = [None if draw.random() < gaps else str(draw.choice(towns)) for _ in range(n_rows)]
    member = np.where(draw.random(n_rows) < gaps, -1, draw.integers(0, 2, n_rows)).astype(np.int32)
    return Table(
        [
            Column("size", "number", size),
            category_column("town", town),
            Column("mass", "number", mass),
            Column("member", "boolean", member, ("no", "yes")),
        ]
    )


def other_rows(seed: int, n_rows: int = 40) -> Table:
    """Rows with more gaps, and with levels that training never saw."""
    return path_table(seed + 1, n_rows, 0.3, (*TOWNS, "Mars", "Venus"))


def answers(seed: int, n_rows: int, n_classes: int = 2) -> np.ndarray:
    """Classes without any meaning: trees of them are bushy."""
    return np.random.default_rng((seed, 2)).integers(0, n_classes, n_rows)


def known_rows(table: Table) -> list[dict[str, Any]]:
    """Each row by the names of its columns: levels as words, numbers as they are."""
    columns = {
        column.name: column.labels() if column.levels else column.values.tolist() for column in table.columns
    }
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
