"""Facts of rows from the arrays that scikit-learn hands to a cross-validator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError, KindError, RequestError
from heldout.split.row_facts import RowFacts
from heldout.table.describe import plural

if TYPE_CHECKING:
    from heldout.table.task import Task


def facts_of_arrays(X: Any, y: Any = None, groups: Any = None) -> RowFacts:
    """The facts of rows that come as arrays, or of a Task.

    X:      of which only the number of rows counts, or a Task
    y:      targets; left out, or of several columns, rows are not told apart
    groups: a label per row

    >>> facts_of_arrays(np.zeros((3, 2)), ["a", "b", "a"]).kind
    'classification'
    >>> facts_of_arrays(np.zeros((3, 2)), [1.5, 2, 4]).kind
    'regression'
    """
    from heldout.table.task import Task

    if isinstance(X, RowFacts | Task):
        if y is not None or groups is not None:
            raise RequestError(
                f"a {type(X).__name__} brings its own targets and groups",
                where="y" if y is not None else "groups",
                fix="leave them out, or give X as a table or array",
            )
        return row_facts(X)
    n_rows = _n_rows(X, y)
    targets: NDArray[Any] = np.zeros(n_rows) if y is None else np.asarray(y)
    if targets.ndim == 2:
        targets = targets[:, 0] if targets.shape[1] == 1 else np.zeros(len(targets))
    if targets.ndim and len(targets) != n_rows:
        raise DataError(
            "X and y differ in length",
            where=f"{plural(n_rows, 'row')} in X, {len(targets):,} in y",
            fix="give one target for each row",
        )
    return RowFacts(targets, _kind(targets), None if groups is None else np.asarray(groups))


def row_facts(rows: RowFacts | Task) -> RowFacts:
    """Facts as they are, or those of a task.

    >>> row_facts(RowFacts(np.arange(3), "regression")).n_rows
    3
    """
    return rows if isinstance(rows, RowFacts) else RowFacts.of(rows)


def _n_rows(X: Any, y: Any) -> int:
    rows = y if X is None and y is not None else X
    shape = getattr(rows, "shape", None)
    if shape:
        return int(shape[0])
    if hasattr(rows, "n_rows"):
        return int(rows.n_rows)
    try:
        return len(rows)
    except TypeError:
        raise KindError(
            "X must have rows", where=f"got {type(rows).__name__}", fix="give an array, a table or a Task"
        ) from None


def _kind(y: NDArray[Any]) -> str:
    """Whole numbers are classes, as scikit-learn has it."""
    is_amount = y.dtype.kind == "f" and not bool((y == np.floor(y)).all())
    return "regression" if is_amount else "classification"
