"""Entries become facts: in one transaction, all or none."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from heldout.errors import InputTypeError, LedgerError, RequestError
from heldout.ledger.chain import canonical_json, canonical_parts, fact_hash
from heldout.ledger.fact import Entry, Fact, StoredArray, last_number_and_hash, read_fact, stored_array

_INSERT_FACT = """
    INSERT INTO fact (number, kind, key, body, arrays, at, previous, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
"""
_INSERT_ARRAY = "INSERT INTO array (fact, name, dtype, shape, digest, content) VALUES (?, ?, ?, ?, ?, ?)"
_KIND = re.compile(r"[a-z][a-z_]{0,39}")
# Line breaks would let the lines of the chain be shifted; the others are never meant.
_CONTROL = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]")


@dataclass(frozen=True)
class _Ready:
    """An entry as texts and bytes, made before the transaction begins."""

    entry: Entry
    body: dict[str, Any]
    body_text: str
    arrays: dict[str, StoredArray]
    digests: dict[str, str]
    digests_text: str


def append_entries(connection: sqlite3.Connection, path: Path, entries: Iterable[Entry]) -> tuple[Fact, ...]:
    """The facts that the entries became, on the disk when this returns.

    connection: of a writer
    path:       the study file, for errors
    """
    ready = [_ready(entry, connection) for entry in entries]
    connection.execute("BEGIN IMMEDIATE")
    try:
        facts = _insert(connection, path, ready)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return facts


def _insert(connection: sqlite3.Connection, path: Path, entries: Sequence[_Ready]) -> tuple[Fact, ...]:
    number, head = last_number_and_hash(connection)
    at = datetime.now(UTC).isoformat(timespec="microseconds")
    facts = []
    for ready in entries:
        entry = ready.entry
        fact = read_fact(connection, path, entry.kind, entry.key)
        if fact is None:
            number += 1
            fact = _insert_one(connection, ready, number, at, head)
            head = fact.hash
        elif not entry.once:
            raise LedgerError(
                f"the ledger holds this {entry.kind} already, and a fact is written once",
                where=f"'{path}', fact {fact.number}, key {entry.key!r:.80}",
                fix="ask has(kind, key) first, or hand over the entry with once=True",
            )
        facts.append(fact)
    return tuple(facts)


def _insert_one(connection: sqlite3.Connection, ready: _Ready, number: int, at: str, previous: str) -> Fact:
    kind, key = ready.entry.kind, ready.entry.key
    digest = fact_hash(number, kind, key, ready.body_text, ready.digests_text, at, previous)
    for name, stored in ready.arrays.items():
        connection.execute(
            _INSERT_ARRAY,
            (number, name, stored.dtype, stored.shape, stored.digest, stored.content),
        )
    connection.execute(
        _INSERT_FACT,
        (number, kind, key, ready.body_text, ready.digests_text, at, previous, digest),
    )
    return Fact(number, kind, key, ready.body, at, previous, digest, ready.digests)


def _ready(entry: Entry, connection: sqlite3.Connection) -> _Ready:
    if not isinstance(entry, Entry) or not _is_kind(entry.kind) or not _is_name(entry.key):
        raise InputTypeError(
            "a fact needs a kind (a word in small letters) and a key (a line of text)",
            where=f"{entry!r:.120}",
            fix="hand over Entry(kind, key, body)",
        )
    body_text, body = canonical_parts(dict(entry.body))
    arrays = {name: _stored(entry, name, connection) for name in sorted(entry.arrays)}
    digests = {name: stored.digest for name, stored in arrays.items()}
    return _Ready(entry, body, body_text, arrays, digests, canonical_json(digests))


def _stored(entry: Entry, name: str, connection: sqlite3.Connection) -> StoredArray:
    if not _is_name(name):
        raise InputTypeError(
            "an array's name is a line of text", where=f"{name!r:.60} of {entry.kind}", fix="name it in words"
        )
    stored = stored_array(name, entry.arrays[name])
    most = connection.getlimit(sqlite3.SQLITE_LIMIT_LENGTH) - 1000
    if len(stored.content) > most:
        raise RequestError(
            f"an array of {len(stored.content):,} bytes is too long for SQLite, which takes {most:,}",
            where=f"array {name!r} of {entry.kind} {entry.key!r:.60}",
            fix="keep a shorter type, or cut the array in parts",
        )
    return stored


def _is_kind(kind: Any) -> bool:
    return isinstance(kind, str) and _KIND.fullmatch(kind) is not None


def _is_name(name: Any) -> bool:
    return isinstance(name, str) and name != "" and _CONTROL.search(name) is None
