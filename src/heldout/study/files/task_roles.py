"""What a study is about: the roles of columns that make its task again, and the seeds that follow from it."""

from __future__ import annotations

import hashlib
import re
from typing import Any

from heldout.ledger.study_facts import StudyFact
from heldout.table.table import Table
from heldout.table.task import Task

_ROLES = ("groups", "time", "weights")


def make_task(study: StudyFact, table: Table) -> Task:
    """The task that a study file records, over a table."""
    roles = dict(study.roles)
    return Task(table, roles.pop("target"), **roles)


def task_roles(task: Task) -> dict[str, Any]:
    """What makes the task again over the same rows, decided rather than left open."""
    found = {"target": task.target, "kind": task.kind}
    if task.positive is not None:
        found["positive"] = task.positive
    return found | {role: task.roles[role] for role in _ROLES if role in task.roles}


def derive_seed(table_digest: str, purpose: str, given: int | None = None) -> int:
    """A seed that anyone finds again who has the same table.

    table_digest: of the whole table
    purpose:      what it is for
    given:        the user's seed, if there is one
    """
    words = f"heldout {purpose} 1\n{table_digest}\n{'' if given is None else given}"
    return int.from_bytes(hashlib.sha256(words.encode()).digest()[:4], "big") >> 1


# ", first 'n/k' in row 2; …", ", as in '007': …", ", as '1.2.2020' and …": from the example on it is cut.
_EXAMPLE = re.compile(r""", (?:first|as in|as) ['"].*$""", re.DOTALL)
_EXPONENT = re.compile(r""": ['"].*['"] is read as the number .*?; """, re.DOTALL)


def without_example(sentence: str) -> str:
    """The sentence without its example.

    sentence: a note of a table, or the reason for the kind of a column
    """
    found = _EXPONENT.sub(": digits with an E are read as numbers; ", sentence)
    return _EXAMPLE.sub("", found)
