"""The digest of a decision: SHA-256 over its JSON, the same in every process and on every machine."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def digest_of(record: Any, about: str) -> str:
    """64 hexadecimal digits over a record of plain values.

    record: what JSON can hold; the order of keys leaves no trace, the order of lists does
    about:  what is digested, so that a plan and a contender never have the same digest

    >>> digest_of({"a": 1, "b": [2]}, "plan") == digest_of({"b": [2], "a": 1}, "plan")
    True
    >>> digest_of({"a": 1}, "plan") == digest_of({"a": 1}, "contender")
    False
    """
    text = json.dumps(record, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(f"heldout {about} 1\n{text}".encode()).hexdigest()
