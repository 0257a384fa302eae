"""What a split may know of rows: their targets, groups and times, and nothing else."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from heldout.checks.values import check_choice
from heldout.errors import DataError, InputTypeError, RequestError
from heldout.text.words import first_of_rows, plural
from heldout.types import PerRow

if TYPE_CHECKING:
    from heldout.table.task import Task

Codes = NDArray[np.intp]
_KINDS = ("classification", "regression")


@dataclass(frozen=True, eq=False)
class RowFacts:
    """The targets of rows and, where they have some, their groups and times.

    y:      what is to be predicted, one per row
    kind:   "classification" or "regression"
    groups: a label per row; rows of one label are never split apart
    time:   a number or date per row, later is larger

    Each is kept as codes too, its rank among the distinct values. They are made once and handed on to
    selections of the rows, so that no fold sorts labels again.
    """

    y: NDArray[Any]
    kind: str
    groups: NDArray[Any] | None = None
    time: NDArray[Any] | None = None

    def __post_init__(self) -> None:
        check_choice("kind", self.kind, _KINDS)
        for name in ("y", "groups", "time"):
            values = getattr(self, name)
            if values is not None:
                object.__setattr__(self, name, _checked(name, values, np.shape(self.y)))
        if self.kind == "regression" and self.y.dtype.kind not in "biuf":
            raise InputTypeError(
                "a regression target must be numbers",
                where=f"y holds {self.y.dtype}",
                fix="use kind='classification', or turn y into numbers",
            )

    @classmethod
    def of(cls, task: Task) -> RowFacts:
        """The facts of a task's rows, in its order."""
        from heldout.table.task import Task

        if not isinstance(task, Task):
            raise InputTypeError(
                "facts of rows are those of a Task",
                where=f"got {type(task).__name__}",
                fix="make one: ho.Task(table, target=…), or RowFacts(y, kind) of arrays",
            )
        return cls(task.y, task.kind, task.groups, task.time)

    @property
    def n_rows(self) -> int:
        return len(self.y)

    @property
    def is_classification(self) -> bool:
        return self.kind == "classification"

    @cached_property
    def y_codes(self) -> Codes:
        """The rank of each target; after `take` ranks of the whole, so some may be absent."""
        return ranks("y", self.y)

    @cached_property
    def group_codes(self) -> Codes:
        """The rank of each group's label; some may be absent after `take`."""
        assert self.groups is not None
        return ranks("groups", self.groups)

    @cached_property
    def time_codes(self) -> Codes:
        """The rank of each time; some may be absent after `take`."""
        assert self.time is not None
        return ranks("time", self.time)

    @property
    def n_groups(self) -> int:
        """How many groups there are, or rows where there are no groups."""
        return self.n_rows if self.groups is None else int(np.count_nonzero(np.bincount(self.group_codes)))

    @property
    def n_times(self) -> int:
        """How many distinct times there are."""
        return int(np.count_nonzero(np.bincount(self.time_codes)))

    def take(self, rows: ArrayLike) -> RowFacts:
        """The facts of these rows.

        rows: positions, or a mask of all rows
        """
        rows = np.asarray(rows)
        if rows.dtype.kind not in "bui" and rows.size:
            raise InputTypeError(
                "rows are positions or a mask", where=f"got {rows.dtype}", fix="give whole numbers from 0"
            )
        rows = np.flatnonzero(rows) if rows.dtype.kind == "b" else rows.astype(np.intp, copy=False)
        taken = object.__new__(RowFacts)  # what was checked as a whole needs no second check
        fields = vars(taken)
        fields["kind"] = self.kind
        fields["y"], fields["y_codes"] = self.y[rows], self.y_codes[rows]
        fields["groups"] = fields["time"] = None
        if self.groups is not None:
            fields["groups"], fields["group_codes"] = self.groups[rows], self.group_codes[rows]
        if self.time is not None:
            fields["time"], fields["time_codes"] = self.time[rows], self.time_codes[rows]
        return taken


def ranks(name: str, values: NDArray[Any]) -> Codes:
    """The rank of each value among the distinct ones.

    name: what the values are called in an error
    """
    try:
        codes = np.unique(values, return_inverse=True)[1]
    except TypeError:
        raise InputTypeError(
            f"{name} mixes values that have no order",
            where=", ".join(sorted({type(value).__name__ for value in values.tolist()})),
            fix="make them all strings or all numbers",
        ) from None
    return codes.astype(np.intp, copy=False)


def dense(codes: Codes) -> tuple[Codes, int]:
    """The same codes without gaps, and how many there are."""
    if not len(codes):
        return codes, 0
    occurs = np.bincount(codes) > 0
    n_codes = int(np.count_nonzero(occurs))
    if n_codes == len(occurs):
        return codes, n_codes
    return (np.cumsum(occurs) - 1)[codes], n_codes


def _checked(name: str, values: ArrayLike, shape: tuple[int, ...]) -> NDArray[Any]:
    """One value per row, none of them missing."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise DataError(
            f"{name} must be one value per row", where=f"its shape is {array.shape}", fix="give one column"
        )
    if array.shape != shape:
        raise DataError(
            f"y and {name} differ in length",
            where=f"{plural(shape[0], 'row')} in y, {len(array):,} in {name}",
            fix="give one value for each row",
        )
    if name == "time" and array.dtype.kind not in "iufM":
        raise InputTypeError(
            "time must be numbers or dates",
            where=f"it holds {array.dtype}",
            fix="turn it into numpy.datetime64",
        )
    missing = _is_missing(array)
    if missing.any():
        raise DataError(
            f"{name} has missing values", where=first_of_rows(missing), fix="leave those rows out first"
        )
    return array


def _is_missing(array: NDArray[Any]) -> NDArray[np.bool_]:
    if array.dtype.kind == "O":
        return np.array([value is None or value != value for value in array.tolist()], dtype=bool)
    if array.dtype.kind in "fcmM":
        return np.asarray(array != array)
    return np.zeros(0, dtype=bool)


def facts_of_arrays(X: object, y: PerRow = None, groups: PerRow = None) -> RowFacts:
    """The facts of rows that come as arrays, or of a Task.

    X:      of which only the number of rows counts, or a Task
    y:      targets; left out, or of several columns, rows are not told apart
    groups: a label per row
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
    """Facts as they are, or those of a task."""
    return rows if isinstance(rows, RowFacts) else RowFacts.of(rows)


def _n_rows(X: object, y: PerRow) -> int:
    rows = y if X is None and y is not None else X
    shape = getattr(rows, "shape", None)
    if shape:
        return int(shape[0])
    if hasattr(rows, "n_rows"):
        return int(rows.n_rows)
    if isinstance(rows, Sized):
        return len(rows)
    raise InputTypeError(
        "X must have rows", where=f"got {type(rows).__name__}", fix="give an array, a table or a Task"
    )


def _kind(y: NDArray[Any]) -> str:
    """Whole numbers are classes, as scikit-learn has it."""
    is_amount = y.dtype.kind == "f" and not bool((y == np.floor(y)).all())
    return "regression" if is_amount else "classification"
