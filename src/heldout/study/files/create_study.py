"""Make a study: seal rows away, and write down what it is about, all in one step or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError, HeldoutError, InputTypeError, LedgerError, RequestError
from heldout.ledger.fact import Entry
from heldout.ledger.ledger import Ledger
from heldout.ledger.study_facts import LookFact, SealFact, SourceFact, StudyFact
from heldout.split.sealed_split import SealedSplit
from heldout.study.files.open_study import OpenedStudy, open_study
from heldout.study.files.open_task import open_task
from heldout.study.files.profile import profile_task
from heldout.study.files.seal_task import seal_task
from heldout.study.files.table_at_hand import TableAtHand, path_exists, record_columns, versions
from heldout.study.files.task_roles import derive_seed, task_roles, without_example
from heldout.table.read_memory import InMemory
from heldout.table.read_table import read_table
from heldout.table.table import Table
from heldout.table.task import Task
from heldout.text.words import plural


@dataclass(frozen=True)
class SealRequest:
    """How rows are to be sealed: the share (0 for none), the user's seed if there is one, and free looks."""

    held: float
    seed: int | None
    looks_allowed: int

    @classmethod
    def checked(cls, held: float | None, seed: int | None, looks_allowed: int) -> SealRequest:
        """The same of what a user gave; a share that is none is refused where the rows are sealed."""
        is_none = held is None or (isinstance(held, int | float) and not isinstance(held, bool) and held == 0)
        return cls(0.0 if held is None or is_none else held, _check_seed(seed), _check_looks(looks_allowed))


def create_study(
    path: str | os.PathLike[str],
    table: Table | str | os.PathLike[str] | InMemory,
    roles: Mapping[str, Any],
    request: SealRequest,
    exist_ok: bool = False,
) -> OpenedStudy:
    """A new study file, opened; with `exist_ok` the one that is there, if it is about the same.

    `table` is a Table, the path of a file or a frame; `roles` are the parameters of its Task.
    """
    is_again = exist_ok and isinstance(path, str | os.PathLike) and Path(path).expanduser().is_file()
    index = Path(path).expanduser() if is_again else _new_path(path)
    rows = table if isinstance(table, Table) else read_table(table)
    task = Task(rows, **roles)
    if is_again:
        return _open_same(index, rows, task, request)
    study, seal, opened, entries = first_facts(index, rows, task, request)
    _write_whole(index, entries)
    # A file is read again when held rows are needed; what is only in memory has to stay there.
    kept = rows if rows is table or rows.source is None else None
    source = None if kept is not None or rows.source is None else Path(rows.source.path)
    at_hand = TableAtHand(study, seal.open_rows, index.parent, kept, source)
    return OpenedStudy(Ledger.open(index), study, seal, at_hand, opened)


def first_facts(
    path: Path, table: Table, task: Task, request: SealRequest
) -> tuple[StudyFact, SealedSplit, Task, list[Entry]]:
    """What the study is about, its seal, the task of the open rows, and what the ledger begins with."""
    seed = request.seed
    seal = seal_task(task, request.held, derive_seed(table.digest, "seal", seed))
    opened = _open_part(task, seal)
    study = StudyFact(
        table_digest=table.digest,
        n_table_rows=table.n_rows,
        columns=record_columns(table, task, seal.open_rows),
        roles=task_roles(task),
        n_task_rows=task.n_rows,
        seed=derive_seed(table.digest, "study") if seed is None else seed,
        is_seed_given=seed is not None,
        held=float(request.held),
        looks_allowed=request.looks_allowed,
        source=_source(table, path),
        versions=versions(),
        name=path.stem,
        notes=tuple(without_example(note) for note in table.notes),
    )
    profile, arrays = profile_task(opened)
    look = LookFact.at_rows("describe", "Study.create", np.arange(opened.n_rows), "open")
    entries = [
        study.entry(study.digest),
        SealFact.of_split(seal).entry(seal.digest, _seal_arrays(seal)),
        profile.entry("open rows", arrays),
        look.entry("create:profile"),
    ]
    return study, seal, opened, entries


