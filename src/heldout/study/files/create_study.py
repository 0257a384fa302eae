"""Make a study: seal rows away, and write down what it is about, all in one step or not at all."""

from __future__ import annotations

import contextlib
import math
import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError, HeldoutError, InputTypeError, LedgerError, RequestError
from heldout.ledger.fact import Entry
from heldout.ledger.ledger import Ledger
from heldout.split.fold import parts_digest, rows_digest
from heldout.split.row_facts import RowFacts
from heldout.split.sealed_split import SealedSplit, seal_rows
from heldout.split.split_notes import size_notes
from heldout.stats.planning import rows_for_width
from heldout.stats.rate_interval import rate_interval
from heldout.study.files.open_task import open_task
from heldout.study.files.profile import profile_of
from heldout.study.files.study_record import StudyRecord, roles_of, seed_of, unquoted
from heldout.study.files.table_at_hand import column_records, versions
from heldout.table.read_table import read_table
from heldout.table.table import Table
from heldout.table.task import Task
from heldout.text.words import plural, shorten

NO_SEAL = "no rows are held back"


def new_path(path: Any) -> Path:
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
    if is_there(found):
        raise standing(found)
    if not found.parent.is_dir():
        raise RequestError(
            "the folder for the study is not there",
            where=f"'{found.parent}'",
            fix="make it, or choose another path",
        )
    return found


def is_there(path: Path) -> bool:
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


def standing(path: Path) -> LedgerError:
    """The error for a study that would be written over."""
    return LedgerError(
        "there is a file of this name, and a study is never written over",
        where=f"'{path}'",
        fix="Study.open or exist_ok=True goes on with it; for a new one choose another path",
    )


def table_of(table: Any) -> Table:
    """A Table as it is; a path or a frame, read."""
    return table if isinstance(table, Table) else read_table(table)


def sealed(task: Task, held: float, seed: int) -> SealedSplit:
    """The open and the held rows of a task; all are open where nothing is held.

    seed: of the seal
    """
    if held:
        facts = RowFacts.of(task)
        found = seal_rows(facts, held=held, seed=seed)
        notes = found.notes
        if facts.groups is not None or facts.time is not None:
            # Which classes are on one side only is told by the held labels, where no strata say it before.
            notes = size_notes(facts, held, found.open_rows, found.held_rows)
        advice = advice_of(facts, found)
        return replace(found, notes=(advice, *notes) if advice else notes)
    every, none = np.arange(task.n_rows, dtype=np.intp), np.empty(0, dtype=np.intp)
    digest = parts_digest("seal", open=every, held=none, left_out=none)
    return SealedSplit(every, none, seed, digest, NO_SEAL)


def advice_of(facts: RowFacts, seal: SealedSplit) -> str:
    """What to do instead, where the seal holds too few rows or groups to tell anything; else nothing."""
    if facts.groups is None:
        return seal_advice(facts.n_rows, len(seal.held_rows), "row", facts.is_classification)
    n_held = len(np.unique(facts.group_codes[seal.held_rows]))
    return seal_advice(facts.n_groups, n_held, "group", facts.is_classification)


def check_held(held: Any) -> float:
    """The share to hold; 0 for no seal. What is neither is refused where the rows are sealed."""
    is_none = held is None or (isinstance(held, int | float) and not isinstance(held, bool) and held == 0)
    return 0.0 if is_none else held


def check_looks(looks_allowed: Any) -> int:
    """How many looks need no reason."""
    is_whole = isinstance(looks_allowed, int | np.integer) and not isinstance(looks_allowed, bool)
    if not is_whole or looks_allowed < 1:
        raise RequestError(
            "looks_allowed is how many looks at the held rows need no reason",
            where=f"looks_allowed={looks_allowed!r:.60}",
            fix="use 1, or another whole number above 0",
        )
    return int(looks_allowed)


def check_seed(seed: Any) -> int | None:
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


def first_facts(
    path: Path, table: Table, task: Task, held: float, seed: int | None, looks_allowed: int
) -> tuple[StudyRecord, SealedSplit, Task, list[Entry]]:
    """The record, the seal, the task of the open rows, and what the ledger begins with.

    path: of the study file
    task: of all rows
    """
    seal = sealed(task, held, seed_of(table.digest, "seal", seed))
    seen = _open_part(task, seal)
    record = StudyRecord(
        table_digest=table.digest,
        n_table_rows=table.n_rows,
        columns=column_records(table, task, seal.open_rows),
        roles=roles_of(task),
        n_task_rows=task.n_rows,
        seed=seed_of(table.digest, "study") if seed is None else seed,
        is_seed_given=seed is not None,
        held=float(held),
        looks_allowed=looks_allowed,
        source=_source(table, path),
        versions=versions(),
    )
    body, arrays = profile_of(seen)
    entries = [
        Entry("study", record.digest, record.to_dict() | _for_readers(path, record, table)),
        Entry("seal", seal.digest, seal.to_dict(), seal_arrays(seal)),
        Entry("profile", "open rows", body, arrays),
        Entry(
            "look", "create:profile", look_body("describe", "Study.create", np.arange(seen.n_rows), "open")
        ),
    ]
    return record, seal, seen, entries


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


