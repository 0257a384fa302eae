"""Transformers that count with numbers: their columns come and go as one matrix."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from heldout.features.transformer import Transformer
from heldout.features.transformer_inputs import Entry, entry_after_fit
from heldout.features.transformer_outputs import (
    WIDTH,
    leaving_columns,
    made_by,
    requested_container,
    short_list,
)
from heldout.inputs.input_schema import InputSchema
from heldout.learners.trees.tree_text import shown_label
from heldout.table.column import NUMERIC_KINDS, Column
from heldout.text.words import plural, shorten
from heldout.types import Matrix, PerRow, SparseMatrix, TableLike


class NumberTransformer(Transformer):
    """Acts on numbers and dates, all of them at once; what leaves are numbers.

    A dense matrix is float64, in Fortran's order or in any other: a step may not let its bits depend on it,
    and gives back what it makes in the order in which it came. A sparse one is a csr_array with every cell
    once and in order. Neither may be written to.
    """

    _acts_on: ClassVar[tuple[str, ...]] = NUMERIC_KINDS

    @abstractmethod
    def _learn(self, matrix: Matrix, names: list[str], y: PerRow) -> None:
        """Set what is learned from these rows.

        matrix: rows × the columns to act on, NaN for missing
        names:  of these columns
        """

    @abstractmethod
    def _apply(self, matrix: Matrix, names: list[str]) -> Matrix:
        """These rows after the step, as a new matrix of the same columns."""

    def _learn_from(self, entry: Entry, chosen: NDArray[np.intp], y: PerRow) -> None:
        self._learn(entry_matrix(entry, chosen), _names_at(entry.schema.names, chosen), y)

    def _leave(self, X: TableLike, entry: Entry) -> Any:
        applied = self._apply(entry_matrix(entry, self.columns_), self._acted_names)
        return self._placed(X, entry, applied, ["number"] * len(self.columns_))

    @property
    def _acted_names(self) -> list[str]:
        """The names of the columns that are acted on."""
        return _names_at(self.inputs_.names, self.columns_)

    @property
    def _acted_kinds(self) -> list[str]:
        """The kinds that these columns had at fit."""
        if self.inputs_.kinds == {"number"}:
            return ["number"] * len(self.columns_)
        return [self.inputs_.columns[index].kind for index in self.columns_]

    def _placed(self, X: TableLike, entry: Entry, applied: Matrix, kinds: list[str]) -> Any:
        """What was made of the columns that are acted on, among the others and in the form of X.

        kinds: of these columns
        """
        if entry.form == "sparse":
            return self._among_others(entry.matrix, applied)
        is_whole = len(self.columns_) == self.n_features_in_
        if entry.form == "array" and is_whole and requested_container(self) == "default":
            return applied
        assert isinstance(applied, np.ndarray)
        leaving = list(entry.columns)
        for number, index in enumerate(self.columns_.tolist()):
            leaving[index] = Column(
                leaving[index].name, kinds[number], applied[:, number], reason=made_by(self)
            )
        return leaving_columns(self, X, entry.form, leaving)

    def _names_out(self, names: list[str]) -> list[str]:
        return names

    def _among_others(self, whole: SparseMatrix, applied: Matrix) -> Matrix:
        """What was made of some columns of a sparse matrix, in their places among the others."""
        if len(self.columns_) == self.n_features_in_:
            return applied
        from scipy.sparse import csr_array, hstack  # takes 0.1 s

        acted = self.columns_.tolist()
        others = sorted(set(range(self.n_features_in_)) - set(acted))
        side_by_side = hstack([csr_array(applied), whole[:, others]], format="csr")
        return cast("SparseMatrix", csr_array(side_by_side[:, np.argsort([*acted, *others])]))


def _names_at(names: list[str], indices: NDArray[np.intp]) -> list[str]:
    """The names at these positions, which are ascending."""
    return names if len(indices) == len(names) else [names[index] for index in indices.tolist()]


def entry_matrix(entry: Entry, chosen: NDArray[np.intp]) -> Any:
    """The chosen columns of X as one matrix."""
    if entry.form == "sparse":
        return entry.matrix if len(chosen) == entry.matrix.shape[1] else entry.matrix[:, chosen]
    if entry.matrix is not None and len(chosen) == entry.matrix.shape[1]:
        return entry.matrix
    matrix = np.empty((entry.n_rows, len(chosen)), dtype=np.float64, order="F")
    for index, position in enumerate(chosen.tolist()):
        matrix[:, index] = entry.columns[position].values
    return matrix


class FixedTransformer(NumberTransformer):
    """Learns nothing: what a row becomes depends on that row alone.

    _step: what is done, in words before the names of the columns
    """

    _takes_sparse = True
    _step: ClassVar[str]

    def __init__(self, *, columns: Sequence[str | int] | None = None) -> None:
        self.columns = columns

    @abstractmethod
    def _refuse(self, matrix: Matrix, names: list[str]) -> None:
        """Raise for numbers that the step cannot take, in training rows and in later ones."""

    @abstractmethod
    def _transformed(self, matrix: Matrix) -> Matrix:
        """These rows after the step, as a new matrix of the same columns."""

    def description_bits(self) -> float:
        """Nothing is learned, so nothing has to be written down."""
        self._check_is_fitted()
        return 0.0

    def to_text(self) -> str:
        """What is done, and to which columns."""
        self._check_is_fitted()
        return f"{self._step} {listed_columns(self._acted_names)}"

    def _learn(self, matrix: Matrix, names: list[str], y: PerRow) -> None:
        self._refuse(matrix, names)

    def _apply(self, matrix: Matrix, names: list[str]) -> Matrix:
        self._refuse(matrix, names)
        return self._transformed(matrix)


class InvertibleTransformer(NumberTransformer):
    """Has `inverse_transform`, which gives back what came, up to rounding."""

    @abstractmethod
    def _revert(self, matrix: Matrix, names: list[str]) -> Matrix:
        """These rows as they were before the step, as a new matrix of the same columns."""

    def inverse_transform(self, X: TableLike) -> Any:
        """The rows as they were before this step, in the form in which X comes; dates are dates again.

        Parameters
        ----------
        X
            what `transform` gave
        """
        self._check_is_fitted()
        entry = entry_after_fit(self, X, self._schema_out())
        reverted = self._revert(entry_matrix(entry, self.columns_), self._acted_names)
        return self._placed(X, entry, reverted, self._acted_kinds)

    def _schema_out(self) -> InputSchema:
        """The columns that leave: those that are acted on are numbers."""
        if self.inputs_.kinds == {"number"}:
            return self.inputs_
        acted = set(self.columns_.tolist())
        known = [
            replace(column, kind="number") if index in acted else column
            for index, column in enumerate(self.inputs_.columns)
        ]
        return InputSchema(tuple(known))


MOST_COLUMNS = 20


def column_lines(names: Sequence[str], texts: Sequence[str]) -> list[str]:
    """The names with what is said of each, under each other; of many columns the first ones."""
    shown = [shorten(shown_label(name), 40) for name in names[:MOST_COLUMNS]]
    width = max(map(len, shown), default=0)
    lines = [f"{name.ljust(width)}  {text}" for name, text in zip(shown, texts, strict=False)]
    n_more = len(names) - len(shown)
    return lines + [f"… and {plural(n_more, 'more column')}"] * (n_more > 0)


def room_beside(names: Sequence[str]) -> int:
    """How many characters a line of `column_lines` has left for what is said."""
    return WIDTH - 2 - max((len(shorten(shown_label(name), 40)) for name in names[:MOST_COLUMNS]), default=0)


def listed_columns(names: Sequence[str]) -> str:
    """How many columns there are, and their names; of many the first ones."""
    if not names:
        return "no column"
    # Half of a line is left for the words before it.
    listed = short_list([shown_label(name) for name in names], WIDTH // 2)
    return f"{plural(len(names), 'column')}: {listed}"
