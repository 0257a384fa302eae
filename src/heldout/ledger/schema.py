"""The schema of a study file: its text, its version, and what a file with it must contain."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path

APPLICATION_ID = 0x48454C44
"""'HELD': what the header of a study file says."""
VERSION = 1
"""The schema's version, in the header as user_version."""

Objects = dict[tuple[str, str], str]


@cache
def schema_text() -> str:
    """The statements that make an empty study file."""
    return Path(__file__).with_name("schema.sql").read_text(encoding="utf-8")


def create_schema(connection: sqlite3.Connection) -> bool:
    """Makes tables, triggers and views in an empty file, all or nothing; whether the file was empty."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        is_empty = not objects_of(connection)
        if is_empty:
            for statement in _statements(schema_text()):
                connection.execute(statement)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.rollback()
        raise
    return is_empty


def _statements(script: str) -> Iterator[str]:
    """The statements of a script, each whole."""
    start = 0
    for position, character in enumerate(script):
        if character == ";" and sqlite3.complete_statement(script[start : position + 1]):
            yield script[start : position + 1]
            start = position + 1


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
