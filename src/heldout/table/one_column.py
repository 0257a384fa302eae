"""A file that would be read as one column, although something sets its fields apart.

Read so, a table of five columns becomes one of long strings without a word. Where every line, the header
included, holds a mark equally often, or blanks in the same places, or is quoted as a whole, it is
asked how the file is meant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from heldout.errors import DataError
from heldout.table.csv_records import Record, fields
from heldout.table.number_text import PLAIN_NUMBER

_INSIDE_QUOTES = (",", ";", "\t", "|")
_MARKS = tuple(":^~!&*=/\\#@\x01\x02\x1c\x1d\x1e\x1f¦§¬")
_NUMBER = re.compile(PLAIN_NUMBER)


def refuse_one_column(data: bytes, sample: Sequence[Record]) -> None:
    """A DataError that says what seems to set fields apart; nothing if it is one column.

    sample: the first records, the header included, none of which a usual delimiter cuts
    """
    if len(sample) < 2:
        return
    lines = [data[record.begin : record.end].decode("utf-8", "replace") for record in sample]
    where = f"from line {sample[0].line} on, every line"
    _refuse_quoted_lines([fields(data, record, ",")[0] for record in sample], lines, where)
    _refuse_marks(lines, where)
    _refuse_spaces(lines, where)
    _refuse_fixed_widths(lines, where)


def _refuse_quoted_lines(values: Sequence[str], lines: Sequence[str], where: str) -> None:
    """`"a,b,c"` is one value, and so is every line that is quoted as a whole."""
    if not all(line.startswith('"') for line in lines):
        return
    for mark in _INSIDE_QUOTES:
        n_marks = _steady_count(values, mark)
        if n_marks:
            one_column = f"if it is one column, say delimiter={_other(mark)!r}"
            raise DataError(
                "whole lines are quoted, so that each is one value",
                where=f"{where} is in quotes and holds {mark!r} {_times(n_marks)} inside them",
                fix=f"remove the quotes around the lines; {one_column}",
            )


def _refuse_marks(lines: Sequence[str], where: str) -> None:
    for mark in _MARKS:
        n_marks = _steady_count(lines, mark)
        if not n_marks:
            continue
        shown, fix = mark, f"say delimiter={mark!r}"
        if lines[0].count(mark * 2) * 2 == n_marks:
            shown, n_marks = mark * 2, n_marks // 2
        if len(shown) > 1 or not mark.isascii():
            fix = f"a delimiter is one ASCII character: replace {shown!r} by a tab in the file"
        raise DataError(
            f"the fields seem to be separated by {shown!r}",
            where=f"{where} holds it {_times(n_marks)}",
            fix=f"{fix}; if it is one column, say delimiter='\\t'",
        )


def _refuse_spaces(lines: Sequence[str], where: str) -> None:
    """Words on every line alike, some of them numbers."""
    rows = [line.split() for line in lines]
    n_parts = len(rows[0])
    if n_parts < 2 or any(len(row) != n_parts for row in rows):
        return
    parts = list(zip(*rows[1:], strict=True))
    if any(all(_NUMBER.match(part) for part in column) for column in parts):
        raise DataError(
            "the fields seem to be separated by spaces",
            where=f"{where} has {n_parts} parts",
            fix="say delimiter=' '; if it is one column, say delimiter='\\t'",
        )


def _refuse_fixed_widths(lines: Sequence[str], where: str) -> None:
    """A place that is blank on every line, and that values were filled up to with blanks."""
    width = min(len(lines[0]), 2000)
    for place in range(1, width):
        if any(line[place : place + 1].strip() for line in lines):
            continue
        parted = [bool(line[:place].strip()) and bool(line[place:].strip()) for line in lines]
        is_filled_up = any("  " in line[max(place - 1, 0) : place + 2] for line in lines)
        if parted[0] and is_filled_up and 2 * sum(parted) > len(parted):
            raise DataError(
                "the fields seem to stand in columns of fixed width",
                where=f"{where} has a blank at character {place + 1}",
                fix="say delimiter=' ' if no value is empty or holds a blank, else read it with "
                "pandas.read_fwf and hand the frame over; if it is one column, say delimiter='\\t'",
            )


def _steady_count(lines: Sequence[str], mark: str) -> int:
    """How often every line holds the mark; 0 if they differ."""
    counts = {line.count(mark) for line in lines}
    return counts.pop() if len(counts) == 1 else 0


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _other(mark: str) -> str:
    return "\t" if mark != "\t" else "|"
