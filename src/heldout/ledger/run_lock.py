"""The lock of a run: one process at a time works on a study, and a killed one leaves no lock behind.

It is a lock of the operating system on a small file beside the study, which says who holds it. The system
frees it when the process ends, however it ends, and a forked worker does not inherit it.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from heldout.errors import LedgerError

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
    """Whether this process holds the lock of the study."""
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


# Windows forbids others to read a locked byte, so what is locked lies beyond what is written.
_LOCKED_BYTE = 1 << 20


@dataclass(frozen=True)
class LockedFile:
    """A file that this process has locked.

    path:       where it is
    descriptor: the open file, which holds the lock
    """

    path: Path
    descriptor: int

    def release(self) -> None:
        """Removes the file and frees the lock."""
        if sys.platform != "win32":
            # While it is locked: whoever waits sees that the name is gone, and makes the file anew.
            self.path.unlink(missing_ok=True)
            os.close(self.descriptor)
        else:
            os.close(self.descriptor)
            with contextlib.suppress(OSError):
                self.path.unlink(missing_ok=True)


def lock_file(path: Path) -> LockedFile | None:
    """The file, locked and with this process's number in it; None if another process holds it.

    Never called for a file that this process holds: on POSIX, closing it a second time would free the lock.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
    try:
        # One that was removed in between is not the file that the next process will find.
        if _try_lock(descriptor) and _is_at(descriptor, path):
            os.ftruncate(descriptor, 0)
            os.write(descriptor, f"process {os.getpid()} on {socket.gethostname()}\n".encode())
            return LockedFile(path, descriptor)
    except BaseException:
        os.close(descriptor)
        raise
    os.close(descriptor)
    return None


def holder_of(path: Path) -> str:
    """What the file says about who holds it."""
    try:
        stated = path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        stated = ""
    return stated[:200] if stated.startswith("process ") else "another process"


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        there = path.stat()
    except FileNotFoundError:
        return False
    here = os.fstat(descriptor)
    return (here.st_dev, here.st_ino) == (there.st_dev, there.st_ino)


if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)
        return True

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        # lockf, not flock: its locks belong to the process alone, and forked workers do not keep them alive.
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _LOCKED_BYTE)
        except (BlockingIOError, PermissionError):
            return False
        return True
