"""What a study is about, as its first fact says it: the table, what is predicted, the seed, the seal."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from heldout.table.table import Table
from heldout.table.task import Task

if TYPE_CHECKING:
    from heldout.plan.contender import Contender
    from heldout.plan.plan import Plan

_ROLES = ("groups", "time", "weights")


@dataclass(frozen=True)
class ColumnRecord:
    """A column as it was when the study was made.

    name:   of the column
    kind:   as it was read
    digest: of its values; of the target, only of those in the open rows
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
    """What makes the task again over the same rows, decided rather than left open."""
    found = {"target": task.target, "kind": task.kind}
    if task.positive is not None:
        found["positive"] = task.positive
    return found | {role: task.roles[role] for role in _ROLES if role in task.roles}


def seed_of(table_digest: str, purpose: str, given: int | None = None) -> int:
    """A seed that anyone finds again who has the same table.

    table_digest: of the whole table
    purpose:      what it is for
    given:        the user's seed, if there is one
    """
    words = f"heldout {purpose} 1\n{table_digest}\n{'' if given is None else given}"
    return int.from_bytes(hashlib.sha256(words.encode()).digest()[:4], "big") >> 1


Thing = TypeVar("Thing")


class Kept:
    """What was made, by kind and key. What is kept must follow from its key alone.

    A pickle of it is empty: whoever reads it makes things again.
    """

    def __init__(self) -> None:
        self._by_kind: dict[str, dict[Hashable, object]] = {}

    def made(self, kind: str, key: Hashable, make: Callable[[], Thing], most: int = 8) -> Thing:
        """The thing of this key, made now if it is not there.

        most: how many of the kind are kept at a time; the one that was made first makes room
        """
        things = self._by_kind.setdefault(kind, {})
        if key not in things:
            made = make()
            while len(things) >= most:
                things.pop(next(iter(things)))
            things[key] = made
        found: Thing = things[key]  # type: ignore[assignment]
        return found

    def count(self, kind: str) -> int:
        """How many of a kind are kept."""
        return len(self._by_kind.get(kind, {}))

    def __reduce__(self) -> tuple[type[Kept], tuple[()]]:
        return Kept, ()


class SessionPlans:
    """Plans that ran since the study was opened, by their digests."""

    def __init__(self) -> None:
        self._plans: dict[str, Plan] = {}

    def keep(self, plan: Plan) -> None:
        """Remember a plan with nothing left open; run again, it is the newest."""
        self._plans.pop(plan.digest, None)
        self._plans[plan.digest] = plan

    def plan(self, digest: str) -> Plan | None:
        """The plan of this digest, if it ran in this session."""
        return self._plans.get(digest)

    def contender(self, name: Any) -> Contender | None:
        """The newest contender of this name or digest that ran in this session."""
        if not isinstance(name, str):
            return None
        for plan in reversed(self._plans.values()):
            for each in plan.contenders:
                if name in (each.name, each.digest):
                    return each
        return None


# ", first 'n/k' in row 2; …", ", as in '007': …", ", as '1.2.2020' and …": from the example on it is cut.
_EXAMPLE = re.compile(r""", (?:first|as in|as) ['"].*$""", re.DOTALL)
_EXPONENT = re.compile(r""": ['"].*['"] is read as the number .*?; """, re.DOTALL)


def unquoted(sentence: str) -> str:
    """The sentence without its example.

    sentence: a note of a table, or the reason for the kind of a column
    """
    found = _EXPONENT.sub(": digits with an E are read as numbers; ", sentence)
    return _EXAMPLE.sub("", found)
