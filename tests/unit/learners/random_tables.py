"""Small random tables of all kinds, with gaps, and rows that differ from them as much as rows may."""

from __future__ import annotations

import numpy as np

from heldout import Column, Table
from heldout.table.column import category_column

TOWNS = ("Aachen", "Bonn", "Köln", "Trier", "Ulm")


def random_rows(seed: int, n_rows: int, gaps: float = 0.15, towns: tuple[str, ...] = TOWNS) -> Table:
    """A number, two categories, a boolean and a date."""
    draw = np.random.default_rng(seed)

    def with_gaps(values: list[object]) -> list[object]:
        return [None if draw.random() < gaps else value for value in values]

    def numbers(values: np.ndarray) -> np.ndarray:
        return np.where(draw.random(n_rows) < gaps, np.nan, values.astype(float))

    member = np.where(draw.random(n_rows) < gaps, -1, draw.integers(0, 2, n_rows)).astype(np.int32)
    return Table(
        [
            Column("size", "number", numbers(draw.integers(0, 12, n_rows))),
            category_column("town", with_gaps(draw.choice(towns, n_rows).tolist())),
            category_column("skin", with_gaps(draw.choice(["dry", "wet"], n_rows).tolist())),
            Column("member", "boolean", member, ("false", "true")),
            Column("joined", "date", numbers(18000 + draw.integers(0, 30, n_rows) / 4)),
        ]
    )


def random_classes(seed: int, n_rows: int, n_classes: int = 3) -> np.ndarray:
    """Classes without any meaning: trees of them are bushy."""
    return np.array(["red", "green", "blue", "black"])[
        np.random.default_rng(seed + 1).integers(0, n_classes, n_rows)
    ]


def other_rows(seed: int, n_rows: int = 60) -> Table:
    """Rows with levels that training never saw, and many gaps."""
    return random_rows(seed + 2, n_rows, gaps=0.3, towns=(*TOWNS, "Mars", "Venus"))
