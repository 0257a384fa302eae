"""Which X is a plain array of numbers, and what scikit-learn's validation makes of any other.

Plain arrays are the common case, and on small data scikit-learn's full validation takes longer than
growing the tree; so it is called only where a quick look is not enough.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from pathlib import Path
from typing import Any, SupportsInt, TypeGuard

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import validate_data

from heldout.checks.warn import warn_user
from heldout.errors import DataError, InputTypeError
from heldout.table.column import Column
from heldout.table.frames import is_frame, table_from_frame
from heldout.table.table import Table
from heldout.table.task import Task
from heldout.text.words import shorten
from heldout.types import Estimator, HasShape, SparseMatrix, TableLike


def has_kinds(X: object) -> TypeGuard[HasShape]:
    """A Table or a frame, whose columns know what they are."""
    return type(X) is not np.ndarray and (isinstance(X, Table) or is_frame(X))


def as_table(X: HasShape) -> Table:
    """A Table as it is, or a frame as a Table."""
    return X if isinstance(X, Table) else table_from_frame(X)


def is_plain(X: object) -> TypeGuard[NDArray[Any]]:
    """An array that needs none of scikit-learn's conversions."""
    return type(X) is np.ndarray and X.ndim == 2 and X.dtype.kind in "fiu" and X.size > 0


def is_sparse(X: object) -> TypeGuard[SparseMatrix]:
    """Whether X is a sparse matrix or array of SciPy's."""
    if not hasattr(X, "tocsc"):
        return False
    from scipy.sparse import issparse  # takes 0.1 s

    return bool(issparse(X))


def is_free_of_infinity(numbers: NDArray[np.float64]) -> bool:
    """Whether no number is infinite, NaN allowed, without memory for a mask."""
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(numbers.sum()):
            return True
        largest, smallest = np.fmax.reduce(numbers, axis=None), np.fmin.reduce(numbers, axis=None)
    return not (largest == np.inf or smallest == -np.inf)


def checked_array(learner: Estimator, X: TableLike, is_fit: bool) -> NDArray[np.float64]:
    """The array after scikit-learn's own validation; NaN is a missing value."""
    refuse_no_table(X)
    refuse_foreign(X)
    try:
        checked = validate_data(
            learner, X, reset=is_fit, dtype=np.float64, ensure_all_finite="allow-nan", accept_sparse=False
        )
    except ValueError as error:
        words = "name the columns of words in categorical, or hand over a table or a frame, which have kinds"
        raise refused_x(X, error, words) from error
    return np.asarray(checked)


def refuse_foreign(X: object) -> None:
    """What holds a table in a way that neither scikit-learn nor a learner can read."""
    is_rows = isinstance(X, list | tuple) and len(X) > 0 and isinstance(X[0], Mapping)
    is_columns = isinstance(X, Mapping) and not hasattr(X, "shape")  # a sparse matrix by keys is a Mapping
    if is_columns or is_rows:
        assert isinstance(X, Sized)
        raise InputTypeError(
            "X is made of dicts, which say nothing about kinds",
            where=f"X is a {type(X).__name__} of length {len(X)}",
            fix="hand over read_table(X), or a frame made of it",
        )
    if isinstance(nw.from_native(X, pass_through=True), nw.LazyFrame):
        table_from_frame(X)  # refuses it, with the way out


def refuse_infinity(name: str, values: NDArray[np.float64]) -> None:
    """Raise if one of the values is infinite."""
    indices = np.flatnonzero(np.isinf(values))
    if len(indices):
        raise DataError(
            "Input X contains infinity or a value too large for dtype('float64').",
            where=f"column '{name}', {len(indices)} of {len(values)} rows, first in row {indices[0] + 1}",
            fix="replace it by a number or by a missing value",
        )


# How scikit-learn's message begins, and what helps.
_FIXES_OF_X = (
    (
        "Expected 2D array",
        "Reshape your data: X.reshape(-1, 1) if it is one column, X.reshape(1, -1) if it is one row",
    ),
    ("Expected a 2-dimensional container", "hand over a frame of one column: X.to_frame()"),
    ("Found array with dim", "hand over rows and columns; images become such with ho.PixelFeatures, for one"),
    ("Found array with 0 sample", "hand over at least one row"),
    ("Found array with 0 feature", "hand over at least one column"),
    ("X has ", "hand over the columns of fit, in their order"),
    ("Input X contains infinity", "replace it by a number or by a missing value"),
    ("Complex data", "hand over real numbers, such as the real and the imaginary part as two columns"),
    ("setting an array element", "give every row as many cells as the others"),
)
_FIXES_OF_Y = (
    ("Input y contains", "leave those rows out; Task does so and counts them"),
    ("Complex data", "hand over real numbers"),
    ("", "hand over one target for each row, such as task.y"),
)


