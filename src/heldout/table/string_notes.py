"""What is odd about a column and worth a note, whatever its kind: dates among others, cases, exponents."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from heldout.errors import DataError
from heldout.table.arrow_strings import Spellings, has_exponent, object_strings
from heldout.table.column import Column, number_label
from heldout.table.kinds import MANY_LEVELS, TypingRules
from heldout.table.parse_dates import first_other_date, not_dates
from heldout.table.parse_numbers import is_plain_number, is_whole
from heldout.text.words import plural, quote

_UNIT_FIRST = re.compile(r"^[-+−]?[$€£¥₹]?\s?[-+−]?[.,]?[0-9]")
_AMOUNT = r"[-+−]?[0-9][0-9.,]*|[.,][0-9]+"
_LONGEST_UNIT = 12


def date_notes(name: str, spelled: Spellings, rules: TypingRules) -> tuple[str, ...]:
    """Mostly dates, yet not all: the first that is none is named."""
    strange = not_dates(spelled.values, rules.day_first)
    n_strange = int(spelled.counts[strange].sum())
    if not n_strange:
        return _mixed_date_notes(name, spelled, rules)
    if not 0 < 2 * n_strange <= spelled.n_known:
        return ()
    row = spelled.first_row_of(strange)
    first = quote(spelled.values[int(spelled.codes[row])].as_py())
    others = plural(n_strange, "other value")
    note = (
        f"column '{name}' holds dates and {others}, first {first} in {rules.location(row)}: not read as dates"
    )
    return (note,)


def _mixed_date_notes(name: str, spelled: Spellings, rules: TypingRules) -> tuple[str, ...]:
    """Every value is a date by itself, and no one spelling explains all of them."""
    split = first_other_date(spelled.values, rules.day_first)
    if split is None:
        return ()
    first, other = (quote(spelled.values[position].as_py()) for position in (0, split))
    row = spelled.first_row_of(np.arange(len(spelled.values)) == split)
    note = f"column '{name}' holds dates in more than one spelling, as {first} and {other}"
    return (f"{note}, which is in {rules.location(row)}: not read as dates",)


def case_notes(name: str, spelled: Spellings) -> tuple[str, ...]:
    """Levels that differ in nothing but case are probably one."""
    if len(spelled.values) > 1000:
        return ()
    seen: dict[str, str] = {}
    for level in sorted(spelled.values.to_pylist()):
        other = seen.setdefault(level.casefold(), level)
        if other != level:
            return (f"column '{name}' has levels that differ only in case, as {other!r} and {level!r}",)
    return ()


def unit_notes(name: str, spelled: Spellings, kind: str) -> tuple[str, ...]:
    """1 kg, $1.5k and 10:30 look like numbers to whoever reads them, and are not read as such."""
    values = spelled.values
    if len(values) < 2 or not _UNIT_FIRST.match(values[0].as_py()[:50]):
        return ()
    for part in (values.slice(0, 100), values):
        units = pc.unique(pc.utf8_trim_whitespace(pc.replace_substring_regex(part, _AMOUNT, "")))
        if len(units) > 1 or not pc.all(pc.match_substring_regex(part, _UNIT_FIRST.pattern)).as_py():
            return ()
    unit = " ".join(units[0].as_py().split())
    if not 0 < len(unit) <= _LONGEST_UNIT:
        return ()
    shown = unit[0] if len(set(unit)) == 1 and not unit.isalpha() else unit
    return (f"column '{name}' looks like numbers with {shown!r}, kept as {kind}",)


def exponent_notes(name: str, strings: pa.ChunkedArray, numbers: NDArray[np.float64]) -> tuple[str, ...]:
    """12E4 is a number to a machine and may be a code to whoever wrote it."""
    if not is_whole(numbers) or not has_exponent(strings):
        return ()
    found = pc.match_substring_regex(strings, r"^\d+[eE]\d+$")
    n_found = pc.sum(found).as_py() or 0
    if not n_found:
        return ()
    first = strings[pc.index(found, True).as_py()].as_py()
    shown = number_label(float(first))
    fix = f"kinds={{{name!r}: 'identifier'}} keeps codes as they are written"
    return (f"column '{name}': {quote(first)} is read as the number {shown}; {fix}",)


_FEW = 0.05
_SHOWN = 5


def refuse_stray_values(
    name: str, spelled: Spellings, rules: TypingRules, markers: tuple[str, ...] = ()
) -> None:
    """A DataError that names the first of a few values that are no numbers among very many that are.

    Read as a category, the column would have a level for nearly every row.

    markers: those that were made missing, which the fix must name again, as `missing` replaces them
    """
    n_known, n_distinct = spelled.n_known, len(spelled.values)
    if n_distinct <= MANY_LEVELS or 2 * n_distinct <= n_known:
        return
    strange = ~is_plain_number(spelled.values)
    n_strange = int(spelled.counts[strange].sum())
    if not 0 < n_strange < _FEW * n_known:
        return
    row = spelled.first_row_of(strange)
    first = quote(spelled.values[int(spelled.codes[row])].as_py())
    makes = "makes it" if n_strange == 1 else "makes them"
    numbers, others = plural(n_known - n_strange, "number"), plural(n_strange, "other value")
    raise DataError(
        f"column '{name}' holds {numbers} and {others}",
        where=f"first {first} in {rules.location(row)}",
        fix=f"missing={{{name!r}: [{_listed(spelled, strange, markers)}]}} {makes} missing, "
        f"kinds={{{name!r}: 'category'}} or 'identifier' keeps all {n_distinct:,} distinct values",
    )


def _listed(spelled: Spellings, strange: NDArray[np.bool_], markers: tuple[str, ...]) -> str:
    positions = np.flatnonzero(strange)
    found = [quote(spelled.values[int(position)].as_py()) for position in positions[:_SHOWN]]
    more = ["..."] if len(positions) > _SHOWN else []
    return ", ".join([*found, *(repr(marker) for marker in markers), *more])


class StringColumn(Column):
    """A text or identifier column made from Arrow strings.

    values: a chunked Arrow array of strings, null for missing; or what any Column takes, so that
            dataclasses.replace makes one from another
    """

    def __init__(
        self,
        name: str,
        kind: str,
        values: pa.ChunkedArray | NDArray[np.object_],
        levels: tuple[str, ...] = (),
        reason: str = "",
    ) -> None:
        if not isinstance(values, pa.ChunkedArray):
            super().__init__(name, kind, values, levels, reason)
            values = pa.chunked_array([pa.array(self.__dict__["values"], pa.string())])
        fields = {"name": name, "kind": kind, "levels": (), "reason": reason, "_coded": None}
        for field, value in {**fields, "strings": values}.items():
            object.__setattr__(self, field, value)

    def __len__(self) -> int:
        return len(self.__dict__["strings"])

    @cached_property
    def values(self) -> NDArray[Any]:
        """An object array of str, None for missing; made when it is first asked for."""
        objects = object_strings(self.__dict__["strings"])
        objects.flags.writeable = False
        return objects

    @property
    def is_missing(self) -> NDArray[np.bool_]:
        """One claim per row."""
        return np.asarray(self.__dict__["strings"].is_null(), dtype=np.bool_)

    @property
    def n_missing(self) -> int:
        return int(self.__dict__["strings"].null_count)
