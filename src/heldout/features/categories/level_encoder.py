"""What the encoders of categories share: the levels of training, and a warning of any others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.features.categories.level_codes import codes_in, levels_of
from heldout.features.categories.unseen_levels import UnseenLevel, unseen_in, warn_of_unseen
from heldout.features.columnwise_transformer import ColumnwiseTransformer
from heldout.features.forms.entry import Entry, entry_after_fit
from heldout.features.forms.short_lists import WIDTH, short_list
from heldout.learners.inputs.input_schema import InputSchema
from heldout.learners.trees.tree_text import shown_level
from heldout.table.column import LEVEL_KINDS, Column
from heldout.table.describe import plural, shortened

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

    def unseen_levels(self, X: Any) -> tuple[UnseenLevel, ...]:
        """The levels in X that no training row had, how often they come, and where first, without a warning.

        X: as for `transform`
        """
        self._check_is_fitted()
        columns = entry_after_fit(self, X, self.inputs_).columns
        acted = [columns[place] for place in self.columns_]
        return tuple([each for column, codes in self._pairs(acted) for each in unseen_in(column, codes)])

    def _levels_line(
        self, acted: int, levels: Sequence[str], behind: Sequence[str] = (), end: str = ""
    ) -> str:
        """A column and its levels, as many as there is room for.

        acted:  which of the columns that are acted on
        behind: what stands behind each level
        end:    what stands behind them all
        """
        start = f"  {shortened(shown_level(self.inputs_.names[int(self.columns_[acted])]), 40)}: "
        if not levels:
            return f"{start}no known value"
        shown = [shortened(shown_level(level), 30) for level in levels[:WIDTH]]
        cells = [level + more for level, more in zip(shown, behind or [""] * len(shown), strict=False)]
        cells += [""] * (len(levels) - len(cells))
        room = WIDTH - len(start) - len(end)
        return start + short_list(cells, room, plural(len(levels), "level")) + end

    def _more_columns(self) -> list[str]:
        """The last line, if there are more columns than a text shows."""
        n_more = len(self.columns_) - MOST_COLUMNS
        return [f"  … and {plural(n_more, 'more column')}"] if n_more > 0 else []

    def _learn(self, columns: list[Column], y: Any) -> None:
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
        return [self.inputs_.columns[place].kind for place in self.columns_]
