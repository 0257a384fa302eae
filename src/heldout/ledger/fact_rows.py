"""Rows of the study file become facts."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from heldout.errors import LedgerError
from heldout.ledger.canonical_json import from_json
from heldout.ledger.chain import NO_HEAD
from heldout.ledger.fact import Fact

_SELECT = "SELECT number, kind, key, body, at, previous, hash, arrays FROM fact"
_ALL = f"{_SELECT} ORDER BY number"
_OF_KIND = f"{_SELECT} WHERE kind = ? ORDER BY number"
_ONE = f"{_SELECT} WHERE kind = ? AND key = ?"
_LAST = "SELECT number, hash FROM fact ORDER BY number DESC LIMIT 1"


def read_facts(connection: sqlite3.Connection, path: Path, kind: str | None = None) -> tuple[Fact, ...]:
    """All facts, or those of a kind, in the order in which they were written."""
    rows = connection.execute(_ALL) if kind is None else connection.execute(_OF_KIND, (kind,))
    return _facts(rows, path)


def read_fact(connection: sqlite3.Connection, path: Path, kind: str, key: str) -> Fact | None:
    """The fact of this name, or None."""
    facts = _facts(connection.execute(_ONE, (kind, key)), path)
    return facts[0] if facts else None


def last_number_and_hash(connection: sqlite3.Connection) -> tuple[int, str]:
    """Where the chain ends: 0 and zeros if it has not begun."""
    row = connection.execute(_LAST).fetchone()
    if row is None:
        return 0, NO_HEAD
    if type(row[0]) is not int or type(row[1]) is not str:
        raise sqlite3.DatabaseError("the last fact has no number or no hash")
    return row[0], row[1]


def _facts(rows: Iterable[Any], path: Path) -> tuple[Fact, ...]:
    facts: list[Fact] = []
    try:
        facts.extend(_fact(*row) for row in rows)
    except (ValueError, TypeError, RecursionError) as error:
        raise LedgerError(
            f"a fact of the study file cannot be read: {error}",
            where=f"'{path}', after {facts[-1].short if facts else 'its beginning'}",
            fix="verify() says what was changed; take the copy that you kept",
        ) from None
    return tuple(facts)


def _fact(
    number: int, kind: str, key: str, body: str, at: str, previous: str, digest: str, arrays: str
) -> Fact:
    known = from_json(body)
    digests = {} if arrays == "{}" else from_json(arrays)
    if type(known) is not dict or type(digests) is not dict or type(key) is not str:
        raise ValueError(f"fact {number} is not made of texts and objects")
    return Fact(number, kind, key, known, at, previous, digest, digests)
