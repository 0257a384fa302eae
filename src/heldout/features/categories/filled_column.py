"""A column whose gaps are filled, and a column that says where they were."""

from __future__ import annotations

import numpy as np

from heldout.learners.inputs.boolean_words import meaning
from heldout.table.column import LEVEL_KINDS, Column, sort_levels


def filled_column(column: Column, fill: float | str) -> Column:
    """The column with this number or level in place of every missing value.

    >>> wind = Column("wind", "category", np.array([0, -1], dtype=np.int32), ("weak",))
    >>> filled_column(wind, "none").labels()
    ['weak', 'none']
    """
    if not column.n_missing:
        return column
    is_missing = column.is_missing
    if column.kind not in LEVEL_KINDS:
        return Column(
            column.name, column.kind, np.where(is_missing, fill, column.values), reason=column.reason
        )
    levels = _with_level(column, str(fill))
    code_of = {level: code for code, level in enumerate(levels)}
    # A missing value has the position -1 and so finds the last entry.
    codes = np.array([*(code_of[level] for level in column.levels), code_of[str(fill)]], dtype=np.int32)
    return Column(column.name, column.kind, codes[column.values], levels, column.reason)


def gap_column(column: Column) -> Column:
    """A boolean: whether the value is missing."""
    codes = column.is_missing.astype(np.int32)
    return Column(gap_name(column.name), "boolean", codes, ("false", "true"), "made by FillMissing")


def gap_name(name: str) -> str:
    """The name of the column that says where a column of this name has no value."""
    return f"{name} is missing"


def false_level(levels: tuple[str, ...]) -> str:
    """The level of a boolean that says no: by its words, or else the first.

    >>> false_level(("Yes", "No")), false_level(())
    ('No', 'false')
    """
    said = [level for level in levels if meaning(level) is False]
    return (*said, *levels, "false")[0]


def _with_level(column: Column, level: str) -> tuple[str, ...]:
    if level in column.levels:
        return column.levels
    levels = (*column.levels, level)
    if column.kind == "boolean":
        return ("false", "true") if set(levels) <= {"false", "true"} else levels
    is_sorted = column.levels == sort_levels(column.levels)
    return sort_levels(levels) if is_sorted else levels
