"""What Arrow lets pass or does not locate: quotes that are not closed, and rows of the wrong length."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError
from heldout.table.csv_dialect import NAMES, Head
from heldout.table.csv_header import Record, fields, line_at, records

_BLOCK = 1 << 20


@dataclass(frozen=True)
class QuoteCheck:
    """Are there quotes, does a quoted value hold line ends, and what is to be said about them?"""

    has_quotes: bool
    has_line_ends: bool
    notes: tuple[str, ...] = ()


class _QuoteScan:
    """The quotes of a file block by block, so that each block is looked at while it is in the cache."""

    def __init__(self, table: NDArray[np.uint8], delimiter: int, has_returns: bool) -> None:
        self.table = table
        self.has_returns = has_returns
        self.begins = range(0, len(table), _BLOCK)
        self.outside = np.zeros(256, dtype=np.bool_)
        self.outside[[10, 13, ord('"'), delimiter]] = True

    def n_quotes(self, begin: int) -> int:
        return int(np.count_nonzero(self.table[begin : begin + _BLOCK] == ord('"')))

    def look(self, begin: int, n_before: int) -> tuple[bool, int | None]:
        """Are the block's quotes sound, and where is its first line end inside quotes?

        Sound is: every other quote begins a field, and the ones between end it. A quote beside a quote
        is one of a doubled pair, which closes and opens again.
        """
        block = self.table[begin : begin + _BLOCK]
        quotes = np.flatnonzero(block == ord('"'))
        opening, closing = quotes[n_before % 2 :: 2] + begin, quotes[1 - n_before % 2 :: 2] + begin
        # At either end of the file the clipped neighbor is the quote itself, which counts as outside.
        begins = self.outside.take(self.table.take(opening - 1, mode="clip"))
        ends = self.outside.take(self.table.take(closing + 1, mode="clip"))
        line_ends = np.flatnonzero((block == 10) | (block == 13) if self.has_returns else block == 10)
        inside = (n_before + np.searchsorted(quotes, line_ends)) % 2 == 1
        inner = begin + int(line_ends[np.argmax(inside)]) if inside.any() else None
        return bool(begins.all() and ends.all()), inner


def check_quotes(data: bytes, head: Head) -> QuoteCheck:
    """Refuse a quote that is not closed, with its line; every quote of the file is looked at."""
    if data.find(b'"', head.begin) < 0:
        return QuoteCheck(False, False)
    has_returns = data.find(b"\r", head.begin) >= 0
    table = np.frombuffer(data, dtype=np.uint8)[head.begin :]
    scan = _QuoteScan(table, ord(head.delimiter), has_returns)
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        counts = list(pool.map(scan.n_quotes, scan.begins))
        n_before = [0, *accumulate(counts)]
        looks = list(pool.map(scan.look, scan.begins, n_before))
    if n_before[-1] % 2 or not all(is_sound for is_sound, _ in looks):
        return _check_slowly(data, head)
    found = [inner for _, inner in looks if inner is not None]
    if not found:
        return QuoteCheck(True, False)
    return QuoteCheck(True, True, (_line_end_note(line_at(data, head.begin + found[0])),))


def wrong_length(data: bytes, head: Head, begin: int, line: int, n_columns: int) -> DataError:
    """The error for rows with too many or too few fields: the first one's line, and how many there are."""
    found = list(records(data, head.delimiter, begin, line, head.comment))
    wrong = [record for record in found if record.n_fields != n_columns]
    if not wrong:
        return DataError(
            "the file cannot be cut into rows",
            where=f"after line {line}",
            fix=f"check quotes and the delimiter {head.delimiter!r}",
        )
    first = wrong[0]
    amount = "many" if first.n_fields > n_columns else "few"
    more = f"; {len(wrong):,} such rows" if len(wrong) > 1 else ""
    return DataError(
        f"a row has too {amount} fields",
        where=f"line {first.line:,} has {_n_fields(first.n_fields)} where {n_columns} would be right{more}",
        fix=_length_fix(data, first, head, n_columns, is_everywhere=len(wrong) == len(found)),
    )


def has_trailing_delimiter(data: bytes, head: Head, begin: int, line: int, n_columns: int) -> bool:
    """Does every row end in one delimiter too many?"""
    mark = head.delimiter.encode()
    found = False
    for record in records(data, head.delimiter, begin, line, head.comment):
        if record.n_fields != n_columns + 1 or not data.endswith(mark, record.begin, record.end):
            return False
        found = True
    return found


def _n_fields(n: int) -> str:
    return f"{n:,} field{'s' * (n != 1)}"


def _length_fix(data: bytes, record: Record, head: Head, n_columns: int, is_everywhere: bool) -> str:
    text = data[record.begin : record.begin + 50]
    if text.startswith(b"#"):
        return "if it is a comment, say comment='#'"
    if not text.strip():
        return "the line holds nothing but white space: remove it"
    if is_everywhere and record.n_fields > n_columns > 1:
        return _wide_rows_fix(fields(data, record, head.delimiter), head.delimiter, n_columns)
    if record.n_fields > n_columns:
        return f"put quotes around values that hold {head.delimiter!r}, or say delimiter= if it is another"
    separated = NAMES.get(head.delimiter, repr(head.delimiter))
    return f"fill the row up, or say delimiter= if fields are not separated by {separated}"


def _wide_rows_fix(cells: list[str], delimiter: str, n_columns: int) -> str:
    """Every row is longer than the header: decimal commas where digits stand side by side, else row names."""
    quotes = f"put quotes around values that hold {delimiter!r}"
    has_digits = any(left.isdigit() and right.isdigit() for left, right in pairwise(cells))
    if delimiter == "," and has_digits:
        quotes = f"if numbers have decimal commas, write them with points or in quotes; or {quotes}"
    if len(cells) != n_columns + 1:
        return quotes
    names = "if rows begin with row names, say names=[...], header=False and skip_lines for the header"
    return f"{quotes}; {names}" if has_digits else f"{names}; or {quotes}"


def _check_slowly(data: bytes, head: Head) -> QuoteCheck:
    line_end_line, loose_line = 0, 0
    for record in records(data, head.delimiter, head.begin, head.line, head.comment):
        if record.problem:
            raise _quote_error(data, record, head)
        if record.n_lines > 1:
            line_end_line = line_end_line or record.line
        if record.has_loose:
            loose_line = loose_line or record.line
    notes = [_line_end_note(line_end_line)] if line_end_line else []
    if loose_line:
        notes.append(f"quotes inside values are taken as they stand, first on line {loose_line:,}")
    return QuoteCheck(True, line_end_line > 0, tuple(notes))


def _line_end_note(line: int) -> str:
    return f"quoted values hold line ends, first on line {line:,}"


def _quote_error(data: bytes, record: Record, head: Head) -> DataError:
    text = data[record.begin : record.begin + 40].splitlines()[0].decode("utf-8", "replace")
    where = f"line {record.line:,}, {text!r}"
    if record.problem == "space before quote":
        fix = f"remove the white space between {head.delimiter!r} and the quote"
        return DataError("a quote stands after white space, where it does not quote", where, fix)
    fix = 'write "" for a quote that belongs to the value'
    if record.problem == "unclosed" or record.n_lines > 1:
        return DataError("a quote is opened and not closed", where, f"close it, or {fix}")
    return DataError("text follows a closing quote", where, fix)
