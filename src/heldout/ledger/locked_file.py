"""A file that one process at a time can lock, on every system; it says who holds it."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from dataclasses import dataclass
from pathlib import Path

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
    """What the file says about who holds it.

    >>> holder_of(Path("nobody.lock"))
    'another process'
    """
    try:
        said = path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        said = ""
    return said[:200] if said.startswith("process ") else "another process"


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
