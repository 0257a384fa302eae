"""What every transformer of tables is: fitted on training rows alone, and in the form in which X comes.

A Table or a frame leaves as a Table, whose columns have kinds, an array as an array, a sparse matrix as one;
`set_output` asks for frames. On a Table a transformer acts on the columns of the kinds that it is for, and
passes the others through where they stand.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import TransformerMixin

from heldout.errors import DataError, RequestError
from heldout.features.transformer_inputs import Entry, entry_after_fit, entry_at_fit, input_names
from heldout.features.transformer_outputs import leaving_columns, unique_names
from heldout.inputs.input_schema import InputSchema
from heldout.learners.parameters import Parameter, check_parameters, refusal
from heldout.learners.readable_learner import ReadableLearner
from heldout.table.column import Column
from heldout.text.words import first_few, shorten, suggestion
from heldout.types import PerRow, TableLike

COLUMNS = Parameter("columns", choices=(None,), types=(list, tuple, np.ndarray))


class Transformer(TransformerMixin, ReadableLearner):  # type: ignore[misc]
    """A step between a table and a learner.

    _parameters:  the allowed values of the parameters, without `columns`
    _acts_on:     the kinds of columns that it is for
    _takes_sparse: whether a sparse matrix may come, and stays sparse
    _takes_words: whether an array may have words in it, whose columns then are categories
    """

    _learned = "inputs_"
    _parameters: ClassVar[tuple[Parameter, ...]] = ()
    _acts_on: ClassVar[tuple[str, ...]]
    _takes_sparse: ClassVar[bool] = False
    _takes_words: ClassVar[bool] = False

    columns: Sequence[str | int] | None
    inputs_: InputSchema
    columns_: NDArray[np.intp]
    n_rows_: int
    n_features_in_: int

    def fit(self, X: TableLike, y: PerRow = None) -> Self:
        """Learn from training rows.

        Parameters
        ----------
        X
            a Table, a pandas, polars or Arrow frame, an array, or a sparse matrix where one is taken
        y
            one answer per row; most transformers do not look at it
        """
        if isinstance(self.columns, str):
            raise RequestError(
                "columns is a list of names or positions",
                where=f"{type(self).__name__}(columns={self.columns!r:.60})",
                fix=f"write columns=[{self.columns!r:.60}]",
            )
        check_parameters(self, (*self._parameters, COLUMNS))
        entry = entry_at_fit(self, X)
        chosen = self._chosen_of(entry)
        self._learn_from(entry, chosen, y)
        self.n_rows_ = entry.n_rows
        self.columns_ = chosen
        self.inputs_ = entry.schema
        return self

    def transform(self, X: TableLike) -> Any:
        """The rows of X after this step; nothing is learned from them.

        Parameters
        ----------
        X
            in the form of fit, with the same columns
        """
        self._check_is_fitted()
        return self._leave(X, entry_after_fit(self, X, self.inputs_))

    def get_feature_names_out(self, input_features: Sequence[str] | None = None) -> NDArray[Any]:
        """The names of the columns that leave.

        Parameters
        ----------
        input_features
            names of the columns that come; left out, those of fit
        """
        self._check_is_fitted()
        names = input_names(self, input_features)
        return np.array(self._names_out(names), dtype=object)

    @abstractmethod
    def description_bits(self) -> float:
        """How many bits it takes to write down what was learned."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self._takes_sparse
        tags.input_tags.categorical = self._takes_words
        return tags

    @abstractmethod
    def _learn_from(self, entry: Entry, chosen: NDArray[np.intp], y: PerRow) -> None:
        """Set what is learned.

        chosen: the positions of the columns to act on
        """

    @abstractmethod
    def _leave(self, X: TableLike, entry: Entry) -> Any:
        """What leaves for the rows that came in X."""

    @abstractmethod
    def _names_out(self, names: list[str]) -> list[str]:
        """The names that leave for these that come."""

    def _chosen_of(self, entry: Entry) -> NDArray[np.intp]:
        """The columns to act on, of X as it came to fit."""
        return self._chosen(entry.schema)

    def _chosen(self, schema: InputSchema) -> NDArray[np.intp]:
        """The columns to act on: all of the right kinds, or those that were asked for."""
        if self.columns is None:
            if all(self._is_for(kind) for kind in schema.kinds):
                return np.arange(schema.n_columns, dtype=np.intp)
            fitting = [index for index, each in enumerate(schema.columns) if self._is_for(each.kind)]
            return np.array(fitting, dtype=np.intp)
        indices = [self._index_of(wanted, schema.names) for wanted in self.columns]
        for index in indices:
            self._refuse_kind(schema.columns[index].name, schema.columns[index].kind)
        if len(set(indices)) < len(indices):
            raise RequestError(
                "a column was named twice",
                where=f"{type(self).__name__}(columns={list(self.columns)!r:.60})",
                fix="name each column once",
            )
        return np.array(sorted(indices), dtype=np.intp)

    def _is_for(self, kind: str) -> bool:
        return kind in self._acts_on

    def _index_of(self, wanted: object, names: list[str]) -> int:
        if isinstance(wanted, np.generic):
            wanted = wanted.item()
        if isinstance(wanted, str) and wanted in names:
            return names.index(wanted)
        is_index = isinstance(wanted, int) and not isinstance(wanted, bool)
        if isinstance(wanted, int) and is_index and -len(names) <= wanted < len(names):
            return wanted % len(names)
        if not is_index and not isinstance(wanted, str):
            raise refusal(type(self).__name__, COLUMNS, wanted)
        raise RequestError(
            f"there is no column {wanted!r:.60}",
            where=f"{type(self).__name__}(columns=…), {len(names)} columns:"
            f" {first_few([shorten(name, 24) for name in names])}",
            fix=suggestion(wanted, names) if isinstance(wanted, str) else "count them from 0",
        )

    def _refuse_kind(self, name: str, kind: str) -> None:
        if not self._is_for(kind):
            raise DataError(
                f"column '{name}' is {kind}, which {type(self).__name__} is not for",
                where=f"{type(self).__name__}(columns=…); it is for {', '.join(self._acts_on)}",
                fix="leave it out of columns, or read it as another kind with read_table(..., kinds=…)",
            )


