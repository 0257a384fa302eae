"""Transformers that count with numbers: their columns come and go as one matrix."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from heldout.features.forms.entry import Entry
from heldout.features.forms.leaving import asked_container, leaving_columns
from heldout.features.transformer import Transformer
from heldout.table.column import NUMERIC_KINDS, Column


class NumberTransformer(Transformer):
    """Acts on numbers and dates, all of them at once; what leaves are numbers.

    A dense matrix is float64 and in Fortran's order, so that a Table and an array give the same bits; a
    sparse one is a csr_array with every cell once and in order. Neither may be written to.
    """

    _acts_on: ClassVar[tuple[str, ...]] = NUMERIC_KINDS

    @abstractmethod
    def _learn(self, matrix: Any, names: list[str], y: Any) -> None:
        """Set what is learned from these rows.

        matrix: rows × the columns to act on, NaN for missing
        names:  of these columns
        """

    @abstractmethod
    def _apply(self, matrix: Any, names: list[str]) -> Any:
        """These rows after the step, as a new matrix: of all columns, or of those that `_kept` keeps."""

    def _kept(self) -> NDArray[np.bool_]:
        """Which of the columns that are acted on leave."""
        return np.ones(len(self.columns_), dtype=np.bool_)

    def _learn_from(self, entry: Entry, chosen: NDArray[np.intp], y: Any) -> None:
        self._learn(entry_matrix(entry, chosen), [entry.schema.columns[place].name for place in chosen], y)

    def _leave(self, X: Any, entry: Entry) -> Any:
        applied = self._apply(entry_matrix(entry, self.columns_), self._acted_names)
        return self._placed(X, entry, applied, ["number"] * len(self.columns_))

    @property
    def _acted_names(self) -> list[str]:
        """The names of the columns that are acted on."""
        return [self.inputs_.columns[place].name for place in self.columns_]

    def _placed(self, X: Any, entry: Entry, applied: Any, kinds: list[str]) -> Any:
        """What was made of the columns that are acted on, among the others and in the form of X.

        kinds: of these columns
        """
        names = self._acted_names
        if entry.form == "sparse":
            return self._among_others(entry.matrix, applied)
        if entry.form == "array" and len(names) == self.n_features_in_ and asked_container(self) == "default":
            return applied
        kept = [
            pair
            for pair, is_kept in zip(zip(names, kinds, strict=True), self._kept(), strict=True)
            if is_kept
        ]
        made = {name: Column(name, kind, applied[:, place]) for place, (name, kind) in enumerate(kept)}
        acted = set(names)
        leaving = [
            made.get(each.name, each) for each in entry.columns if each.name not in acted - made.keys()
        ]
        return leaving_columns(self, X, entry.form, leaving)

    def _names_out(self, names: list[str]) -> list[str]:
        return [names[place] for place in self._leaving_places()]

    def _leaving_places(self) -> list[int]:
        """The positions of the columns that leave, of those that come."""
        gone = set(self.columns_[~self._kept()].tolist())
        return [place for place in range(self.n_features_in_) if place not in gone]

    def _among_others(self, whole: Any, applied: Any) -> Any:
        """What was made of some columns of a sparse matrix, in their places among the others."""
        if len(self.columns_) == self.n_features_in_:
            return applied
        from scipy.sparse import csr_array, hstack  # takes 0.1 s

        acted = self.columns_.tolist()
        others = sorted(set(range(self.n_features_in_)) - set(acted))
        kept = [place for place, is_kept in zip(acted, self._kept(), strict=True) if is_kept]
        side_by_side = hstack([csr_array(applied), whole[:, others]], format="csr")
        return csr_array(side_by_side[:, np.argsort([*kept, *others])])


def entry_matrix(entry: Entry, chosen: NDArray[np.intp]) -> Any:
    """The chosen columns of X as one matrix."""
    if entry.form == "sparse":
        return entry.matrix if len(chosen) == entry.matrix.shape[1] else entry.matrix[:, chosen]
    if entry.matrix is not None and len(chosen) == entry.matrix.shape[1]:
        return np.asfortranarray(entry.matrix)
    matrix = np.empty((entry.n_rows, len(chosen)), dtype=np.float64, order="F")
    for place, position in enumerate(chosen.tolist()):
        matrix[:, place] = entry.columns[position].values
    return matrix
