"""Data sets as they may be given: embedded names, Tasks, Tables with a target; each becomes a named Task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from heldout import datasets as embedded
from heldout.errors import KindError, RequestError
from heldout.table.table import Table
from heldout.table.task import Task


@dataclass(frozen=True, eq=False)
class NamedTask:
    """A Task under the name of its data set.

    >>> NamedTask("penguins", Task(embedded.load("penguins"), target="species")).task.kind
    'classification'
    """

    name: str
    task: Task


def named_tasks(given: Any) -> tuple[NamedTask, ...]:
    """The data sets in order, each with a name of its own.

    given: a list or a dict; an entry is the name of an embedded table, a Task, (Table, target), or
           (name, any of these)

    >>> [named.name for named in named_tasks(["penguins", ("tennis", "play_tennis")])]
    ['penguins', 'tennis']
    """
    if isinstance(given, Mapping):
        listed = [(str(name), entry) for name, entry in given.items()]
    elif isinstance(given, Iterable) and not isinstance(given, str | bytes | Table):
        listed = [_with_name(entry, number) for number, entry in enumerate(given, 1)]
    else:
        raise _refusal(given, "datasets")
    if not listed:
        raise RequestError(
            "there is no data set to compare on",
            where="datasets is empty",
            fix="give names of embedded tables (ho.datasets.names()), or Tasks",
        )
    counts = Counter(name for name, _ in listed)
    twice = [name for name, count in counts.items() if count > 1]
    if twice:
        raise RequestError(
            "a data set counts once, so each needs a name of its own",
            where=f"{twice[0]!r} is there {counts[twice[0]]} times",
            fix="leave one out, or name them: datasets={'first': …, 'second': …}",
        )
    return tuple(NamedTask(name, _task(entry, name)) for name, entry in listed)


def _with_name(entry: Any, number: int) -> tuple[str, Any]:
    if isinstance(entry, str):
        return entry, entry
    if isinstance(entry, tuple | list) and len(entry) == 2 and isinstance(entry[0], str):
        return entry[0], entry[1]
    return f"data set {number}", entry


def _task(entry: Any, name: str) -> Task:
    if isinstance(entry, Task):
        return entry
    if isinstance(entry, str):
        about = embedded.describe(entry)
        return Task(embedded.load(entry), about.target, groups=about.groups or None)
    if isinstance(entry, tuple | list) and len(entry) == 2 and isinstance(entry[0], Table):
        return Task(entry[0], entry[1])
    raise _refusal(entry, name)


def _refusal(entry: Any, name: str) -> KindError:
    return KindError(
        "a data set is the name of an embedded table, a Task, or a Table with the name of its target",
        where=f"{name} is a {type(entry).__name__}",
        fix="make a Task: ho.Task(table, target=…), or give (table, 'target')",
    )
