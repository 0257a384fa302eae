"""A delimited text, chunk by chunk: cut at whole records by us, read by Arrow as strings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
from numpy.typing import NDArray

from heldout.cli.predicting.byte_streams import ByteSource, Utf8Stream
from heldout.cli.predicting.input_chunks import ChunkSize, InputChunk, InputFile, TextLines
from heldout.errors import DataError
from heldout.table.csv_checks import check_quotes, wrong_length
from heldout.table.csv_dialect import Head, csv_head
from heldout.table.csv_header import Record, fields, n_line_ends, records
from heldout.table.decode_text import csv_text

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


def joined(*parts: pa.Array | str, mark: str = "") -> pa.Array:
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


# A record that does not end within so many bytes is a quote that was never closed.
MOST_RECORD_BYTES = 1 << 26


class CsvInput(InputFile):
    """Rows of a CSV or TSV file."""

    def __init__(
        self,
        source: ByteSource,
        delimiter: str | None = None,
        encoding: str | None = None,
        size: ChunkSize | None = None,
    ) -> None:
        self.source = source
        self.encoding = encoding
        self.size = size or ChunkSize()
        with source.opened() as opened:
            self.start = csv_start(Utf8Stream(opened, encoding), delimiter)
        self.names = self.start.names
        self.delimiter = self.start.delimiter
        self.points_may_group = self.delimiter == ";"

    def chunks(self, positions: Sequence[int] | None = None) -> Iterator[InputChunk]:
        first_row = 0
        for part, cuts, line in self._parts():
            columns = self._columns(part, cuts, line, positions)
            n_rows = len(cuts.begins)
            yield InputChunk(first_row, n_rows, columns, TextLines(part, cuts.begins, cuts.ends, line))
            first_row += n_rows

    def _parts(self) -> Iterator[tuple[bytes, RecordCuts, int]]:
        """Bytes that hold whole rows, where these are, and the line on which the bytes begin."""
        with self.source.opened() as opened:
            stream = Utf8Stream(opened, self.encoding)
            stream.read(self.start.begin)
            rest, line, is_last, wanted = b"", self.start.line, False, self.size.n_bytes
            while not is_last:
                more = stream.read(wanted)
                is_last = len(more) < wanted
                part = self._with_single_spaces(rest + more)
                cuts = self._rows(record_cuts(part, self.delimiter, is_last), is_last)
                self._check_quotes(part, cuts, line)
                if not cuts.n_used:  # no row ends here: read twice as much
                    rest, wanted = part, max(len(part), self.size.n_bytes)
                    continue
                used = part[: cuts.n_used]
                if len(cuts.begins):
                    yield used, cuts, line
                line += n_line_ends(used, 0, len(used))
                rest, wanted = part[cuts.n_used :], self.size.n_bytes

    def _rows(self, cuts: RecordCuts, is_last: bool) -> RecordCuts:
        """Without blank lines; of a single column they are missing values, but for those at the end."""
        is_filled = cuts.ends > cuts.begins
        if self.start.n_fields > 1:
            return replace(cuts, begins=cuts.begins[is_filled], ends=cuts.ends[is_filled])
        n_rows = int(np.flatnonzero(is_filled)[-1]) + 1 if is_filled.any() else 0
        n_used = cuts.n_used
        if not is_last and n_rows < len(cuts.begins):
            n_used = int(cuts.begins[n_rows])
        return replace(cuts, begins=cuts.begins[:n_rows], ends=cuts.ends[:n_rows], n_used=n_used)

    def _check_quotes(self, part: bytes, cuts: RecordCuts, line: int) -> None:
        if not cuts.problem and (cuts.n_used or len(part) <= MOST_RECORD_BYTES):
            return
        at = line + n_line_ends(part, 0, cuts.n_used)
        check_quotes(part[cuts.n_used :], Head(0, at, self.delimiter))
        raise DataError(
            f"a row does not end within {MOST_RECORD_BYTES >> 20} MB",
            where=f"line {at:,}",
            fix="check that its quotes are closed, and that the file is text",
        )

    def _columns(
        self, part: bytes, cuts: RecordCuts, line: int, positions: Sequence[int] | None
    ) -> dict[int, Any]:
        """The columns as strings, null for an empty field."""
        _check_text(part, line)
        n_fields = self.start.n_fields
        wanted = range(n_fields) if positions is None else [*positions] or [0]
        try:
            table = _parse(part[: int(cuts.ends[-1])], self.delimiter, n_fields, wanted, cuts.has_line_ends)
        except pa.ArrowInvalid:
            raise wrong_length(part, Head(0, line, self.delimiter), 0, line, n_fields) from None
        if table.num_rows != len(cuts.begins):
            raise DataError(
                "the file cannot be cut into rows",
                where=f"{len(cuts.begins):,} lines from line {line:,} on are {table.num_rows:,} rows",
                fix="check the quotes there",
            )
        return {position: table.column(index) for index, position in enumerate(wanted)}

    def _with_single_spaces(self, part: bytes) -> bytes:
        """Runs of blanks separate fields as one does, if blanks do."""
        if self.delimiter != " " or b'"' in part:
            return part
        return re.sub(rb"(?<![^\r\n]) | (?=[\r\n])", b"", re.sub(rb"[ \t]+", b" ", part))


def _parse(
    data: bytes, delimiter: str, n_fields: int, wanted: Sequence[int], has_line_ends: bool
) -> pa.Table:
    names = [str(position) for position in range(n_fields)]
    return pyarrow.csv.read_csv(
        pa.BufferReader(data),
        read_options=pyarrow.csv.ReadOptions(
            column_names=names, block_size=min(len(data) + 1, 2**31 - 1), use_threads=False
        ),
        parse_options=pyarrow.csv.ParseOptions(
            delimiter=delimiter, newlines_in_values=has_line_ends, ignore_empty_lines=n_fields > 1
        ),
        convert_options=pyarrow.csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.string()),
            include_columns=[names[position] for position in wanted],
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=True,
            check_utf8=False,
        ),
    )


def _check_text(part: bytes, line: int) -> None:
    """A DataError for bytes that are no UTF-8, with the line on which the part begins."""
    try:
        csv_text(part)
    except DataError as error:
        raise DataError(
            error.what, where=f"in the part from line {line:,} on: {error.where}", fix=error.fix
        ) from None


# Enough to see how a file is written, whatever the size of the chunks that follow.
_LOOKED_AT = 1 << 20


@dataclass(frozen=True)
class CsvStart:
    """The beginning of a delimited text."""

    before: bytes  # what stands above the header, as `sep=;` does, with the byte order mark
    header: bytes  # the header as it stands there, without its line end
    line_end: bytes  # what its line ends with
    delimiter: str  # what separates fields
    names: tuple[str, ...]  # of the columns
    n_fields: int  # of every row; one more than there are names where each row ends in a delimiter
    begin: int  # byte of the first row, the byte order mark not counted
    line: int  # its physical line


def csv_start(stream: Utf8Stream, delimiter: str | None = None) -> CsvStart:
    """The beginning of a text."""
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
    first_two = list(islice(records(data, head.delimiter, head.begin, head.line), 2))
    if len(first_two) < 2 or first_two[1].n_fields != header.n_fields + 1:
        return header.n_fields
    ends_in_mark = data.endswith(head.delimiter.encode(), first_two[1].begin, first_two[1].end)
    return header.n_fields + ends_in_mark
