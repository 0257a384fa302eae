"""A forked child leaves the parent's study files alone.

SQLite's connections, and what it knows of its own locks, do not survive a fork: a child that used, closed or
reopened the parent's file could spoil it. So the child never frees the connection, and is refused the file.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import os
import sqlite3
import weakref
from pathlib import Path
from typing import Protocol

from heldout.errors import HeldoutError, LedgerError
from heldout.ledger.study_path import identity_of


class Held(Protocol):
    """What is open in this process."""

    path: Path
    connection: sqlite3.Connection | None

    def close(self) -> None:
        """Closes the file."""


_OPEN: weakref.WeakSet[Held] = weakref.WeakSet()
_INHERITED: set[tuple[int, int]] = set()


def remember(held: Held) -> None:
    """Notes that this process has a study file open; it is closed at the latest when Python ends."""
    _OPEN.add(held)


def refuse_inherited(path: Path) -> None:
    """A LedgerError if this process was forked from one that had the file open."""
    if identity_of(path) in _INHERITED:
        raise child_error(path)


def child_error(path: Path) -> LedgerError:
    """The error for a child that asks for what is its parent's.

    >>> child_error(Path("churn.heldout")).what
    'a forked process cannot use the study file that its parent had open'
    """
    return LedgerError(
        "a forked process cannot use the study file that its parent had open",
        where=f"'{path}', process {os.getpid()}",
        fix="let the parent read and write; or start the process by spawn, or before the study is opened",
    )


def _after_fork() -> None:
    for held in list(_OPEN):
        if held.connection is not None:
            identity = identity_of(held.path)
            if identity is not None:
                _INHERITED.add(identity)
            # One reference too many: closing it here, even at the child's end, could fold another's log.
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(held.connection))
    _OPEN.clear()


def _at_exit() -> None:
    for held in list(_OPEN):
        with contextlib.suppress(HeldoutError):
            held.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
atexit.register(_at_exit)
