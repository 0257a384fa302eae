"""Open a study that is there: is the chain unbroken, the table the same, the seal the one that was set."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from heldout.errors import LedgerError, RequestError, SealError
from heldout.ledger.fact import Fact
from heldout.ledger.ledger import Ledger
from heldout.split.sealed_split import SealedSplit
from heldout.study.files.create_study import is_there, sealed
from heldout.study.files.open_task import open_task
from heldout.study.files.study_record import StudyRecord, roles_of, seed_of
from heldout.study.files.table_at_hand import TableAtHand, found_again
from heldout.table.table import Table
from heldout.table.task import Task


@dataclass(frozen=True, eq=False)
class OpenedStudy:
    """What stands in a study file, after it was checked.

    ledger:  the file
    record:  what the study is about
    seal:    which rows are held
    at_hand: where the table is
    task:    of the open rows; None where the table is not at hand
    """

    ledger: Ledger
    record: StudyRecord
    seal: SealedSplit
    at_hand: TableAtHand
    task: Task | None


def opened(path: Any, table: Any) -> OpenedStudy:
    """The study of a file.

    path:  of the study file
    table: the table, its path or a frame; None to look for it where it was read
    """
    ledger = _ledger(path)
    try:
        check_chain(ledger)
        record, seal = recorded(ledger)
        at_hand, whole = found_again(record, seal.open_rows, ledger.path, table)
        if whole is None:
            return OpenedStudy(ledger, record, seal, at_hand, None)
        check_seal(record, seal, whole)
        return OpenedStudy(ledger, record, seal, at_hand, open_task(whole, seal.open_rows))
    except BaseException:
        ledger.close()
        raise


def opened_if_same(
    path: Path, table: Table, task: Task, held: float, seed: int | None, looks_allowed: int
) -> OpenedStudy:
    """The study of a file, if it asks the same of the same table; else an error that names what differs.

    task:                      of all rows, as it is asked now
    held, seed, looks_allowed: as they are asked for now
    """
    found = opened(path, table)
    record, now = found.record, roles_of(task)
    pairs = {name: (record.roles.get(name), now.get(name)) for name in dict.fromkeys([*record.roles, *now])}
    pairs["held"] = (record.held, held)
    pairs["seed"] = (record.seed if record.is_seed_given else None, seed)
    pairs["looks_allowed"] = (record.looks_allowed, looks_allowed)
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


def check_chain(ledger: Ledger) -> None:
    """A LedgerError that says what is broken, if anything is."""
    found = ledger.verify()
    if found.is_unbroken:
        return
    more = f" and {len(found.problems) - 3} more" if len(found.problems) > 3 else ""
    raise LedgerError(
        f"the chain of the study is broken: {'; '.join(found.problems[:3])}{more}",
        where=f"'{ledger.path}', {found.n_facts:,} facts",
        fix="go on with a copy of the file from before it was changed; nothing in this one can be relied on",
    )


def recorded(ledger: Ledger) -> tuple[StudyRecord, SealedSplit]:
    """What the first facts of a study file say."""
    study, seal = _only(ledger, "study"), _only(ledger, "seal")
    record = StudyRecord.of_dict(study.body)
    held = ledger.array(seal, "held").astype(np.intp)
    left_out = ledger.array(seal, "left_out").astype(np.intp)
    is_open = np.ones(record.n_task_rows, dtype=np.bool_)
    is_open[held] = is_open[left_out] = False
    body = seal.body
    rows = np.flatnonzero(is_open), held
    notes = tuple(body.get("notes", ()))
    return record, SealedSplit(*rows, body["seed"], body["digest"], body["how"], left_out, notes)


def check_seal(record: StudyRecord, seal: SealedSplit, whole: Task) -> None:
    """A SealError if these rows would now be sealed otherwise.

    whole: the task of all rows
    """
    given = record.seed if record.is_seed_given else None
    again = sealed(whole, record.held, seed_of(record.table_digest, "seal", given))
    if again.digest != seal.digest:
        raise SealError(
            "the seal is not the one that was set: other rows would be held now",
            where=f"{len(seal.held_rows):,} rows held, {len(again.held_rows):,} would be",
            fix="use the version of heldout that made the study, or make a new study",
        )


def _ledger(path: Any) -> Ledger:
    is_path = isinstance(path, str | os.PathLike) and bool(str(path)) and "\0" not in str(path)
    place = Path(path).expanduser() if is_path else path
    if is_path and os.path.isdir(place):
        raise RequestError(
            "a study is one file, and this is a folder",
            where=f"'{place}'",
            fix="name the study file in it, such as 'churn.heldout'",
        )
    may_write = not is_path or not is_there(Path(place)) or os.access(place, os.W_OK)
    return Ledger.open(place, query_only=not may_write)


def _only(ledger: Ledger, kind: str) -> Fact:
    found = ledger.facts(kind)
    if len(found) == 1:
        return found[0]
    raise LedgerError(
        f"a study file has one {kind}, and this one has {len(found)}",
        where=f"'{ledger.path}'",
        fix="name a file that Study.create made",
    )
