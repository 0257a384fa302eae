"""The files of a study: their paths, what they hold, and whether a study there is about the same question."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heldout.errors import RequestError, SealError

if TYPE_CHECKING:
    from heldout.ledger.study_facts import StudyFact
    from heldout.study.study import Study
    from heldout.table.table import Table


_ENDINGS = (".heldout", ".html")


@dataclass(frozen=True)
class StudyPaths:
    """The two files of a run."""

    study: Path  # nAME.heldout
    page: Path  # nAME.html


def study_paths(file: str, out: str | None) -> StudyPaths:
    """Beside each other, named like the table unless `out` names them."""
    if out is None:
        return _files(Path.cwd() / stem_of(file))
    stem = Path(out).expanduser()
    if out.endswith(("/", os.sep)) or stem.is_dir():
        return _files(stem / stem_of(file))
    return _files(stem.with_suffix("") if stem.suffix.lower() in _ENDINGS else stem)


def stem_of(file: str) -> str:
    """The name of a table's file without its endings."""
    path = Path(file)
    name = path.name[:-3] if path.suffix.lower() == ".gz" else path.name
    return Path(name).stem


def prepare_folder(paths: StudyPaths) -> StudyPaths:
    """The same, after its folder was made; an error where a page of somebody else's would be replaced."""
    folder = paths.study.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RequestError(
            f"the folder for the study cannot be made: {error.strerror}",
            where=f"'{folder}'",
            fix="choose another folder with --out",
        ) from None
    refuse_foreign(paths.page, PAGE)
    if not os.access(folder, os.W_OK) and not paths.study.exists():
        raise RequestError(
            "nothing can be written to the folder for the study",
            where=f"'{folder}'",
            fix="choose a folder where you may write with --out",
        )
    return paths


def _files(stem: Path) -> StudyPaths:
    path = Path(os.path.abspath(stem))
    return StudyPaths(path.with_name(f"{path.name}.heldout"), path.with_name(f"{path.name}.html"))


# A study is an SQLite file whose header names the program that it belongs to.
_BEGINS, _MARK, _MARK_AT = b"SQLite format 3\0", b"HELD", 68


def is_study(path: str) -> bool:
    """Whether a file is a study, by its first bytes."""
    if not os.path.isfile(path):
        return False  # what is taken from a pipe is gone for whoever reads it next
    try:
        with open(path, "rb") as file:
            head = file.read(_MARK_AT + len(_MARK))
    except OSError:
        return False  # whoever reads it reports what is wrong
    return head.startswith(_BEGINS) and head.endswith(_MARK)


PAGE, MODEL = "page", "model file"


def refuse_foreign(path: Path, sort: str) -> Path:
    """The path, or an error where something stands there that is not of this sort."""
    full = path.expanduser()
    if full.exists() and not is_own(full, sort):
        raise RequestError(
            f"there is something of this name that is no {sort} of Heldout, and it stays",
            where=f"'{path}'",
            fix="choose another name with --out, or move it away",
        )
    return path


