"""What a model file says of how its training table was read; it may come from anywhere, so it is checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from heldout.errors import DataError


def recorded_reading(provenance: Mapping[str, Any]) -> dict[str, Any]:
    """The options of `read_table` that hold for new rows too: missing, decimal, day_first.

    provenance: of the model file

    >>> recorded_reading({"reading": {"decimal": ","}}), recorded_reading({"made by": "hand"})
    ({'decimal': ','}, {})
    """
    recorded = provenance.get("reading", {})
    is_sound = isinstance(recorded, dict) and all(
        name in _RULES and _RULES[name](value) for name, value in recorded.items()
    )
    if not is_sound:
        raise DataError(
            "the model file says of its training table what no reader of tables can follow",
            where=f"provenance, reading: {recorded!r:.60}",
            fix="ship the model again, or get a fresh copy of the file",
        )
    return dict(recorded)


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, str) for entry in value)


def _are_markers(value: Any) -> bool:
    return _is_list(value) or (isinstance(value, dict) and all(_is_list(entry) for entry in value.values()))


_RULES: dict[str, Callable[[Any], bool]] = {
    "missing": _are_markers,
    "decimal": lambda value: value in (",", "."),
    "day_first": lambda value: isinstance(value, bool),
}
