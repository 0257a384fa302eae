"""What is handed over in place of a table: a task, a column of one, the name of a file, or nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from heldout.errors import KindError
from heldout.table.column import Column
from heldout.table.describe import shortened
from heldout.table.task import Task


def refuse_no_table(X: Any) -> None:
    """Raise, with what was probably meant, if X is one of these.

    >>> refuse_no_table("customers.csv")
    Traceback (most recent call last):
        ...
    heldout.errors.KindError: X has no rows and columns
      where: X is 'customers.csv'
      fix:   read the file first: ho.read_table(path)
    """
    if isinstance(X, Task):
        where, fix = "X is a Task", "hand over task.X, and task.y as the answers"
    elif isinstance(X, Column):
        where, fix = f"X is column '{shortened(X.name, 60)}'", "hand over a Table of it: table[[name]]"
    elif isinstance(X, str | Path):
        where, fix = f"X is {str(X)!r:.60}", "read the file first: ho.read_table(path)"
    elif X is None:
        where, fix = "X is None", "hand over a Table, a frame, or an array of rows and columns"
    else:
        return
    raise KindError("X has no rows and columns", where=where, fix=fix)
