"""How a delimited text begins: what stands above its header, the header, and where its rows are."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from heldout.cli.predicting.record_cuts import record_cuts
from heldout.cli.predicting.utf8_stream import Utf8Stream
from heldout.errors import DataError
from heldout.table.csv_checks import check_quotes
from heldout.table.csv_head import Head, csv_head
from heldout.table.csv_records import Record, fields, n_line_ends, records
from heldout.table.csv_text import csv_text

# Enough to see how a file is written, whatever the size of the chunks that follow.
_LOOKED_AT = 1 << 20


@dataclass(frozen=True)
class CsvStart:
    """The beginning of a delimited text.

    before:    what stands above the header, as `sep=;` does, with the byte order mark
    header:    the header as it stands there, without its line end
    line_end:  what its line ends with
    delimiter: what separates fields
    names:     of the columns
    n_fields:  of every row; one more than there are names where each row ends in a delimiter
    begin:     byte of the first row, the byte order mark not counted
    line:      its physical line
    """

    before: bytes
    header: bytes
    line_end: bytes
    delimiter: str
    names: tuple[str, ...]
    n_fields: int
    begin: int
    line: int


def csv_start(stream: Utf8Stream, delimiter: str | None = None) -> CsvStart:
    """The beginning of a text.

    stream:    at its first byte
    delimiter: None to find out

    >>> import io
    >>> from heldout.cli.predicting.byte_source import Unpacked
    >>> start = csv_start(Utf8Stream(Unpacked(io.BytesIO(b"sep=;\\na;b\\n1;2\\n"), "x.csv"), None))
    >>> start.before, start.names, start.begin, start.line
    (b'sep=;\\n', ('a', 'b'), 10, 3)
    """
    data = _whole_records(stream.read(_LOOKED_AT))
    csv_text(data)  # refuses what is empty or no text
    head = csv_head(data, delimiter, None)
    first = next(records(data, head.delimiter, head.begin, head.line), None)
    if first is None:
        raise DataError("the file has no header and no rows", "every line is blank", "check how it was made")
    if first.problem:
        check_quotes(data[: first.end], head)
    begin = first.end + (2 if data.startswith(b"\r\n", first.end) else 1)
    line_end = data[first.end : begin] or b"\n"
    names = fields(data, first, head.delimiter)
    return CsvStart(
        stream.mark + data[: head.begin],
        data[first.begin : first.end],
        line_end,
        head.delimiter,
        tuple(names),
        _n_fields(data, head, first),
        min(begin, len(data)),
        1 + n_line_ends(data, 0, begin),
    )


def _whole_records(data: bytes) -> bytes:
    """Without a record that goes on later, which would seem to have other fields than the rest."""
    if len(data) < _LOOKED_AT:
        return data
    return data[: record_cuts(data, ",", is_last=False).n_used] or data


def _n_fields(data: bytes, head: Head, header: Record) -> int:
    """As many as the header has, and one more where the first row ends in a delimiter too many."""
    found = list(islice(records(data, head.delimiter, head.begin, head.line), 2))
    if len(found) < 2 or found[1].n_fields != header.n_fields + 1:
        return header.n_fields
    ends_in_mark = data.endswith(head.delimiter.encode(), found[1].begin, found[1].end)
    return header.n_fields + ends_in_mark
