"""A study that is there is gone on with only if it asks the same question of the same table."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heldout.errors import RequestError, SealError

if TYPE_CHECKING:
    from heldout.study.files.study_record import StudyRecord
    from heldout.study.study import Study
    from heldout.table.table import Table

_ROLES = ("target", "groups", "time", "weights")
_OPTION_OF = {"kinds": "kind", "day_first": "day-first", "skip_lines": "skip-lines"}


@dataclass(frozen=True)
class Question:
    """What a run asks of a table.

    target, task, positive, groups, time, weights: as for `ho.Task`
    held:  the share of rows to seal
    seed:  if one was given
    """

    target: str
    task: str | None = None
    positive: str | None = None
    groups: str | None = None
    time: str | None = None
    weights: str | None = None
    held: float = 0.2
    seed: int | None = None

    def roles(self) -> dict[str, Any]:
        """The same as parameters of `Study.create`."""
        return {
            "target": self.target,
            "kind": self.task,
            "positive": self.positive,
            "groups": self.groups,
            "time": self.time,
            "weights": self.weights,
        }


def study_of(path: Path, table: Table, question: Question) -> Study:
    """The study of a question: made, or gone on with where it is there.

    path:     of the study file
    table:    all rows
    question: what is asked of them
    """
    from heldout.study.study import Study

    if not path.exists():
        return Study.create(path, table, held=question.held, seed=question.seed, **question.roles())
    check_same(path, table, question)
    try:
        return Study.open(path, table)
    except SealError as error:
        raise SealError(
            error.what,
            where=f"'{table.source.path}'; the study is '{path}'" if table.source else f"'{path}'",
            fix="go on with the table as it was, or make a new study of the changed one: "
            f"--out {free_name(path)}",
        ) from error


def check_same(path: Path, table: Table, question: Question) -> None:
    """A RequestError that names what differs, if the study of this file asks something else.

    path:     of the study file
    table:    as it was read now
    question: what is asked now
    """
    from heldout.ledger.ledger import Ledger
    from heldout.study.files.open_study import check_chain, recorded

    with Ledger.open(path, query_only=True) as ledger:
        check_chain(ledger)
        record = recorded(ledger)[0]
    found = differences(record, table, question)
    if found:
        raise RequestError(
            f"the study that is there asks another question: {'; '.join(found[:6])}",
            where=f"'{path}'",
            fix=f"ask the same again, or give the new question a study of its own: --out {free_name(path)}",
        )


def free_name(path: Path) -> str:
    """A stem beside a study that no study has yet, as one would type it.

    path: of the study that is there
    """
    for number in range(2, 1000):
        free = path.with_name(f"{path.stem}-{number}")
        if not free.with_name(f"{free.name}.heldout").exists():
            break
    return shlex.quote(free.name if free.parent == Path.cwd() else str(free))


def differences(record: StudyRecord, table: Table, question: Question) -> list[str]:
    """Sentences about what a study was asked, and what is asked now; a changed table is not among them.

    record:   of the study
    table:    as it was read now
    question: what is asked now
    """
    asked, now = dict(record.roles), question.roles()
    found = [_said(role, asked.get(role), now[role]) for role in _ROLES if asked.get(role) != now[role]]
    if question.held != record.held:
        found.append(_said("held", record.held, question.held))
    seed = record.seed if record.is_seed_given else None
    if question.seed != seed:
        found.append(_said("seed", seed, question.seed))
    read = dict((record.source or {}).get("options", {}))
    read_now: Mapping[str, Any] = table.source.options if table.source is not None else {}
    found += [
        _said(_OPTION_OF.get(name, name), read.get(name), read_now.get(name))
        for name in dict.fromkeys([*read, *read_now])
        if read.get(name) != read_now.get(name)
    ]
    return found or _decided_otherwise(record, table, question)


def _decided_otherwise(record: StudyRecord, table: Table, question: Question) -> list[str]:
    """Task and positive class, where the same table makes them differ."""
    from heldout.study.files.study_record import roles_of
    from heldout.table.task import Task

    if table.digest != record.table_digest:
        return []
    roles = question.roles()
    now = roles_of(Task(table, roles.pop("target"), **roles))
    return [
        _said("task" if role == "kind" else role, record.roles.get(role), now.get(role))
        for role in ("kind", "positive")
        if record.roles.get(role) != now.get(role)
    ]


def _said(option: str, then: Any, now: Any) -> str:
    return f"--{option} was {_shown(then)} and is {_shown(now)}"


def _shown(value: Any) -> str:
    if value is None:
        return "left out"
    if isinstance(value, Mapping):
        return " ".join(f"{name}={each}" for name, each in value.items())[:80]
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))[:80]
    return f"'{value}'" if isinstance(value, str) else str(value)
