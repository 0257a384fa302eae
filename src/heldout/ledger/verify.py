"""Checking a study file: the chain is computed again from the rows as they lie there, trusting nothing else.

Whoever edits the file can drop the triggers first; so this asks what the rows are, not what was allowed.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from heldout.errors import RequestError
from heldout.ledger.chain import NO_HEAD, fact_hash
from heldout.ledger.connection import is_busy
from heldout.ledger.fact import array_digest
from heldout.ledger.schema import expected_objects, objects_of

# As bytes: what is no text, or no UTF-8, is a finding and not an error. The types tell text from equal bytes.
_FACTS = """
    SELECT number, CAST(kind AS BLOB), CAST(key AS BLOB), CAST(body AS BLOB), CAST(arrays AS BLOB),
           CAST(at AS BLOB), CAST(previous AS BLOB), CAST(hash AS BLOB),
           typeof(kind) = 'text' AND typeof(key) = 'text' AND typeof(body) = 'text'
           AND typeof(arrays) = 'text' AND typeof(at) = 'text' AND typeof(previous) = 'text'
           AND typeof(hash) = 'text' AND typeof(number) = 'integer'
    FROM fact NOT INDEXED ORDER BY number
"""
_ARRAYS = """
    SELECT fact, CAST(name AS BLOB), CAST(dtype AS BLOB), CAST(shape AS BLOB), CAST(digest AS BLOB), content,
           typeof(fact) = 'integer' AND typeof(name) = 'text' AND typeof(dtype) = 'text'
           AND typeof(shape) = 'text' AND typeof(digest) = 'text' AND typeof(content) = 'blob'
    FROM array NOT INDEXED
