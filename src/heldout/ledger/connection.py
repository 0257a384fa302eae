"""How a study file is opened: by a writer that is sure of what it wrote, or by a reader that only asks."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import os
import sqlite3
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from heldout.errors import HeldoutError, LedgerError
from heldout.ledger.schema import APPLICATION_ID, VERSION
from heldout.ledger.study_path import identity_of, no_study, other_content

# How long closing waits for readers before it leaves the folding to whoever closes last.
_FOLDING_SECONDS = 0.2


def connect(path: Path, mode: str, timeout: float) -> sqlite3.Connection:
    """A connection that begins and ends its transactions only when told to.

    mode:    "rwc" makes the file, "rw" writes, "ro" reads, "immutable" reads what nobody can change
    timeout: seconds to wait for another connection
    """
    options = "mode=ro&immutable=1" if mode == "immutable" else f"mode={mode}"
    connection = sqlite3.connect(
        f"{path.as_uri()}?{options}", uri=True, timeout=timeout, isolation_level=None, check_same_thread=False
    )
    try:
        # A file from elsewhere gets no function with side effects to run; REPLACE meets the triggers.
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA recursive_triggers = ON")
        connection.execute("PRAGMA cell_size_check = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def connect_writer(path: Path, timeout: float, mode: str = "rw") -> sqlite3.Connection:
    """A connection that writes: a transaction is on the disk before it is acknowledged."""
    connection = connect(path, mode, timeout)
    try:
        if mode == "rw":
            check_header(connection, path)
        make_durable(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def make_durable(connection: sqlite3.Connection) -> None:
    """Write-ahead log with synchronous=FULL; where it can't be had, a rollback journal, synchronous=EXTRA.

    Some network disks have no memory that processes share, which the log needs; and it cannot be turned on
    while another process reads. EXTRA also writes down that the journal is gone, without which a power cut
    could undo a transaction.
    """
    try:
        mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    except sqlite3.OperationalError as error:
        if not is_busy(error):
            raise
        mode = connection.execute("PRAGMA journal_mode").fetchone()[0]
    connection.execute("PRAGMA synchronous = FULL" if mode == "wal" else "PRAGMA synchronous = EXTRA")


def connect_reader(path: Path, timeout: float) -> sqlite3.Connection:
    """A connection that changes nothing, also where nothing may be written.

    Where the folder may be written, SQLite may mend what a killed writer left; that needs mode "rw".
    """
    may_write = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    connection = _reading(path, "rw" if may_write else "ro", timeout)
    try:
        connection.execute("PRAGMA query_only = ON")
        check_header(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _reading(path: Path, mode: str, timeout: float) -> sqlite3.Connection:
    connection = connect(path, mode, timeout)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        connection.close()
        # A file that a reader kept from being folded still asks for its log, which cannot be made here.
        if mode == "ro" and not path.with_name(path.name + "-wal").exists():
            return connect(path, "immutable", timeout)
        raise
    except BaseException:
        connection.close()
        raise
    return connection


def check_header(connection: sqlite3.Connection, path: Path) -> None:
    """A LedgerError unless the header is that of a study file which this version can read."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION_ID or version < 1:
        raise no_study(path, "it is an SQLite file of something else")
    if version > VERSION:
        raise LedgerError(
            "the study file was made by a newer Heldout",
            where=f"'{path}', version {version}; this Heldout knows {VERSION}",
            fix="update heldout: pip install --upgrade heldout",
        )


def fold(connection: sqlite3.Connection) -> None:
    """Makes one plain file of the study file and its log, unless another connection is there.

    After it the file can be read from a disk that cannot be written, by any SQLite tool. If others are
    connected, the last of them does it.
    """
    connection.execute(f"PRAGMA busy_timeout = {round(1000 * _FOLDING_SECONDS)}")
    connection.execute("PRAGMA query_only = OFF")
    try:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        connection.execute("PRAGMA journal_mode = DELETE").fetchall()
    except sqlite3.OperationalError as error:
        if not is_busy(error):
            raise


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
    """
    try:
        yield
    except sqlite3.Error as error:
        raise ledger_error(error, path) from None
    except (UnicodeError, MemoryError) as error:
        # In a damaged file SQLite may quote what is no text, or be told of a length that no memory holds.
        raise ledger_error(sqlite3.DatabaseError(f"{type(error).__name__}"), path) from None


def is_busy(error: sqlite3.Error) -> bool:
    """Whether another connection was in the way."""
    return _name(error).startswith(_BUSY)


def ledger_error(error: sqlite3.Error, path: Path) -> LedgerError:
    """The error of the ledger that says what SQLite's error means for a study."""
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
    """The error for a study that could not be made one file when it was closed."""
    return LedgerError(
        "the study could not be made one file; nothing is lost, part of it lies in the log beside it",
        where=f"'{path}' and '{path.name}-wal': {error}",
        fix="make room, then open and close it again; until then, move and copy both files together",
    )


def _name(error: sqlite3.Error) -> str:
    return getattr(error, "sqlite_errorname", None) or ""


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
    """The error for a child that asks for what is its parent's."""
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
