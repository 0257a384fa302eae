"""Records of a delimited text as they stand in its bytes: where they begin and end, and their cells."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
from numpy.typing import NDArray

from heldout.table.csv_header import records

_FEED, _RETURN, _QUOTE = 10, 13, ord('"')


@dataclass(frozen=True, eq=False)
class RecordCuts:
    """The whole records of a part."""

    # Bytes of each record, its line end left out; a blank line is a record without bytes
    begins: NDArray[np.intp]
    ends: NDArray[np.intp]
    n_used: int  # bytes of the part up to which records are whole
    has_line_ends: bool = False  # does a quoted value hold a line end?
    problem: str = ""  # "", or what is wrong with the quotes of a record; known only when the text has ended


def record_cuts(part: bytes, delimiter: str, is_last: bool) -> RecordCuts:
    """The records of a part that begins where a record does."""
    view = np.frombuffer(part, dtype=np.uint8)
    marks = _line_ends(view, is_last)
    if b'"' not in part:
        return _cuts(view, marks, is_last)
    quotes = np.flatnonzero(view == _QUOTE)
    if not are_sound_quotes(view, quotes, ord(delimiter), is_last):
        return _scanned(part, delimiter, is_last)
    is_inside = np.searchsorted(quotes, marks) % 2 == 1
    outside = marks[~is_inside]
    n_used = int(outside[-1]) + 1 if len(outside) else 0
    inner = bool(is_inside.any()) if is_last else bool((marks[is_inside] < n_used).any())
    return _cuts(view, outside, is_last, inner)


def _line_ends(view: NDArray[np.uint8], is_last: bool) -> NDArray[np.intp]:
    """The last byte of every line end: a feed, or a return that no feed follows."""
    feeds = np.flatnonzero(view == _FEED)
    returns = np.flatnonzero(view == _RETURN)
    if not len(returns):
        return feeds
    is_alone = view.take(returns + 1, mode="clip") != _FEED
    if len(returns) and returns[-1] == len(view) - 1:
        is_alone[-1] = is_last  # before the next part is there, nobody knows what follows it
    return np.sort(np.concatenate([feeds, returns[is_alone]]))


def are_sound_quotes(
    view: NDArray[np.uint8], quotes: NDArray[np.intp], delimiter: int, is_last: bool
) -> bool:
    """Does every other quote begin a field, and do the ones between end it? Doubled ones do both."""
    is_outside = np.zeros(256, dtype=np.bool_)
    is_outside[[_FEED, _RETURN, _QUOTE, delimiter]] = True
    opening, closing = quotes[0::2], quotes[1::2]
    if len(quotes) % 2 and is_last:
        return False
    begins = is_outside[view.take(opening - 1, mode="clip")] | (opening == 0)
    ends = is_outside[view.take(closing + 1, mode="clip")] | (closing == len(view) - 1)
    return bool(begins.all() and ends.all())


def _cuts(
    view: NDArray[np.uint8], marks: NDArray[np.intp], is_last: bool, has_line_ends: bool = False
) -> RecordCuts:
    n_used = int(marks[-1]) + 1 if len(marks) else 0
    begins = np.concatenate([[0], marks[:-1] + 1]).astype(np.intp) if len(marks) else np.empty(0, np.intp)
    has_return = (view[marks] == _FEED) & (marks > begins) & (view.take(marks - 1, mode="clip") == _RETURN)
    ends = marks - has_return
    if is_last and n_used < len(view):
        begins, ends = np.append(begins, n_used), np.append(ends, len(view))
        n_used = len(view)
    return RecordCuts(begins, ends, n_used, has_line_ends)


def _scanned(part: bytes, delimiter: str, is_last: bool) -> RecordCuts:
    """The same one by one, where quotes stand in the middle of values, or something is wrong with them."""
    begins: list[int] = []
    ends: list[int] = []
    n_used, has_line_ends = 0, False
    for record in records(part, delimiter, keep_blank=True):
        after = _after(part, record.end)
        # What reaches the end of a part may go on in the next one, and what seems wrong may be a doubled
        # quote of a value that is closed later.
        if not is_last and (record.problem or after >= len(part)):
            break
        if record.problem:
            return _arrays(begins, ends, n_used, has_line_ends, record.problem)
        begins.append(record.begin)
        ends.append(record.end)
        n_used, has_line_ends = after, has_line_ends or record.n_lines > 1
    return _arrays(begins, ends, n_used, has_line_ends, "")


def _after(part: bytes, end: int) -> int:
    return end + 2 if part.startswith(b"\r\n", end) else min(end + 1, len(part))


def _arrays(begins: list[int], ends: list[int], n_used: int, *claims: Any) -> RecordCuts:
    return RecordCuts(np.array(begins, np.intp), np.array(ends, np.intp), n_used, *claims)


_QUOTED = re.compile(rb'"[^"]*(?:""[^"]*)*"')


def cell(text: str, delimiter: str) -> str:
    """Text as a cell, in quotes if it must be."""
    if any(mark in text for mark in (delimiter, '"', "\n", "\r")) or text != text.strip():
        return '"' + text.replace('"', '""') + '"'
    return text


def joined(*parts: Any, mark: str = "") -> Any:
    """Arrow arrays of large strings, and strings for all rows, put together row by row."""
    large = [pa.scalar(part, pa.large_string()) if isinstance(part, str) else part for part in (*parts, mark)]
    return pc.binary_join_element_wise(*large)


def number_cells(numbers: NDArray[np.float64], delimiter: str, decimal: str) -> Any:
    """Numbers as cells with every digit; an Arrow array of large strings."""
    texts = pa.array(np.asarray(numbers, dtype=np.float64)).cast(pa.large_string())
    if decimal == ",":
        texts = pc.replace_substring(texts, ".", ",")
        if delimiter == ",":
            texts = joined('"', texts, '"')
    return texts


def raw_cells(record: bytes, delimiter: str) -> list[bytes]:
    """The cells of a record as they stand there, quotes and all."""
    mark = delimiter.encode()
    cells: list[bytes] = []
    position = 0
    while True:
        quoted = _QUOTED.match(record, position)
        end = record.find(mark, quoted.end() if quoted else position)
        if end < 0:
            return [*cells, record[position:]]
        cells.append(record[position:end])
        position = end + 1


def guarded_cell(raw: bytes) -> bytes:
    """A raw cell with the guard before its text, inside the quotes if it has some."""
    return b"\"'" + raw[1:] if raw.startswith(b'"') else b"'" + raw
