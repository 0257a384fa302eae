"""Strings that are dates, read only where no other reading is possible.

Years of four digits only. `03/04/2024` is the third of April or the fourth of March: it is read when
another value of the column rules one of them out (there is no month 31), or when the user says which.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from heldout.table.parse_numbers import float_values

_TIME = (
    r"(?:[T ]+(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}(?:\.\d+)?))?"
    r"(?:\s?(?P<half>[AaPp])[Mm])?\s?(?P<zone>Z|[-+]\d{2}:?\d{2})?)?$"
)
_YEAR_FIRST = r"^(?P<year>\d{4})(?P<mark>[-/.])(?P<month>\d{1,2})[-/.](?P<day>\d{1,2})" + _TIME
_DAY_NAME = r"^(?P<day>\d{1,2})[-/. ]+(?P<name>[A-Za-z]{3,9})\.?[-/, ]+(?P<year>\d{4})" + _TIME
_NAME_DAY = r"^(?P<name>[A-Za-z]{3,9})\.?[- ]+(?P<day>\d{1,2})[-, ]+(?P<year>\d{4})" + _TIME
_TWO_FIRST = r"^(?P<first>\d{1,2})(?P<mark>[-/.])(?P<other>\d{1,2})[-/.](?P<year>\d{4})" + _TIME
_TWO_DIGIT_YEAR = re.compile(r"^\d{1,2}[-/.]\d{1,2}[-/.]\d{2}$")
_DATE_LIKE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}")
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july",
    "august", "september", "october", "november", "december",
)  # fmt: skip


@dataclass(frozen=True)
class DateReading:
    """How distinct strings become days since 1970-01-01.

    days:   float64 per distinct string, None where the reading is undecided
    format: the spelling in words
    fix:    how to decide it, where it is undecided
    """

    days: NDArray[np.float64] | None
    format: str
    fix: str = ""
    is_year_first: bool = False


def read_dates(distinct: pa.Array, day_first: bool | None = None) -> DateReading | None:
    """Distinct strings as dates where one spelling explains all of them, else None.

    distinct:  an Arrow array of distinct strings without nulls
    day_first: how 03/04/2024 is read; None to let the values decide
    """
    if not len(distinct):
        return None
    days = iso_days(distinct) if looks_iso(distinct) else None
    if days is None:
        return spelled_dates(distinct, day_first)
    return DateReading(days, "year first", is_year_first=True)


def spelled_dates(distinct: pa.Array, day_first: bool | None = None) -> DateReading | None:
    """The same by taking the strings apart, which reads every spelling."""
    for pattern, spelling in (
        (_YEAR_FIRST, "year first"),
        (_DAY_NAME, "month by name"),
        (_NAME_DAY, "month by name"),
    ):
        parts = _parts(distinct, pattern)
        if parts is not None:
            days = _days(parts)
            if days is None:
                return None
            is_year_first = pattern is _YEAR_FIRST
            return DateReading(days, spelling + _zone_words(parts), is_year_first=is_year_first)
    parts = _parts(distinct, _TWO_FIRST)
    if parts is not None:
        return _day_or_month_first(parts, day_first)
    if _TWO_DIGIT_YEAR.match(distinct[0].as_py()) is None:
        return None
    if bool(pc.all(pc.match_substring_regex(distinct, _TWO_DIGIT_YEAR.pattern)).as_py()):
        return DateReading(None, "dates with years of two digits", "write years with four digits")
    return None


def compact_dates(numbers: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Numbers like 20240131 as days; None unless every one is such a date between 1900 and 2100."""
    for part in (numbers[:1000], numbers):
        known = ~np.isnan(part)
        inside = (part >= 19000101) & (part <= 21001231)
        if not (inside | ~known).all():
            return None
    if not known.any():
        return None
    whole = np.where(known, numbers, 19700101.0).astype(np.int64)
    if not (whole == np.where(known, numbers, 19700101.0)).all():
        return None
    days = _calendar_days(whole // 10000, whole // 100 % 100, whole % 100)
    return None if days is None else np.where(known, days, np.nan)


def not_compact_dates(numbers: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which numbers are no dates like 20240131, one by one."""
    inside = (numbers >= 19000101) & (numbers <= 21001231) & (numbers == np.floor(numbers))
    whole = np.where(inside, numbers, 19700101.0).astype(np.int64)
    return np.asarray(~(inside & _in_calendar(whole // 10000, whole // 100 % 100, whole % 100)))


def first_other_date(distinct: pa.Array, day_first: bool | None) -> int | None:
    """Where the dates stop having one spelling; None if they never do."""
    if _may_be_dates(distinct, day_first):
        return None
    begin, end = 1, len(distinct)
    # Up to `begin` one spelling explains all, up to `end` none does.
    while end - begin > 1:
        middle = (begin + end) // 2
        begin, end = (middle, end) if _may_be_dates(distinct.slice(0, middle), day_first) else (begin, middle)
    return begin


def _may_be_dates(distinct: pa.Array, day_first: bool | None) -> bool:
    return read_dates(distinct, day_first) is not None


def not_dates(distinct: pa.Array, day_first: bool | None) -> NDArray[np.bool_]:
    """Which of the distinct strings are no dates; all of them, unless the first ones look like dates."""
    head = [_DATE_LIKE.match(text) is not None for text in distinct.slice(0, 20).to_pylist()]
    strange = np.ones(len(distinct), dtype=np.bool_)
    if 2 * sum(head) < len(head):
        return strange
    # Halving finds a few strange ones among many in a few steps.
    spans = [(0, len(distinct))]
    while spans:
        begin, end = spans.pop()
        if _are_dates(distinct.slice(begin, end - begin), day_first):
            strange[begin:end] = False
        elif end - begin > 1:
            middle = (begin + end) // 2
            spans += [(begin, middle), (middle, end)]
    return strange


def _are_dates(distinct: pa.Array, day_first: bool | None) -> bool:
    orders = (True, False) if day_first is None else (day_first,)
    readings = [read_dates(distinct, order) for order in orders]
    return any(reading is not None and reading.days is not None for reading in readings)


def _day_or_month_first(parts: dict[str, Any], day_first: bool | None) -> DateReading | None:
    readings = {}
    for is_day_first, (day, month) in ((True, ("first", "other")), (False, ("other", "first"))):
        days = _days({**parts, "day": parts[day], "month": parts[month]})
        if days is not None and day_first in (None, is_day_first):
            readings[is_day_first] = days
    if len(readings) == 2:
        fix = "day_first=True or day_first=False decides it"
        return DateReading(None, "dates that may be day/month/year or month/day/year", fix)
    for is_day_first, days in readings.items():
        order = "day/month/year" if is_day_first else "month/day/year"
        return DateReading(days, order + _zone_words(parts))
    return None


def _parts(distinct: pa.Array, pattern: str) -> dict[str, Any] | None:
    """The named groups of the pattern; None unless every string matches it."""
    # The first value rules most patterns out, long before Arrow has compiled one.
    if re.match(pattern, distinct[0].as_py()) is None:
        return None
    found = pc.extract_regex(distinct, pattern)
    if found.null_count:
        return None
    return {
        found.type.field(position).name: found.field(position) for position in range(found.type.num_fields)
    }


def _days(parts: dict[str, Any]) -> NDArray[np.float64] | None:
    month = _month_numbers(parts["name"]) if "name" in parts else _integers(parts["month"])
    if month is None:
        return None
    days = _calendar_days(_integers(parts["year"]), month, _integers(parts["day"]))
    if days is None:
        return None
    hour, minute, second = (_floats(parts[unit]) for unit in ("hour", "minute", "second"))
    hours = _hours_of_day(hour, parts)
    if hours is None or hours.max() > 23 or minute.max() > 59 or second.max() >= 61:
        return None
    offset = _zone_minutes(parts)
    if offset is None:
        return None
    # Whole microseconds, so that a file's text and a frame's timestamp give the same float.
    microseconds = np.rint((hours * 3600 + (minute - offset) * 60 + second) * 1e6).astype(np.int64)
    return np.asarray((days.astype(np.int64) * MICROSECONDS_A_DAY + microseconds) / MICROSECONDS_A_DAY)


def _hours_of_day(hour: NDArray[np.float64], parts: dict[str, Any]) -> NDArray[np.float64] | None:
    """1 PM as 13; None if some times say AM or PM and others do not, or one is no hour of a clock."""
    half = np.array(pc.utf8_lower(parts["half"]).to_pylist(), dtype=object)
    has_half = half != ""
    if not has_half.any():
        return hour
    has_time = np.asarray(pc.not_equal(parts["hour"], ""))
    on_clock = hour[has_half]
    if (has_half != has_time).any() or on_clock.min() < 1 or on_clock.max() > 12:
        return None
    return np.where(has_half, hour % 12 + 12 * (half == "p"), hour)


def _calendar_days(
    year: NDArray[np.int64], month: NDArray[np.int64], day: NDArray[np.int64]
) -> NDArray[np.float64] | None:
    """Days since 1970-01-01; None if there is a date that the calendar does not have."""
    if not _in_calendar(year, month, day).all():
        return None
    return np.asarray(_first_days((year - 1970) * 12 + month - 1) + day - 1, dtype=np.float64)


def _in_calendar(
    year: NDArray[np.int64], month: NDArray[np.int64], day: NDArray[np.int64]
) -> NDArray[np.bool_]:
    months = (year - 1970) * 12 + month - 1
    n_days = _first_days(months + 1) - _first_days(months)
    return np.asarray((month >= 1) & (month <= 12) & (day >= 1) & (day <= n_days))


def _first_days(months: NDArray[np.int64]) -> NDArray[np.int64]:
    """The first day of each month, both counted from 1970-01."""
    return months.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)


def _zone_minutes(parts: dict[str, Any]) -> NDArray[np.float64] | None:
    """Minutes east of Greenwich; None if some have a time zone and others have none."""
    zone = np.array(parts["zone"].to_pylist(), dtype=object)
    named = zone != ""
    if not named.any():
        return np.zeros(len(zone))
    return np.array([_offset(text) for text in zone]) if named.all() else None


def _offset(zone: str) -> float:
    if zone == "Z":
        return 0.0
    minutes = 60 * int(zone[1:3]) + int(zone[-2:])
    return float(-minutes if zone[0] == "-" else minutes)


def _zone_words(parts: dict[str, Any]) -> str:
    return ", times in UTC" if parts["zone"][0].as_py() else ""


def _month_numbers(names: pa.Array) -> NDArray[np.int64] | None:
    numbers = {name[:3]: position + 1 for position, name in enumerate(_MONTHS)}
    numbers |= {name: position + 1 for position, name in enumerate(_MONTHS)} | {"sept": 9}
    found = [numbers.get(name.lower()) for name in names.to_pylist()]
    return None if None in found else np.array(found, dtype=np.int64)


def _integers(strings: pa.Array) -> NDArray[np.int64]:
    return np.asarray(pc.cast(strings, pa.int64()).to_numpy(zero_copy_only=False))


def _floats(strings: pa.Array) -> NDArray[np.float64]:
    filled = pc.if_else(pc.equal(strings, ""), "0", strings)
    return np.asarray(pc.cast(filled, pa.float64()).to_numpy(zero_copy_only=False))


MICROSECONDS_A_DAY = 86_400_000_000

_ISO = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)?$", re.ASCII)
_HOUR_ONLY = 13


def looks_iso(strings: pa.Array) -> bool:
    """Is the first value of an Arrow array such a date? Only a matter of speed."""
    first = next((value.as_py() for value in strings.slice(0, 200) if value.is_valid), "")
    return _ISO.match(first.strip()) is not None


def iso_days(strings: pa.Array) -> NDArray[np.float64] | None:
    """Arrow strings as days since 1970-01-01, null as NaN; None unless every one is such a date."""
    try:
        moments = pc.cast(strings, pa.timestamp("us"))
    except pa.ArrowInvalid:
        return None
    # Arrow reads `2024-01-31 10` too, where it is not sure that the last two digits are an hour.
    if pc.any(pc.equal(pc.binary_length(strings), _HOUR_ONLY)).as_py():
        return None
    ticks = pc.cast(moments, pa.int64())
    return np.asarray(float_values(pc.cast(ticks, pa.float64(), safe=False)) / MICROSECONDS_A_DAY)
