"""A table: typed columns of equal length, and what the reader noticed about them.

A selection of rows keeps the columns it came from and the positions, and copies a column only when
its values are asked for. So the codes of a table are made once, whatever the number of folds.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import EllipsisType
from typing import Any, overload

import numpy as np
from numpy.typing import DTypeLike, NDArray

from heldout.errors import DataError, RequestError
from heldout.table.arrow_table import arrow_from_columns
from heldout.table.codes import CodedTable
from heldout.table.column import NUMERIC_KINDS, STRING_KINDS, Column, Rows
from heldout.table.describe import TableDescription, describe_table
from heldout.table.digest import table_digest
from heldout.table.raw_table import TableSource
from heldout.table.selection import (
    RowRequest,
    chain_rows,
    column_positions,
    row_positions,
    selected_length,
    unknown_column,
)
from heldout.text.words import first_few


class Table:
    """Typed columns under distinct names.

    Parameters
    ----------
    columns
        Column objects of equal length
    notes
        sentences about what was noticed while reading

    Examples
    --------
    >>> table = Table([Column("age", "number", np.array([41.0, 29.0, np.nan]))])
    >>> table.shape, table["age"].n_missing, table[[0, 1]].n_rows
    ((3, 1), 1, 2)
    """

    def __init__(self, columns: Sequence[Column], notes: Sequence[str] = ()) -> None:
        columns = tuple(columns)
        _check_columns(columns)
        self._fill(columns, None, len(columns[0]) if columns else 0, tuple(notes))

    def _fill(
        self, base: tuple[Column, ...], rows: Rows | None, n_base_rows: int, notes: tuple[str, ...]
    ) -> None:
        self._base = base
        self._rows = rows
        self._n_base_rows = n_base_rows
        self._notes = notes
        self._position = {column.name: position for position, column in enumerate(base)}
        self._taken: dict[str, Column] = {}
        self._digest = ""
        self._source: TableSource | None = None
        self._shared: dict[Hashable, Any] = {}

    def _derived(self, base: tuple[Column, ...], rows: Rows | None) -> Table:
        derived = Table.__new__(Table)
        derived._fill(base, rows, self._n_base_rows, self._notes)
        if base is self._base:
            derived._shared = self._shared
        return derived

    @property
    def n_rows(self) -> int:
        return self._n_base_rows if self._rows is None else selected_length(self._rows, self._n_base_rows)

    @property
    def n_columns(self) -> int:
        return len(self._base)

    @property
    def shape(self) -> tuple[int, int]:
        return self.n_rows, self.n_columns

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._position)

    @property
    def columns(self) -> tuple[Column, ...]:
        return self._base if self._rows is None else tuple([self._column(name) for name in self._position])

    @property
    def kinds(self) -> dict[str, str]:
        return {column.name: column.kind for column in self._base}

    @property
    def notes(self) -> tuple[str, ...]:
        return self._notes

    @property
    def shared(self) -> dict[Hashable, Any]:
        """What was computed once for the table that these rows were selected from, for all selections."""
        return self._shared

    @property
    def base_rows(self) -> Rows | None:
        """Which rows these are of the table that they were selected from; None for all of them."""
        return self._rows

    @property
    def source(self) -> TableSource | None:
        """The file it was read from, and how; None for what was made in memory or selected from a table."""
        return self._source

    @property
    def digest(self) -> str:
        """Of names, kinds and values; the same for any file format and order of levels."""
        if not self._digest:
            self._digest = table_digest(self.columns, self.n_rows)
        return self._digest

    def __len__(self) -> int:
        return self.n_rows

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self._position

    def __repr__(self) -> str:
        return str(self.describe())

    def _repr_html_(self) -> str:
        from heldout.charts.notebook_piece import piece_html

        return piece_html(self.describe().notebook_piece())

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        # Rows that were not selected stay behind: they may be the ones that are sealed.
        return _restore, (self.columns, self.n_rows, self._notes)

    def __deepcopy__(self, memo: dict[int, Any]) -> Table:
        return self

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        """Rows × columns as floats, where every column is a number or a date."""
        others = [column for column in self._base if column.kind not in NUMERIC_KINDS]
        if others:
            first = others[0]
            raise DataError(
                "a table with columns that are not numbers cannot become an array of numbers",
                where=f"{len(others)} of {self.n_columns} columns, first '{first.name}', {first.kind}",
                fix="drop or encode them, or use a learner of Heldout, which takes them as they are",
            )
        array = np.empty(self.shape, dtype=np.float64, order="F")
        for position, column in enumerate(self.columns):
            array[:, position] = column.values
        return array if dtype is None else array.astype(dtype)

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        """What Arrow's protocol asks for: `polars.DataFrame(table)`, `pyarrow.table(table)` and others."""
        return arrow_from_columns(self.columns).__arrow_c_stream__(requested_schema)

    @overload
    def __getitem__(self, key: str) -> Column: ...
    @overload
    def __getitem__(
        self, key: int | slice | list[int] | list[bool] | list[str] | NDArray[Any] | tuple[Any, EllipsisType]
    ) -> Table: ...
    @overload
    def __getitem__(self, key: tuple[Any, Any]) -> Table | Column: ...

    def __getitem__(self, key: Any) -> Any:
        """A column by its name; a table by rows, by a list of names, or by `[rows, columns]`.

        Rows are an integer (a table of one row), a slice, integers, or a mask of booleans.
        """
        if isinstance(key, str):
            return self._column(key)
        if isinstance(key, tuple):
            return self._by_rows_and_columns(key)
        if isinstance(key, list) and key and all(isinstance(name, str) for name in key):
            return self.select(key)
        return self.take(key)

    def take(self, rows: RowRequest) -> Table:
        """The table at these rows, which nothing is copied for."""
        chosen = row_positions(rows, self.n_rows)
        return self._derived(self._base, chain_rows(self._rows, chosen, self._n_base_rows))

    def select(self, names: Sequence[str]) -> Table:
        """Only these columns, in this order."""
        for name in names:
            self._check_name(name)
        if len(set(names)) != len(names):
            raise RequestError(
                "a column was selected twice", where=", ".join(names), fix="name each column once"
            )
        return self._sharing_columns([self._position[name] for name in names])

    def drop(self, names: str | Sequence[str]) -> Table:
        """All columns but these."""
        dropped = [names] if isinstance(names, str) else list(names)
        for name in dropped:
            self._check_name(name)
        return self.select([name for name in self.names if name not in set(dropped)])

    def with_notes(self, notes: Sequence[str]) -> Table:
        """The same table with these notes instead of its own."""
        derived = self._derived(self._base, self._rows)
        derived._notes = tuple(notes)
        return derived

    def with_source(self, source: TableSource | None) -> Table:
        """The same table, which knows where it was read from."""
        derived = self._derived(self._base, self._rows)
        derived._source = source
        return derived

    def describe(self) -> TableDescription:
        """Kinds, numbers of levels, missing values and reasons; nothing of it looks at a target."""
        return describe_table(self.columns, self.n_rows, self._notes)

    def coded(self, n_threads: int = 1) -> CodedTable:
        """The codes of the whole table this was selected from, and the positions of these rows in it."""
        _check_codable(self._base)
        if n_threads > 1:
            with ThreadPoolExecutor(n_threads) as pool:
                coded = tuple(pool.map(Column.coded, self._base))
        else:
            coded = tuple(column.coded() for column in self._base)
        rows = self._rows
        if isinstance(rows, slice):
            rows = np.ascontiguousarray(np.arange(self._n_base_rows, dtype=np.uint32)[rows])
        return CodedTable(columns=coded, rows=rows, n_rows=self.n_rows)

    def _column(self, name: str) -> Column:
        self._check_name(name)
        base = self._base[self._position[name]]
        if self._rows is None:
            return base
        if name not in self._taken:
            self._taken[name] = base.take(self._rows)
        return self._taken[name]

    def _by_rows_and_columns(self, key: tuple[Any, ...]) -> Table | Column:
        if len(key) != 2:
            raise RequestError(
                "a table has rows and columns", where=f"{len(key)} indices", fix="use table[rows, columns]"
            )
        rows, columns = key
        chosen = self if isinstance(rows, slice) and rows == slice(None) else self.take(rows)
        if columns is Ellipsis:
            return chosen
        positions = column_positions(columns, self.names)
        if isinstance(positions, int):
            return chosen._column(self.names[positions])
        return chosen._sharing_columns(positions)

    def _sharing_columns(self, positions: Sequence[int]) -> Table:
        return self._derived(tuple(self._base[position] for position in positions), self._rows)

    def _check_name(self, name: str) -> None:
        if name not in self._position:
            raise unknown_column(name, self.names)


