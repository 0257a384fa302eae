"""What a path through a tree, or a rule, requires of one column, as SQL.

A value is missing where it is NULL, NaN (which DuckDB and PostgreSQL sort above every number) or a level
that was not in the training rows. Columns are always named with their table: SQLite takes a lone name in
double quotes that it does not find for a string.
"""

from __future__ import annotations

import datetime
import math
from fractions import Fraction
from typing import cast

import numpy as np

from heldout.errors import RequestError
from heldout.inputs.input_schema import InputColumn
from heldout.learners.rules.condition import Condition
from heldout.models.column_values import has_ambiguous_words, is_made_of_dates, meant_levels

LARGEST = "1.7976931348623157e308"
_FULL_MOMENT = "0000-00-00 00:00:00.000000"


def missing_share(condition: Condition) -> float:
    """The part of a row with a missing value that takes this path, after filling."""
    fill = condition.column.fill
    if fill is None:
        return condition.unknown_share
    if condition.column.is_category:
        return float(condition.is_met(np.array([fill], dtype=np.int32))[0])
    return float(condition.is_met(np.array([fill], dtype=np.float64))[0])


def is_met(condition: Condition) -> str | None:
    """A claim about a whole row; None where every row meets it."""
    takes_missing = missing_share(condition) == 1
    if condition.column.is_category:
        return _level_claim(condition, takes_missing)
    return _range_claim(condition, takes_missing)


def met_share(condition: Condition) -> str:
    """An expression for the part of a row that meets the condition: 1, 0, or the share of missing values."""
    column, source = condition.column, sql_value(condition.column)
    if column.is_category:
        inside, outside = _levels_of(condition)
        is_inside = _is_one_of(column, inside) if inside else ""
        is_outside = _is_one_of(column, outside) if outside else ""
    else:
        is_inside = _known_range(condition) if condition.allows_a_value else ""
        is_outside = f"{source} IS NOT NULL" if column.kind == "date" else f"{source} <= {LARGEST}"
    cases = [f"WHEN {is_inside} THEN 1e0"] if is_inside else []
    cases += [f"WHEN {is_outside} THEN 0e0"] if is_outside else []
    share = number_literal(missing_share(condition))
    return f"CASE {' '.join(cases)} ELSE {share} END" if cases else share


def sql_value(column: InputColumn) -> str:
    """The column as the number or the text that is compared."""
    name = f"t.{identifier(column.name)}"
    if column.kind == "date":
        return f"REPLACE({name} || '', 'T', ' ')"
    if is_made_of_dates(column):
        rest = f"SUBSTR('{_FULL_MOMENT}', LENGTH({name} || '') + 1)"
        return f"SUBSTR(REPLACE({name} || '', 'T', ' ') || {rest}, 1, {len(_FULL_MOMENT)})"
    if column.kind == "number" or column.level_values is not None:
        return f"CAST({name} AS FLOAT8)"
    return f"({name} || '')"


def _range_claim(condition: Condition, takes_missing: bool) -> str | None:
    if not takes_missing:
        return _known_range(condition)
    source, is_number = sql_value(condition.column), condition.column.kind == "number"
    claims = [f"{source} IS NULL"]
    is_open_above = condition.allows_a_value and condition.high is None
    if is_number and not is_open_above:
        claims.append(f"{source} > {LARGEST}")
    if condition.allows_a_value:
        limits = _limits(condition)
        claims.append(f"({joined(limits, 'AND')})" if len(limits) > 1 else limits[0])
    return f"({' OR '.join(claims)})"


def _known_range(condition: Condition) -> str:
    limits = _limits(condition)
    if condition.high is None and condition.column.kind == "number":
        limits.append(f"{sql_value(condition.column)} <= {LARGEST}")
    return joined(limits, "AND")


def _limits(condition: Condition) -> list[str]:
    column, source = condition.column, sql_value(condition.column)
    return [
        f"{source} {sign} {_limit(column, cut.threshold)}"
        for sign, cut in ((">", condition.low), ("<=", condition.high))
        if cut is not None
    ]


def _limit(column: InputColumn, threshold: float) -> str:
    if column.kind == "date":
        return text_literal(last_moment(threshold, column.name))
    return number_literal(threshold)


def _levels_of(condition: Condition) -> tuple[list[int], list[int]]:
    """The levels that meet the condition, and the others."""
    allowed = set(cast(tuple[int, ...], condition.levels))
    every = range(len(condition.column.levels))
    return [level for level in every if level in allowed], [level for level in every if level not in allowed]


def _level_claim(condition: Condition, takes_missing: bool) -> str | None:
    column = condition.column
    inside, outside = _levels_of(condition)
    if not takes_missing:
        return _is_one_of(column, inside)
    if not outside:
        return None
    return f"({sql_value(column)} IS NULL OR {_is_one_of(column, outside, is_not=True)})"


def _is_one_of(column: InputColumn, levels: list[int], is_not: bool = False) -> str:
    """A claim that is true for these levels, or for all other values, and NULL for NULL."""
    source = sql_value(column)
    if column.kind == "boolean":
        return f"NOT {_is_meant(column, levels)}" if is_not else _is_meant(column, levels)
    if column.level_values is None:
        return is_in(source, [text_literal(column.levels[k]) for k in levels], is_not)
    numbers = [float(column.level_values[k]) for k in levels]
    if is_made_of_dates(column):
        moments = [text_literal(nearest_moment(number, column.name)) for number in numbers]
        return is_in(source, moments, is_not)
    return is_in(source, list(map(number_literal, numbers)), is_not)


