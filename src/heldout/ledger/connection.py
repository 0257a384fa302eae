"""How a study file is opened: by a writer that is sure of what it wrote, or by a reader that only asks."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from heldout.errors import LedgerError
from heldout.ledger.schema import APPLICATION_ID, VERSION
from heldout.ledger.sqlite_errors import is_busy
from heldout.ledger.study_path import no_study

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
