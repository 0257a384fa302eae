"""What somebody may do to a study file with plain SQLite, once the triggers are out of the way."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from hypothesis import strategies as st

FACT_COLUMNS = ("number", "kind", "key", "body", "arrays", "at", "previous", "hash")
ARRAY_COLUMNS = ("fact", "name", "dtype", "shape", "digest", "content")
COLUMNS = {"fact": FACT_COLUMNS, "array": ARRAY_COLUMNS}

Step = tuple[str, tuple[object, ...]]


@contextmanager
def without_triggers(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a file whose triggers are gone, and come back at the end as if nothing had happened."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA ignore_check_constraints = ON")
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        yield connection
        for _, statement in triggers:
            connection.execute(statement)


def tamper(path: Path, *statements: str) -> None:
    """Does what the statements say."""
    with without_triggers(path) as connection:
        for statement in statements:
            connection.execute(statement)


def tamper_as_far_as_possible(path: Path, done: list[Step]) -> None:
    """Does the steps; one that SQLite itself refuses is left out."""
    with without_triggers(path) as connection:
        for statement, values in done:
            with suppress(sqlite3.Error):
                connection.execute(statement, values)


def rewrite_chain(path: Path) -> None:
    """Computes every hash anew, as one who knows the rules could."""
    with without_triggers(path) as connection:
        rows = connection.execute(
            "SELECT number, at, kind, key, arrays, body FROM fact ORDER BY number"
        ).fetchall()
        before = "0" * 64
        for number, *fields in rows:
            digest = hashlib.sha256("\n".join((before, str(number), *fields)).encode()).hexdigest()
            connection.execute(
                "UPDATE fact SET previous = ?, hash = ? WHERE number = ?", (before, digest, number)
            )
            before = digest


values = st.one_of(
    st.integers(-2, 40),
    st.text(st.characters(codec="utf-8"), max_size=12),
    st.binary(max_size=12),
    st.sampled_from(["0" * 64, "cell", "{}", "[7]", "<i8", "2026-01-01T00:00:00.000000+00:00", None, 0.5]),
)
rows = st.integers(0, 30)


def _picked(table: str) -> str:
    return f"(SELECT rowid FROM {table} ORDER BY rowid LIMIT 1 OFFSET ? % (SELECT count(*) FROM {table}))"


def _edit(table: str, column: str, row: int, value: object) -> Step:
    return f"UPDATE {table} SET {column} = ? WHERE rowid = {_picked(table)}", (value, row)


def _flip(table: str, column: str, row: int, value: object) -> Step:
    """Appends a character, or turns text into equal bytes."""
    way = "CAST(CAST({0} AS BLOB) AS TEXT) || 'x'" if isinstance(value, str) else "CAST({0} AS BLOB)"
    return f"UPDATE {table} SET {column} = {way.format(column)} WHERE rowid = {_picked(table)}", (row,)


def _copy(table: str, column: str, one: int, other: int) -> Step:
    source = f"SELECT {column} FROM {table} WHERE rowid = {_picked(table)}"
    return f"UPDATE {table} SET {column} = ({source}) WHERE rowid = {_picked(table)}", (one, other)


def _delete(table: str, row: int) -> Step:
    return f"DELETE FROM {table} WHERE rowid = {_picked(table)}", (row,)


def _insert(row: int, number: int) -> Step:
    return (
        "INSERT INTO fact SELECT ?, kind, key || '2', body, arrays, at, previous, hash FROM fact "
        "ORDER BY number LIMIT 1 OFFSET ?",
        (number, row),
    )


def _renumber(first: int, by: int) -> Step:
    return "UPDATE fact SET number = number + ? WHERE number >= ?", (by, first)


places = st.sampled_from([(table, column) for table, columns in COLUMNS.items() for column in columns])
tables = st.sampled_from(["fact", "array"])
steps = st.one_of(
    st.builds(lambda place, row, value: _edit(*place, row, value), places, rows, values),
    st.builds(lambda place, row, value: _flip(*place, row, value), places, rows, values),
    st.builds(lambda place, one, other: _copy(*place, one, other), places, rows, rows),
    st.builds(_delete, tables, rows),
    st.builds(_insert, rows, st.integers(-3, 40)),
    st.builds(_renumber, rows, st.integers(1, 40)),
)
