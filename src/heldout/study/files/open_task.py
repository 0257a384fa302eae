"""The task of the open rows: a table in which the held rows are simply not there."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.table.column import LEVEL_KINDS, Column, occurring_levels
from heldout.table.table import Table
from heldout.table.target_kind import target_kind
from heldout.table.task import Task

# Why a column has its kind may quote any row of it, and count all of them.
OVER_ALL = "decided over the whole table"


def open_task(task: Task, open_rows: NDArray[np.intp]) -> Task:
    """A task over fresh columns that hold these rows alone, with the levels that occur in them.

    task:      of all rows
    open_rows: positions among its rows
    """
    rows = open_rows.astype(np.uint32)
    table = Table([_taken(task.table[name], rows) for name in task.table.names])
    roles = {role: name for role, name in task.roles.items() if role != "target"}
    found = Task(table, task.target, kind=task.kind, positive=task.positive, **roles)
    y = task.y[open_rows]
    # How classes are spelled was decided over all rows; the open ones alone might look like whole numbers.
    # But labels are as wide as the longest that is there: the width of a held one would be in every model.
    y = np.array(y.tolist(), dtype=np.str_) if y.dtype.kind == "U" else y
    classes = tuple(np.unique(y).tolist()) if task.kind == "classification" else ()
    # Sentences about columns count the rows that are there; of the others that on missing targets remains.
    on_missing = task.notes[: len(task.notes) - len(found.notes)]
    notes = (*on_missing, *found.notes)
    return found.copy_with(y=y, classes=classes, reason=_reason(task, found), notes=notes)


def _reason(task: Task, found: Task) -> str:
    """Why the task is of its kind, as the open rows tell it."""
    if task.reason == found.reason:
        return task.reason
    kind, reason = target_kind(found.table[task.target], None)
    return reason if kind == task.kind else OVER_ALL


def _taken(column: Column, rows: NDArray[np.uint32]) -> Column:
    reason = OVER_ALL if column.reason else ""
    if column.kind not in LEVEL_KINDS:
        return Column(column.name, column.kind, column.values[rows].copy(), reason=reason)
    values, levels = occurring_levels(column.values[rows], column.levels)
    return Column(column.name, column.kind, values.copy(), levels, reason)
