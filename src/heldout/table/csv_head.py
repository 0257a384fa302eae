"""Where the table begins: comment lines, lines to skip and Excel's `sep=` line come before the header."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice

from heldout.errors import DataError, RequestError
from heldout.table.csv_dialect import Dialect, dialect
from heldout.table.csv_records import records

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
