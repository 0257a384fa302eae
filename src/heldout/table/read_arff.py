"""An ARFF file: its declared types are used, nominal levels are categories.

The few rules of the format are read here (decision 65). Weka's own reader decides where the format is vague:
blanks separate values as commas do, and a quoted value knows the escapes of Java.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
import pyarrow as pa

from heldout.errors import DataError
from heldout.table.decode_text import csv_text
from heldout.table.kinds import boolean_levels
from heldout.table.parse_numbers import LARGEST_EXACT, float_values
from heldout.table.raw_table import RawTable
from heldout.text.words import plural

_KEYWORD = re.compile(r"@(relation|attribute|data|end)(?!\S)\s*", re.IGNORECASE)
_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_NAME = re.compile(rf"({_QUOTED}|[^\s'\"{{}},]+)\s*")
# A value and what ends it: a comma, blanks, or the end of the line. Nothing before a comma is a value too.
_VALUE = re.compile(rf"""({_QUOTED}|[^\s'",{{}}]+|(?=,))(?:\s*(,)\s*|\s+|$)""")
_COMMENT = re.compile(rf"(?:{_QUOTED}|[^'\"%]|(?<=\S)%)*?((?<!\S)%.*)$")
_NONTRIVIAL = re.compile(r"[\s'\"{}%]")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|[0-7]{1,3}|.)")
_ESCAPED = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f"}
_NUMBER_TYPES = ("numeric", "real", "integer")
_TYPES = "types are numeric, real, integer, string, date and {levels}"
_NAMING = "rename it in the file's @attribute lines"

# Letters of Java's patterns of dates, and what Python calls them.
_DATE_PARTS = {
    "yyyy": "%Y",
    "yy": "%y",
    "MM": "%m",
    "dd": "%d",
    "HH": "%H",
    "mm": "%M",
    "ss": "%S",
    "SSS": "%f",
}
_DATE_PATTERN = re.compile(r"'((?:[^']|'')*)'|([A-Za-z])\2*|.")


@dataclass(frozen=True)
class _Attribute:
    """One declaration: levels of a nominal, the pattern of a date, or neither."""

    name: str
    kind: str
    levels: tuple[str, ...] = ()
    date_format: str = ""


def read_arff(data: bytes, encoding: str | None = None) -> RawTable:
    """The columns of an ARFF file; its rows may be dense or sparse.

    In a sparse row a number that is not named is 0 and a nominal has its first level, as Weka has it; strings
    and dates are missing.

    data: the file's bytes
    """
    text = csv_text(data, encoding)
    lines = enumerate(re.split(r"\r\n|\r|\n", text.data.decode("utf-8")), start=1)
    attributes = _attributes(lines)
    rows, indices = _rows(lines, attributes)
    if not rows:
        raise DataError(
            "the file has attributes and no rows",
            where=f"{len(attributes)} attributes, @DATA is empty",
            fix="add rows",
        )
    columns = [
        _array(attribute, list(values), indices)
        for attribute, values in zip(attributes, zip(*rows, strict=True), strict=True)
    ]
    notes = [
        note
        for pair in zip(attributes, columns, strict=True)
        for note in (_unused(*pair), _lost_digits(*pair))
    ]
    names = tuple(attribute.name for attribute in attributes)
    return RawTable(names, tuple(columns), (*text.notes, *filter(None, notes)), naming=_NAMING)


def _refuse(line_number: int, problem: str, fix: str = f"mend that line; {_TYPES}") -> NoReturn:
    raise DataError(
        "the file cannot be read as ARFF", where=f"line {line_number}: {problem[:200]}", fix=fix
    ) from None


def _without_comment(line: str) -> str:
    """Without what follows a % at the beginning or after a blank; 50% is a value."""
    found = _COMMENT.match(line) if "%" in line else None
    return (line[: found.start(1)] if found else line).strip()


def _unquoted(value: str) -> str:
    if value[:1] not in ("'", '"'):
        return value
    return _ESCAPE.sub(_character, value[1:-1])


def _character(escape: re.Match[str]) -> str:
    code = escape[1]
    if code[0] == "u" and len(code) == 5:
        return chr(int(code[1:], 16))
    return chr(int(code, 8)) if code[0] in "01234567" else _ESCAPED.get(code, code)


def _attributes(lines: Iterator[tuple[int, str]]) -> list[_Attribute]:
    """What is declared, up to the line @data."""
    attributes: list[_Attribute] = []
    for line_number, given in lines:
        line = _without_comment(given)
        keyword = _KEYWORD.match(line)
        if keyword is None:
            if line:
                _refuse(line_number, f"{line!r} stands before @data and is no declaration")
        elif keyword[1].lower() == "attribute":
            attributes.append(_attribute(line_number, line, line[keyword.end() :]))
        elif keyword[1].lower() == "data":
            if not attributes:
                _refuse(line_number, "@data stands before the first @attribute")
            return attributes
    raise DataError(
        "the file cannot be read as ARFF", where="there is no line @data", fix="write @data before the rows"
    )


def _attribute(line_number: int, line: str, declared: str) -> _Attribute:
    if not declared:
        raise DataError(
            "an attribute has no name and no type",
            where=f"line {line_number}, {line!r}",
            fix="write @attribute, its name and its type",
        )
    named = _NAME.match(declared)
    if named is None:
        _refuse(line_number, f"the name of the attribute in {line!r} is not closed")
    name, declared_type = _unquoted(named[1]).strip(), declared[named.end() :].strip()
    if declared_type.startswith("{"):
        return _Attribute(name, "nominal", levels=_levels(line_number, declared_type))
    kind, _, pattern = declared_type.partition(" ")
    kind = kind.lower()
    if kind == "date":
        return _Attribute(name, kind, date_format=_date_format(line_number, _unquoted(pattern.strip())))
    if kind == "relational":
        _refuse(
            line_number,
            f"{name!r} is relational: tables inside of a table are not read",
            "leave that attribute out",
        )
    if kind not in (*_NUMBER_TYPES, "string") or pattern:
        _refuse(line_number, f"{declared_type!r} is no type" if declared_type else f"{name!r} has no type")
    return _Attribute(name, "string" if kind == "string" else "number")


def _levels(line_number: int, declared: str) -> tuple[str, ...]:
    values = _values(declared[1:-1].strip()) if declared.endswith("}") else None
    if not values or None in values:
        _refuse(line_number, f"the levels {declared!r} cannot be told apart", "write {a, b, 'c d'}")
    return tuple(str(value).strip() for value in values)


def _date_format(line_number: int, pattern: str) -> str:
    """Java's pattern as Python writes it."""
    written = ""
    for part in _DATE_PATTERN.finditer(pattern or "yyyy-MM-dd'T'HH:mm:ss"):
        if part[2] is None:
            literal = part[0] if part[1] is None else part[1].replace("''", "'") or "'"
            written += literal.replace("%", "%%")
        elif part[0] in _DATE_PARTS:
            written += _DATE_PARTS[part[0]]
        else:
            _refuse(
                line_number,
                f"{part[0]!r} in the pattern of dates {pattern!r} is not known",
                "write yyyy-MM-dd",
            )
    return written


def _values(text: str) -> list[str | None] | None:
    """The values of a row; ? and nothing are missing. None if it cannot be cut into values."""
    if not _NONTRIVIAL.search(text):
        return [None if value in ("?", "") else value for value in text.split(",")]
    values: list[str | None] = []
    position, ends_with_comma = 0, True
    while position < len(text):
        found = _VALUE.match(text, position)
        if found is None:
            return None
        values.append(None if found[1] in ("?", "") else _unquoted(found[1]))
        position, ends_with_comma = found.end(), found[2] is not None
    return [*values, None] if ends_with_comma else values


def _rows(
    lines: Iterator[tuple[int, str]], attributes: list[_Attribute]
) -> tuple[list[list[str | None]], list[int]]:
    """The values of all rows, and the line of each."""
    omitted = [_omitted(attribute) for attribute in attributes]
    rows, indices = [], []
    for line_number, given in lines:
        line = _without_comment(given)
        if not line:
            continue
        row = _sparse_row(line_number, line, omitted) if line[0] == "{" else _values(line)
        if row is None:
            _refuse(
                line_number,
                f"{line!r} cannot be cut into values",
                "put values with blanks or braces into quotes",
            )
        if len(row) != len(attributes):
            declared = plural(len(attributes), "attribute") + (" is" if len(attributes) == 1 else " are")
            _refuse(
                line_number, f"the row has {plural(len(row), 'value')}, {declared} declared", "mend that line"
            )
        rows.append(row)
        indices.append(line_number)
    return rows, indices


def _omitted(attribute: _Attribute) -> str | None:
    """What a sparse row has where it does not name the attribute."""
    if attribute.kind == "number":
        return "0"
    return attribute.levels[0] if attribute.kind == "nominal" else None


def _sparse_row(line_number: int, line: str, omitted: list[str | None]) -> list[str | None]:
    row = list(omitted)
    inside = line[1:-1].strip()
    pairs = (_values(inside) if inside else []) if line.endswith("}") else None
    if pairs is None or len(pairs) % 2:
        _refuse(
            line_number,
            f"{line!r} is not a sparse row",
            "write {0 3.5, 4 'a b'}: index and value, from index 0",
        )
    seen: set[int] = set()
    for key, value in zip(pairs[::2], pairs[1::2], strict=True):
        index = int(key) if key is not None and key.isdecimal() else -1
        if not 0 <= index < len(row) or index in seen:
            problem = "comes twice" if index in seen else f"is not one of 0 to {len(row) - 1}"
            _refuse(line_number, f"the index {key} {problem}", "mend that line; the first attribute is 0")
        seen.add(index)
        row[index] = value
    return row


def _array(attribute: _Attribute, values: list[str | None], positions: list[int]) -> pa.ChunkedArray:
    if attribute.kind == "string":
        return pa.chunked_array([pa.array(values, pa.string())])
    if attribute.kind == "nominal":
        return _nominal(attribute, values, positions)
    if attribute.kind == "date":
        moments = _converted(attribute, values, positions, lambda text: _moment(text, attribute.date_format))
        return pa.chunked_array([pa.array(moments, pa.timestamp("us"))])
    return pa.chunked_array([pa.array(_converted(attribute, values, positions, _number), pa.float64())])


def _number(text: str) -> float:
    if "_" in text:
        raise ValueError
    return float(text)


def _moment(text: str, date_format: str) -> datetime.datetime:
    return datetime.datetime.strptime(text, date_format)


def _converted(
    attribute: _Attribute, values: list[str | None], positions: list[int], convert: Callable[[str], Any]
) -> list[Any]:
    converted = []
    for value, index in zip(values, positions, strict=True):
        try:
            converted.append(None if value is None else convert(value))
        except ValueError:
            _refuse(
                index,
                f"{value!r} is no {attribute.kind}, as {attribute.name!r} is declared",
                "mend that value",
            )
    return converted


def _nominal(attribute: _Attribute, values: list[str | None], positions: list[int]) -> pa.ChunkedArray:
    levels = set(attribute.levels)
    strings = [None if value is None else value.strip() for value in values]
    for value, index in zip(strings, positions, strict=True):
        if value is not None and value not in levels:
            _refuse(
                index,
                f"{value!r} is not a level of {attribute.name!r}",
                "mend that value, or declare the level",
            )
    array = pa.array(strings, pa.string())
    # ARFF has no booleans: a nominal of true and false is one.
    is_boolean = len(attribute.levels) == 2 and boolean_levels(list(attribute.levels)) is not None
    return pa.chunked_array(
        [array if is_boolean and array.null_count < len(array) else array.dictionary_encode()]
    )


def _lost_digits(attribute: _Attribute, column: pa.ChunkedArray) -> str:
    """A note if whole numbers are too long for a float."""
    if attribute.kind != "number":
        return ""
    numbers = float_values(column)
    n_large = int(np.count_nonzero((np.abs(numbers) >= LARGEST_EXACT) & np.isfinite(numbers)))
    numbers_beyond = plural(n_large, "number") + " beyond 2^53"
    return f"column '{attribute.name}': {numbers_beyond} may have lost digits" if n_large else ""


def _unused(attribute: _Attribute, column: pa.ChunkedArray) -> str:
    """A note if a declared level does not occur."""
    if attribute.kind != "nominal":
        return ""
    found = set(column.unique().to_pylist())
    unused = [level for level in attribute.levels if level not in found]
    if not unused:
        return ""
    more = f", nor do {len(unused) - 1} more" if len(unused) > 1 else ""
    return f"column '{attribute.name}': declared level {unused[0]!r} does not occur{more}"