class ColumnwiseTransformer(Transformer):
    """Acts on typed columns, each of which becomes none, one or several that stand where it stood.

    An array comes as number columns x0, x1, …; of a transformer that takes words, columns with words in
    them come as categories.
    """

    @abstractmethod
    def _learn(self, columns: list[Column], y: PerRow) -> None:
        """Set what is learned from these columns, which are those to act on."""

    @abstractmethod
    def _apply(self, columns: list[Column]) -> Sequence[Sequence[Column]]:
        """What each of the columns that are acted on becomes; names as `_names_of` gives them."""

    @abstractmethod
    def _names_of(self, names: list[str]) -> Sequence[Sequence[str]]:
        """The names of what each of the columns becomes.

        names: of the columns that are acted on
        """

    def _learn_from(self, entry: Entry, chosen: NDArray[np.intp], y: PerRow) -> None:
        self._learn([entry.columns[index] for index in chosen], y)

    def _leave(self, X: TableLike, entry: Entry) -> Any:
        return leaving_columns(self, X, entry.form, self._leaving(entry))

    def _leaving(self, entry: Entry) -> list[Column]:
        """All columns that leave, in order."""
        made = self._apply([entry.columns[index] for index in self.columns_])
        by_index = dict(zip(self.columns_.tolist(), made, strict=True))
        leaving = [
            column for index, each in enumerate(entry.columns) for column in by_index.get(index, (each,))
        ]
        names = self._names_out(entry.schema.names)
        return [
            column if column.name == name else replace(column, name=name)
            for column, name in zip(leaving, names, strict=True)
        ]

    def _names_out(self, names: list[str]) -> list[str]:
        acted = self.columns_.tolist()
        sources = [names[index] for index in acted]
        is_acted = set(acted)
        others = [name for index, name in enumerate(names) if index not in is_acted]
        made = unique_names(self._names_of(sources), sources, others)
        by_index = dict(zip(acted, made, strict=True))
        return [name for index, each in enumerate(names) for name in by_index.get(index, (each,))]
