"""The records of a delimited file one by one, with the physical line each begins on.

Arrow reads the rows; this slower scanner looks at the head of a file, and says on which line
something is wrong. Both read quotes alike: a field that begins with a quote ends at the next single
quote, two quotes inside stand for one, and a quote in the middle of a field is an ordinary character.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

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
