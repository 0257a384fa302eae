"""The text of a plan file as plain values, checked for what JSON lets pass."""

from __future__ import annotations

import json
from typing import Any

from heldout.errors import KindError
from heldout.plan.read_values import odd

MOST_CHARACTERS = 1 << 24


def read_json(text: Any) -> Any:
    """Lists, objects, words and finite numbers; a key that occurs twice is refused.

    >>> read_json('{"k": [1, 2]}')
    {'k': [1, 2]}
    """
    if not isinstance(text, str | bytes):
        raise KindError(
            "a plan is read from text",
            where=f"got a {type(text).__name__}",
            fix="hand over what to_json() wrote",
        )
    if len(text) > MOST_CHARACTERS:
        raise odd("it is too long", f"{len(text):,} characters, at most {MOST_CHARACTERS:,}")
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant, parse_float=_finite)
    except (ValueError, RecursionError) as error:  # HeldoutErrors of ours are ValueErrors as well
        if hasattr(error, "fix"):
            raise
        raise odd("it is not JSON", f"{error!s:.120}") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise odd("a key occurs twice in one object", f"keys {[key for key, _ in pairs]!r:.80}")
    return found


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise odd("a number is too large", f"{text:.60}")
    return number


def _no_constant(name: str) -> Any:
    raise odd("a number is not finite", name)