def refused_x(X: object, error: ValueError, words: str) -> ValueError:
    """The error to raise where scikit-learn refused X.

    words: what helps if a word stands where a number should
    """
    if isinstance(error, DataError):
        return error
    fixes = (("could not convert string", words), *_FIXES_OF_X)
    fix = next((fix for start, fix in fixes if str(error).startswith(start)), "hand over a table or an array")
    return DataError(_first_line(error), where=f"X is a {_form(X)}", fix=fix)


def refused_y(y: object, error: ValueError) -> ValueError:
    """The error to raise where scikit-learn refused y."""
    if isinstance(error, DataError):
        return error
    fix = next(fix for start, fix in _FIXES_OF_Y if str(error).startswith(start))
    where = "fit(X, y), y is None" if y is None else f"y is a {_form(y)}"
    return DataError(_first_line(error), where=where, fix=fix)


def _first_line(error: ValueError) -> str:
    """Without the data that scikit-learn prints behind it."""
    return str(error).partition("\n")[0].rstrip(":")


def _form(value: object) -> str:
    """The type, and how large it is."""
    shape = getattr(value, "shape", None)
    if shape is not None:
        return f"{type(value).__name__} of shape {tuple(shape)}"
    return type(value).__name__ + (f" of length {len(value)}" if hasattr(value, "__len__") else "")


def refuse_no_table(X: object) -> None:
    """Raise, with what was probably meant, if X is one of these."""
    if isinstance(X, Task):
        where, fix = "X is a Task", "hand over task.X, and task.y as the targets"
    elif isinstance(X, Column):
        where, fix = f"X is column '{shorten(X.name, 60)}'", "hand over a Table of it: table[[name]]"
    elif isinstance(X, str | Path):
        where, fix = f"X is {str(X)!r:.60}", "read the file first: ho.read_table(path)"
    elif X is None:
        where, fix = "X is None", "hand over a Table, a frame, or an array of rows and columns"
    else:
        return
    raise InputTypeError("X has no rows and columns", where=where, fix=fix)


LARGEST_EXACT = 2**53


def warn_of_lost_digits(X: HasShape) -> None:
    """Name the columns of integers, of an array or a frame, of which some change when they become floats."""
    columns = _large_columns_of_array(X) if isinstance(X, np.ndarray) else _large_columns_of_frame(X)
    for name, values in columns:
        n_changed = sum(int(float(value)) != value for value in values)
        if n_changed:
            warn_user(
                f"column '{name}': {n_changed} of {len(values)} whole numbers lie beyond 2^53 and lose their"
                " last digits, so different ones may become equal; drop the column if it only numbers the"
                " rows, make it strings if it is a category, or subtract a constant",
            )


def _large_columns_of_array(X: NDArray[Any]) -> list[tuple[str, Sequence[int]]]:
    if X.dtype.kind not in "iu" or X.dtype.itemsize < 8 or _is_exact(X.min(), X.max()):
        return []
    lowest, highest = X.min(axis=0), X.max(axis=0)
    return [
        (f"x{position}", X[:, position].tolist())
        for position in range(X.shape[1])
        if not _is_exact(lowest[position], highest[position])
    ]


def _large_columns_of_frame(frame: Any) -> list[tuple[str, Sequence[int]]]:
    series = nw.from_native(frame, eager_only=True).iter_columns()
    wide = [each for each in series if each.dtype in (nw.Int64, nw.UInt64, nw.Int128, nw.UInt128)]
    return [
        (str(each.name), each.drop_nulls().to_list())
        for each in wide
        if each.null_count() < len(each) and not _is_exact(each.min(), each.max())
    ]


def _is_exact(lowest: SupportsInt, highest: SupportsInt) -> bool:
    """Whether every whole number of this range is a float."""
    return int(lowest) >= -LARGEST_EXACT and int(highest) <= LARGEST_EXACT
