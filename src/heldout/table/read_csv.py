"""A CSV or TSV file as columns of strings: read by Arrow, checked and located by us."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import pyarrow as pa
import pyarrow.csv

from heldout.errors import DataError
from heldout.table.arrow_strings import string_size
from heldout.table.csv_checks import QuoteCheck, check_quotes, has_trailing_delimiter, wrong_length
from heldout.table.csv_dialect import Head, csv_head
from heldout.table.csv_header import (
    Record,
    check_names_and_header,
    column_names,
    fields,
    n_line_ends,
    records,
)
from heldout.table.decode_text import csv_text
from heldout.table.raw_table import RawTable, row_label

_BLOCK = 1 << 22


@dataclass(frozen=True)
class CsvOptions:
    """How the user says that the file is written; None where it is to be found out.

    header:     True: the first line holds the names; False: it is a row; None: it must not look like a row
    names:      the columns' names, instead of or above the header's
    comment:    what a comment line begins with, "" for none
    skip_lines: lines before the header to pass over
    """

    delimiter: str | None = None
    encoding: str | None = None
    header: bool | None = None
    names: Sequence[str] | None = None
    comment: str | None = None
    skip_lines: int = 0


@dataclass(frozen=True)
class _Body:
    """Where the rows are, and how they are to be cut.

    begin, line: byte and physical line of the first row
    """

    data: bytes
    head: Head
    begin: int
    line: int
    n_columns: int
    quotes: QuoteCheck

    def rows(self) -> Iterator[Record]:
        is_single = self.n_columns == 1
        return records(self.data, self.head.delimiter, self.begin, self.line, self.head.comment, is_single)

    def location(self, row_index: int) -> str:
        record = next(islice(self.rows(), row_index, None), None)
        return row_label(row_index) + (f" (line {record.line:,})" if record else "")


def read_csv(data: bytes, options: CsvOptions) -> RawTable:
    """The columns of a delimited text, all of them strings.

    data: the file's bytes
    """
    check_names_and_header(options.names, options.header)
    text = csv_text(data, options.encoding)
    head = csv_head(text.data, options.delimiter, options.comment, options.skip_lines)
    data = _with_single_spaces(text.data, head)
    quotes = check_quotes(data, head)
    first = next(records(data, head.delimiter, head.begin, head.line, head.comment), None)
    if first is None:
        raise DataError("the file has no header and no rows", "every line is blank", "check how it was made")
    header = None if options.header is False else fields(data, first, head.delimiter)
    body = _body(data, head, first, quotes, header)
    columns, notes = _columns(body, header)
    names = column_names(header, len(columns), options.names)
    checked = tuple(header[: len(columns)]) if header is not None and options.header is None else ()
    notes = [*text.notes, *head.notes, *notes, *quotes.notes]
    return RawTable(
        tuple(names),
        tuple(columns),
        tuple(notes),
        body.location,
        checked,
        header_index=f"line {first.line}",
        naming="mend the header, or replace it with header=True and names=[...]",
        points_may_group=head.delimiter == ";",
    )


def _body(data: bytes, head: Head, first: Record, quotes: QuoteCheck, header: Sequence[str] | None) -> _Body:
    if header is None:
        return _Body(data, head, first.begin, first.line, first.n_fields, quotes)
    begin = first.end + (2 if data.startswith(b"\r\n", first.end) else 1)
    body = _Body(data, head, begin, first.line + first.n_lines, first.n_fields, quotes)
    if begin >= len(data) or next(records(data, head.delimiter, begin, comment=head.comment), None) is None:
        raise DataError(
            "the file has a header and no rows",
            where=f"line {first.line}, {first.n_fields} column{'s' * (first.n_fields > 1)}, nothing below",
            fix="check where it was written; if the line is a row, say header=False",
        )
    return body


def _columns(body: _Body, header: Sequence[str] | None) -> tuple[list[Any], list[str]]:
    """The columns, without the one that a delimiter at the end of every line makes."""
    columns = list(_parse(body).columns)
    notes = _blank_notes(body, columns)
    is_unnamed = header is None or len(columns) > len(header) or header[-1] == ""
    n_before = len(columns)
    while len(columns) > 1 and is_unnamed and columns[-1].null_count == len(columns[-1]):
        columns.pop()
        is_unnamed = header is not None and header[len(columns) - 1] == ""
    if len(columns) == n_before - 1:
        notes.append("every line ends in a delimiter: the empty last column is left out")
    elif len(columns) < n_before:
        notes.append(
            f"the last {n_before - len(columns)} columns have no name and no value, and are left out"
        )
    return columns, notes


def _parse(body: _Body) -> Any:
    source = _source(body)
    names = [str(position) for position in range(body.n_columns)]
    whole = min(len(source) + 1, 2**31 - 1)
    try:
        return _parse_blocks(body, source, names, min(whole, _BLOCK))
    except pa.ArrowInvalid as error:
        problem = str(error)
    if "straddling" in problem or "block size" in problem:
        # A line longer than a block: one block for all.
        try:
            return _parse_blocks(body, source, names, whole)
        except pa.ArrowInvalid:
            pass
    arguments = (body.data, body.head, body.begin, body.line, body.n_columns)
    if not has_trailing_delimiter(*arguments):
        raise wrong_length(*arguments)
    return _parse_blocks(body, source, [*names, "trailing"], whole)


def _source(body: _Body) -> Any:
    """The bytes of the rows; blank lines at the end of a single column are no missing values."""
    if body.head.comment:
        lines = [body.data[record.begin : record.end] for record in body.rows()]
        return pa.py_buffer(b"\n".join(lines).rstrip(b"\n"))
    end = len(body.data)
    if body.n_columns == 1:
        end = _end_of_rows(body.data)
    return pa.py_buffer(body.data).slice(body.begin, max(end - body.begin, 0))


def _parse_blocks(body: _Body, source: pa.NativeFile, names: Sequence[str], block_size: int) -> Any:
    return pyarrow.csv.read_csv(
        pa.BufferReader(source),
        read_options=pyarrow.csv.ReadOptions(column_names=list(names), block_size=block_size),
        parse_options=pyarrow.csv.ParseOptions(
            delimiter=body.head.delimiter,
            newlines_in_values=body.quotes.has_line_ends,
            ignore_empty_lines=body.n_columns > 1,
        ),
        convert_options=pyarrow.csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.string()),
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=True,
            check_utf8=False,
        ),
    )


def _blank_notes(body: _Body, columns: Sequence[Any]) -> list[str]:
    """Blank lines between rows are passed over, or missing values in a single column; both are said."""
    if body.quotes.has_line_ends or body.head.comment:
        return []
    if body.n_columns > 1:
        n_blank = _n_lines(body, columns) - len(columns[0])
        return [f"{n_blank:,} blank line{'s' * (n_blank > 1)} between rows left out"] if n_blank > 0 else []
    end = _end_of_rows(body.data)
    n_blank = sum(record.begin == record.end for record in body.rows() if record.begin < end)
    return [f"{n_blank:,} blank line{'s' * (n_blank > 1)} taken as missing values"] if n_blank else []


def _n_lines(body: _Body, columns: Sequence[Any]) -> int:
    """Lines of the body, those at the end that are blank left out.

    Without quotes the bytes that are in no value are delimiters and line ends: if there is one byte of
    line end per row, or two of which one is a carriage return, there are no blank lines to count.
    """
    begin, end = body.begin, _end_of_rows(body.data)
    n_rows = len(columns[0])
    n_value_bytes = sum(string_size(chunk) for column in columns for chunk in column.chunks)
    n_line_end_bytes = end - begin - n_value_bytes - n_rows * (len(columns) - 1)
    if not body.quotes.has_quotes:
        if n_line_end_bytes == n_rows - 1:
            return n_rows
        if n_line_end_bytes == 2 * (n_rows - 1) == 2 * body.data.count(b"\r", begin, end):
            return n_rows
    return 1 + n_line_ends(body.data, begin, end)


def _end_of_rows(data: bytes) -> int:
    """Where the last line that is not blank ends."""
    end = len(data)
    while end and data[end - 1] in b"\r\n":
        end -= 1
    return end


def _with_single_spaces(data: bytes, head: Head) -> bytes:
    """Runs of blanks separate fields as one does, if blanks do."""
    if head.delimiter != " " or b'"' in data:
        return data
    table = re.sub(rb"[ \t]+", b" ", data[head.begin :])
    return data[: head.begin] + re.sub(rb"(?<![^\r\n]) | (?![^\r\n])", b"", table)
