"""The names of the columns, and the check that the first line is a header and no row."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from heldout.errors import DataError, RequestError
from heldout.table.column import Column
from heldout.table.kinds import boolean_levels
from heldout.table.missing_markers import DEFAULT_MARKERS
from heldout.table.parse_dates import read_dates
from heldout.table.parse_numbers import is_plain_number
from heldout.table.table import Table

_FIRST_YEAR, _LAST_YEAR = 1900, 2100


def check_names_and_header(names: Sequence[str] | None, header: bool | None) -> None:
    """Names alone do not say whether the first line is a row."""
    if names is not None and header is None:
        raise RequestError(
            "names do not say whether the file has a header",
            where=f"names has {len(names)} entries, header is not given",
            fix="add header=False if the first line is a row, header=True if it is to be replaced",
        )


def column_names(header: Sequence[str] | None, n_columns: int, names: Sequence[str] | None) -> list[str]:
    """Names from the user, from the header, or column_1, column_2, ... where there is neither."""
    if names is not None and len(names) != n_columns:
        raise RequestError(
            "there must be one name per column",
            where=f"names has {len(names)}, the source {n_columns} columns",
            fix="name every column",
        )
    if names is not None:
        return [str(name) for name in names]
    if header is None:
        return [f"column_{position}" for position in range(1, n_columns + 1)]
    return [*header, ""][:n_columns]


def check_header(first_row: Sequence[str], table: Table, location: str) -> tuple[str, ...]:
    """Refuse a first line that looks like a row: read as names, that row would be lost.

    A cell speaks for a row if it is a number or date over a column of them, or a value that occurs below
    it; it speaks for a header if it is neither over a column of numbers, dates or booleans.

    place: where the line is, "line 1" or "row 1 of the sheet"
    """
    claims = [_claim(cell, column) for cell, column in zip(first_row, table.columns, strict=True)]
    if not _is_row(claims):
        return _value_notes(first_row, claims, location)
    numbered = [index for index, claim in enumerate(claims) if claim == "number"]
    cells = [first_row[index] for index in numbered]
    if _are_years(cells) and not all(_holds_years(table.columns[index]) for index in numbered):
        return (
            f"{location} is taken as names, as its numbers count up like years; header=False makes it a row",
        )
    what = "looks like a row, not like a header"
    if _counts_up(cells):
        what = "may be a row or hold names: its numbers count up"
    position = next(index for index, claim in enumerate(claims) if claim in ("number", "value"))
    kind = table.columns[position].kind
    raise DataError(
        f"the first line {what}",
        where=f"{location}, column {position + 1}: {first_row[position]!r} over a column of kind {kind}",
        fix="say header=False (with names=[...] to name the columns), or header=True if it is one",
    )


def _is_row(claims: Sequence[str]) -> bool:
    n_numbers, n_values, n_names = (claims.count(claim) for claim in ("number", "value", "name"))
    if n_numbers:
        return n_numbers > n_names
    return n_values > n_names and (n_values >= 2 or "new" not in claims)


def _value_notes(first_row: Sequence[str], claims: Sequence[str], location: str) -> tuple[str, ...]:
    """A name that is also a value of its column is odd, and said."""
    if "value" not in claims:
        return ()
    position = claims.index("value")
    name = first_row[position]
    note = f"{location} is taken as names, though {name!r} is also a value of column {position + 1}"
    return (f"{note}; header=False makes it a row",)


def _claim(cell: str, column: Column) -> str:
    """What a cell of the first line says: "number", "value", "name", "new" (a value not seen below), ""."""
    if cell == "" or cell in DEFAULT_MARKERS:
        return ""
    if column.kind in ("number", "date") and np.isnan(column.values).all():
        return ""
    strings = pa.array([cell])
    if column.kind == "number":
        return "number" if is_plain_number(strings)[0] or _is_decorated(cell) else "name"
    if column.kind == "date":
        return "number" if read_dates(strings, True) or read_dates(strings, False) else "name"
    if column.kind in ("category", "boolean"):
        is_value = cell in column.levels or cell.casefold() in column.levels
        # A "no" over nothing but "yes" is the other value of the pair.
        is_value = is_value or boolean_levels([cell, *column.levels[:13]]) is not None
        return "value" if is_value else "name" if column.kind == "boolean" else "new"
    is_numeric = column.kind == "identifier" and cell.isdigit()
    return (
        "number"
        if is_numeric and all(value is None or value.isdigit() for value in column.values[:1000])
        else ""
    )


def _is_decorated(cell: str) -> bool:
    return any(character.isdigit() for character in cell) and not any(
        character.isalpha() for character in cell
    )


def _counts_up(cells: Sequence[str]) -> bool:
    """Two or more whole numbers in steps of one."""
    return len(cells) > 1 and _are_digits(cells) and bool((np.diff([int(cell) for cell in cells]) == 1).all())


def _are_years(cells: Sequence[str]) -> bool:
    """Two or more years that increase are names."""
    if len(cells) < 2 or not _are_digits(cells):
        return False
    years = np.array([int(cell) for cell in cells])
    return bool((years >= _FIRST_YEAR).all() and (years <= _LAST_YEAR).all() and (np.diff(years) > 0).all())


def _holds_years(column: Column) -> bool:
    """Is every value a year, so that a year above them may be one more?"""
    if column.kind != "number":
        return False
    known = column.values[~np.isnan(column.values)]
    return bool(((known >= _FIRST_YEAR) & (known <= _LAST_YEAR)).all())


def _are_digits(cells: Sequence[str]) -> bool:
    """A number of 19 digits or more does not fit an integer, and is no name."""
    return all(cell.isascii() and cell.isdigit() and len(cell) < 19 for cell in cells)


_COUNTED_AT_ONCE = 1 << 18
_LINE_END = re.compile(rb"\r\n|\r|\n")
_QUOTED = re.compile(rb'"[^"]*(?:""[^"]*)*"')


@dataclass(frozen=True)
class Record:
    """One record: where it lies, and what is wrong with it.

    line:       physical line on which it begins, from 1
    begin, end: bytes, without the line end
    n_lines:    more than 1 if a quoted field holds line ends
    has_loose:  is there a quote inside a field that does not begin with one?
    problem:    "", or "unclosed" (a quote that never ends), "text after quote", "space before quote"
    """

    line: int
    begin: int
    end: int
    n_fields: int
    n_lines: int = 1
    problem: str = ""
    has_loose: bool = False


def records(
    data: bytes, delimiter: str, begin: int = 0, line: int = 1, comment: str = "", keep_blank: bool = False
) -> Iterator[Record]:
    """The records from a position on; blank lines and comment lines are passed over.

    line:       the physical line of `begin`
    keep_blank: a blank line is a record of one empty field
    """
    mark, prefix = delimiter.encode(), comment.encode()
    while begin < len(data):
        found = _LINE_END.search(data, begin)
        end, after = (found.start(), found.end()) if found else (len(data), len(data))
        is_comment = bool(prefix) and data.startswith(prefix, begin)
        if is_comment or (begin == end and not keep_blank):
            begin, line = after, line + 1
            continue
        if data.find(b'"', begin, end) < 0:
            record = Record(line, begin, end, data.count(mark, begin, end) + 1)
        else:
            record = _quoted_record(data, mark, begin, line)
            found = _LINE_END.match(data, record.end)
            after = found.end() if found else len(data)
        yield record
        begin, line = after, line + record.n_lines


def fields(data: bytes, record: Record, delimiter: str) -> list[str]:
    """The record's fields as text, quotes taken off."""
    mark = delimiter.encode()
    return [_unquoted(part) for part in _split(data, mark, record)]


