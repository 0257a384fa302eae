"""What SQLite says, as an error of the ledger: what is wrong, where, and how to mend it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from heldout.errors import LedgerError
from heldout.ledger.study_path import other_content

_DAMAGED = (
    "SQLITE_CORRUPT",
    "SQLITE_FORMAT",
    "SQLITE_SCHEMA",
    "SQLITE_TOOBIG",
    "SQLITE_MISMATCH",
)
_BUSY = ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_PROTOCOL")
_REFUSED = ("SQLITE_READONLY", "SQLITE_PERM", "SQLITE_AUTH", "SQLITE_CANTOPEN")


@contextmanager
def in_words(path: Path) -> Iterator[None]:
    """Turns what SQLite raises inside into a LedgerError.

    path: the study file

    >>> with in_words(Path("churn.heldout")):
    ...     sqlite3.connect(":memory:").execute("SELECT * FROM fact")
    Traceback (most recent call last):
        ...
    heldout.errors.LedgerError: the study file cannot be read: no such table: fact
      where: 'churn.heldout'
      fix:   take the copy that you kept; verify() says what is left of this one
    """
    try:
        yield
    except sqlite3.Error as error:
        raise ledger_error(error, path) from None
    except (UnicodeError, MemoryError) as error:
        # In a damaged file SQLite may quote what is no text, or be told of a length that no memory holds.
        raise ledger_error(sqlite3.DatabaseError(f"{type(error).__name__}"), path) from None


def is_busy(error: sqlite3.Error) -> bool:
    """Whether another connection was in the way.

    >>> is_busy(sqlite3.OperationalError("database is locked"))
    False
    """
    return _name(error).startswith(_BUSY)


def ledger_error(error: sqlite3.Error, path: Path) -> LedgerError:
    """The error of the ledger that says what SQLite's error means for a study.

    >>> ledger_error(sqlite3.OperationalError("odd"), Path("churn.heldout")).what
    'the study file cannot be read: odd'
    """
    name, where = _name(error), f"'{path}'"
    if name.startswith("SQLITE_FULL"):
        return LedgerError(
            "the disk is full: the last facts were not written, and nothing that was finished is lost",
            where=where,
            fix="make room, and run again: it goes on where it was",
        )
    if name.startswith("SQLITE_IOERR"):
        return LedgerError(
            f"the disk refused to read or write ({error}): nothing that was finished is lost",
            where=where,
            fix="see whether the disk is full or gone, then run again: it goes on where it was",
        )
    if name.startswith(_BUSY):
        return LedgerError(
            "another process is writing to this study",
            where=where,
            fix="wait for it to end, or give a longer timeout",
        )
    if name.startswith(_REFUSED):
        return LedgerError(
            f"the study file cannot be opened or written: {error}",
            where=where,
            fix="check who may read and write the file and its folder; query_only=True only reads",
        )
    if name.startswith("SQLITE_CONSTRAINT"):
        return LedgerError(
            f"the study file refused what does not continue its chain: {error}",
            where=where,
            fix="verify() says what was changed; another program may have written to the file",
        )
    if name.startswith("SQLITE_NOTADB"):
        return other_content(path)
    if name.startswith(_DAMAGED):
        return LedgerError(
            f"the study file is damaged: {error}",
            where=where,
            fix="take the copy that you kept; verify() says what is left of this one",
        )
    return LedgerError(
        f"the study file cannot be read: {error}",
        where=where,
        fix="take the copy that you kept; verify() says what is left of this one",
    )


def unfolded_error(error: sqlite3.Error, path: Path) -> LedgerError:
    """The error for a study that could not be made one file when it was closed.

    >>> unfolded_error(sqlite3.OperationalError("database or disk is full"), Path("churn.heldout")).where
    "'churn.heldout' and 'churn.heldout-wal': database or disk is full"
    """
    return LedgerError(
        "the study could not be made one file; nothing is lost, part of it lies in the log beside it",
        where=f"'{path}' and '{path.name}-wal': {error}",
        fix="make room, then open and close it again; until then, move and copy both files together",
    )


def _name(error: sqlite3.Error) -> str:
    return getattr(error, "sqlite_errorname", None) or ""
