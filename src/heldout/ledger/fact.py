"""What the ledger keeps: a fact; and what it is asked to keep: an entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray


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

    >>> Fact(1, "note", "first", {"text": "hello"}, "2026-01-01T00:00:00+00:00", "0" * 64, "ab" * 32).short
    'fact 1 (note)'
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

    >>> Entry("note", "first", {"text": "hello"}).once
    False
    """

    kind: str
    key: str
    body: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    once: bool = False
