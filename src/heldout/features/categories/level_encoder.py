"""What the encoders of categories share: the levels of training, and a warning of any others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.features.categories.level_codes import codes_in, levels_of
from heldout.features.categories.unseen_levels import UnseenLevel, unseen_in, warn_of_unseen
from heldout.features.columnwise_transformer import ColumnwiseTransformer
from heldout.features.forms.entry import Entry, entry_after_fit
from heldout.learners.inputs.input_schema import InputSchema
from heldout.table.column import LEVEL_KINDS, Column

Codes = NDArray[np.int32]


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

    def _learn(self, columns: list[Column], y: Any) -> None:
        self.levels_ = tuple([levels_of(column) for column in columns])

    def _chosen_of(self, entry: Entry) -> NDArray[np.intp]:
        if entry.form == "table":
            return self._chosen(entry.schema)
        return self._chosen(
            InputSchema(tuple([replace(each, kind="category") for each in entry.schema.columns]))
        )

    def _pairs(self, columns: list[Column]) -> list[tuple[Column, Codes]]:
        return [
            (column, codes_in(column, levels)) for column, levels in zip(columns, self.levels_, strict=True)
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
