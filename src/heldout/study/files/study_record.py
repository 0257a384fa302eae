"""What a study is about, as its first fact says it: the table, what is predicted, the seed, the seal."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from heldout.table.table import Table
from heldout.table.task import Task

_ROLES = ("groups", "time", "weights")


@dataclass(frozen=True)
class ColumnRecord:
    """A column as it was when the study was made.

    name:   of the column
    kind:   as it was read
    digest: of its values; of the target, only of those in the open rows

    >>> ColumnRecord("age", "number", "ab12").kind
    'number'
    """

    name: str
    kind: str
    digest: str


@dataclass(frozen=True)
class StudyRecord:
    """The first fact of a study file.

    table_digest:  of the whole table
    n_table_rows:  how many rows it has
    columns:       what they were
    roles:         target, kind, positive, groups, time, weights: what makes the Task again
    n_task_rows:   rows that have a target
    seed:          of all that is random in the study
    is_seed_given: whether the user gave it; otherwise it is derived from the table's digest
    held:          the share of rows that was asked for
    looks_allowed: how many looks at held rows need no reason
    source:        path, relative path and reading options of the file; None for a table made in memory
    versions:      of the software that made it

    >>> record = StudyRecord("ab", 5, (), {"target": "y", "kind": "regression"}, 5, 7, True, 0.2, 1)
    >>> StudyRecord.of_dict(record.to_dict()) == record, len(record.digest)
    (True, 64)
    """

    table_digest: str
    n_table_rows: int
    columns: tuple[ColumnRecord, ...]
    roles: Mapping[str, Any]
    n_task_rows: int
    seed: int
    is_seed_given: bool
    held: float
    looks_allowed: int
    source: Mapping[str, Any] | None = None
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """Of the table and what is asked of it; the key of the fact."""
        asked = json.dumps([self.table_digest, dict(self.roles)], sort_keys=True, ensure_ascii=True)
        return hashlib.sha256(f"heldout study 1\n{asked}".encode()).hexdigest()

    @property
    def target(self) -> str:
        return str(self.roles["target"])

    def task_of(self, table: Table) -> Task:
        """The task as it was asked for, over a table."""
        roles = dict(self.roles)
        return Task(table, roles.pop("target"), **roles)

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        found = asdict(self)
        found["columns"] = [asdict(column) for column in self.columns]
        return found

    @classmethod
    def of_dict(cls, record: Mapping[str, Any]) -> StudyRecord:
        """The record that `to_dict` wrote."""
        values = {name: record[name] for name in cls.__dataclass_fields__ if name in record}
        return cls(**(values | {"columns": tuple(ColumnRecord(**each) for each in record["columns"])}))


def roles_of(task: Task) -> dict[str, Any]:
    """What makes the task again over the same rows, decided rather than left open.

    >>> from heldout.table.read_table import read_table
    >>> roles_of(Task(read_table({"size": [1.5, 2.5, 9.0, 8.0], "ripe": ["no", "no", "yes", "yes"]}), "ripe"))
    {'target': 'ripe', 'kind': 'classification', 'positive': 'yes'}
    """
    found = {"target": task.target, "kind": task.kind}
    if task.positive is not None:
        found["positive"] = task.positive
    return found | {role: task.roles[role] for role in _ROLES if role in task.roles}


def seed_of(table_digest: str, purpose: str, given: int | None = None) -> int:
    """A seed that anyone finds again who has the same table.

    table_digest: of the whole table
    purpose:      what it is for
    given:        the user's seed, if there is one

    >>> seed_of("ab12", "seal"), seed_of("ab12", "seal", given=7)
    (884911350, 456977748)
    """
    words = f"heldout {purpose} 1\n{table_digest}\n{'' if given is None else given}"
    return int.from_bytes(hashlib.sha256(words.encode()).digest()[:4], "big") >> 1
