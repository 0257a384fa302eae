"""A column of strings gets its kind from its contents, by the rules of kinds.py."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from heldout.table.arrow_strings import (
    Spellings,
    leading_zero_row,
    shortest,
    spellings,
    text_sizes,
    trim_strings,
)
from heldout.table.column import Column
from heldout.table.kinds import (
    LONG_LENGTH,
    MANY_DISTINCT,
    StringProfile,
    TypedColumn,
    TypingRules,
    boolean_levels,
    category_from,
    kind_of_numbers,
    kind_of_strings,
    recoded,
    whole_number_strings,
)
from heldout.table.missing_markers import marker_note, without_number_markers
from heldout.table.parse_dates import DateReading, compact_dates, iso_days, looks_iso, read_dates
from heldout.table.parse_numbers import (
    PLAIN_NUMBER,
    NumberReading,
    decorated_numbers,
    has_decimal_point,
    is_plain_number,
    is_whole,
    loses_digits,
    plain_numbers,
    points_may_group,
)
from heldout.table.string_notes import (
    StringColumn,
    case_notes,
    date_notes,
    exponent_notes,
    refuse_stray_values,
    unit_notes,
)
from heldout.text.words import plural, quote, times

_PREFIX = 65_536
_PHONE = r"^\+\d{7,15}$"


def infer_strings(name: str, strings: pa.ChunkedArray, is_first: bool, rules: TypingRules) -> TypedColumn:
    """The typed column of a chunked array of strings.

    is_first: is it the table's first column?
    """
    may_be_numbers, typed = _may_be_numbers(strings, rules), None
    if may_be_numbers:
        typed = _infer_numbers(name, strings, is_first, rules)
    elif looks_iso(strings):
        typed = _infer_iso_dates(name, strings, rules)
    if typed is not None:
        return typed
    if not may_be_numbers and _is_surely_long(strings):
        return _infer_long(name, trim_strings(strings), rules)
    return _infer_spelled(name, spellings(strings), is_first, rules)


def _infer_numbers(
    name: str, strings: pa.ChunkedArray, is_first: bool, rules: TypingRules
) -> TypedColumn | None:
    """The quick way for a column of numbers: one cast, and a second one if there are markers or blanks."""
    numbers = None if rules.missing.is_requested(name) else plain_numbers(strings)
    if numbers is not None and np.count_nonzero(np.isnan(numbers)) == strings.null_count:
        return _from_numbers(name, strings, numbers, is_first, rules)
    strings, counts = without_markers(trim_strings(strings), rules.missing.markers(name))
    numbers = plain_numbers(strings)
    if numbers is None:
        return None
    notes = [marker_note(name, counts)] if counts else []
    n_spelled = int(np.count_nonzero(np.isnan(numbers))) - strings.null_count
    if n_spelled:
        notes.append(f"column '{name}': {times(n_spelled)} not a number (nan), which is missing")
    return _with_notes(_from_numbers(name, strings, numbers, is_first, rules), tuple(notes))


def _infer_iso_dates(name: str, strings: pa.ChunkedArray, rules: TypingRules) -> TypedColumn | None:
    """The quick way for a column of ISO dates, without looking for distinct ones."""
    known, counts = without_markers(trim_strings(strings), rules.missing.markers(name))
    days = iso_days(known) if known.null_count < len(known) else None
    if days is None:
        return None
    notes = (marker_note(name, counts),) if counts else ()
    return TypedColumn(Column(name, "date", days, reason="every value is a date, year first"), notes)


def without_markers(strings: pa.ChunkedArray, markers: tuple[str, ...]) -> tuple[Any, dict[str, int]]:
    """The strings with markers made null, and how often each was."""
    if shortest(strings) > max(map(len, markers), default=0) * 4:
        return strings, {}
    empty = pa.array([*markers, ""], pa.string())
    masks = [pc.is_in(chunk, value_set=empty) for chunk in strings.chunks]
    is_marker = pa.chunked_array(masks, pa.bool_())
    if not pc.any(is_marker).as_py():
        return strings, {}
    found = pc.value_counts(strings.filter(is_marker)).to_pylist()
    counts = {entry["values"]: entry["counts"] for entry in found if entry["values"]}
    # Not by if_else: before Arrow 24 it reads a slice of strings from the wrong place.
    nothing = pa.scalar(None, strings.type)
    pairs = zip(strings.chunks, masks, strict=True)
    known = [pc.replace_with_mask(chunk, mask, nothing) for chunk, mask in pairs]
    return pa.chunked_array(known, strings.type), counts


def _infer_spelled(name: str, spelled: Spellings, is_first: bool, rules: TypingRules) -> TypedColumn:
    spelled, counts = spelled.without(rules.missing.markers(name))
    notes = (marker_note(name, counts),) if counts else ()
    distinct = spelled.values
    if not len(distinct):
        empty = np.full(len(spelled.codes), np.nan)
        return TypedColumn(Column(name, "number", empty, reason="no value in any row"), notes)
    levels = boolean_levels(distinct.slice(0, 13).to_pylist())
    if levels is not None:
        return _with_notes(_boolean(name, spelled, levels), notes)
    if rules.decimal != "," or not pc.any(pc.match_substring(distinct, ".")).as_py():
        numbers = plain_numbers(distinct)
        if numbers is not None:
            return _with_notes(_from_spelled_numbers(name, spelled, numbers, is_first, rules), notes)
    return _with_notes(_infer_other(name, spelled, is_first, rules, tuple(counts)), notes)


def _infer_other(
    name: str, spelled: Spellings, is_first: bool, rules: TypingRules, markers: tuple[str, ...]
) -> TypedColumn:
    """Numbers in another dress, dates, and what remains: strings.

    markers: those that were made missing
    """
    reading = decorated_numbers(spelled.values, rules.decimal)
    if reading is not None and reading.may_be_code:
        fix = f"kinds={{{name!r}: 'number'}} reads them as numbers"
        return _undecided(_strings(name, spelled, rules), "groups of digits, numbers or codes", fix)
    if reading is not None and reading.values is not None:
        return _from_reading(name, spelled, reading, is_first, rules)
    if reading is not None and reading.strange is not None:
        return _partly_signed(name, spelled, reading, rules)
    numbers = plain_numbers(spelled.values) if rules.decimal == "," else None
    if numbers is not None:
        note = f"column '{name}' has decimal points, though the file has decimal commas"
        return _with_notes(_from_spelled_numbers(name, spelled, numbers, is_first, rules), (note,))
    dates = read_dates(spelled.values, rules.day_first)
    if dates is not None and dates.days is not None:
        return _dates(name, spelled, dates)
    if reading is None and dates is None:
        return _other_strings(name, spelled, rules, markers)
    typed = _strings(name, spelled, rules)
    if reading is not None:
        return _undecided(typed, reading.format, reading.fix)
    assert dates is not None
    return _undecided(typed, dates.format, dates.fix)


def _other_strings(
    name: str, spelled: Spellings, rules: TypingRules, markers: tuple[str, ...]
) -> TypedColumn:
    """Strings that no rule takes for numbers or dates, with a note where they look like numbers."""
    refuse_stray_values(name, spelled, rules, markers)
    typed = _strings(name, spelled, rules)
    return typed if typed.notes else replace(typed, notes=unit_notes(name, spelled, typed.column.kind))


def _may_be_numbers(strings: pa.ChunkedArray, rules: TypingRules) -> bool:
    """Is it worth trying a cast of the whole column? Only a matter of speed."""
    if rules.decimal == ",":
        return False
    head = pc.utf8_trim_whitespace(strings.slice(0, 200).drop_null())
    return bool(pc.any(pc.match_substring_regex(head, PLAIN_NUMBER)).as_py()) if len(head) else True


def _is_surely_long(strings: pa.ChunkedArray) -> bool:
    """Do the first rows alone prove that there are very many long strings?"""
    if len(strings) <= _PREFIX or strings.nbytes < LONG_LENGTH * len(strings):
        return False
    return bool(pc.count_distinct(strings.slice(0, _PREFIX)).as_py() >= MANY_DISTINCT)


def _infer_long(name: str, strings: pa.ChunkedArray, rules: TypingRules) -> TypedColumn:
    known, counts = without_markers(strings, rules.missing.markers(name))
    n_known = len(known) - known.null_count
    n_characters, n_blanks = text_sizes(known)
    profile = StringProfile(n_known, n_known, n_characters / n_known, 1 + n_blanks / n_known)
    if not profile.is_long:
        return _infer_spelled(name, spellings(strings), False, rules)
    notes = (marker_note(name, counts),) if counts else ()
    reason = f"long strings, {profile.mean_length:.0f} characters on average, over {MANY_DISTINCT:,} distinct"
    return TypedColumn(StringColumn(name, "text", known, reason=reason), notes)


def _from_numbers(
    name: str, strings: pa.ChunkedArray, numbers: NDArray[np.float64], is_first: bool, rules: TypingRules
) -> TypedColumn:
    if _is_grouped(strings, rules):
        return _grouped(name, spellings(strings), rules)
    reason = _code_reason(strings, numbers)
    if reason:
        return TypedColumn(StringColumn(name, "identifier", strings, reason=reason))
    return _numbers_of(name, strings, numbers, is_first, rules)


def _from_spelled_numbers(
    name: str, spelled: Spellings, numbers: NDArray[np.float64], is_first: bool, rules: TypingRules
) -> TypedColumn:
    distinct = pa.chunked_array([spelled.values])
    if _is_grouped(distinct, rules):
        return _grouped(name, spelled, rules)
    reason = _code_reason(distinct, numbers)
    if reason:
        return TypedColumn(StringColumn(name, "identifier", spelled.strings(), reason=reason))
    return _numbers_of(name, distinct, np.append(numbers, np.nan)[spelled.codes], is_first, rules)


def _numbers_of(
    name: str, strings: pa.ChunkedArray, numbers: NDArray[np.float64], is_first: bool, rules: TypingRules
) -> TypedColumn:
    numbers, marked = without_number_markers(name, numbers, rules.missing)
    typed = number_or_identifier(name, numbers, is_first)
    notes = (*marked, *typed.notes, *exponent_notes(name, strings, numbers))
    decimal = "." if not is_whole(numbers) and has_decimal_point(strings) else ""
    return TypedColumn(typed.column, notes, decimal, hangs_on_decimal=True)


def _is_grouped(strings: pa.ChunkedArray, rules: TypingRules) -> bool:
    return rules.points_may_group and rules.decimal is None and points_may_group(strings)


def _grouped(name: str, spelled: Spellings, rules: TypingRules) -> TypedColumn:
    """1.234 in a file with semicolons may be a thousand and more, and is not guessed."""
    typed = _strings(name, spelled, rules)
    spelling = "numbers whose point may mark decimals or thousands"
    return _undecided(typed, spelling, "say decimal=',' or decimal='.'")


def _code_reason(strings: pa.ChunkedArray, numbers: NDArray[np.float64]) -> str:
    """Why these digits are a code and no quantity; "" if they are a quantity."""
    if not is_whole(numbers):
        return ""
    row = leading_zero_row(strings)
    if row is not None:
        return f"leading zeros, as in {quote(strings[row].as_py())}: a code, not a quantity"
    first = next((value.as_py() for value in strings.slice(0, 1000) if value.is_valid), "")
    if first.startswith("+") and pc.all(pc.match_substring_regex(strings, _PHONE)).as_py():
        return f"a plus sign before many digits, as in {quote(first)}: a phone number, not a quantity"
    row = loses_digits(strings, numbers)
    if row is not None:
        return f"whole numbers beyond 2^53, as {strings[row].as_py()[:25]}: a number would lose digits"
    return ""


def number_or_identifier(name: str, numbers: NDArray[np.float64], is_first: bool) -> TypedColumn:
    """The typed column of numbers, with notes on what is odd about them."""
    decision = kind_of_numbers(name, numbers, is_first)
    if decision.kind == "identifier":
        return TypedColumn(
            StringColumn(name, "identifier", whole_number_strings(numbers), reason=decision.reason)
        )
    notes = []
    infinite = int(np.count_nonzero(np.isinf(numbers)))
    if infinite:
        kept = "kept as it is" if infinite == 1 else "kept as they are"
        notes.append(f"column '{name}': {plural(infinite, 'infinite value')}, {kept}")
    if compact_dates(numbers) is not None:
        notes.append(f"column '{name}' may be dates like 20240131; kinds={{{name!r}: 'date'}} reads them so")
    return TypedColumn(Column(name, "number", numbers, reason=decision.reason), tuple(notes))


def _from_reading(
    name: str, spelled: Spellings, reading: NumberReading, is_first: bool, rules: TypingRules
) -> TypedColumn:
    assert reading.values is not None
    if reading.code:
        reason = f"leading zeros, as in {quote(reading.code)}: a code, not a quantity"
        return TypedColumn(StringColumn(name, "identifier", spelled.strings(), reason=reason))
    numbers = np.append(reading.values, np.nan)[spelled.codes]
    numbers, marked = without_number_markers(name, numbers, rules.missing)
    typed = number_or_identifier(name, numbers, is_first)
    spelling = (f"column '{name}' read as numbers with {reading.format}",) if reading.format else ()
    return TypedColumn(typed.column, (*marked, *typed.notes, *spelling), reading.decimal, True)


def _dates(name: str, spelled: Spellings, reading: DateReading) -> TypedColumn:
    assert reading.days is not None
    days = np.append(reading.days, np.nan)[spelled.codes]
    column = Column(name, "date", days, reason=f"every value is a date, {reading.format}")
    is_plain = reading.format == "year first"
    return TypedColumn(column, () if is_plain else (f"column '{name}' read as dates, {reading.format}",))


def _boolean(name: str, spelled: Spellings, levels: tuple[str, str]) -> TypedColumn:
    found = spelled.values.to_pylist()
    by_fold = {level.casefold(): level for level in levels}
    codes = recoded(spelled.codes, [by_fold[text.casefold()] for text in found], levels)
    column = Column(name, "boolean", codes, levels, f"only {levels[0]} and {levels[1]}")
    if len(found) <= 2:
        return TypedColumn(column)
    spelled_ways = ", ".join(sorted(found))
    return TypedColumn(column, (f"column '{name}': {spelled_ways} taken as {levels[0]} and {levels[1]}",))


def _strings(name: str, spelled: Spellings, rules: TypingRules) -> TypedColumn:
    counts = spelled.counts
    n_known = int(counts.sum())
    plain = is_plain_number(spelled.values)
    n_numbers = int(counts[plain].sum())
    if 2 * n_numbers >= n_known > n_numbers:
        return _mixed(name, spelled, plain, n_numbers, rules)
    lengths = np.asarray(pc.utf8_length(spelled.values))
    words = 1 + np.asarray(pc.count_substring(spelled.values, " "))
    profile = StringProfile(
        n_known, len(counts), float(lengths @ counts) / n_known, float(words @ counts) / n_known
    )
    decision = kind_of_strings(profile)
    if decision.kind == "category":
        return TypedColumn(category_from(name, spelled, decision.reason), _notes(name, spelled, rules))
    column = StringColumn(name, decision.kind, spelled.strings(), reason=decision.reason)
    return TypedColumn(column, date_notes(name, spelled, rules))


def _mixed(
    name: str, spelled: Spellings, plain: NDArray[np.bool_], n_numbers: int, rules: TypingRules
) -> TypedColumn:
    """Mostly numbers: not read as numbers, and said so."""
    n_other = spelled.n_known - n_numbers
    row = spelled.first_row_of(~plain)
    first = spelled.values[int(spelled.codes[row])].as_py()
    numbers, others = plural(n_numbers, "number"), plural(n_other, "other value")
    note = (
        f"column '{name}' holds {numbers} and {others}, first {quote(first)} "
        f"in {rules.location(row)}; missing={{{name!r}: [{quote(first)}]}} makes it missing"
    )
    reason = f"{numbers}, but {others}"
    return TypedColumn(category_from(name, spelled, reason), (note,))


def _notes(name: str, spelled: Spellings, rules: TypingRules) -> tuple[str, ...]:
    return (*date_notes(name, spelled, rules), *case_notes(name, spelled))


def _undecided(typed: TypedColumn, spelling: str, fix: str) -> TypedColumn:
    column = typed.column
    note = f"column '{column.name}' holds {spelling}, and is kept as {column.kind}; {fix}"
    return TypedColumn(column, (*typed.notes, note), hangs_on_decimal=True, is_undecided="decimal=" in fix)


def _partly_signed(name: str, spelled: Spellings, reading: NumberReading, rules: TypingRules) -> TypedColumn:
    """5% beside 0.06 is not one unit."""
    assert reading.strange is not None
    n_bare = int(spelled.counts[reading.strange].sum())
    index = rules.location(spelled.first_row_of(reading.strange))
    n_known = plural(spelled.n_known, "value")
    spelling = f"{reading.format}, and {n_bare:,} of {n_known} without it, first in {index}"
    typed = TypedColumn(category_from(name, spelled, f"{reading.format}, and without it"))
    return _undecided(typed, spelling, reading.fix)


def _with_notes(typed: TypedColumn, notes: tuple[str, ...]) -> TypedColumn:
    return replace(typed, notes=(*notes, *typed.notes))
