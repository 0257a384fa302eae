"""What a rule asks of one column: a range of a number or a date, or some levels of a category.

All that a path of a tree asks of one column becomes one condition: `age > 20` and `age <= 35` are a
range, `not in {a, b}` and `not in {c}` are the levels that are left. A condition prints itself, in words
and as a formula, in the names of the table.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heldout.inputs.input_schema import InputColumn
from heldout.learners.trees.tree_text import MOST_LEVELS, shown_cut, shown_label, shown_level
from heldout.text.words import join_names

_WORDS_OF_A_SENTENCE = (" or ", " and ", " nor ", ",")
_SIGNS_OF_A_FORMULA = (*"∧∨∈∉≤<>=≠", " and ")
_BRACKETS_OF_A_FORMULA = tuple("(){},")


@dataclass(frozen=True)
class Cut:
    """A threshold, and the training values on both sides of it, which say how many digits it needs."""

    threshold: float
    below: float
    above: float

    def shown(self, kind: str) -> str:
        """The threshold of a column of this kind, rounded as far as it stays in its gap."""
        return shown_cut(self.threshold, self.below, self.above, kind)


@dataclass(frozen=True)
class Condition:
    """What a rule asks of one column.

    column:        the column
    position:      its index among the columns of X
    low:           a number or date must be above this; None for no limit
    high:          and at most this
    levels:        the positions of the levels that a category may have, ascending; None for no limit
    unknown_share: the part of a row with a missing value that meets the condition: 0, 1, or a part
                   where the tree splits such a row
    """

    column: InputColumn
    position: int
    low: Cut | None = None
    high: Cut | None = None
    levels: tuple[int, ...] | None = None
    unknown_share: float = 0.0

    def __str__(self) -> str:
        return self.words()

    def narrowed(
        self,
        low: Cut | None = None,
        high: Cut | None = None,
        levels: Collection[int] | None = None,
        unknown_share: float = 1.0,
    ) -> Condition:
        """This condition and a second one on the same column."""
        if low is None or (self.low is not None and self.low.threshold >= low.threshold):
            low = self.low
        if high is None or (self.high is not None and self.high.threshold <= high.threshold):
            high = self.high
        if self.levels is not None:
            levels = self.levels if levels is None else set(levels).intersection(self.levels)
        kept = None if levels is None else tuple(sorted(levels))
        return Condition(self.column, self.position, low, high, kept, self.unknown_share * unknown_share)

    @property
    def sides(self) -> tuple[Condition, ...]:
        """The ends of a range as two conditions, anything else as itself; none is met by the unknown."""
        if self.levels is not None:
            return (Condition(self.column, self.position, levels=self.levels),)
        low = () if self.low is None else (Condition(self.column, self.position, low=self.low),)
        return low if self.high is None else (*low, Condition(self.column, self.position, high=self.high))

    @property
    def key(self) -> tuple[int, float | None, float | None, tuple[int, ...] | None]:
        """Equal for conditions that are met by the same known values."""
        low, high = (None if cut is None else cut.threshold for cut in (self.low, self.high))
        return self.position, low, high, self.levels

    @property
    def allows_a_value(self) -> bool:
        """Whether some known value meets the condition."""
        if self.low is not None and self.high is not None:
            return self.low.threshold < self.high.threshold
        return self.levels is None or len(self.levels) > 0

    @property
    def can_be_met(self) -> bool:
        return self.allows_a_value or self.unknown_share > 0

    def is_met(self, values: NDArray[np.float64] | NDArray[np.int32]) -> NDArray[np.bool_]:
        """Which values are known and allowed.

        values: numbers with NaN for unknown, or positions of levels with -1 for unknown
        """
        if self.levels is not None:
            is_allowed = np.zeros(len(self.column.levels) + 1, dtype=np.bool_)
            is_allowed[list(self.levels)] = True
            return np.asarray(is_allowed[values])
        # A comparison with NaN is false, so the unknown needs no look of its own.
        if self.low is None:
            return np.asarray(~is_unknown(values) if self.high is None else values <= self.high.threshold)
        is_above = values > self.low.threshold
        return np.asarray(is_above if self.high is None else is_above & (values <= self.high.threshold))

    def shares(self, values: NDArray[np.float64] | NDArray[np.int32]) -> NDArray[np.float64]:
        """The part of each row that meets the condition: 1, 0, or for a missing value its share."""
        shares = self.is_met(values).astype(np.float64)
        if self.unknown_share > 0:
            shares[is_unknown(values)] = self.unknown_share
        return shares

    def words(self, most_levels: int | None = MOST_LEVELS) -> str:
        """The condition in words.

        most_levels: how many levels are named; None names all
        """
        name = shown_label(self.column.name)
        if not self.allows_a_value:
            return f"{name} is unknown"
        ends = ["unknown"] if self.unknown_share == 1 else []
        if self.levels is not None:
            return f"{name} is {self._level_words(most_levels, ends)}"
        limits = self._range_words()
        if not ends:
            return f"{name} is {' and '.join(limits) or 'known'}"
        return f"{name} is {' and '.join(limits)}{',' if len(limits) == 2 else ''} or unknown"

    def formula(self) -> str:
        """The condition as a formula; it says nothing about missing values."""
        name, kind = name_in_formula(self.column.name), self.column.kind
        if self.levels is not None:
            return f"{name} {self._level_formula()}"
        low = None if self.low is None else self.low.shown(kind)
        high = None if self.high is None else self.high.shown(kind)
        if high is None:
            return f"{name} > {low}"
        return f"{name} ≤ {high}" if low is None else f"{low} < {name} ≤ {high}"

    def _range_words(self) -> list[str]:
        kind = self.column.kind
        above, at_most = ("after", "no later than") if kind == "date" else ("above", "at most")
        words = [] if self.low is None else [f"{above} {self.low.shown(kind)}"]
        return words if self.high is None else [*words, f"{at_most} {self.high.shown(kind)}"]

    def _named_levels(self) -> tuple[list[str], bool]:
        """The levels to name, and whether they are those that are allowed: the shorter list."""
        allowed = set(self.levels or ())
        excluded = [level for index, level in enumerate(self.column.levels) if index not in allowed]
        if len(excluded) < len(allowed):
            return excluded, False
        return [self.column.levels[index] for index in sorted(allowed)], True

    def _level_words(self, most_levels: int | None, ends: list[str]) -> str:
        levels, is_allowed = self._named_levels()
        named = _cut_short([spoken_level(level) for level in levels], most_levels)
        if is_allowed:
            return join_names([*named, *ends], "or", most=None)
        if not named:
            return "known or unknown" if ends else "known"
        end = ", or unknown" if ends else ""
        if len(named) == 1:
            return f"not {named[0]}{end}"
        return (
            f"neither {named[0]} nor {named[1]}{end}"
            if len(named) == 2
            else f"not {join_names(named, 'or', most=None)}{end}"
        )

    def _level_formula(self) -> str:
        levels, is_allowed = self._named_levels()
        named = [level_in_formula(level) for level in levels]
        if len(named) == 1:
            return f"{'=' if is_allowed else '≠'} {named[0]}"
        return f"{'∈' if is_allowed else '∉'} {{{', '.join(named)}}}"


def is_unknown(values: NDArray[np.float64] | NDArray[np.int32]) -> NDArray[np.bool_]:
    """NaN among numbers, a negative position among levels."""
    return np.asarray(np.isnan(values) if values.dtype.kind == "f" else values < 0)


def spoken_level(level: str) -> str:
    """A level in a sentence, quoted if it could be taken for other words of it."""
    first, *_ = level.split(" ", 1)
    is_a_word = first in ("unknown", "known", "not", "neither")
    is_sentence = any(word in level for word in _WORDS_OF_A_SENTENCE)
    return repr(level) if is_a_word or is_sentence else shown_level(level)


def level_in_formula(level: str) -> str:
    """A level in a formula, quoted if it could be taken for a part of it."""
    is_ambiguous = any(mark in level for mark in (*_SIGNS_OF_A_FORMULA, *_BRACKETS_OF_A_FORMULA))
    return repr(level) if is_ambiguous else shown_level(level)


def name_in_formula(name: str) -> str:
    """A column's name in a formula, quoted if it has a sign of one; brackets, as of a unit, may stay."""
    return repr(name) if any(mark in name for mark in _SIGNS_OF_A_FORMULA) else shown_label(name)


def _cut_short(labels: list[str], most_levels: int | None) -> list[str]:
    if most_levels is None or len(labels) <= most_levels:
        return labels
    return [*labels[:most_levels], f"… ({len(labels) - most_levels} more)"]
