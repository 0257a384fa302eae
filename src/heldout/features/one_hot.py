"""Categories as columns of 0 and 1, one for each level."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError, RequestError
from heldout.features.level_encoder import MOST_COLUMNS, Codes, LevelEncoder
from heldout.features.transformer_inputs import Entry
from heldout.features.transformer_outputs import column_numbers, made_by, requested_container, stacked_sparse
from heldout.learners.parameters import Parameter
from heldout.table.column import NUMERIC_KINDS, Column
from heldout.text.words import plural
from heldout.types import PerRow, SparseMatrix, TableLike

# 16 GB of numbers.
MOST_CELLS = 2_000_000_000


class OneHot(LevelEncoder):
    """Each level of a category becomes a column of 0 and 1, named "wind = weak".

    On a Table or a frame it acts on categories and booleans. A boolean becomes one column of its own name, 1
    for what its words say is true, and stays missing where it is. On an array every column is a category,
    numbers by their values. The columns stand where the category stood, levels in order: by number where all
    are numbers, else by code point.

    A level that no training row had becomes zeros in all columns, with an UnseenLevelWarning that says how
    many rows have it; `unseen_levels` counts without a warning. A missing value becomes zeros too: put
    FillMissing(categories="constant") before, and it is a level of its own.

    Parameters
    ----------
    drop_first
        leave the first level of each category out. With all levels the columns of a category sum to 1,
        and least squares has no single answer. A level that was not seen then looks like the first
    sparse
        give a sparse matrix of all columns, which must be numbers after this step
    columns
        names or positions; left out, all that it is for

    Attributes
    ----------
    levels_
        of each column that is acted on
    columns_
    inputs_
    n_rows_
    n_features_in_
    feature_names_in_

    Examples
    --------
    >>> import heldout as ho
    >>> days = ho.datasets.load("play_tennis")[["Temperature", "Wind"]]
    >>> encoder = OneHot().fit(days)
    >>> encoder.transform(days[:2]).names
    ('Temperature = Cool', 'Temperature = Hot', 'Temperature = Mild', 'Wind = Strong', 'Wind = Weak')
    >>> OneHot(drop_first=True).fit_transform([["red", 1], ["blue", 2]])
    array([[1., 0.],
           [0., 1.]])
    """

    _becomes = "zeros"
    _parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("drop_first", choices=(True, False)),
        Parameter("sparse", choices=(True, False)),
    )

    drops_first_: bool

    def __init__(
        self, *, drop_first: bool = False, sparse: bool = False, columns: Sequence[str | int] | None = None
    ) -> None:
        self.drop_first = drop_first
        self.sparse = sparse
        self.columns = columns

    def to_text(self) -> str:
        """The columns and their levels."""
        self._check_is_fitted()
        lines = [f"columns of 0 and 1 for {plural(len(self.columns_), 'column')}"]
        acted = zip(self._kinds, self.levels_, strict=True)
        for kind, levels in [*acted][:MOST_COLUMNS]:
            drops = self.drops_first_ and kind != "boolean" and levels
            end = ", the first left out" if drops else ""
            lines.append(self._levels_line(len(lines) - 1, levels, end=end))
        return "\n".join(lines + self._more_columns())

    def _learn_from(self, entry: Entry, chosen: NDArray[np.intp], y: PerRow) -> None:
        super()._learn_from(entry, chosen, y)
        self.drops_first_ = bool(self.drop_first)
        acted = zip(chosen.tolist(), self.levels_, strict=True)
        n_made = sum(
            1 if entry.schema.columns[index].kind == "boolean" else len(levels[self.drops_first_ :])
            for index, levels in acted
        )
        if n_made + len(entry.schema.columns) - len(chosen) == 0:
            one = " (X contains only one sample)" if entry.n_rows == 1 else ""
            raise DataError(
                f"no column is left: no category has a level to make a column of{one}",
                where=f"{plural(len(chosen), 'column')}, {plural(entry.n_rows, 'row')},"
                f" drop_first={self.drop_first}",
                fix="use drop_first=False, or more rows, or leave the step out",
            )

    def _names_of(self, names: list[str]) -> list[list[str]]:
        return [
            [name] if kind == "boolean" else [f"{name} = {level}" for level in levels[self.drops_first_ :]]
            for name, kind, levels in zip(names, self._kinds, self.levels_, strict=True)
        ]

    def _leave(self, X: TableLike, entry: Entry) -> Any:
        if self.sparse:
            return self._sparse_matrix(entry)
        n_made = len(self._names_out(entry.schema.names))
        n_cells = entry.n_rows * n_made
        if n_cells > MOST_CELLS:
            raise DataError(
                f"the columns of all levels have {n_cells:,} cells, too many for a dense result",
                where=f"{entry.n_rows:,} rows and {n_made:,} columns; {MOST_CELLS:,} cells are the most",
                fix="use sparse=True, or leave columns with very many levels out",
            )
        if entry.form == "array" and requested_container(self) == "default" and self._passes_numbers():
            return self._dense_array(entry, n_made)
        return super()._leave(X, entry)

    def _passes_numbers(self) -> bool:
        """Whether whatever is not acted on is numbers."""
        acted = set(self.columns_.tolist())
        return all(
            each.kind in NUMERIC_KINDS
            for index, each in enumerate(self.inputs_.columns)
            if index not in acted
        )

    def _apply(self, columns: list[Column]) -> list[list[Column]]:
        coded = zip(columns, self._codes(columns), self.levels_, strict=True)
        return [
            [Column(column.name, "number", column_numbers(column), reason=made_by(self))]
            if column.kind == "boolean"
            else self._level_columns(column.name, codes, levels)
            for column, codes, levels in coded
        ]

    def _level_columns(self, name: str, codes: Codes, levels: tuple[str, ...]) -> list[Column]:
        block = np.zeros((len(codes), len(levels)), dtype=np.float64, order="F")
        rows = np.flatnonzero(codes >= 0)
        block[rows, codes[rows]] = 1.0
        first = int(self.drops_first_)
        return [
            Column(f"{name} = {level}", "number", block[:, index], reason=made_by(self))
            for index, level in enumerate(levels[first:], start=first)
        ]

    def _dense_array(self, entry: Entry, n_made: int) -> NDArray[np.float64]:
        """One array, written cell by cell: many columns side by side would be copied once more."""
        made = np.zeros((entry.n_rows, n_made), dtype=np.float64)
        coded = self._coded_by_index(entry)
        begin, first = 0, int(self.drops_first_)
        for index, column in enumerate(entry.columns):
            if index not in coded:
                made[:, begin] = column.values
                begin += 1
                continue
            codes, levels = coded[index]
            if column.kind == "boolean":
                made[:, begin] = column_numbers(column)
                begin += 1
                continue
            rows = np.flatnonzero(codes >= first)
            made[rows, begin - first + codes[rows]] = 1.0
            begin += len(levels[first:])
        return made

    def _sparse_matrix(self, entry: Entry) -> SparseMatrix:
        if (requested := requested_container(self)) != "default":
            raise RequestError(
                f"{requested.capitalize()} output does not support sparse data.",
                where=f"OneHot(sparse=True) with set_output(transform={requested!r})",
                fix='use sparse=False, or set_output(transform="default")',
            )
        coded = self._coded_by_index(entry)
        pieces = [
            column if index not in coded else self._sparse_piece(column, *coded[index])
            for index, column in enumerate(entry.columns)
        ]
        return stacked_sparse(pieces, entry.n_rows)

    def _sparse_piece(self, column: Column, codes: Codes, levels: tuple[str, ...]) -> Any:
        from scipy.sparse import csr_array  # takes 0.1 s

        if column.kind == "boolean":
            return column
        first = int(self.drops_first_)
        is_one = codes >= first
        ends = np.zeros(len(codes) + 1, dtype=np.int32)
        np.cumsum(is_one, out=ends[1:])
        shape = (len(codes), len(levels[first:]))
        return csr_array((np.ones(ends[-1]), codes[is_one] - first, ends), shape=shape)

    def _coded_by_index(self, entry: Entry) -> dict[int, tuple[Codes, tuple[str, ...]]]:
        codes = self._codes([entry.columns[index] for index in self.columns_])
        return dict(zip(self.columns_.tolist(), zip(codes, self.levels_, strict=True), strict=True))