def _open_same(path: Path, table: Table, task: Task, request: SealRequest) -> OpenedStudy:
    """The study of a file, if it is about the same table and task; else an error that names what differs."""
    found = open_study(path, table)
    study, now = found.study, task_roles(task)
    pairs = {name: (study.roles.get(name), now.get(name)) for name in dict.fromkeys([*study.roles, *now])}
    pairs["held"] = (study.held, request.held)
    pairs["seed"] = (study.seed if study.is_seed_given else None, request.seed)
    pairs["looks_allowed"] = (study.looks_allowed, request.looks_allowed)
    others = [
        f"{name} was {old!r:.40} and is {new!r:.40}" for name, (old, new) in pairs.items() if old != new
    ]
    if others:
        found.ledger.close()
        raise RequestError(
            f"the study that is there asks another question: {'; '.join(others[:6])}",
            where=f"'{path}'",
            fix="ask the same again, or give the new question another path",
        )
    return found


def _open_part(task: Task, seal: SealedSplit) -> Task:
    """The task of the open rows, or an error that says that they alone are none."""
    try:
        return open_task(task, seal.open_rows)
    except HeldoutError as error:
        raise DataError(
            f"nothing can be learned from the open rows alone: {error.what}",
            where=f"{plural(len(seal.open_rows), 'row')} open, {len(seal.held_rows):,} held",
            fix="hold fewer rows back, or none with held=None; or use a table with more rows",
        ) from error


def _new_path(path: object) -> Path:
    """Where the study file will be, or an error that says why it cannot be there."""
    if not isinstance(path, str | os.PathLike) or not str(path) or "\0" in str(path):
        raise InputTypeError(
            "a study is kept in a file",
            where=f"path={path!r:.60}",
            fix="give a path, such as 'churn.heldout'",
        )
    found = Path(os.path.abspath(Path(path).expanduser()))
    if os.path.isdir(found):
        raise RequestError(
            "a study is one file, and this is a folder",
            where=f"'{found}'",
            fix=f"name a file in it, such as '{found / 'study.heldout'}'",
        )
    if path_exists(found):
        raise _standing_file(found)
    if not found.parent.is_dir():
        raise RequestError(
            "the folder for the study is not there",
            where=f"'{found.parent}'",
            fix="make it, or choose another path",
        )
    return found


def _standing_file(path: Path) -> LedgerError:
    """The error for a study that would be written over."""
    return LedgerError(
        "there is a file of this name, and a study is never written over",
        where=f"'{path}'",
        fix="Study.open or exist_ok=True goes on with it; for a new one choose another path",
    )


def _check_looks(looks_allowed: int) -> int:
    """How many looks need no reason."""
    is_whole = isinstance(looks_allowed, int | np.integer) and not isinstance(looks_allowed, bool)
    if not is_whole or looks_allowed < 1:
        raise RequestError(
            "looks_allowed is how many looks at the held rows need no reason",
            where=f"looks_allowed={looks_allowed!r:.60}",
            fix="use 1, or another whole number above 0",
        )
    return int(looks_allowed)


def _check_seed(seed: int | None) -> int | None:
    """The user's seed, if there is one."""
    if seed is None:
        return None
    is_whole = isinstance(seed, int | np.integer) and not isinstance(seed, bool)
    if not is_whole or not 0 <= seed < 2**32:
        raise RequestError(
            "a seed is a whole number from 0 to 4294967295",
            where=f"seed={seed!r:.60}",
            fix="give such a number, or leave it out: then it is derived from the table",
        )
    return int(seed)


def _seal_arrays(seal: SealedSplit) -> dict[str, NDArray[Any]]:
    """Which rows are sealed: their positions, nothing of what they hold."""
    return {
        "held": seal.held_rows.astype(np.int64),
        "left_out": seal.left_out_rows.astype(np.int64),
    }


def _write_whole(path: Path, entries: Sequence[Entry]) -> None:
    """A study file with these facts: made beside its place and moved there when it is complete."""
    beside = path.parent / f".{path.name[:40]}.{secrets.token_hex(8)}"
    try:
        with Ledger.create(beside) as ledger:
            ledger.append(entries)
        _move(beside, path)
    finally:
        for leftover in path.parent.glob(f"{beside.name}*"):
            with contextlib.suppress(OSError):
                leftover.unlink()


def _move(beside: Path, path: Path) -> None:
    """Into its place, unless something came to stand there meanwhile."""
    try:
        os.link(beside, path)
    except FileExistsError:
        raise _standing_file(path) from None
    except OSError:  # a disk without links
        if path.exists():
            raise _standing_file(path) from None
        os.rename(beside, path)
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _source(table: Table, path: Path) -> SourceFact | None:
    if table.source is None:
        return None
    try:
        relative = os.path.relpath(table.source.path, path.parent)
    except ValueError:  # another drive
        relative = table.source.path
    return SourceFact(table.source.path, table.source.options, relative)
