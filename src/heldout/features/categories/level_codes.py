"""Levels that training rows had, and where the values of any rows stand among them.

Levels are matched by name, never by position: another selection of rows has other levels. A number of an
array is its own level.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from heldout.learners.inputs.numeric_columns import boolean_numbers
from heldout.table.column import LEVEL_KINDS, Column, number_label, occurring_levels, sort_levels

MISSING = -1
UNSEEN = -2


def levels_of(column: Column) -> tuple[str, ...]:
    """The levels that occur, by number where all are numbers, else by code point.

    A boolean has all its levels, false before true.

    >>> levels_of(Column("size", "number", np.array([7.0, 0.5, np.nan, 7.0])))
    ('0.5', '7')
    """
    if column.kind == "boolean":
        number_of = boolean_numbers(column.levels)
        return tuple(sorted(column.levels, key=lambda level: number_of[level]))
    if column.kind in LEVEL_KINDS:
        return sort_levels(occurring_levels(np.asarray(column.values), column.levels)[1])
    known = np.unique(column.values[~np.isnan(column.values)])
    return tuple(map(number_label, known.tolist()))


def codes_in(column: Column, levels: Sequence[str]) -> NDArray[np.int32]:
    """For each row the position of its value in `levels`, MISSING, or UNSEEN.

    >>> wind = Column("wind", "category", np.array([1, 0, -1], dtype=np.int32), ("storm", "weak"))
    >>> codes_in(wind, ("strong", "weak"))
    array([ 1, -2, -1], dtype=int32)
    """
    if column.kind not in LEVEL_KINDS:
        return _codes_of_numbers(column.values, levels)
    code_of = {level: code for code, level in enumerate(levels)}
    # A missing value has the position -1 and so finds the last entry.
    codes = [*(code_of.get(level, UNSEEN) for level in column.levels), MISSING]
    return np.asarray(np.array(codes, dtype=np.int32)[column.values])


def _codes_of_numbers(values: NDArray[np.float64], levels: Sequence[str]) -> NDArray[np.int32]:
    """A level that is no number, in an order that a user gave, is not met by any value."""
    numbers = np.array([_number(level) for level in levels], dtype=np.float64)
    order = np.argsort(numbers, kind="stable")
    known = numbers[order]
    codes = np.full(len(values), UNSEEN, dtype=np.int32)
    if len(known):
        places = np.minimum(np.searchsorted(known, values), len(known) - 1)
        is_met = known[places] == values
        codes[is_met] = order[places[is_met]]
    codes[np.isnan(values)] = MISSING
    return codes


def _number(level: str) -> float:
    try:
        return float(level)
    except ValueError:
        return np.nan
