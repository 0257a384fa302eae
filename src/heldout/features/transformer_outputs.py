"""How what a transformer made leaves it: in the form in which X came, or as `set_output` asks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config

from heldout.errors import DataError
from heldout.inputs.numeric_inputs import boolean_numbers
from heldout.table.arrow_table import arrow_from_columns
from heldout.table.column import NUMERIC_KINDS, Column
from heldout.table.table import Table
from heldout.text.words import shorten
from heldout.types import SparseMatrix, TableLike


def leaving_columns(transformer: object, X: TableLike, form: str, columns: Sequence[Column]) -> Any:
    """Columns as a Table, as an array, or as the frame that was asked for.

    X:    what came, whose index a pandas frame keeps
    form: "table" or "array"
    """
    requested = requested_container(transformer)
    if requested != "default":
        return _frame(requested, X, columns)
    return Table(columns) if form == "table" else array_of(columns)


def requested_container(transformer: object) -> str:
    """What `set_output` or scikit-learn's configuration asks for: "default", "pandas" or "polars"."""
    own: dict[str, str] = getattr(transformer, "_sklearn_output_config", {})
    configured: str = get_config()["transform_output"]
    return own.get("transform", configured)


def made_by(transformer: object) -> str:
    """Why a column that it made has its kind."""
    return f"made by {type(transformer).__name__}"


def array_of(columns: Sequence[Column]) -> NDArray[Any]:
    """Numbers as float64; with other kinds among the columns an array of objects, None for missing."""
    n_rows = len(columns[0]) if columns else 0
    if all(column.kind in NUMERIC_KINDS for column in columns):
        numbers = np.empty((n_rows, len(columns)), dtype=np.float64)
        for index, column in enumerate(columns):
            numbers[:, index] = column.values
        return numbers
    objects = np.empty((n_rows, len(columns)), dtype=object)
    for index, column in enumerate(columns):
        objects[:, index] = np.asarray(column).tolist()
    return objects


def _frame(container: str, X: TableLike, columns: Sequence[Column]) -> Any:
    arrow = arrow_from_columns(columns)
    if container == "polars":
        import polars

        return polars.from_arrow(arrow)
    frame = arrow.to_pandas()
    if type(X).__module__.partition(".")[0] == "pandas":
        frame.index = cast("Any", X).index
    return frame


def stacked_sparse(pieces: Sequence[Column | SparseMatrix], n_rows: int) -> SparseMatrix:
    """A csr_array of float64: the pieces in their order.

    pieces: Columns of numbers, dates or booleans, and sparse blocks of as many rows
    """
    from scipy.sparse import csr_array, hstack  # takes 0.1 s

    if not pieces:
        return cast("SparseMatrix", csr_array((n_rows, 0), dtype=np.float64))
    _refuse_words([piece for piece in pieces if isinstance(piece, Column)])
    blocks = [
        csr_array(column_numbers(piece).reshape(-1, 1)) if isinstance(piece, Column) else piece
        for piece in pieces
    ]
    return cast("SparseMatrix", csr_array(hstack(blocks, format="csr", dtype=np.float64)))


def column_numbers(column: Column) -> NDArray[np.float64]:
    """The values of a number or a date, a boolean by what its words say, NaN for missing."""
    if column.kind in NUMERIC_KINDS:
        return np.asarray(column.values, dtype=np.float64)
    number_of = boolean_numbers(column.levels)
    numbers = np.array([*(number_of[level] for level in column.levels), np.nan])
    return np.asarray(numbers[column.values])


def _refuse_words(columns: list[Column]) -> None:
    others = [column for column in columns if column.kind not in (*NUMERIC_KINDS, "boolean")]
    if others:
        raise DataError(
            "a sparse matrix has numbers only, and cannot hold columns of words",
            where=f"{len(others)} columns, first '{others[0].name}', {others[0].kind}",
            fix="encode them before, with OneHot for instance, drop them, or ask for sparse=False, which"
            " gives a table",
        )


def unique_names(
    made: Sequence[Sequence[str]], sources: Sequence[str], taken: Iterable[str]
) -> list[list[str]]:
    """The same names, where one that is there already gets a number behind it.

    made:    the names of what each column becomes
    sources: the name of each column that something is made of; what keeps this name has the first right to it
    taken:   the names of the columns that stay as they are
    """
    pairs = list(zip(made, sources, strict=True))
    used = {*taken, *(source for names, source in pairs if source in names)}
    return [_renamed(names, source, used) for names, source in pairs]


def _renamed(names: Sequence[str], source: str, used: set[str]) -> list[str]:
    renamed = []
    has_kept = False
    for name in names:
        if name == source and not has_kept:
            has_kept = True
            renamed.append(name)
            continue
        number = 1
        free = name
        while free in used:
            number += 1
            free = f"{name} ({number})"
        used.add(free)
        renamed.append(free)
    return renamed


WIDTH = 110


def short_list(items: Sequence[str], room: int, total: str = "", separator: str = ", ") -> str:
    """The items side by side; if there is no room for all of them, the first ones.

    room:  how many characters the line has left
    total: how many there are, in words, to be said if they are not all shown
    """
    whole = separator.join(shorten(item, 40) for item in items[: room + 1])
    if len(items) <= room and len(whole) <= room:
        return whole
    end = f"{separator}…" + f" ({total})" * bool(total)
    shown = [shorten(items[0], 40)]
    used = len(shown[0]) + len(end)
    for item in items[1:]:
        used += len(separator) + min(len(item), 40)
        if used > room:
            break
        shown.append(shorten(item, 40))
    return separator.join(shown) + end
