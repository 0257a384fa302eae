"""What the ledger keeps: a fact; and what it is asked to keep: an entry."""

from __future__ import annotations

import hashlib
import json
import math
import re
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import InputTypeError, LedgerError
from heldout.ledger.chain import NO_HEAD, from_json


@dataclass(frozen=True)
class Fact:
    """One fact of the chain, as it was written.

    number:   its place in the chain, from 1
    kind:     "study", "seal", "plan", "contender", "cell", "score", "look", "failure", "model", "curve", …
    key:      what it is about; with the kind it names the fact
    body:     what is known, as plain JSON
    at:       when it was written, in universal time
    previous: the hash of the fact before
    hash:     the hash of all this
    arrays:   the digest of each array that belongs to it, by name
    """

    number: int
    kind: str
    key: str
    body: dict[str, Any]
    at: str
    previous: str
    hash: str
    arrays: dict[str, str] = field(default_factory=dict)

    @property
    def short(self) -> str:
        """What an error calls it."""
        return f"fact {self.number} ({self.kind})"


@dataclass(frozen=True, eq=False)
class Entry:
    """What is to become a fact.

    kind:   a word in small letters
    key:    names it among its kind
    body:   plain JSON; a number that is not finite is kept as null
    arrays: booleans, whole numbers, floats, strings or bytes (uint8), by name
    once:   if the fact stands already it stays as it is; without it, that is an error
    """

    kind: str
    key: str
    body: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    once: bool = False


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


# Little-endian numbers of up to 8 bytes, booleans, strings of a fixed length: nothing that can be executed.
_DTYPES = re.compile(r"\|b1|[|][iu]1|<[iu][248]|<f[248]|<U\d{1,9}")


@dataclass(frozen=True)
class StoredArray:
    """An array as it lies in the study file.

    dtype:   as NumPy spells it, "<f8"
    shape:   a JSON list, "[3,2]"
    content: the bytes, in the order of C
    digest:  SHA-256 of dtype, a blank, shape, a line break and the bytes
    """

    dtype: str
    shape: str
    content: bytes
    digest: str


def stored_array(name: str, array: NDArray[Any]) -> StoredArray:
    """The array, packed; an InputTypeError for what is no plain array.

    name: for the error
    """
    values = np.asarray(array)
    little = values.dtype.newbyteorder("<").str
    if not _DTYPES.fullmatch(little):
        raise InputTypeError(
            f"the ledger keeps no array of {values.dtype}",
            where=f"array {name!r} of shape {values.shape}",
            fix="turn it into numbers, booleans, strings of a fixed length (astype('U')) or bytes (uint8)",
        )
    content = np.ascontiguousarray(values, dtype=little).tobytes()
    shape = json.dumps(list(values.shape), separators=(",", ":"))
    return StoredArray(little, shape, content, array_digest(little, shape, content))


def array_digest(dtype: str, shape: str, content: bytes) -> str:
    """The digest of an array."""
    digest = hashlib.sha256(f"{dtype} {shape}\n".encode("utf-8", "surrogateescape"))
    digest.update(content)
    return digest.hexdigest()


def unpacked(stored: StoredArray) -> NDArray[Any]:
    """The array again, the caller's own; a ValueError if the parts do not fit together."""
    shape = json.loads(stored.shape)
    if not _DTYPES.fullmatch(stored.dtype) or not _is_shape(shape):
        raise ValueError(f"there is no array of {stored.dtype!r:.20} and shape {stored.shape!r:.40}")
    dtype = np.dtype(stored.dtype)
    if math.prod(shape) * dtype.itemsize != len(stored.content):
        raise ValueError(f"{len(stored.content)} bytes are not an array of {stored.dtype} and {stored.shape}")
    # NumPy's frombuffer takes no empty buffer and no type of no bytes ("<U0").
    if not stored.content:
        return np.zeros(shape, dtype)
    return np.frombuffer(stored.content, dtype).reshape(shape).copy()


def _is_shape(shape: Any) -> bool:
    return isinstance(shape, list) and all(type(length) is int and length >= 0 for length in shape)
