"""Two samples with the same columns, in whatever form they come.

Both must come in the same form. Inside they are two Tables with equal names, kinds and levels, so that what
is learned from one can be asked of the other; an array has the columns x0, x1, …
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError, InputTypeError
from heldout.inputs.array_checks import has_kinds, is_sparse, refuse_foreign, refuse_infinity
from heldout.inputs.input_schema import InputColumn
from heldout.inputs.mixed_arrays import boolean_codes, mixed_array, object_array, table_from_mixed
from heldout.table.column import LEVEL_KINDS, NUMERIC_KINDS, STRING_KINDS, Column, sort_levels
from heldout.table.frames import table_from_frame
from heldout.table.table import Table
from heldout.text.words import first_few, plural
from heldout.types import TableLike


@dataclass(frozen=True, eq=False)
class TwoSamples:
    """Rows to learn from and rows to compare them with.

    names:        what the two are called in errors, such as ("train", "test")
    form:         "Table", "array", or the kind of frame
    first:        the one, as a Table
    second:       the other, with the same names, kinds and levels
    given_first:  as it was handed over
    given_second: likewise; a frame has its columns in the order of the first
    """

    names: tuple[str, str]
    form: str
    first: Table
    second: Table
    given_first: Any
    given_second: Any

    def stacked(self) -> Any:
        """The rows of the first above those of the second, in the form in which they were given."""
        if self.form == "Table":
            return stacked_tables(self.first, self.second)
        if self.form == "array":
            return np.concatenate([np.asarray(self.given_first), np.asarray(self.given_second)])
        import narwhals as nw

        frames = [nw.from_native(frame, eager_only=True) for frame in (self.given_first, self.given_second)]
        try:
            return nw.concat([frames[0], frames[1].select(frames[0].columns)], how="vertical").to_native()
        except Exception as error:
            raise InputTypeError(
                "the two frames cannot be put one above the other",
                where=f"{self.names[0]} and {self.names[1]}: {str(error)[:120]}",
                fix="give their columns the same types, or hand over Tables",
            ) from error


def two_samples(first: TableLike, second: TableLike, names: tuple[str, str]) -> TwoSamples:
    """The two as Tables that agree in names, kinds and levels.

    first, second: a Table, a frame or an array each, both in the same form
    names:         what to call them in errors
    """
    forms = _form(first, names[0]), _form(second, names[1])
    if forms[0] != forms[1]:
        raise InputTypeError(
            f"{names[0]} and {names[1]} come in two forms",
            where=f"{names[0]} is of the form {forms[0]}, {names[1]} of the form {forms[1]}",
            fix="hand over two Tables, two frames of one library, or two arrays",
        )
    tables = _tables(first, second, forms[0], names)
    for table, name in zip(tables, names, strict=True):
        _refuse_empty(table, name)
    _check_columns(tables[0], tables[1], names)
    pairs = [_agreeing(column, tables[1][column.name], names) for column in tables[0].columns]
    for column in (column for pair in pairs for column in pair):
        if column.kind in NUMERIC_KINDS:
            refuse_infinity(column.name, np.asarray(column.values))
    agreeing = Table([pair[0] for pair in pairs]), Table([pair[1] for pair in pairs])
    return TwoSamples(names, forms[0], *agreeing, first, second)


def stacked_tables(first: Table, second: Table) -> Table:
    """The rows of the first above those of the second; names, kinds and levels agree."""
    return Table(
        [
            Column(upper.name, upper.kind, np.concatenate([upper.values, lower.values]), upper.levels)
            for upper, lower in zip(first.columns, second.columns, strict=True)
        ]
    )


def rows_with_levels(table: Table, rows: NDArray[np.intp]) -> Table:
    """Some of the rows, with all levels where they are: a selection would drop those that do not occur."""
    return Table(
        [Column(column.name, column.kind, column.values[rows], column.levels) for column in table.columns]
    )


def partly_missing(table: Table) -> tuple[str, ...]:
    """The names of the columns that are missing in some rows but not in all."""
    return tuple([column.name for column in table.columns if 0 < column.n_missing < len(column)])


def with_missing_flags(table: Table, names: tuple[str, ...]) -> Table:
    """The table with a further yes-or-no column that says where each of these columns is missing.

    Trees send a row with a missing value where most go: without the flags they would not see that values
    are missing more often in one sample than in the other.
    """
    flags: list[Column] = []
    for index, name in enumerate(names):
        title = f"{name} is missing"
        if title in table or any(title == flag.name for flag in flags):
            title = f"{title} (column {index + 1})"
        flags.append(Column(title, "boolean", table[name].is_missing.astype(np.int32), ("no", "yes")))
    return Table([*table.columns, *flags])


def _form(X: TableLike, name: str) -> str:
    if isinstance(X, Table):
        return "Table"
    if has_kinds(X):
        return f"{type(X).__module__.partition('.')[0]} frame"
    if is_sparse(X):
        raise InputTypeError(
            f"{name} is a sparse matrix",
            where=f"shape {X.shape}",
            fix=f"hand over {name}.toarray(), a Table or a frame",
        )
    refuse_foreign(X)
    return "array"


def _tables(first: TableLike, second: TableLike, form: str, names: tuple[str, str]) -> tuple[Table, Table]:
    if isinstance(first, Table) and isinstance(second, Table):
        return first, second
    if form != "array":
        return table_from_frame(first), table_from_frame(second)
    shapes = [_matrix_shape(X, name) for X, name in zip((first, second), names, strict=True)]
    if shapes[0][1] != shapes[1][1]:
        raise DataError(
            f"{names[0]} and {names[1]} differ in their number of columns",
            where=f"{names[0]} has {plural(shapes[0][1], 'column')}, {names[1]} has {shapes[1][1]}",
            fix="hand over the same columns in both",
        )
    if mixed_array(first) is None and mixed_array(second) is None:
        return _table_of_numbers(first, names[0]), _table_of_numbers(second, names[1])
    upper, lower = _objects(first), _objects(second)
    words = [
        index
        for index in range(shapes[0][1])
        if any(isinstance(value, str) for X in (upper, lower) for value in X[:, index])
    ]
    return table_from_mixed(upper, words, words), table_from_mixed(lower, words, words)


def _objects(X: TableLike) -> NDArray[Any]:
    objects = object_array(X)
    return np.asarray(X, dtype=object) if objects is None else objects


def _matrix_shape(X: TableLike, name: str) -> tuple[int, int]:
    try:
        shape = np.shape(X)
    except ValueError:
        shape = ()
    if len(shape) != 2:
        raise DataError(
            f"{name} must have rows and columns",
            where=f"{name} is a {type(X).__name__} of shape {shape}",
            fix="hand over a Table, a frame, or an array of two dimensions; one column is X.reshape(-1, 1)",
        )
    return int(shape[0]), int(shape[1])


def _table_of_numbers(X: TableLike, name: str) -> Table:
    try:
        numbers: NDArray[np.float64] = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(
            f"{name} has values that are no numbers",
            where=f"{name} is a {type(X).__name__}: {str(error)[:80]}",
            fix="hand over numbers, or a Table or frame, whose columns have kinds",
        ) from error
    if not numbers.size:
        raise _no_rows(numbers.shape, name)
    columns = [Column(f"x{index}", "number", values.copy()) for index, values in enumerate(numbers.T)]
    return Table(columns)


def _refuse_empty(table: Table, name: str) -> None:
    if not table.n_rows or not table.n_columns:
        raise _no_rows(table.shape, name)


def _no_rows(shape: tuple[int, ...], name: str) -> DataError:
    what = "rows" if not shape[0] else "columns"
    return DataError(
        f"{name} has no {what}", where=f"shape {shape}", fix="hand over at least one row and column"
    )


def _check_columns(first: Table, second: Table, names: tuple[str, str]) -> None:
    absent = [name for name in first.names if name not in second]
    further = [name for name in second.names if name not in first]
    if absent or further:
        parts = [
            f"only {owner} has {first_few([*map(repr, columns)], 4)}"
            for owner, columns in ((names[0], absent), (names[1], further))
            if columns
        ]
        raise DataError(
            f"{names[0]} and {names[1]} have different columns",
            where="; ".join(parts),
            fix="select the same columns in both, without the one that is to be predicted",
        )


def _agreeing(first: Column, second: Column, names: tuple[str, str]) -> tuple[Column, Column]:
    """Both columns with the same kind and levels."""
    for column in (first, second):
        if column.kind in STRING_KINDS:
            column.coded()  # refuses it
    if first.kind != second.kind:
        if second.n_missing == len(second):
            return first, _without_values(second, first)
        if first.n_missing == len(first):
            return _without_values(first, second), second
        raise DataError(
            f"column '{first.name}' is of two kinds",
            where=f"{first.kind} in {names[0]}, {second.kind} in {names[1]}",
            fix=f"read both alike, with read_table(..., kinds={{{first.name!r}: {first.kind!r}}})",
        )
    if first.kind not in LEVEL_KINDS or first.levels == second.levels:
        return first, second
    if first.kind == "boolean":
        codes = boolean_codes(second, InputColumn(first.name, "boolean", first.levels))
        return first, _recoded(second, np.array([*codes, -1], dtype=np.int32), first.levels)
    # Those of the first keep their places, so that nothing learned from it depends on the second.
    levels = (*first.levels, *sort_levels([level for level in second.levels if level not in first.levels]))
    index_of = {level: index for index, level in enumerate(levels)}
    both = [
        _recoded(
            column, np.array([*(index_of[level] for level in column.levels), -1], dtype=np.int32), levels
        )
        for column in (first, second)
    ]
    return both[0], both[1]


def _without_values(column: Column, pattern: Column) -> Column:
    """As long as the one, of the kind and with the levels of the other."""
    unknown = np.full(len(column), -1 if pattern.kind in LEVEL_KINDS else np.nan)
    return Column(column.name, pattern.kind, unknown, pattern.levels)


def _recoded(column: Column, indices: NDArray[np.int32], levels: tuple[str, ...]) -> Column:
    # A missing value has the place -1 and so finds the last entry.
    return Column(column.name, column.kind, indices[column.values], levels)
