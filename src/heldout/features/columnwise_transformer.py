"""Transformers that treat each column by itself, and may make several of one."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.features.forms.entry import Entry
from heldout.features.forms.leaving import leaving_columns
from heldout.features.forms.unique_names import unique_names
from heldout.features.transformer import Transformer
from heldout.table.column import Column


class ColumnwiseTransformer(Transformer):
    """Acts on typed columns, each of which becomes none, one or several that stand where it stood.

    An array comes as number columns x0, x1, …; of a transformer that takes words, columns with words in
    them come as categories.
    """

    @abstractmethod
    def _learn(self, columns: list[Column], y: Any) -> None:
        """Set what is learned from these columns, which are those to act on."""

    @abstractmethod
    def _apply(self, columns: list[Column]) -> Sequence[Sequence[Column]]:
        """What each of the columns that are acted on becomes; names as `_names_of` gives them."""

    @abstractmethod
    def _names_of(self, names: list[str]) -> Sequence[Sequence[str]]:
        """The names of what each of the columns becomes.

        names: of the columns that are acted on
        """

    def _learn_from(self, entry: Entry, chosen: NDArray[np.intp], y: Any) -> None:
        self._learn([entry.columns[place] for place in chosen], y)

    def _leave(self, X: Any, entry: Entry) -> Any:
        return leaving_columns(self, X, entry.form, self._leaving(entry))

    def _leaving(self, entry: Entry) -> list[Column]:
        """All columns that leave, in order."""
        made = self._apply([entry.columns[place] for place in self.columns_])
        by_place = dict(zip(self.columns_.tolist(), made, strict=True))
        leaving = [
            column for place, each in enumerate(entry.columns) for column in by_place.get(place, (each,))
        ]
        names = self._names_out(entry.schema.names)
        return [
            column if column.name == name else replace(column, name=name)
            for column, name in zip(leaving, names, strict=True)
        ]

    def _names_out(self, names: list[str]) -> list[str]:
        acted = self.columns_.tolist()
        sources = [names[place] for place in acted]
        is_acted = set(acted)
        others = [name for place, name in enumerate(names) if place not in is_acted]
        made = unique_names(self._names_of(sources), sources, others)
        by_place = dict(zip(acted, made, strict=True))
        return [name for place, each in enumerate(names) for name in by_place.get(place, (each,))]
