"""The table of a study: with the user, never in the study file; found again, and checked to be the same."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError, HeldoutError, RequestError, SealError
from heldout.ledger.study_facts import ColumnFact, StudyFact
from heldout.study.files.open_task import open_task
from heldout.study.files.task_roles import make_task
from heldout.table.column import Column
from heldout.table.digest import column_digest
from heldout.table.raw_table import TableSource
from heldout.table.read_table import read_table
from heldout.table.table import Table
from heldout.table.task import Task
from heldout.text.words import plural, shorten

MOST_CHANGES = 6


def path_exists(path: Path) -> bool:
    """Whether anything has this path; an error that says why nothing ever can."""
    try:
        os.lstat(path)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise RequestError(
            f"there cannot be a study here: {error.strerror}",
            where=f"'{shorten(str(path), 120)}'",
            fix="choose another path",
        ) from None
    return True


@dataclass(frozen=True, eq=False)
class TableAtHand:
    """Where the whole table is, for the two moments in which held rows are needed.

    record:    what the study knows of it
    open_rows: positions among the rows of the task
    folder:    of the study file
    table:     the table itself, where the user handed it over
    path:      of its file, where it was found
    """

    record: StudyFact
    open_rows: NDArray[np.intp]
    folder: Path
    table: Table | None = None
    path: Path | None = None

    @property
    def is_there(self) -> bool:
        return self.table is not None or self.path is not None

    def whole_task(self) -> Task:
        """The task of all rows, open and held, after its table was found to be the same."""
        if self.table is not None:
            return make_task(self.record, self.checked(self.table, "the table that was handed over"))
        if self.path is None:
            raise self.missing()
        return make_task(self.record, self.checked(self._read(self.path), f"'{self.path}'"))

    def checked(self, table: Table, where: str) -> Table:
        """The same table, or a SealError that says what changed.

        where: what it is called in the error
        """
        found = what_changed(self.record, table, self.open_rows)
        if not found:
            return table
        more = f" and {len(found) - MOST_CHANGES} more" if len(found) > MOST_CHANGES else ""
        raise SealError(
            f"this is not the table that the study sealed: {'; '.join(found[:MOST_CHANGES])}{more}",
            where=where,
            fix="open the study with the table as it was (table=…), or make a new study of the changed one",
        )

    def missing(self) -> RequestError:
        """The error for what needs the rows themselves."""
        source = self.record.source
        was = f"it was read from '{source.path}'" if source else "it was made in memory"
        return RequestError(
            "this needs the rows of the table, and a study file holds none",
            where=was,
            fix="open the study with them: Study.open(path, table=…): a Table, a frame or the path of a file",
        )

    def _read(self, path: Path) -> Table:
        options = dict(self.record.source.options) if self.record.source else {}
        return TableSource(str(path), options).read()


def find_table(
    record: StudyFact, open_rows: NDArray[np.intp], study_path: Path, given: Any
) -> tuple[TableAtHand, Task | None]:
    """The table at hand, checked, and the task of all its rows; no task where there is no table.

    given: what the user handed over: a Table, a path, a frame, or None to look where it was
    """
    nothing = TableAtHand(record, open_rows, study_path.parent)
    if given is not None:
        return _handed_over(nothing, given)
    problems = []
    for path in _indices(record, study_path.parent):
        try:
            at_hand = TableAtHand(record, open_rows, study_path.parent, path=path)
            return at_hand, at_hand.whole_task()
        except HeldoutError as error:
            problems.append(error)
    if problems:
        first = problems[0]
        raise SealError(first.what, where=first.where, fix=first.fix) from first
    return nothing, None


def _handed_over(nothing: TableAtHand, given: Any) -> tuple[TableAtHand, Task]:
    if isinstance(given, str | os.PathLike):
        path = Path(os.path.abspath(Path(given).expanduser()))
        at_hand = TableAtHand(nothing.record, nothing.open_rows, nothing.folder, path=path)
    else:
        table = given if isinstance(given, Table) else _in_memory(nothing.record, given)
        at_hand = TableAtHand(nothing.record, nothing.open_rows, nothing.folder, table=table)
    return at_hand, at_hand.whole_task()


def _in_memory(record: StudyFact, given: Any) -> Table:
    """A frame, read with the kinds that its columns had, so that no guess stands between it and the study."""
    kinds = {column.name: column.kind for column in record.columns}
    try:
        return read_table(given, kinds=kinds)
    except (DataError, RequestError):
        return read_table(given)


def _indices(record: StudyFact, folder: Path) -> list[Path]:
    """Where the file may be: where it was, as seen from the study file, or beside it."""
    if record.source is None:
        return []
    was = Path(record.source.path)
    indices = [was, folder / record.source.relative, folder / was.name]
    return [path for path in dict.fromkeys(Path(os.path.abspath(each)) for each in indices) if path.is_file()]


def record_columns(table: Table, task: Task, open_rows: NDArray[np.intp]) -> tuple[ColumnFact, ...]:
    """Every column with a digest of its values; of the target only the open rows count.

    table:     all rows
    task:      over them
    open_rows: positions among the rows of the task
    """
    target = open_task(task, open_rows).table[task.target]
    return tuple(_record(target if column.name == task.target else column) for column in table.columns)


def what_changed(record: StudyFact, table: Table, open_rows: NDArray[np.intp]) -> list[str]:
    """Sentences about how the table differs from the recorded one; none if it is the same.

    record:    of the study
    table:     the table at hand
    open_rows: positions of the open rows among those of the task
    """
    if table.digest == record.table_digest:
        return []
    messages = []
    if table.n_rows != record.n_table_rows:
        messages.append(f"{plural(record.n_table_rows, 'row')} became {table.n_rows:,}")
    old = {column.name: column for column in record.columns}
    messages += [f"column '{name}' is gone" for name in old if name not in table]
    messages += [f"column '{name}' is new" for name in table.names if name not in old]
    both = [name for name in table.names if name in old]
    messages += [
        f"column '{name}' was {old[name].kind} and is {table.kinds[name]}"
        for name in both
        if table.kinds[name] != old[name].kind
    ]
    if table.n_rows == record.n_table_rows:
        messages += _changed_values(
            record, table, open_rows, [n for n in both if table.kinds[n] == old[n].kind]
        )
    if not messages and list(old) != list(table.names):
        messages.append("the columns stand in another order")
    return messages or [f"the target '{record.target}' differs in held rows"]


def _changed_values(
    record: StudyFact, table: Table, open_rows: NDArray[np.intp], names: list[str]
) -> list[str]:
    old = {column.name: column.digest for column in record.columns}
    found = [name for name in names if name != record.target and _digest(table[name]) != old[name]]
    if record.target in names:
        has_target = np.flatnonzero(~table[record.target].is_missing)
        is_same_count = len(has_target) == record.n_task_rows
        if not is_same_count or _digest(table[has_target[open_rows]][record.target]) != old[record.target]:
            found.append(record.target)
    return [f"values of column '{name}' differ" for name in found]


def _record(column: Column) -> ColumnFact:
    return ColumnFact(column.name, column.kind, _digest(column))


def _digest(column: Column) -> str:
    return column_digest(column).hex()


PACKAGES = ("heldout", "numpy", "scipy", "scikit-learn")


def versions() -> dict[str, str]:
    """The versions of Python, of Heldout and of what it computes with."""
    return dict(_versions())


@cache
def _versions() -> dict[str, str]:
    import platform
    from importlib.metadata import PackageNotFoundError, version

    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "unknown"
    return found
