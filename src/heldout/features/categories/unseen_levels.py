"""Levels that come after fit and did not occur in the training rows."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heldout.features.categories.level_codes import UNSEEN
from heldout.learners.inputs.line_outside import level_outside
from heldout.table.column import LEVEL_KINDS, Column, number_label
from heldout.table.describe import plural, shortened

MOST_NAMED = 5


class UnseenLevelWarning(UserWarning):
    """Rows have a level that no training row had."""


@dataclass(frozen=True)
class UnseenLevel:
    """A level that no training row had.

    column: the name of its column
    level:  as the user would write it
    n_rows: how many rows have it
    row:    the position of the first of them, counted from 0
    """

    column: str
    level: str
    n_rows: int
    row: int


def unseen_in(column: Column, codes: NDArray[np.int32]) -> list[UnseenLevel]:
    """The levels of a column that were not seen at fit, in the order in which they come.

    codes: of this column, as `codes_in` gives them
    """
    rows = np.flatnonzero(codes == UNSEEN)
    if not len(rows):
        return []
    found, first, counts = np.unique(column.values[rows], return_index=True, return_counts=True)
    labels = [_label(column, value) for value in found.tolist()]
    order = np.argsort(first, kind="stable").tolist()
    return [
        UnseenLevel(column.name, labels[place], int(counts[place]), int(rows[first[place]]))
        for place in order
    ]


def warn_of_unseen(caller: str, becomes: str, unseen: Sequence[UnseenLevel]) -> None:
    """One warning for all of them, at the line of the user that called.

    caller:  the transformer
    becomes: what is made of them, in words
    """
    if not unseen:
        return
    named = [
        f"{shortened(each.column, 40)} = {shortened(each.level, 40)}"
        f" ({plural(each.n_rows, 'row')}, first row {each.row + 1:,})"
        for each in unseen[:MOST_NAMED]
    ]
    n_rows = sum(each.n_rows for each in unseen)
    more = f", and {len(unseen) - MOST_NAMED:,} more levels" if len(unseen) > MOST_NAMED else ""
    warnings.warn(
        f"{caller} makes {becomes} of {plural(n_rows, 'value')} of {plural(len(unseen), 'level')} that no"
        f" training row had: {', '.join(named)}{more}",
        UnseenLevelWarning,
        stacklevel=level_outside(),
    )


def _label(column: Column, value: float) -> str:
    return column.levels[int(value)] if column.kind in LEVEL_KINDS else number_label(value)