def is_own(path: Path, sort: str) -> bool:
    """Whether this is a file that Heldout wrote, or an empty one."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        head = file.read(1 << 16)
    if sort == PAGE:
        return not head or b"Heldout</title>" in head
    return not head or (head.startswith(b"PK\x03\x04") and b"model.json" in head[:64])


def refuse_overwriting(output: str, inputs: Mapping[str, str | None]) -> None:
    """An error where a file would be lost."""
    if not os.path.isfile(output):
        return
    name = next((name for name, path in inputs.items() if path and _is_same(path, output)), "")
    if name:
        what = f"{name} itself"
    elif is_study(output):
        what = "a study"
    elif os.path.getsize(output) and is_own(Path(output), MODEL):
        what = "a model file"
    else:
        return
    raise RequestError(
        f"the output would replace {what}", where=f"'{output}'", fix="name another file with -o"
    )


def _is_same(path: str, output: str) -> bool:
    return os.path.exists(path) and os.path.samefile(path, output)


_ROLES = ("target", "groups", "time", "weights")
_OPTION_OF = {"kinds": "kind", "day_first": "day-first", "skip_lines": "skip-lines"}


@dataclass(frozen=True)
class Question:
    """What a run is to predict, from which rows."""

    target: str  # as for `ho.Task`
    task: str | None = None
    positive: str | None = None
    groups: str | None = None
    time: str | None = None
    weights: str | None = None
    held: float = 0.2  # the share of rows to seal
    seed: int | None = None  # if one was given

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


def open_or_create(path: Path, table: Table, question: Question) -> Study:
    """The study of a question: made, or gone on with where it is there."""
    from heldout.study.study import Study

    if not path.exists():
        return Study.create(path, table, held=question.held, seed=question.seed, **question.roles())
    check_same_question(path, table, question)
    try:
        return Study.open(path, table)
    except SealError as error:
        raise SealError(
            error.what,
            where=f"'{table.source.path}'; the study is '{path}'" if table.source else f"'{path}'",
            fix="go on with the table as it was, or make a new study of the changed one: "
            f"--out {free_name(path)}",
        ) from error


def check_same_question(path: Path, table: Table, question: Question) -> None:
    """A RequestError that names what differs, if the study of this file is about another question."""
    from heldout.ledger.ledger import Ledger
    from heldout.study.files.open_study import check_chain, recorded_study

    with Ledger.open(path, query_only=True) as ledger:
        check_chain(ledger)
        record = recorded_study(ledger)[0]
    different = differences(record, table, question)
    if different:
        raise RequestError(
            f"the study that is there is about another question: {'; '.join(different[:6])}",
            where=f"'{path}'",
            fix=f"repeat its options, or give the new question a study of its own: --out {free_name(path)}",
        )


def free_name(path: Path) -> str:
    """A stem beside a study that no study has yet, as one would type it."""
    for number in range(2, 1000):
        free = path.with_name(f"{path.stem}-{number}")
        if not free.with_name(f"{free.name}.heldout").exists():
            break
    return shlex.quote(free.name if free.parent == Path.cwd() else str(free))


def differences(record: StudyFact, table: Table, question: Question) -> list[str]:
    """How the question of a study differs from this one, in sentences; a changed table is not among them."""
    before, now = dict(record.roles), question.roles()
    different = [
        _difference(role, before.get(role), now[role]) for role in _ROLES if before.get(role) != now[role]
    ]
    if question.held != record.held:
        different.append(_difference("held", record.held, question.held))
    seed = record.seed if record.is_seed_given else None
    if question.seed != seed:
        different.append(_difference("seed", seed, question.seed))
    read = dict(record.source.options if record.source is not None else {})
    read_now: Mapping[str, Any] = table.source.options if table.source is not None else {}
    different += [
        _difference(_OPTION_OF.get(name, name), read.get(name), read_now.get(name))
        for name in dict.fromkeys([*read, *read_now])
        if read.get(name) != read_now.get(name)
    ]
    return different or _decided_otherwise(record, table, question)


def _decided_otherwise(record: StudyFact, table: Table, question: Question) -> list[str]:
    """Task and positive class, where the same table makes them differ."""
    from heldout.study.files.task_roles import task_roles
    from heldout.table.task import Task

    if table.digest != record.table_digest:
        return []
    roles = question.roles()
    now = task_roles(Task(table, roles.pop("target"), **roles))
    return [
        _difference("task" if role == "kind" else role, record.roles.get(role), now.get(role))
        for role in ("kind", "positive")
        if record.roles.get(role) != now.get(role)
    ]


def _difference(option: str, then: object, now: object) -> str:
    return f"--{option} was {_shown(then)} and is {_shown(now)}"


def _shown(value: object) -> str:
    if value is None:
        return "left out"
    if isinstance(value, Mapping):
        return " ".join(f"{name}={entry}" for name, entry in value.items())[:80]
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))[:80]
    return f"'{value}'" if isinstance(value, str) else str(value)
