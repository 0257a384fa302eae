"""Which values of a row no training row has: beyond the range, a level never seen, missing where none is."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from heldout.learners.rules.condition import spoken_level
from heldout.learners.trees.tree_text import shown_label
from heldout.table.column import LEVEL_KINDS, Column, date_label, number_label
from heldout.table.table import Table


def new_values(train: Table, test: Table) -> dict[int, tuple[str, ...]]:
    """In words, for the position of each test row that has such a value.

    train, test: tables that agree in names, kinds and levels
    """
    found: dict[int, list[str]] = {}
    for known, given in zip(train.columns, test.columns, strict=True):
        if known.n_missing == len(known):
            continue  # nothing is known of it
        for rows, words in _in_column(known, given):
            for row, text in zip(rows.tolist(), words, strict=True):
                found.setdefault(row, []).append(f"{shown_label(known.name)} {text}")
    return {row: tuple(found[row]) for row in sorted(found)}


def _in_column(known: Column, given: Column) -> Iterator[tuple[NDArray[np.intp], list[str]]]:
    if not known.n_missing:
        rows = np.flatnonzero(given.is_missing)
        yield rows, ["missing (never in training)"] * len(rows)
    if known.kind in LEVEL_KINDS:
        counts = np.bincount(known.values[known.values >= 0], minlength=len(known.levels))
        rows = np.flatnonzero((given.values >= 0) & (counts[given.values] == 0))
        levels = [spoken_level(known.levels[code]) for code in given.values[rows].tolist()]
        yield rows, [f"{level} (never in training)" for level in levels]
    else:
        lowest, highest = float(np.nanmin(known.values)), float(np.nanmax(known.values))
        rows = np.flatnonzero((given.values < lowest) | (given.values > highest))
        ends = " to ".join(dict.fromkeys([_word(known, lowest), _word(known, highest)]))
        yield rows, [f"{_word(known, value)} (training {ends})" for value in given.values[rows].tolist()]


def _word(column: Column, value: float) -> str:
    if column.kind == "date":
        return date_label(value)
    return f"{value:.6g}" if value % 1 else number_label(value)
