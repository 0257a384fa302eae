"""The schema of a study file: its text, its version, and what a file with it must contain."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from heldout.ledger.append import append_entries
from heldout.ledger.fact import Entry

APPLICATION_ID = 0x48454C44
"""'HELD': what the header of a study file says."""
VERSION = 1
"""The schema's version, in the header as user_version."""

Objects = dict[tuple[str, str], str]


@cache
def schema_text() -> str:
    """The statements that make an empty study file."""
    return Path(__file__).with_name("schema.sql").read_text(encoding="utf-8")


def create_schema(connection: sqlite3.Connection) -> None:
    """Makes tables, triggers and views in an empty file, all or nothing."""
    try:
        connection.executescript(f"BEGIN IMMEDIATE;\n{schema_text()}\nCOMMIT;")
    except BaseException:
        if connection.in_transaction:
            connection.rollback()
        raise


def objects_of(connection: sqlite3.Connection) -> Objects:
    """The statements behind tables, triggers, indexes and views, by type and name.

    What SQLite makes for itself (the indexes of keys, statistics) is left out.
    """
    rows = connection.execute(
        "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    )
    return {(_text(kind), _text(name)): _text(sql) for kind, name, sql in rows}


@cache
def expected_objects() -> Objects:
    """What `objects_of` gives for a file that nobody changed."""
    with closing(sqlite3.connect(":memory:")) as connection:
        create_schema(connection)
        return objects_of(connection)


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


FOLDER = Path(__file__).with_name("migrations")
_FILE = re.compile(r"(\d{4})-([a-z0-9-]+)\.sql")


@dataclass(frozen=True)
class Migration:
    """One step.

    version: what the file's version is after it
    name:    what it does, in words
    text:    its statements
    """

    version: int
    name: str
    text: str


def migrations_in(folder: Path) -> tuple[Migration, ...]:
    """The steps of a folder, whose files are named 0002-what-it-does.sql, in order."""
    found = []
    for path in sorted(folder.glob("*.sql")):
        match = _FILE.fullmatch(path.name)
        if match is None:
            raise ValueError(f"a migration is named 0002-what-it-does.sql, not {path.name}")
        name = match.group(2).replace("-", " ")
        found.append(Migration(int(match.group(1)), name, path.read_text(encoding="utf-8")))
    return tuple(found)


def migrate(
    connection: sqlite3.Connection, path: Path, folder: Path = FOLDER, wanted: int = VERSION
) -> tuple[Migration, ...]:
    """Takes the steps that the file still needs, each in one transaction, and writes each down as a note.

    connection: of a writer
    path:       the study file, for errors
    folder:     where the steps are
    wanted:     the version to reach
    """
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version >= wanted:
        return ()
    taken = tuple(step for step in migrations_in(folder) if version < step.version <= wanted)
    for step in taken:
        _take(connection, step)
        body = {"text": f"the study file was brought to version {step.version}: {step.name}"}
        append_entries(connection, path, [Entry("note", f"migration {step.version}", body, once=True)])
    return taken


def _take(connection: sqlite3.Connection, step: Migration) -> None:
    # The version is asked again inside the transaction: another process may have been faster.
    try:
        connection.execute("BEGIN IMMEDIATE")
        if connection.execute("PRAGMA user_version").fetchone()[0] < step.version:
            for statement in statements(step.text):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {step.version}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def statements(text: str) -> tuple[str, ...]:
    """The statements of a script, each whole."""
    found, start = [], 0
    for position, character in enumerate(text):
        if character == ";" and sqlite3.complete_statement(text[start : position + 1]):
            found.append(text[start : position + 1].strip())
            start = position + 1
    return tuple(found)
