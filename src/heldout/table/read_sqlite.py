"""A table or the answer of a query of a SQLite file, which is opened for reading only."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from heldout.errors import DataError, RequestError
from heldout.table.python_values import arrow_from_values
from heldout.table.raw_table import RawTable
from heldout.text.words import first_few, suggestion

_NAMING = 'rename it in the query, as query="SELECT a AS b, ... FROM ..."'
_TABLES = """
    SELECT name FROM sqlite_master
    WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY name
"""


def read_sqlite(path: Path, table: str | None = None, query: str | None = None) -> RawTable:
    """The columns of one table, or of what a query gives.

    table: its name; may be left out if there is only one
    query: a SELECT, instead of a table
    """
    if table is not None and query is not None:
        raise RequestError(
            "either a table or a query is read", "table= and query= are both given", "leave one out"
        )
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path.resolve()))}?mode=ro", uri=True)) as connection:
            return _read(connection, path, table, query)
    except sqlite3.Error as error:
        if query is not None and "authoriz" in str(error):
            raise RequestError(
                "a query only reads, and this one opens or makes another file",
                where=f"query {query[:80]!r}",
                fix="ask with a SELECT from the tables of this file",
            ) from None
        raise DataError(
            f"SQLite says: {error}",
            where=f"'{path.name}'" + (f", query {query[:80]!r}" if query else ""),
            fix="check the query" if query else "check that the file is a complete SQLite database",
        ) from None


def _read(connection: sqlite3.Connection, path: Path, table: str | None, query: str | None) -> RawTable:
    notes: tuple[str, ...] = ()
    booleans: set[str] = set()
    if query is None:
        table, notes = _table_name(connection, path, table)
        quoted = '"' + table.replace('"', '""') + '"'
        query = f"SELECT * FROM {quoted}"
        columns = connection.execute(f"PRAGMA table_info({quoted})")
        booleans = {row[1] for row in columns if str(row[2]).upper() in ("BOOLEAN", "BOOL")}
    # ATTACH and VACUUM INTO make files, though the database is open for reading only.
    connection.set_authorizer(_forbid_other_files)
    cursor = connection.execute(query)
    if cursor.description is None:
        raise RequestError("the query gives no rows", f"query {query[:80]!r}", "ask with a SELECT")
    names = tuple(entry[0].strip() for entry in cursor.description)
    rows = cursor.fetchall()
    if not rows:
        raise DataError(
            "the table has no rows", f"'{path.name}', {table or query[:80]!r}", "read another one"
        )
    arrays = []
    for position, name in enumerate(names):
        values = [row[position] for row in rows]
        if name in booleans and set(values) <= {0, 1, None}:
            values = [None if value is None else bool(value) for value in values]
        array, more = arrow_from_values(name, values)
        arrays.append(array)
        notes += more
    return RawTable(names, tuple(arrays), notes, naming=_NAMING)


def _forbid_other_files(action: int, *_: str | None) -> int:
    return sqlite3.SQLITE_DENY if action == sqlite3.SQLITE_ATTACH else sqlite3.SQLITE_OK


def _table_name(connection: sqlite3.Connection, path: Path, table: str | None) -> tuple[str, tuple[str, ...]]:
    names = [row[0] for row in connection.execute(_TABLES)]
    if table is not None and table in names:
        return table, ()
    if table is not None:
        raise RequestError(f"there is no table {table!r}", f"'{path.name}'", suggestion(table, names))
    if len(names) == 1:
        return names[0], (f"table '{names[0]}' read, the only one in the file",)
    if not names:
        raise DataError("the database has no tables", f"'{path.name}'", "check that it is the right file")
    raise RequestError(
        f"the database has {len(names)} tables",
        where=f"'{path.name}': {first_few([*map(repr, names)], 10)}",
        fix=f"name one with table={names[0]!r}, or give a query=",
    )
