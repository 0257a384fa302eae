"""The chain: each fact's hash is taken over its content and the hash of the fact before."""

from __future__ import annotations

import hashlib

NO_HEAD = "0" * 64
"""What the first fact has before it."""


def fact_hash(number: int, kind: str, key: str, body: str, arrays: str, at: str, previous: str) -> str:
    """The hash of a fact: SHA-256 of seven lines, so that `sha256sum` can check it.

    No field holds a line break (JSON writes it as \\n), so lines cannot be shifted between fields.

    body:   the canonical JSON of what is known
    arrays: the canonical JSON of the arrays' digests by name

    >>> fact_hash(1, "note", "first", "{}", "{}", "2026-01-01T00:00:00+00:00", NO_HEAD)[:16]
    '8f08fdda5f2be1a9'
    """
    lines = "\n".join((previous, str(number), at, kind, key, arrays, body))
    # In a damaged file, bytes that are no UTF-8 come from verify as surrogates; here they are bytes again.
    return hashlib.sha256(lines.encode("utf-8", "surrogateescape")).hexdigest()