def n_line_ends(data: bytes, begin: int, end: int) -> int:
    """How many physical lines end between two positions."""
    n_feeds = _n_feeds(data, begin, end)
    if data.find(b"\r", begin, end) < 0:
        return n_feeds
    return n_feeds + data.count(b"\r", begin, end) - data.count(b"\r\n", begin, end)


def _n_feeds(data: bytes, begin: int, end: int) -> int:
    """How many line feeds; in a large file NumPy counts them three times as fast as bytes.count."""
    if end - begin < _COUNTED_AT_ONCE:
        return data.count(b"\n", begin, end)
    view = np.frombuffer(data, dtype=np.uint8)[begin:end]
    parts = range(0, len(view), _COUNTED_AT_ONCE)
    return sum(int(np.count_nonzero(view[part : part + _COUNTED_AT_ONCE] == 10)) for part in parts)


def line_at(data: bytes, position: int) -> int:
    """The physical line, from 1, that a byte lies on."""
    return 1 + n_line_ends(data, 0, position)


def _quoted_record(data: bytes, mark: bytes, begin: int, line: int) -> Record:
    n_fields, position, problem, has_loose = 1, begin, "", False
    while True:
        field_end, trouble = _field_end(data, mark, position)
        problem = problem or trouble
        has_loose |= data[position : position + 1] != b'"' and data.find(b'"', position, field_end) >= 0
        if trouble == "unclosed" or data[field_end : field_end + 1] != mark:
            n_lines = 1 + n_line_ends(data, begin, field_end)
            return Record(line, begin, field_end, n_fields, n_lines, problem, has_loose)
        n_fields, position = n_fields + 1, field_end + 1


def _field_end(data: bytes, mark: bytes, position: int) -> tuple[int, str]:
    """Where the field that begins here ends, and what is wrong with it."""
    plain = re.compile(rb"[^\r\n" + re.escape(mark) + rb"]*")
    if data[position : position + 1] != b'"':
        found = plain.match(data, position)
        assert found is not None
        has_late_quote = found[0].lstrip(b" ").startswith(b'"')
        return found.end(), "space before quote" if has_late_quote else ""
    quoted = _QUOTED.match(data, position)
    if quoted is None:
        return len(data), "unclosed"
    rest = plain.match(data, quoted.end())
    assert rest is not None
    return rest.end(), "text after quote" if rest[0] else ""


def _split(data: bytes, mark: bytes, record: Record) -> Iterator[bytes]:
    position = record.begin
    while True:
        field_end, _ = _field_end(data, mark, position)
        yield data[position:field_end]
        if data[field_end : field_end + 1] != mark:
            return
        position = field_end + 1


def _unquoted(part: bytes) -> str:
    if len(part) >= 2 and part.startswith(b'"') and part.endswith(b'"'):
        part = part[1:-1].replace(b'""', b'"')
    return part.decode("utf-8", "replace").strip()
