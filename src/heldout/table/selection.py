"""What stands between the brackets of a table: rows and columns turned into positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from heldout.errors import InputTypeError, RequestError
from heldout.table.column import Rows
from heldout.text.words import first_few, nearest_name

# What stands between the brackets of a table.
RowRequest: TypeAlias = int | slice | Sequence[int] | Sequence[bool] | NDArray[Any]
ColumnRequest: TypeAlias = str | int | slice | Sequence[str] | Sequence[int] | Sequence[bool] | NDArray[Any]


def unknown_column(name: object, names: Sequence[str]) -> RequestError:
    """The error for a column that is not there, with the name that was probably meant."""
    near = nearest_name(name, names)
    return RequestError(
        f"there is no column {str(name)!r}",
        where=f"the table has {len(names)}: {first_few(names, 6)}",
        fix=f"did you mean '{near}'?" if near else "use one of the table's names",
    )


def row_positions(rows: RowRequest, n_rows: int) -> Rows:
    """Integers, a mask, one integer or a slice as positions from 0 on."""
    if isinstance(rows, slice):
        return (
            slice(*rows.indices(n_rows))
            if (rows.step or 1) > 0
            else _positions(np.arange(n_rows)[rows], n_rows)
        )
    array = np.atleast_1d(np.asarray(rows))
    if array.size == 0 and array.ndim == 1:
        array = array.astype(np.int64) if array.dtype.kind != "b" else array
    if array.ndim != 1 or array.dtype.kind not in "biu":
        raise InputTypeError(
            "rows are chosen by integers, a mask of booleans or a slice",
            where=f"got {type(rows).__name__} of type {array.dtype} and shape {array.shape}",
            fix="use table[[0, 5, 7]], table[mask], table[10:20], or table['name'] for a column",
        )
    if array.dtype.kind == "b":
        return _masked(array, n_rows)
    return _positions(array, n_rows)


def chain_rows(before: Rows | None, chosen: Rows, n_base_rows: int) -> Rows:
    """Positions among rows that were themselves selected, as positions in the whole."""
    if before is None:
        return chosen
    if isinstance(before, slice):
        span = range(n_base_rows)[before]
        if isinstance(chosen, slice):
            nested = span[chosen]
            return slice(nested.start, nested.stop, nested.step)
        return (span.start + span.step * chosen.astype(np.int64)).astype(np.uint32)
    return before[chosen]


def selected_length(rows: Rows, n_base_rows: int) -> int:
    return len(range(n_base_rows)[rows]) if isinstance(rows, slice) else len(rows)


def column_positions(columns: ColumnRequest, names: tuple[str, ...]) -> int | list[int]:
    """One column (a name or an integer) as an integer, several as a list."""
    if isinstance(columns, str):
        if columns not in names:
            raise unknown_column(columns, names)
        return names.index(columns)
    if isinstance(columns, int | np.integer) and not isinstance(columns, bool):
        return int(_positions(np.array([columns]), len(names), "column")[0])
    if isinstance(columns, slice):
        return list(range(len(names))[columns])
    array = np.asarray(columns)
    if array.size and array.dtype.kind in "OU":
        return [_one_position(name, names) for name in array.tolist()]
    if array.dtype.kind == "b":
        return [int(position) for position in _masked(array, len(names), "column")]
    return [int(position) for position in _positions(array.astype(np.int64), len(names), "column")]


def _one_position(name: object, names: tuple[str, ...]) -> int:
    position = column_positions(str(name), names)
    assert isinstance(position, int)
    return position


def _masked(mask: NDArray[np.bool_], n: int, what: str = "row") -> NDArray[np.uint32]:
    if len(mask) != n:
        raise RequestError(
            "the mask does not fit the table",
            where=f"{len(mask)} booleans for {n} {what}s",
            fix=f"give one boolean for each {what}",
        )
    return np.flatnonzero(mask).astype(np.uint32)


def _positions(positions: NDArray[Any], n: int, what: str = "row") -> NDArray[np.uint32]:
    outside = (positions >= n) | (positions < -n) if positions.dtype.kind == "i" else positions >= n
    if outside.any():
        raise RequestError(
            f"there is no {what} {int(positions[outside][0])}",
            where=f"{int(outside.sum())} of {len(positions)} positions are outside 0 … {n - 1}",
            fix=f"use positions below {n}",
        )
    if positions.dtype.kind == "i" and len(positions) and positions.min() < 0:
        positions = np.where(positions < 0, positions + n, positions)
    return positions.astype(np.uint32)
