"""JSON with one spelling: the same content gives the same text, so that a digest can be taken of it."""

from __future__ import annotations

import json
from typing import Any

from heldout.errors import KindError
from heldout.stats.result import plain

# What is not ASCII stays as it is: any SQLite tool shows the texts of the file as they were meant.
_ENCODER = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, default=plain
)
_DECODER = json.JSONDecoder()


def canonical_json(value: Any) -> str:
    """The one text of a value: sorted keys, no blanks, null for a number that is not finite.

    >>> canonical_json({"n": 3, "mean": float("nan"), "ends": (0.25, 1.0)})
    '{"ends":[0.25,1.0],"mean":null,"n":3}'
    """
    return canonical_parts(value)[0]


def canonical_parts(value: Any) -> tuple[str, Any]:
    """The one text of a value, and what will be read from it.

    >>> canonical_parts({"ends": (0.25, 1)})
    ('{"ends":[0.25,1]}', {'ends': [0.25, 1]})
    """
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
        raise KindError(
            f"the ledger keeps plain JSON, and this is something else: {error}",
            where=f"{value!r:.120}",
            fix="hand over dicts, lists, strings, numbers, booleans and None; arrays go beside the body",
        ) from None
    return text, read


def from_json(text: str) -> Any:
    """What a canonical text holds; a ValueError if it is none.

    >>> from_json('{"n":3}')
    {'n': 3}
    """
    value, end = _DECODER.raw_decode(text)
    if end != len(text):
        raise ValueError(f"there is more after character {end}")
    return value
