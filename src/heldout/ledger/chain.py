"""The chain: each fact's hash is taken over its content and the hash of the fact before."""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any

from heldout.errors import InputTypeError
from heldout.stats.interval import plain

NO_HEAD = "0" * 64
"""What the first fact has before it."""


def fact_hash(number: int, kind: str, key: str, body: str, arrays: str, at: str, previous: str) -> str:
    """The hash of a fact: SHA-256 of seven lines, so that `sha256sum` can check it.

    No field holds a line break (JSON writes it as \\n), so lines cannot be shifted between fields.

    body:   the canonical JSON of what is known
    arrays: the canonical JSON of the arrays' digests by name
    """
    lines = "\n".join((previous, str(number), at, kind, key, arrays, body))
    # In a damaged file, bytes that are no UTF-8 come from verify as surrogates; here they are bytes again.
    return hashlib.sha256(lines.encode("utf-8", "surrogateescape")).hexdigest()


# What is not ASCII stays as it is: any SQLite tool shows the texts of the file as they were meant.
_ENCODER = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, default=plain
)
_DECODER = json.JSONDecoder()


def canonical_json(value: Any) -> str:
    """The one text of a value: sorted keys, no blanks, null for a number that is not finite."""
    return canonical_parts(value)[0]


def canonical_parts(value: Any) -> tuple[str, Any]:
    """The one text of a value, and what will be read from it."""
    try:
        text = _ENCODER.encode(value)
        read = from_json(text)
        # Keys that were numbers may now be out of order; what is not printable may be half a character.
        if _ENCODER.encode(read) == text and text.isprintable():
            return text, read
    except (TypeError, ValueError, RecursionError):
        pass  # numbers that are not finite, keys of several types
    return _slowly(value)


def _slowly(value: Any) -> tuple[str, Any]:
    try:
        text = _ENCODER.encode(plain(value))
        text.encode("utf-8")
        read = from_json(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise InputTypeError(
            f"the ledger keeps plain JSON, and this is something else: {error}",
            where=f"{value!r:.120}",
            fix="hand over dicts, lists, strings, numbers, booleans and None; arrays go beside the body",
        ) from None
    return text, read


def from_json(text: str) -> Any:
    """What a canonical text holds; a ValueError if it is none."""
    value, end = _DECODER.raw_decode(text)
    if end != len(text):
        raise ValueError(f"there is more after character {end}")
    return value


def json_number(value: float) -> float | str | None:
    """A score as JSON can hold it: NaN is null, infinities are words."""
    if math.isnan(value):
        return None
    return float(value) if math.isfinite(value) else "inf" if value > 0 else "-inf"


def number_of_json(value: float | str | None) -> float:
    """The score that `json_number` wrote."""
    return math.nan if value is None else float(value)
