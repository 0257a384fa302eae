"""Open a study that is there: is the chain unbroken, the table the same, the seal the one that was set."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from heldout.errors import LedgerError, RequestError, SealError
from heldout.ledger.ledger import Ledger
from heldout.ledger.study_facts import SealFact, StudyFact
from heldout.split.sealed_split import SealedSplit
from heldout.study.files.open_task import open_task
from heldout.study.files.seal_task import seal_task
from heldout.study.files.table_at_hand import TableAtHand, find_table, path_exists
from heldout.study.files.task_roles import derive_seed
from heldout.table.task import Task


@dataclass(frozen=True, eq=False)
class OpenedStudy:
    """What stands in a study file, after it was checked.

    ledger:  the file
    study:   what it is about
    seal:    which rows are held
    at_hand: where the table is
    task:    of the open rows; None where the table is not at hand
    """

    ledger: Ledger
    study: StudyFact
    seal: SealedSplit
    at_hand: TableAtHand
    task: Task | None


def open_study(path: str | os.PathLike[str], table: object = None) -> OpenedStudy:
    """The study of a file.

    path:  of the study file
    table: the table, its path or a frame; None to look for it where it was read
    """
    ledger = _ledger(path)
    try:
        check_chain(ledger)
        record, seal = recorded_study(ledger)
        at_hand, whole = find_table(record, seal.open_rows, ledger.path, table)
        if whole is None:
            return OpenedStudy(ledger, record, seal, at_hand, None)
        check_seal(record, seal, whole)
        return OpenedStudy(ledger, record, seal, at_hand, open_task(whole, seal.open_rows))
    except BaseException:
        ledger.close()
        raise


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


def recorded_study(ledger: Ledger) -> tuple[StudyFact, SealedSplit]:
    """What the first facts of a study file say."""
    study, seal = ledger.only("study"), ledger.only("seal")
    record, sealed = StudyFact.read(study), SealFact.read(seal)
    held = ledger.array(seal, "held").astype(np.intp)
    left_out = ledger.array(seal, "left_out").astype(np.intp)
    is_open = np.ones(record.n_task_rows, dtype=np.bool_)
    is_open[held] = is_open[left_out] = False
    open_rows = np.flatnonzero(is_open)
    split = SealedSplit(open_rows, held, sealed.seed, sealed.digest, sealed.by, left_out, sealed.notes)
    return record, split


def check_seal(record: StudyFact, seal: SealedSplit, whole: Task) -> None:
    """A SealError if these rows would now be sealed otherwise.

    whole: the task of all rows
    """
    given = record.seed if record.is_seed_given else None
    again = seal_task(whole, record.held, derive_seed(record.table_digest, "seal", given))
    if again.digest != seal.digest:
        raise SealError(
            "the seal is not the one that was set: other rows would be held now",
            where=f"{len(seal.held_rows):,} rows held, {len(again.held_rows):,} would be",
            fix="use the version of heldout that made the study, or make a new study",
        )


def _ledger(path: Any) -> Ledger:
    is_path = isinstance(path, str | os.PathLike) and bool(str(path)) and "\0" not in str(path)
    index = Path(path).expanduser() if is_path else path
    if is_path and os.path.isdir(index):
        raise RequestError(
            "a study is one file, and this is a folder",
            where=f"'{index}'",
            fix="name the study file in it, such as 'churn.heldout'",
        )
    may_write = not is_path or not path_exists(Path(index)) or os.access(index, os.W_OK)
    return Ledger.open(index, query_only=not may_write)
