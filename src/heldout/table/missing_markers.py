"""Which strings stand for a missing value.

The rule is the same for every column of strings, whatever its other values are: a value that equals a
marker, after the white space around it is taken off, is missing. The empty string always is. How often
a marker other than the empty string was applied stands in the table's notes, so that the country code
`NA` or the answer `None` does not vanish without a word. Levels that a file declares (an ARFF nominal,
an Arrow dictionary, a pandas categorical) are left alone unless the user names markers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from heldout.errors import InputTypeError
from heldout.table.parse_numbers import PLAIN_NUMBER
from heldout.text.words import times

DEFAULT_MARKERS = (
    "?", "NA", "N/A", "n/a", "<NA>", "#N/A", "#NA", "#N/A N/A",
    "nan", "NaN", "NAN", "-nan", "-NaN", "null", "NULL", "Null", "None", "NaT",
)  # fmt: skip


@dataclass(frozen=True)
class MissingRule:
    """The markers of a whole table, and of single columns where the user said so."""

    everywhere: tuple[str, ...] = DEFAULT_MARKERS
    by_column: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    is_default: bool = True

    def markers(self, name: str) -> tuple[str, ...]:
        return self.by_column.get(name, self.everywhere)

    def is_requested(self, name: str) -> bool:
        """Did the user name the markers of this column?"""
        return not self.is_default or name in self.by_column


def missing_rule(missing: Iterable[str] | Mapping[str, Iterable[str]] | None) -> MissingRule:
    """The rule that the `missing` argument of read_table stands for.

    missing: None for the default markers, a list that replaces them, or a list per column
    """
    if missing is None:
        return MissingRule()
    if isinstance(missing, Mapping):
        by_column = {name: _marker_tuple(markers, name) for name, markers in missing.items()}
        return MissingRule(by_column=by_column)
    return MissingRule(everywhere=_marker_tuple(missing, ""), is_default=False)


def without_number_markers(
    name: str, numbers: NDArray[np.float64], rule: MissingRule
) -> tuple[NDArray[np.float64], tuple[str, ...]]:
    """Numbers that equal a marker made NaN, as 999.0 for "999", and a note on how many.

    Only markers that the user named are numbers.
    """
    markers = rule.markers(name) if rule.is_requested(name) else ()
    notes = []
    for marker in markers:
        found = numbers == float(marker) if re.match(PLAIN_NUMBER, marker) else np.zeros(0, dtype=np.bool_)
        if found.any():
            often = times(int(np.count_nonzero(found)))
            notes.append(f"column '{name}': numbers equal to {marker!r} ({often}) taken as missing")
            numbers = np.where(found, np.nan, numbers)
    return numbers, tuple(notes)


def marker_note(name: str, counts: Mapping[str, int]) -> str:
    """What was taken as missing in one column, and how to keep it."""
    parts = ", ".join(f"{marker!r} ({times(count)})" for marker, count in sorted(counts.items()))
    return f"column '{name}': {parts} taken as missing; missing={{{name!r}: []}} keeps it as a value"


def _marker_tuple(markers: Iterable[str], name: str) -> tuple[str, ...]:
    where = f"missing, column '{name}'" if name else "missing"
    if isinstance(markers, str):
        raise InputTypeError(
            "missing markers are a list of strings", f"{where} is {markers!r}", f"write missing=[{markers!r}]"
        )
    try:
        listed = list(markers)
    except TypeError:
        raise InputTypeError(
            "missing markers are a list of strings",
            where=f"{where} is {type(markers).__name__}",
            fix='write missing=["unknown", "-"] or missing={"age": ["unknown"]}',
        ) from None
    strange = [marker for marker in listed if not isinstance(marker, str)]
    if strange:
        raise InputTypeError(
            "missing markers are strings, also for numbers",
            where=f"{where}, first {strange[0]!r}",
            fix=f"write {str(strange[0])!r}",
        )
    return tuple(marker.strip() for marker in listed)
