"""What is different in a table that should be the one a study was made from."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.study.files.study_record import ColumnRecord, StudyRecord
from heldout.study.seal.sealed_task import open_task
from heldout.table.column import Column
from heldout.table.describe import plural
from heldout.table.digest import column_digest
from heldout.table.table import Table
from heldout.table.task import Task


def column_records(table: Table, task: Task, open_rows: NDArray[np.intp]) -> tuple[ColumnRecord, ...]:
    """Every column with a digest of its values; of the target only the open rows count.

    table:     all rows
    task:      over them
    open_rows: positions among the rows of the task
    """
    target = open_task(task, open_rows).table[task.target]
    return tuple(_record(target if column.name == task.target else column) for column in table.columns)


def what_changed(record: StudyRecord, table: Table, open_rows: NDArray[np.intp]) -> list[str]:
    """Sentences about how the table differs from the recorded one; none if it is the same.

    record:    of the study
    table:     the table at hand
    open_rows: positions of the open rows among those of the task
    """
    if table.digest == record.table_digest:
        return []
    said = []
    if table.n_rows != record.n_table_rows:
        said.append(f"{plural(record.n_table_rows, 'row')} became {table.n_rows:,}")
    old = {column.name: column for column in record.columns}
    said += [f"column '{name}' is gone" for name in old if name not in table]
    said += [f"column '{name}' is new" for name in table.names if name not in old]
    both = [name for name in table.names if name in old]
    said += [
        f"column '{name}' was {old[name].kind} and is {table.kinds[name]}"
        for name in both
        if table.kinds[name] != old[name].kind
    ]
    if table.n_rows == record.n_table_rows:
        said += _changed_values(record, table, open_rows, [n for n in both if table.kinds[n] == old[n].kind])
    if not said and list(old) != list(table.names):
        said.append("the columns stand in another order")
    return said or [f"the target '{record.target}' differs in held rows"]


def _changed_values(
    record: StudyRecord, table: Table, open_rows: NDArray[np.intp], names: list[str]
) -> list[str]:
    old = {column.name: column.digest for column in record.columns}
    found = [name for name in names if name != record.target and _digest(table[name]) != old[name]]
    if record.target in names:
        has_target = np.flatnonzero(~table[record.target].is_missing)
        is_same_count = len(has_target) == record.n_task_rows
        if not is_same_count or _digest(table[has_target[open_rows]][record.target]) != old[record.target]:
            found.append(record.target)
    return [f"values of column '{name}' differ" for name in found]


def _record(column: Column) -> ColumnRecord:
    return ColumnRecord(column.name, column.kind, _digest(column))


def _digest(column: Column) -> str:
    return column_digest(column).hex()