def _restore(columns: tuple[Column, ...], n_rows: int, notes: tuple[str, ...]) -> Table:
    table = Table.__new__(Table)
    table._fill(columns, None, n_rows, notes)
    return table


def _check_columns(columns: tuple[Column, ...]) -> None:
    seen: dict[str, Column] = {}
    for position, column in enumerate(columns, start=1):
        if not column.name:
            raise DataError(
                "a column has no name", where=f"column {position} of {len(columns)}", fix="name it"
            )
        if column.name in seen:
            raise DataError(
                f"two columns are called '{column.name}'",
                where=f"the second is column {position} of {len(columns)}",
                fix="rename one of them",
            )
        if len(column) != len(columns[0]):
            raise DataError(
                "columns differ in length",
                where=f"'{columns[0].name}' has {len(columns[0])} values, '{column.name}' has {len(column)}",
                fix="give every column one value per row",
            )
        seen[column.name] = column


def _check_codable(columns: tuple[Column, ...]) -> None:
    strings = [column for column in columns if column.kind in STRING_KINDS]
    if strings:
        raise DataError(
            f"column '{strings[0].name}' is {strings[0].kind}, which a learner cannot take",
            where=f"{len(strings)} such of {len(columns)} columns:"
            f" {first_few([repr(column.name) for column in strings])}",
            fix=_way_with_strings(strings[0]),
        )


def _way_with_strings(column: Column) -> str:
    """How a learner can do with a column of strings."""
    if column.kind == "text":
        return "put ho.prepare_for(learner, task) before the learner, it makes words of texts, or drop them"
    return f"drop them with table.drop, or read them with kinds={{{column.name!r}: 'category'}}"
