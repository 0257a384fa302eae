"""Which X is a plain array of numbers, and what scikit-learn's validation makes of any other.

Plain arrays are the common case, and on small data scikit-learn's full validation takes longer than
growing the tree; so it is called only where a quick look is not enough.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import validate_data

from heldout.errors import DataError, KindError
from heldout.learners.inputs.no_table import refuse_no_table
from heldout.learners.inputs.sklearn_refusals import refused_x
from heldout.table.frames import is_frame, table_from_frame
from heldout.table.table import Table


def has_kinds(X: Any) -> bool:
    """A Table or a frame, whose columns know what they are."""
    return type(X) is not np.ndarray and (isinstance(X, Table) or is_frame(X))


def is_plain(X: Any) -> bool:
    """An array that needs none of scikit-learn's conversions."""
    return type(X) is np.ndarray and X.ndim == 2 and X.dtype.kind in "fiu" and X.size > 0


def is_free_of_infinity(numbers: NDArray[np.float64]) -> bool:
    """Whether no number is infinite, NaN allowed, without memory for a mask.

    >>> is_free_of_infinity(np.array([[1.0, np.nan]])), is_free_of_infinity(np.array([[1.0, np.inf]]))
    (True, False)
    """
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(numbers.sum()):
            return True
        largest, smallest = np.fmax.reduce(numbers, axis=None), np.fmin.reduce(numbers, axis=None)
    return not (largest == np.inf or smallest == -np.inf)


def checked_array(learner: Any, X: Any, is_fit: bool) -> NDArray[np.float64]:
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


def refuse_foreign(X: Any) -> None:
    """What holds a table in a way that neither scikit-learn nor a learner can read."""
    is_rows = isinstance(X, list | tuple) and len(X) > 0 and isinstance(X[0], Mapping)
    is_columns = isinstance(X, Mapping) and not hasattr(X, "shape")  # a sparse matrix by keys is a Mapping
    if is_columns or is_rows:
        raise KindError(
            "X is made of dicts, which say nothing about kinds",
            where=f"X is a {type(X).__name__} of length {len(X)}",
            fix="hand over read_table(X), or a frame made of it",
        )
    if isinstance(nw.from_native(X, pass_through=True), nw.LazyFrame):
        table_from_frame(X)  # refuses it, with the way out


def refuse_infinity(name: str, values: NDArray[np.float64]) -> None:
    """Raise if one of the values is infinite."""
    places = np.flatnonzero(np.isinf(values))
    if len(places):
        raise DataError(
            "Input X contains infinity or a value too large for dtype('float64').",
            where=f"column '{name}', {len(places)} of {len(values)} rows, first in row {places[0] + 1}",
            fix="replace it by a number or by a missing value",
        )
