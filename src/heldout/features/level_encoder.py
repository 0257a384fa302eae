"""What the encoders of categories share: the levels of training, and a warning of any others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from heldout.checks.warn import warn_user
from heldout.features.transformer import ColumnwiseTransformer
from heldout.features.transformer_inputs import Entry, entry_after_fit
from heldout.features.transformer_outputs import WIDTH, short_list
from heldout.inputs.input_schema import InputSchema
from heldout.inputs.numeric_inputs import boolean_numbers
from heldout.learners.trees.tree_text import shown_level
from heldout.table.column import LEVEL_KINDS, Column, number_label, occurring_levels, sort_levels
from heldout.text.words import plural, shorten
from heldout.types import PerRow, TableLike

Codes = NDArray[np.int32]
MOST_COLUMNS = 20


class LevelEncoder(ColumnwiseTransformer):
    """Acts on categories and booleans, and on every column of an array, whose numbers are levels.

    _becomes: what is made of a level that was not seen, in words
    """

    _acts_on = LEVEL_KINDS
    _takes_words = True
    _becomes: str

    levels_: tuple[tuple[str, ...], ...]

    def description_bits(self) -> float:
        """Nothing: the table names its levels, and their order is given or theirs."""
        self._check_is_fitted()
        return 0.0

    def unseen_levels(self, X: TableLike) -> tuple[UnseenLevel, ...]:
        """The levels in X that no training row had, how often they come, and where first, without a warning.

        Parameters
        ----------
        X
            as for `transform`
        """
        self._check_is_fitted()
        columns = entry_after_fit(self, X, self.inputs_).columns
        acted = [columns[index] for index in self.columns_]
        return tuple([each for column, codes in self._pairs(acted) for each in unseen_in(column, codes)])

    def _levels_line(
        self, acted: int, levels: Sequence[str], behind: Sequence[str] = (), end: str = ""
    ) -> str:
        """A column and its levels, as many as there is room for.

        acted:  which of the columns that are acted on
        behind: what stands behind each level
        end:    what stands behind them all
        """
        start = f"  {shorten(shown_level(self.inputs_.names[int(self.columns_[acted])]), 40)}: "
        if not levels:
            return f"{start}no known value"
        shown = [shorten(shown_level(level), 30) for level in levels[:WIDTH]]
        cells = [level + more for level, more in zip(shown, behind or [""] * len(shown), strict=False)]
        cells += [""] * (len(levels) - len(cells))
        room = WIDTH - len(start) - len(end)
        return start + short_list(cells, room, plural(len(levels), "level")) + end

    def _more_columns(self) -> list[str]:
        """The last line, if there are more columns than a text shows."""
        n_more = len(self.columns_) - MOST_COLUMNS
        return [f"  … and {plural(n_more, 'more column')}"] if n_more > 0 else []

    def _learn(self, columns: list[Column], y: PerRow) -> None:
        self.levels_ = tuple([levels_of(column) for column in columns])

    def _chosen_of(self, entry: Entry) -> NDArray[np.intp]:
        if entry.form == "table":
            return self._chosen(entry.schema)
        return self._chosen(
            InputSchema(tuple([replace(each, kind="category") for each in entry.schema.columns]))
        )

    def _pairs(self, columns: list[Column]) -> list[tuple[Column, Codes]]:
        levels_now = zip(columns, self._levels_now(columns), strict=True)
        return [(column, codes_in(column, levels)) for column, levels in levels_now]

    def _levels_now(self, columns: list[Column]) -> list[tuple[str, ...]]:
        """The levels of fit; a boolean that was always true there may be false now, which is no new level."""
        pairs = zip(columns, self.levels_, strict=True)
        return [
            (*levels, *(level for level in column.levels if level not in levels))
            if column.kind == "boolean"
            else levels
            for column, levels in pairs
        ]

    def _codes(self, columns: list[Column]) -> list[Codes]:
        """The codes of all columns that are acted on, after a warning of levels that were not seen."""
        pairs = self._pairs(columns)
        unseen = [each for column, codes in pairs for each in unseen_in(column, codes)]
        warn_of_unseen(type(self).__name__, self._becomes, unseen)
        return [codes for _, codes in pairs]

    @property
    def _kinds(self) -> list[str]:
        """At fit, of the columns that are acted on."""
        return [self.inputs_.columns[index].kind for index in self.columns_]


MISSING = -1
UNSEEN = -2


def levels_of(column: Column) -> tuple[str, ...]:
    """The levels that occur, by number where all are numbers, else by code point.

    A boolean has all its levels, false before true.
    """
    if column.kind == "boolean":
        number_of = boolean_numbers(column.levels)
        return tuple(sorted(column.levels, key=lambda level: number_of[level]))
    if column.kind in LEVEL_KINDS:
        return sort_levels(occurring_levels(np.asarray(column.values), column.levels)[1])
    known = np.unique(column.values[~np.isnan(column.values)])
    return tuple(map(number_label, known.tolist()))


def codes_in(column: Column, levels: Sequence[str]) -> NDArray[np.int32]:
    """For each row the position of its value in `levels`, MISSING, or UNSEEN."""
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
        indices = np.minimum(np.searchsorted(known, values), len(known) - 1)
        is_met = known[indices] == values
        codes[is_met] = order[indices[is_met]]
    codes[np.isnan(values)] = MISSING
    return codes


def _number(level: str) -> float:
    try:
        return float(level)
    except ValueError:
        return np.nan


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
        UnseenLevel(column.name, labels[index], int(counts[index]), int(rows[first[index]]))
        for index in order
    ]


def warn_of_unseen(caller: str, becomes: str, unseen: Sequence[UnseenLevel]) -> None:
    """One warning for all of them, at the line of the user that called.

    caller:  the transformer
    becomes: what is made of them, in words
    """
    if not unseen:
        return
    named = [
        f"{shorten(each.column, 40)} = {shorten(each.level, 40)}"
        f" ({plural(each.n_rows, 'row')}, first row {each.row + 1:,})"
        for each in unseen[:MOST_NAMED]
    ]
    n_rows = sum(each.n_rows for each in unseen)
    more = f", and {len(unseen) - MOST_NAMED:,} more levels" if len(unseen) > MOST_NAMED else ""
    warn_user(
        f"{caller} makes {becomes} of {plural(n_rows, 'value')} of {plural(len(unseen), 'level')} that no"
        f" training row had: {', '.join(named)}{more}",
        UnseenLevelWarning,
    )


def _label(column: Column, value: float) -> str:
    return column.levels[int(value)] if column.kind in LEVEL_KINDS else number_label(value)
