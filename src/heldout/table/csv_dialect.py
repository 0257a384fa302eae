"""Which character separates the fields of a file.

The rule: of comma, semicolon, tab and bar, the one that gives every one of the first 200 records,
the header included, the same number of fields, and more than one. If several do, it is not guessed.
If none does, the one under which most records agree with the header; Arrow then refuses the others.
If the header has none of them, it is a file of one column, unless one_column.py finds that
something else sets fields apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from heldout.errors import DataError, RequestError
from heldout.table.csv_header import Record, fields, records
from heldout.table.parse_numbers import PLAIN_NUMBER
from heldout.text.words import times

CANDIDATES = (",", ";", "\t", "|")
NAMES = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "spaces"}

_SAMPLE = 200


@dataclass(frozen=True)
class Dialect:
    """The delimiter, and what is to be said about it."""

    delimiter: str
    notes: tuple[str, ...] = ()


def dialect(data: bytes, begin: int, line: int, delimiter: str | None, comment: str = "") -> Dialect:
    """The delimiter that the user named, or the one that the rule above finds.

    begin, line: where the header is
    """
    if delimiter is not None:
        return Dialect(_checked(delimiter), _doubts(data, begin, line, delimiter, comment))
    counts = {
        mark: [record.n_fields for record in _sample(data, mark, begin, line, comment)] for mark in CANDIDATES
    }
    steady = [mark for mark in CANDIDATES if counts[mark][0] > 1 and len(set(counts[mark])) == 1]
    if len(steady) > 1:
        raise _undecided(steady, counts, line)
    if steady:
        return _noted(steady[0])
    split = [mark for mark in CANDIDATES if counts[mark][0] > 1]
    if split:
        return _noted(max(split, key=lambda mark: counts[mark].count(counts[mark][0]) / len(counts[mark])))
    _refuse_title(data, begin, line, comment, counts)
    refuse_one_column(data, _sample(data, ",", begin, line, comment))
    return Dialect(",")


def _sample(data: bytes, mark: str, begin: int, line: int, comment: str) -> Sequence[Record]:
    return list(islice(records(data, mark, begin, line, comment), _SAMPLE))


def _noted(mark: str) -> Dialect:
    if mark == ",":
        return Dialect(mark)
    return Dialect(mark, (f"fields are separated by {NAMES[mark]}; delimiter= overrides",))


def _doubts(data: bytes, begin: int, line: int, delimiter: str, comment: str) -> tuple[str, ...]:
    """One column, where another delimiter would give several, is read as asked, and said."""
    if any(record.n_fields > 1 for record in _sample(data, delimiter, begin, line, comment)):
        return ()
    for mark in CANDIDATES:
        counts = {record.n_fields for record in _sample(data, mark, begin, line, comment)}
        if len(counts) == 1 and max(counts) > 1:
            return (f"{delimiter!r} gives one column, where {NAMES[mark]} would give {max(counts)}",)
    return ()


def _checked(delimiter: str) -> str:
    if (
        isinstance(delimiter, str)
        and len(delimiter) == 1
        and delimiter.isascii()
        and delimiter not in '\r\n"'
    ):
        return delimiter
    raise RequestError(
        "a delimiter is one ASCII character, and neither a quote nor a line end",
        where=f"delimiter={delimiter!r}",
        fix='leave it out to have it found, or say "," or ";" or "\\t"',
    )


def _undecided(steady: Sequence[str], counts: dict[str, list[int]], line: int) -> DataError:
    ways = " and ".join(f"{counts[mark][0]} by {NAMES[mark]}" for mark in steady)
    return DataError(
        "the fields may be separated in more than one way",
        where=f"from line {line} on, every line has fields: {ways}",
        fix=f"say which with delimiter={steady[0]!r} or delimiter={steady[1]!r}",
    )


def _refuse_title(data: bytes, begin: int, line: int, comment: str, counts: dict[str, list[int]]) -> None:
    """A title above the header would make a table of one column."""
    for mark in CANDIDATES:
        rest = counts[mark][1:]
        if len(rest) > 1 and len(set(rest)) == 1 and rest[0] > 1:
            first, second = islice(records(data, mark, begin, line, comment), 2)
            text = data[first.begin : first.end][:40].decode("utf-8", "replace")
            raise DataError(
                "the first line is not a header of the lines below it",
                where=f"line {first.line} has 1 field, {text!r}, line {second.line} has {rest[0]}",
                fix=f"remove it or say skip_lines={first.line}; "
                f"if the file has one column, say delimiter with a character it does not hold",
            )


_SEP = re.compile(rb'"?sep=(.)"?[ \t]*(\r\n|\r|\n)', re.IGNORECASE)
_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|$)")


@dataclass(frozen=True)
class Head:
    """Where the header begins, and how the file is written.

    begin:   byte of the header (or of the first row, if there is none)
    line:    its physical line
    comment: what a comment line begins with, "" if there are none
    """

    begin: int
    line: int
    delimiter: str
    comment: str = ""
    notes: tuple[str, ...] = ()


def csv_head(data: bytes, delimiter: str | None, comment: str | None, skip_lines: int = 0) -> Head:
    """Find the header.

    comment: what a comment line begins with, "" for none, None to pass over '#' lines before the header
    """
    begin, line = _skipped(data, skip_lines)
    sep = _SEP.match(data, begin)
    notes: tuple[str, ...] = ()
    if sep is not None:
        delimiter = delimiter or sep[1].decode("ascii", "replace")
        begin, line = sep.end(), line + 1
        notes = (f"line {line - 1} says that fields are separated by {delimiter!r}",)
    after, n_comments = _leading_comments(data, begin) if comment is None else (begin, 0)
    if after >= len(data):
        raise DataError(
            "the file has no header and no rows",
            where=f"all {line - 1 + n_comments} lines are skipped or begin with '#'",
            fix="check where it was written; comment='' keeps lines that begin with '#'",
        )
    found = dialect(data, after, line + n_comments, delimiter, comment or "")
    if n_comments:
        _refuse_possible_header(data, begin, after, line, found)
        lines = f"line {line}" if n_comments == 1 else f"lines {line} to {line + n_comments - 1}"
        notes += (f"{lines} skipped as a comment, by the leading '#'; comment='' keeps it",)
    notes += found.notes
    return Head(after, line + n_comments, found.delimiter, comment or "", notes)


def _skipped(data: bytes, skip_lines: int) -> tuple[int, int]:
    begin = 0
    for n_skipped in range(skip_lines):
        found = _LINE.match(data, begin)
        if found is None or begin >= len(data):
            raise RequestError(
                "there are fewer lines than are to be skipped",
                where=f"skip_lines={skip_lines}, the file has {n_skipped} lines",
                fix="skip fewer",
            )
        begin = found.end()
    return begin, 1 + skip_lines


def _leading_comments(data: bytes, begin: int) -> tuple[int, int]:
    n_comments = 0
    while data.startswith(b"#", begin):
        found = _LINE.match(data, begin)
        assert found is not None
        begin, n_comments = found.end(), n_comments + 1
    return begin, n_comments


def _refuse_possible_header(data: bytes, begin: int, after: int, line: int, found: Dialect) -> None:
    """`#id,age` may be a header: the last '#' line with as many fields as the rows is not skipped."""
    comments = list(records(data[:after], found.delimiter, begin, line))
    below = next(islice(records(data, found.delimiter, after), 1), None)
    last = comments[-1]
    if below is not None and last.n_fields == below.n_fields:
        raise DataError(
            "a line that begins with '#' may be a comment or the header",
            where=f"line {last.line} has as many fields as the lines below, {last.n_fields}",
            fix="say comment='#' to skip it, or comment='' to keep it",
        )


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
                where=f"{where} is in quotes and holds {mark!r} {times(n_marks)} inside them",
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
            where=f"{where} holds it {times(n_marks)}",
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
    for index in range(1, width):
        if any(line[index : index + 1].strip() for line in lines):
            continue
        are_filled = [bool(line[:index].strip()) and bool(line[index:].strip()) for line in lines]
        is_filled_up = any("  " in line[max(index - 1, 0) : index + 2] for line in lines)
        if are_filled[0] and is_filled_up and 2 * sum(are_filled) > len(are_filled):
            raise DataError(
                "the fields seem to stand in columns of fixed width",
                where=f"{where} has a blank at character {index + 1}",
                fix="say delimiter=' ' if no value is empty or holds a blank, else read it with "
                "pandas.read_fwf and hand the frame over; if it is one column, say delimiter='\\t'",
            )


def _steady_count(lines: Sequence[str], mark: str) -> int:
    """How often every line holds the mark; 0 if they differ."""
    counts = {line.count(mark) for line in lines}
    return counts.pop() if len(counts) == 1 else 0


def _other(mark: str) -> str:
    return "\t" if mark != "\t" else "|"
