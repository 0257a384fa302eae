"""Names, words and numbers as SQL writes them, so that every database reads back what was meant.

A decimal number is not safe: SQLite rounds some of seventeen digits wrongly, and DuckDB reads `0.1` as a
DECIMAL. A number is written with an exponent, and only if each of the usual ways to read it gives the
same double; else as a whole number times or over powers of two, which is exact everywhere.
"""

from __future__ import annotations

import math
from fractions import Fraction

from heldout.errors import RequestError

_MOST_DIGITS = 15
_MOST_TENS = 22
_STEP = 62


def identifier(name: str) -> str:
    """A name in double quotes.

    >>> print(identifier('the "best" town'))
    "the ""best"" town"
    """
    _refuse_unwritable(name, "name")
    return '"' + name.replace('"', '""') + '"'


def text_literal(text: str) -> str:
    """A string in single quotes.

    >>> print(text_literal("Bishop's Stortford"))
    'Bishop''s Stortford'
    """
    _refuse_unwritable(text, "text")
    return "'" + text.replace("'", "''") + "'"


def number_literal(number: float) -> str:
    """A double, exactly.

    >>> number_literal(28.5), number_literal(-7.0), number_literal(0.1 + 0.2)
    ('28.5e0', '-7e0', '(1e0 * 1351079888211149 / 4503599627370496)')
    """
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
    """Parts joined by AND or +, in brackets of fifty: databases take no chain of a thousand.

    >>> joined(["a", "b"], "AND")
    'a AND b'
    """
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