def _is_meant(column: InputColumn, levels: list[int]) -> str:
    if has_ambiguous_words(column):
        raise RequestError(
            "a boolean has two levels that mean the same",
            where=f"column '{column.name}', levels {' and '.join(map(repr, column.levels))}",
            fix='read the column as a category and fit again, or export to "python"',
        )
    meant, source = meant_levels(column), sql_value(column)
    words = [text_literal(word) for word, level in meant.items() if level in levels]
    letters = [text_literal(column.levels[k]) for k in levels if k not in meant.values()]
    claims = [is_in(f"LOWER{source}", words)] if words else []
    claims += [is_in(source, letters)] if letters else []
    return f"({' OR '.join(claims)})" if len(claims) > 1 else claims[0]


def is_in(source: str, literals: list[str], is_not: bool = False) -> str:
    """A claim that an expression is one of these literals, or none of them; NULL for NULL."""
    if len(literals) == 1:
        return f"{source} {'<>' if is_not else '='} {literals[0]}"
    return f"{source} {'NOT IN' if is_not else 'IN'} ({', '.join(literals)})"


MICROSECONDS_A_DAY = 86_400_000_000
_EPOCH = datetime.datetime(1970, 1, 1)


def last_moment(day: float, name: str) -> str:
    """The last microsecond that is not after this day number, as text of 26 letters."""
    moment = math.floor(Fraction(day) * MICROSECONDS_A_DAY)
    while float(moment + 1) / MICROSECONDS_A_DAY <= day:
        moment += 1
    while float(moment) / MICROSECONDS_A_DAY > day:
        moment -= 1
    return _text(moment, name)


def nearest_moment(day: float, name: str) -> str:
    """The microsecond that this day number stands for."""
    return _text(round(Fraction(day) * MICROSECONDS_A_DAY), name)


def _text(moment: int, name: str) -> str:
    try:
        return (_EPOCH + datetime.timedelta(microseconds=moment)).isoformat(" ", "microseconds")
    except OverflowError as error:
        raise RequestError(
            "a date lies outside the years 1 to 9999, whose text sorts by time",
            where=f"column '{name}', {moment / MICROSECONDS_A_DAY:g} days from 1970-01-01",
            fix='export to "python" or "json"',
        ) from error


_MOST_DIGITS = 15
_MOST_TENS = 22
_STEP = 62


def identifier(name: str) -> str:
    """A name in double quotes."""
    _refuse_unwritable(name, "name")
    return '"' + name.replace('"', '""') + '"'


def text_literal(text: str) -> str:
    """A string in single quotes."""
    _refuse_unwritable(text, "text")
    return "'" + text.replace("'", "''") + "'"


def number_literal(number: float) -> str:
    """A double, exactly."""
    if number == 0:
        return "0e0"
    shortest = repr(float(number)).removesuffix(".0")
    if _is_read_alike(shortest, number):
        return shortest if "e" in shortest else f"{shortest}e0"
    return _by_powers_of_two(number)


def label_literal(label: str | int | float | bool) -> str:
    """A class: text, a whole number, a number, or a boolean."""
    if isinstance(label, str):
        return text_literal(label)
    if isinstance(label, bool):
        return "TRUE" if label else "FALSE"
    if isinstance(label, int):
        if not -(2**63) < label < 2**63:
            raise RequestError(
                "a class is a whole number that SQL cannot hold",
                where=f"{label} has more than 63 bits",
                fix='fit on the classes as strings, or export to "python"',
            )
        return str(label)
    return number_literal(label)


def joined(parts: list[str], operator: str) -> str:
    """Parts joined by AND or +, in brackets of fifty: databases take no chain of a thousand."""
    while len(parts) > 50:
        parts = [f"({f' {operator} '.join(parts[k : k + 50])})" for k in range(0, len(parts), 50)]
    return f" {operator} ".join(parts)


def _is_read_alike(shortest: str, number: float) -> bool:
    """Few digits, and the same double after rounding to 53, 64 or 113 bits on the way."""
    mantissa, _, exponent = shortest.partition("e")
    whole, _, decimals = mantissa.lstrip("-").partition(".")
    tens = int(exponent or 0) - len(decimals)
    if len((whole + decimals).lstrip("0")) > _MOST_DIGITS or abs(tens) > _MOST_TENS:
        return False
    exact = Fraction(int(whole + decimals)) * Fraction(10) ** tens
    return all(float(_rounded(exact, bits)) == abs(number) for bits in (53, 64, 113))


def _rounded(exact: Fraction, bits: int) -> Fraction:
    shift = bits - exact.numerator.bit_length() + exact.denominator.bit_length()
    scaled = round(exact * Fraction(2) ** shift)
    if scaled.bit_length() > bits:
        shift -= 1
        scaled = round(exact * Fraction(2) ** shift)
    return Fraction(scaled) / Fraction(2) ** shift


def _by_powers_of_two(number: float) -> str:
    fraction, power = math.frexp(abs(number))
    mantissa, power = int(fraction * 2**53), power - 53
    while mantissa % 2 == 0:
        mantissa, power = mantissa // 2, power + 1
    operator, left, factors = ("*" if power > 0 else "/"), abs(power), ""
    while left > 0:
        factors += f" {operator} {2 ** min(left, _STEP)}"
        left -= _STEP
    return f"({'-' if number < 0 else ''}1e0 * {mantissa}{factors})"


def _refuse_unwritable(text: str, what: str) -> None:
    is_encodable = text.isascii() or not any(0xD800 <= ord(letter) <= 0xDFFF for letter in text)
    if "\0" in text or not is_encodable:
        raise RequestError(
            f"a {what} has a character that no SQL statement can hold",
            where=f"{text!r:.60}",
            fix='rename it and fit again, or export to "python" or "json"',
        )