"""
_HEAD = re.compile(r"[0-9a-f]{64}")


@dataclass
class _Findings:
    """What is known so far."""

    problems: list[str] = field(default_factory=list)
    hashes: list[str] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)
    arrays: dict[int, dict[str, str]] = field(default_factory=dict)
    n_arrays: int = 0


def verify(connection: sqlite3.Connection, head: str | None = None) -> Verification:
    """What is not as it was written.

    connection: of a reader or writer
    head:       a hash that was kept elsewhere
    """
    wanted = _checked_head(head)
    found = _Findings()
    try:
        connection.execute("BEGIN")
        for check in (_check_sqlite, _check_schema, _check_facts, _check_arrays):
            try:
                check(connection, found)
            except (sqlite3.Error, UnicodeError, MemoryError) as error:
                if isinstance(error, sqlite3.Error) and is_busy(error):
                    raise
                found.problems.append(f"the file is damaged, and could not be read to its end: {error}")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    last = found.hashes[-1] if found.hashes else NO_HEAD
    if wanted is not None and wanted != NO_HEAD and wanted not in found.hashes:
        found.problems.append(
            f"the head that was kept elsewhere ({wanted[:12]}…) is not in the chain: "
            "facts were cut off at the end, or the chain was rewritten"
        )
    return Verification(tuple(dict.fromkeys(found.problems)), len(found.hashes), last, found.n_arrays, wanted)


def _checked_head(head: str | None) -> str | None:
    if head is None:
        return None
    if isinstance(head, str) and _HEAD.fullmatch(head.strip().lower()):
        return head.strip().lower()
    raise RequestError(
        "a head is a hash of 64 hexadecimal digits",
        where=f"head={head!r:.80}",
        fix="copy it whole from the report or the model file",
    )


def _check_sqlite(connection: sqlite3.Connection, found: _Findings) -> None:
    for (stated,) in connection.execute("PRAGMA integrity_check(20)"):
        if stated != "ok":
            found.problems.append(f"SQLite finds the file damaged: {stated}")


def _check_schema(connection: sqlite3.Connection, found: _Findings) -> None:
    there, expected = objects_of(connection), expected_objects()
    for kind, name in sorted(expected.keys() | there.keys()):
        statement = there.get((kind, name))
        if statement is None:
            found.problems.append(f"the {kind} '{name}' was dropped")
        elif (kind, name) not in expected:
            found.problems.append(f"the {kind} '{name}' was added")
        elif statement != expected[kind, name]:
            found.problems.append(f"the {kind} '{name}' was changed")


def _check_facts(connection: sqlite3.Connection, found: _Findings) -> None:
    last_number, head = 0, NO_HEAD
    for number, *fields, are_texts in connection.execute(_FACTS):
        if not isinstance(number, int):
            found.problems.append(f"a fact has no number, but {number!r:.40}")
            continue
        texts = [_decoded(value) for value in fields]
        kind, key, body, arrays, at, previous, digest = texts
        name = f"fact {number} ({_readable(kind)})"
        found.problems += _order_problems(last_number, number, name, previous == head)
        if not are_texts or any("\n" in text for text in texts):
            found.problems.append(f"{name} was edited: not all of it is text as it was written")
        if fact_hash(number, kind, key, body, arrays, at, previous) != digest:
            found.problems.append(f"{name} was edited: its content does not give its hash")
        found.names[number] = name
        found.arrays[number] = _named_digests(arrays)
        found.hashes.append(digest)
        last_number, head = number, digest


def _order_problems(last: int, number: int, name: str, continues: bool) -> Iterator[str]:
    if number > last + 2:
        yield f"facts {last + 1} to {number - 1} are missing"
    elif number == last + 2:
        yield f"fact {last + 1} is missing"
    elif number < 1:
        yield f"{name} stands before the first"
    if not continues:
        yield f"{name} does not continue the fact before it"


def _check_arrays(connection: sqlite3.Connection, found: _Findings) -> None:
    missing = {(number, name) for number, digests in found.arrays.items() for name in digests}
    for number, *fields, content, are_typed in connection.execute(_ARRAYS):
        name, dtype, shape, digest = (_decoded(value) for value in fields)
        stated = f"array '{_readable(name)}' of {found.names.get(number, f'fact {number}')}"
        written = found.arrays.get(number, {}).get(name)
        missing.discard((number, name))
        found.n_arrays += 1
        if written is None:
            found.problems.append(f"{stated} was added: the fact does not name it")
        elif not are_typed or not digest == written == array_digest(dtype, shape, bytes(content)):
            found.problems.append(f"{stated} was edited")
    for number, name in sorted(missing):
        found.problems.append(f"array '{_readable(name)}' of {found.names[number]} is missing")


def _named_digests(text: str) -> dict[str, str]:
    try:
        digests = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return digests if isinstance(digests, dict) else {}


def _decoded(value: object) -> str:
    # A byte that is no UTF-8 becomes a surrogate and comes back as that byte when it is hashed below.
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else str(value)


def _readable(text: str) -> str:
    return "".join(character if character.isprintable() else "?" for character in text[:40])


_MOST_SHOWN = 10


@dataclass(frozen=True)
class Verification:
    """Whether the chain of facts is what was written, and if not, where it is not.

    problems:  what was found, in sentences
    n_facts:   facts that were checked
    head:      hash of the last fact
    n_arrays:  arrays that were checked
    against:   the head that was kept elsewhere, if one was given
    """

    problems: tuple[str, ...]
    n_facts: int
    head: str
    n_arrays: int = 0
    against: str | None = None

    @property
    def is_unbroken(self) -> bool:
        """Whether nothing was found."""
        return not self.problems

    def __str__(self) -> str:
        if self.is_unbroken:
            return "\n".join((self._all_well(), f"Head: {self.head}.", self._reach()))
        shown = [f"- {problem}" for problem in self.problems[:_MOST_SHOWN]]
        more = len(self.problems) - len(shown)
        plural = "s" if len(self.problems) > 1 else ""
        lines = [f"The study file is not what was written: {len(self.problems)} problem{plural}.", *shown]
        return "\n".join(lines + ([f"- and {more} more"] if more else []))

    def _all_well(self) -> str:
        held = f"{self.n_facts:,} facts and {self.n_arrays:,} arrays"
        return f"The chain is unbroken: {held} are as they were written."

    def _reach(self) -> str:
        if self.against is None:
            return (
                "Only a head kept elsewhere can tell whether facts were cut off at the end, "
                "or all of it was rewritten."
            )
        return f"It holds the head that was kept elsewhere: {self.against}."

    def to_dict(self) -> dict[str, Any]:
        """The same as plain JSON."""
        return {
            "is_unbroken": self.is_unbroken,
            "problems": list(self.problems),
            "n_facts": self.n_facts,
            "n_arrays": self.n_arrays,
            "head": self.head,
            "against": self.against,
        }
