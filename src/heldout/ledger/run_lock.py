"""The lock of a run: one process at a time works on a study, and a killed one leaves no lock behind.

It is a lock of the operating system on a small file beside the study, which says who holds it. The system
frees it when the process ends, however it ends, and a forked worker does not inherit it.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from heldout.errors import LedgerError
from heldout.ledger.locked_file import LockedFile, holder_of, lock_file

_PAUSE = 0.02


@dataclass
class _Inside:
    """Who holds a lock in this process, and how many blocks deep."""

    thread: int
    process: int
    depth: int = 1


_HELD: dict[Path, _Inside] = {}
_CHANGED = threading.Condition()


@contextmanager
def run_lock(study: Path, timeout: float) -> Iterator[None]:
    """Holds the lock of a study; the same thread may take it again inside.

    study:   the study file
    timeout: seconds to wait for whoever holds it, then a LedgerError that names them
    """
    deadline = time.monotonic() + timeout
    path = study.with_name(study.name + ".lock")
    if not _enter(path, deadline):
        raise _in_use(study, "another thread of this process")
    locked: LockedFile | None = None
    try:
        if _HELD[path].depth == 1:
            locked = _lock(study, path, deadline)
        yield
    finally:
        # A forked worker that leaves the block by an exception leaves the lock to its parent.
        if _HELD[path].process == os.getpid():
            if locked is not None:
                locked.release()
            _leave(path)


def _enter(path: Path, deadline: float) -> bool:
    me, process = threading.get_ident(), os.getpid()
    with _CHANGED:
        while True:
            inside = _HELD.get(path)
            if inside is None or inside.process != process:
                _HELD[path] = _Inside(me, process)
                return True
            if inside.thread == me:
                inside.depth += 1
                return True
            if not _CHANGED.wait(max(deadline - time.monotonic(), 0)):
                return False


def _leave(path: Path) -> None:
    with _CHANGED:
        inside = _HELD[path]
        inside.depth -= 1
        if inside.depth == 0:
            del _HELD[path]
        _CHANGED.notify_all()


def _lock(study: Path, path: Path, deadline: float) -> LockedFile:
    while True:
        try:
            locked = lock_file(path)
        except OSError as error:
            raise LedgerError(
                f"the study cannot be locked for a run: {error.strerror or error}",
                where=f"'{path}'",
                fix="check who may write to the folder; a disk without locks cannot hold a study that runs",
            ) from None
        if locked is not None:
            return locked
        if time.monotonic() >= deadline:
            raise _in_use(study, holder_of(path))
        time.sleep(_PAUSE)


def _in_use(study: Path, who: str) -> LedgerError:
    return LedgerError(
        f"this study is being run by {who}",
        where=f"'{study}'",
        fix="wait until it is done, or stop it: what it has finished is kept",
    )


def is_locked(study: Path) -> bool:
    """Whether this process holds the lock of the study.

    >>> is_locked(Path("nobody.heldout"))
    False
    """
    inside = _HELD.get(study.with_name(study.name + ".lock"))
    return inside is not None and inside.process == os.getpid()


def remove_stale(study: Path) -> None:
    """Removes the lock's file if a killed process left it and nobody holds it.

    study: the study file
    """
    path = study.with_name(study.name + ".lock")
    if not path.exists() or not _enter(path, deadline=0.0):
        return
    try:
        locked = lock_file(path) if _HELD[path].depth == 1 else None
        if locked is not None:
            locked.release()
    except OSError:
        pass  # it stays: whoever runs the study next takes it over
    finally:
        _leave(path)