def _for_readers(path: Path, record: StudyRecord, table: Table) -> dict[str, Any]:
    """What a reader of the study file wants to find at once, and what was noticed when the table was read."""
    named = {"name": path.stem, "target": record.target, "kind": record.roles["kind"]}
    return named | {"notes": [unquoted(note) for note in table.notes]}


def seal_arrays(seal: SealedSplit) -> dict[str, NDArray[Any]]:
    """Which rows are sealed: their positions, nothing of what they hold."""
    return {
        "held": seal.held_rows.astype(np.int64),
        "left_out": seal.left_out_rows.astype(np.int64),
    }


def look_body(what: str, by: str, rows: Any, role: str, bits: float = 0.0, **more: Any) -> dict[str, Any]:
    """What is written down of a look.

    what: "describe", "tune", "fit", "score", "show", "fail", "refit"
    by:   whose doing it was
    rows: positions; their digest is kept
    role: "open" or "held"
    bits: how much of the held labels it gave away, at most
    """
    return {
        "what": what,
        "by": by,
        "rows": rows_digest(rows),
        "n_rows": len(rows),
        "role": role,
        "bits": bits,
        **more,
    }


def write_whole(path: Path, entries: Sequence[Entry]) -> None:
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
        raise standing(path) from None
    except OSError:  # a disk without links
        if path.exists():
            raise standing(path) from None
        os.rename(beside, path)
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _source(table: Table, path: Path) -> dict[str, Any] | None:
    if table.source is None:
        return None
    try:
        relative = os.path.relpath(table.source.path, path.parent)
    except ValueError:  # another drive
        relative = table.source.path
    return table.source.to_dict() | {"relative": relative}


def sealed_words(record: StudyRecord, seal: Mapping[str, Any]) -> str:
    """A sentence about the seal.

    seal: what is recorded of it
    """
    opened = f"{plural(seal['n_open'], 'row')} open"
    if not seal["n_held"]:
        return f"{opened}; {NO_SEAL}, so there will be no final score"
    seed = f"seed {record.seed} was given" if record.is_seed_given else "seed from the table"
    left_out = seal.get("n_left_out", 0)
    others = f", {left_out:,} neither, because others of their group are held" if left_out else ""
    return f"{opened}, {seal['n_held']:,} held{others} ({seal['how']}; {seed})"


# A score that is known to within 15 points on either side is the least that is worth a seal.
HALF_WIDTH = 0.15
EXPECTED = 0.8


def seal_advice(n_rows: int, n_held: int, unit: str = "row", is_classification: bool = True) -> str:
    """A sentence where the sealed rows are too few to tell anything; empty where they are enough.

    Too few are those on which a share of 80% right has a 95% interval wider than ±15 points. The error of
    numbers is known no better from as few rows.

    n_rows:            all rows, or groups
    n_held:            those of them that would be sealed
    unit:              "row", or "group" where rows of a group are not independent
    is_classification: whether the score is a share of rows
    """
    needed = rows_for_width(EXPECTED, 2 * HALF_WIDTH).n_rows
    if not n_held or n_held >= needed:
        return ""
    counted = plural(n_held, f"sealed {unit}")
    says = "says" if n_held == 1 else "say"
    if is_classification:
        found = rate_interval(round(EXPECTED * n_held), n_held, method="clopper_pearson")
        known = f"{found.estimate:.2g} on them has the 95% interval {found.low:.2f} to {found.high:.2f}"
        wanted = f"to know it within {HALF_WIDTH:g}"
    else:
        known = f"an error is known from them within {_error_of_rmse(n_held):.0%} at best"
        wanted = f"to know it within {_error_of_rmse(needed):.0%}"
    in_all = math.ceil(needed * n_rows / n_held)
    return (
        f"{counted} {says} little: {known}. Without a seal, held=0, nested cross-validation judges by all"
        f" {plural(n_rows, unit)}; {wanted} takes {needed} sealed {unit}s, of {in_all:,}."
    )


def _error_of_rmse(n_rows: int) -> float:
    """Half the 95% interval of a root mean squared error, as a share of it, for normal errors."""
    return 1.96 / math.sqrt(2 * n_rows)
