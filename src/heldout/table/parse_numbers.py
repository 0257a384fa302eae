"""Strings that are numbers: plain ones, and those with decimal commas, thousands, percent or currency.

`1,234` alone can be read two ways, and then it is not read as a number: another value of the column
(`1,5` or `1,234,567`), or a decimal comma elsewhere in the file, or `decimal=` decides. So can `1.234`
in a file with semicolons, which are used where commas mark decimals.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from heldout.table.arrow_strings import string_bytes

PLAIN_NUMBER = r"^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$|^[-+]?(?i:inf|infinity)$"
LARGEST_EXACT = 2.0**53
_STARTS_NUMBER = np.zeros(256, dtype=np.bool_)
_STARTS_NUMBER[list(b"0123456789+-.iI")] = True

_CURRENCY = r"[$€£¥₹]|USD|EUR|GBP|CHF|JPY"
_DECORATED = (
    rf"^(?P<open>\(?)(?P<sign>[-+−]?)\s*(?:(?P<before>{_CURRENCY})\s*)?(?P<sign2>[-+−]?)"
    rf"(?P<body>[0-9][0-9.,'’\x{{a0}}\x{{202f}} ]*|[.,][0-9]+)\s*(?P<after>%|{_CURRENCY})?(?P<close>\)?)$"
)
_DECIMAL_COMMA = r"^(\d*,\d+|\d+,?|[1-9]\d{0,2}(\.\d{3})+(,\d+)?)$"
_DECIMAL_POINT = r"^(\d*\.\d+|\d+\.?|[1-9]\d{0,2}(,\d{3})+(\.\d+)?)$"
_CODE = r"^0[ '’\x{a0}\x{202f}]*\d"
_ADDRESS = r"^(25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$"
_GROUPED = r"^[-+]?([1-9]\d{0,2}(\.\d{3})+|\d+)$"
_SPACED = r"^(\d{1,3}([ '’\x{a0}\x{202f}]\d{3})+|\d+)([.,]\d+)?$"


@dataclass(frozen=True)
class NumberReading:
    """How distinct strings become numbers.

    values:  float64 per distinct string, None where the reading is undecided
    decimal: "," or "." where the spelling shows it, else ""
    format:  the spelling in words, for a note
    fix:     how to decide it, where it is undecided
    strange: which of the distinct strings stand against one reading, where they can be told
    code:    a string with leading zeros among whole numbers, "" if there is none
    may_be_code: are all of them three or more groups of digits, as phone numbers are?
    """

    values: NDArray[np.float64] | None
    decimal: str
    format: str
    fix: str = ""
    strange: NDArray[np.bool_] | None = None
    code: str = ""
    may_be_code: bool = False


def plain_numbers(strings: pa.Array) -> NDArray[np.float64] | None:
    """Arrow strings as float64, null as NaN; None unless every one is a plain number."""
    try:
        pc.cast(strings.slice(0, 100), pa.float64())  # a cast of many strings is slow to fail
        numbers = pc.cast(strings, pa.float64())
    except pa.ArrowInvalid:
        return None
    return float_values(numbers)


def float_values(numbers: pa.ChunkedArray | pa.Array) -> NDArray[np.float64]:
    """A chunked or plain Arrow array of float64 as NumPy, null as NaN."""
    chunks = numbers.chunks if isinstance(numbers, pa.ChunkedArray) else [numbers]
    parts = [chunk.to_numpy(zero_copy_only=False) for chunk in chunks]
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.float64)


def is_whole(numbers: NDArray[np.float64]) -> bool:
    """Is every known number a whole one? The first ones tell quickly where they are not."""
    return all(bool((np.isnan(part) | (part == np.floor(part))).all()) for part in (numbers[:1000], numbers))


def is_plain_number(strings: pa.Array) -> NDArray[np.bool_]:
    """One claim per Arrow string of an array without nulls."""
    begins, ends, data = string_bytes(strings)
    first = np.append(data, np.uint8(0))[begins]
    may_be = _STARTS_NUMBER[first] & (ends > begins)
    claims = np.zeros(len(strings), dtype=np.bool_)
    if may_be.any():
        candidates = strings.filter(pa.array(may_be))
        claims[may_be] = np.asarray(pc.match_substring_regex(candidates, PLAIN_NUMBER), dtype=np.bool_)
    return claims


def loses_digits(strings: pa.Array, numbers: NDArray[np.float64]) -> int | None:
    """The first row that holds an integer too long for a float64; None if there is none."""
    large = np.flatnonzero(np.abs(numbers) >= LARGEST_EXACT)
    if not len(large):
        return None
    digits = np.asarray(pc.match_substring_regex(strings.take(pa.array(large)), r"^[-+]?\d+$"))
    return int(large[np.argmax(digits)]) if digits.any() else None


def decorated_numbers(distinct: pa.Array, decimal: str | None) -> NumberReading | None:
    """Distinct strings as numbers where one spelling explains all of them, else None.

    distinct: an Arrow array of distinct strings without nulls
    decimal:  "," or "." if the user or another column has decided, else None
    """
    if not len(distinct) or not any(character.isdigit() for character in distinct[0].as_py()[:50]):
        return None
    if pc.extract_regex(distinct.slice(0, 100), _DECORATED).null_count:
        return None
    parts = pc.extract_regex(distinct, _DECORATED)
    if parts.null_count:
        return None
    currencies = _decorations(parts, "before") | _decorations(parts, "after")
    if len(currencies) > 1:
        signs = ", ".join(sorted(currencies))
        return NumberReading(None, "", f"numbers with different signs ({signs})", "bring them to one unit")
    in_brackets = _in_brackets(parts)
    bodies = pc.utf8_trim_whitespace(pc.struct_field(parts, "body"))
    reading = None if in_brackets is None else _bodies(bodies, decimal)
    if reading is None:
        return None
    bare = _without_sign(parts) if currencies else np.zeros(len(distinct), dtype=np.bool_)
    if bare.any():
        fix = "write the sign in every row or in none"
        return NumberReading(None, "", f"numbers with the sign {next(iter(currencies))}", fix, bare)
    if reading.values is None:
        return reading
    signs = pc.binary_join_element_wise(pc.struct_field(parts, "sign"), pc.struct_field(parts, "sign2"), "")
    is_negative = np.asarray(pc.match_substring_regex(signs, "[-−]")) | in_brackets
    values = np.where(is_negative, -reading.values, reading.values)
    code = _first_code(distinct, bodies) if is_whole(values) else ""
    spelling = _described(reading.format, currencies, in_brackets is not None and bool(in_brackets.any()))
    return replace(
        reading,
        values=values,
        format=spelling,
        code=code,
        may_be_code=reading.may_be_code and not currencies,
    )


def points_may_group(strings: pa.Array) -> bool:
    """May the points stand between thousands, as in 1.234 and 12.345.678? At least one point is needed."""
    for part in (strings.slice(0, 1000).drop_null(), strings.drop_null()):
        if not _all_match(part, _GROUPED):
            return False
    return bool(pc.any(pc.match_substring(strings, ".")).as_py())


def has_decimal_point(strings: pa.Array) -> bool:
    """Is there a point among plain numbers that cannot stand between thousands, as in 1.5 and 0.250?

    strings: a chunked Arrow array; counted by bytes, many times as fast as by value
    """
    return any(_has_decimal_point(chunk) for chunk in strings.chunks if len(chunk))


def _has_decimal_point(chunk: pa.Array) -> bool:
    begins, ends, data = string_bytes(chunk)
    n_points = int(np.count_nonzero(data[begins[0] : ends[-1]] == ord(".")))
    if not n_points:
        return False
    lengths = ends - begins
    may_group = (lengths >= 5) & (data.take(ends - 4, mode="clip") == ord("."))
    sign_or_digit = data.take(ends - 6, mode="clip")
    is_zero = (data.take(ends - 5, mode="clip") == ord("0")) & ((lengths == 5) | (sign_or_digit < ord("0")))
    return n_points > int(np.count_nonzero(may_group & ~is_zero))


def _without_sign(parts: pa.StructArray) -> NDArray[np.bool_]:
    before, after = pc.struct_field(parts, "before"), pc.struct_field(parts, "after")
    return np.asarray(pc.equal(pc.binary_join_element_wise(before, after, ""), ""), dtype=np.bool_)


def _in_brackets(parts: pa.StructArray) -> NDArray[np.bool_] | None:
    """Which amounts are in brackets, as ($5.00) is; None if brackets are there and mean something else."""
    opened, closed = (np.asarray(pc.not_equal(pc.struct_field(parts, end), "")) for end in ("open", "close"))
    if not opened.any() and not closed.any():
        return np.zeros(len(parts), dtype=np.bool_)
    has_sign = ~_without_sign(parts) & np.asarray(pc.not_equal(pc.struct_field(parts, "after"), "%"))
    signs = pc.binary_join_element_wise(pc.struct_field(parts, "sign"), pc.struct_field(parts, "sign2"), "")
    is_amount = opened & closed & has_sign & np.asarray(pc.equal(signs, ""))
    return opened if bool((is_amount | ~(opened | closed)).all()) else None


def _first_code(distinct: pa.Array, bodies: pa.Array) -> str:
    is_code = np.asarray(pc.match_substring_regex(bodies, _CODE), dtype=np.bool_)
    return str(distinct[int(np.argmax(is_code))].as_py()) if is_code.any() else ""


def _bodies(bodies: pa.Array, decimal: str | None) -> NumberReading | None:
    if _all_match(bodies, _ADDRESS):
        return None
    has_comma = bool(pc.any(pc.match_substring(bodies, ",")).as_py())
    has_point = bool(pc.any(pc.match_substring(bodies, ".")).as_py())
    as_comma = _all_match(bodies, _DECIMAL_COMMA) and (has_comma or has_point)
    as_point = _all_match(bodies, _DECIMAL_POINT)
    if as_comma and as_point and decimal is None:
        fix = "say decimal=',' or decimal='.'"
        return NumberReading(None, "", "numbers whose comma or point may mark decimals or thousands", fix)
    if as_comma and (decimal == "," or not as_point):
        sure = "," if has_comma and not as_point else ""
        marks = (("decimal commas", has_comma), ("points between thousands", has_point))
        spelling = " and ".join(words for words, is_there in marks if is_there)
        return NumberReading(_cast(bodies, thousands=".", decimal=","), sure, spelling)
    if as_point:
        spelling = "commas between thousands" if has_comma else ""
        if has_point and decimal == ",":
            spelling = "decimal points, though the file has decimal commas"
        return NumberReading(_cast(bodies, thousands=",", decimal="."), "", spelling)
    if _all_match(bodies, _SPACED) and not (has_comma and has_point):
        mark = "," if has_comma else "."
        joined = pc.replace_substring_regex(bodies, r"[ '’\x{a0}\x{202f}]", "")
        values = _cast(joined, thousands="", decimal=mark)
        may_be_code = not has_comma and not has_point and _has_steady_groups(bodies)
        return NumberReading(values, "", "thousands set apart", may_be_code=may_be_code)
    return None


def _has_steady_groups(bodies: pa.Array) -> bool:
    n_blanks = pc.min_max(pc.count_substring(bodies, " ")).as_py()
    return bool(n_blanks["min"] == n_blanks["max"] >= 2)


def _cast(bodies: pa.Array, thousands: str, decimal: str) -> NDArray[np.float64]:
    plain = pc.replace_substring(bodies, thousands, "") if thousands else bodies
    return float_values(pc.cast(pc.replace_substring(plain, decimal, "."), pa.float64()))


def _all_match(strings: pa.Array, pattern: str) -> bool:
    return bool(pc.all(pc.match_substring_regex(strings, pattern)).as_py())


def _decorations(parts: pa.StructArray, field: str) -> set[str]:
    return {text for text in pc.unique(pc.struct_field(parts, field)).to_pylist() if text}


def _described(spelling: str, currencies: set[str], has_brackets: bool) -> str:
    signs = "".join(f"the sign {sign} left out" for sign in currencies)
    brackets = "brackets as minus" if has_brackets else ""
    return " and ".join(part for part in (spelling, signs, brackets) if part)
