"""A column with an Arrow type gets its kind from the type, and from its contents only if it is strings."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from heldout.errors import DataError
from heldout.table.arrow_strings import spellings
from heldout.table.column import Column, date_label, number_label
from heldout.table.infer_strings import infer_strings, number_or_identifier
from heldout.table.kinds import TypedColumn, TypingRules, category_from
from heldout.table.missing_markers import marker_note
from heldout.table.parse_numbers import LARGEST_EXACT, float_values
from heldout.table.series_arrow import span_days
from heldout.table.string_notes import StringColumn
from heldout.text.words import plural


def infer_arrow(name: str, values: pa.ChunkedArray, is_first: bool, rules: TypingRules) -> TypedColumn:
    """The typed column of a chunked array of any flat type.

    is_first: is it the table's first column?
    """
    kind = values.type
    if pa.types.is_dictionary(kind):
        return _declared_levels(name, values, rules)
    if is_string_type(kind) or needs_markers(name, kind, rules):
        return infer_strings(name, as_strings(name, values), is_first, rules)
    if pa.types.is_boolean(kind):
        return TypedColumn(_boolean(name, values))
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        return _dates(name, values)
    if pa.types.is_time(kind) or pa.types.is_duration(kind):
        return _spans(name, values)
    refuse_nested(name, kind)
    return _numbers(name, values, is_first)


def is_string_type(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def needs_markers(name: str, kind: pa.DataType, rules: TypingRules) -> bool:
    """Did the user name markers, as "999", that may stand in a column that is no strings?"""
    if pa.types.is_time(kind) or pa.types.is_duration(kind) or pa.types.is_nested(kind):
        return False
    return rules.missing.is_requested(name) and bool(rules.missing.markers(name))


def plain_strings(values: pa.ChunkedArray) -> pa.ChunkedArray:
    """Any type of strings as the one with 32-bit offsets, chunk by chunk."""
    return values if pa.types.is_string(values.type) else pc.cast(values, pa.string())


def refuse_nested(name: str, kind: pa.DataType) -> None:
    """A DataError for types that are no column of a table."""
    if pa.types.is_null(kind) or pa.types.is_decimal(kind):
        return
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return
    raise DataError(
        f"column '{name}' holds {kind}, which is no column of single values",
        where=f"column '{name}', Arrow type {kind}",
        fix="unpack it into columns of numbers, strings or dates, or leave it out of the file",
    )


def as_strings(name: str, values: pa.ChunkedArray) -> pa.ChunkedArray:
    """Values of any flat type as the strings a user would write; null stays null."""
    kind = values.type
    if pa.types.is_dictionary(kind):
        values = pa.chunked_array([pc.dictionary_decode(chunk) for chunk in values.chunks], kind.value_type)
        return as_strings(name, values)
    if is_string_type(kind):
        return plain_strings(values)
    if pa.types.is_boolean(kind) or pa.types.is_integer(kind) or pa.types.is_null(kind):
        return pc.cast(values, pa.string())
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        return _labelled(date_days(values), date_label)
    if pa.types.is_time(kind) or pa.types.is_duration(kind):
        return pc.cast(values, pa.string())
    refuse_nested(name, kind)
    return _labelled(float_values(pc.cast(values, pa.float64())), number_label)


def date_days(values: pa.ChunkedArray) -> NDArray[np.float64]:
    """Dates and timestamps as days since 1970-01-01, whole microseconds, NaN for null."""
    if pa.types.is_date32(values.type):
        return float_values(pc.cast(pc.cast(values, pa.int32()), pa.float64()))
    ticks = pc.cast(pc.cast(values, pa.timestamp("us"), safe=False), pa.int64())
    return np.asarray(float_values(pc.cast(ticks, pa.float64(), safe=False)) / 86_400_000_000)


def _labelled(numbers: NDArray[np.float64], label: Callable[[float], str]) -> pa.ChunkedArray:
    distinct, codes = np.unique(numbers, return_inverse=True)
    labels = np.array(
        [None if number != number else label(number) for number in distinct.tolist()], dtype=object
    )
    return pa.chunked_array([pa.array(labels[codes], pa.string())])


def _numbers(name: str, values: pa.ChunkedArray, is_first: bool) -> TypedColumn:
    numbers = float_values(pc.cast(values, pa.float64(), safe=False))
    if exceeds_floats(values.type, numbers):
        reason = "whole numbers beyond 2^53: a number would lose digits"
        strings = pc.cast(values, pa.string())
        return TypedColumn(StringColumn(name, "identifier", strings, reason=reason))
    return number_or_identifier(name, numbers, is_first)


def exceeds_floats(kind: pa.DataType, numbers: NDArray[np.float64]) -> bool:
    """Are these whole numbers by type, of which some are too long for a float64?"""
    is_whole = pa.types.is_integer(kind) or (pa.types.is_decimal(kind) and kind.scale <= 0)
    return bool(is_whole and (np.abs(numbers) >= LARGEST_EXACT).any())


def _boolean(name: str, values: pa.ChunkedArray) -> Column:
    codes = float_values(pc.cast(values, pa.float64()))
    levels = np.where(np.isnan(codes), -1, codes).astype(np.int32)
    return Column(name, "boolean", levels, ("false", "true"), "booleans by type")


def _dates(name: str, values: pa.ChunkedArray) -> TypedColumn:
    column = Column(name, "date", date_days(values), reason=f"dates by type, {values.type}")
    zone = getattr(values.type, "tz", None)
    return TypedColumn(column, (f"column '{name}' has time zone {zone}, and is kept in UTC",) if zone else ())


def _spans(name: str, values: pa.ChunkedArray) -> TypedColumn:
    """A time of day or a duration is a number of days, as a date is."""
    days = span_days(values)
    note = f"column '{name}' ({values.type}) read as a number of days"
    what = "a time of day" if pa.types.is_time(values.type) else "a span of time"
    return TypedColumn(Column(name, "number", days, reason=f"{what} by type"), (note,))


def _declared_levels(name: str, values: pa.ChunkedArray, rules: TypingRules) -> TypedColumn:
    """The file says that it is a category; its levels are missing only if the user says so."""
    if not is_string_type(values.type.value_type):
        values = as_strings(name, values)
    spelled = spellings(values)
    counts: dict[str, int] = {}
    if rules.missing.is_requested(name):
        spelled, counts = spelled.without(rules.missing.markers(name))
    used = spelled.counts > 0
    spelled = spelled.only(used)
    notes = [marker_note(name, counts)] if counts else _kept_markers(name, spelled.values.to_pylist(), rules)
    column = category_from(name, spelled, f"declared a category, {plural(len(spelled.values), 'level')}")
    return TypedColumn(column, tuple(notes))


def _kept_markers(name: str, levels: list[str], rules: TypingRules) -> list[str]:
    kept = sorted(set(levels) & {*rules.missing.markers(name), ""})
    if not kept:
        return []
    fix = f"missing={{{name!r}: {kept!r}}} makes it missing"
    return [f"column '{name}': {kept[0]!r} is a declared level, and is kept as one; {fix}"]
