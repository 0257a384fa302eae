"""The form of the file that is written, by its name: CSV as text was, or Parquet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from heldout.cli.predicting.answers import Answers
from heldout.cli.predicting.arrow_input import ArrowInput
from heldout.cli.predicting.byte_source import are_sound_quotes
from heldout.cli.predicting.csv_input import (
    CsvInput,
    CsvStart,
    answer_cells,
    cell,
    guarded_cell,
    joined,
    raw_cells,
)
from heldout.cli.predicting.formulas import GUARD, are_formulas, is_formula
from heldout.cli.predicting.input_chunk import InputChunk, InputFile, TextLines
from heldout.cli.predicting.row_output import AddedColumns, RowOutput
from heldout.cli.predicting.typed_output import ParquetOutput, TypedCsvOutput
from heldout.errors import RequestError

_PARQUET = (".parquet", ".pq")
_TABS = (".tsv", ".tab")
# Whoever opens a CSV file under one of these names is told that it is damaged.
_OTHERS = (
    *(".xlsx", ".xls", ".xlsm", ".xlsb", ".ods", ".feather", ".arrow", ".ipc", ".arff", ".json", ".jsonl"),
    *(".sqlite", ".sqlite3", ".db", ".heldout", ".model", ".html", ".zip", ".bz2", ".xz", ".zst", ".7z"),
)


def check_form(path: str) -> None:
    """An error where the name asks for a form that is not written.

    path: of the file, "-" for standard output
    """
    form, is_packed = _form(path)
    if form in _OTHERS or (is_packed and form in _PARQUET):
        raise RequestError(
            "predictions are written as CSV or Parquet",
            where=f"-o '{path}'",
            fix="name a .csv, .csv.gz or .parquet file; a spreadsheet opens .csv",
        )


def row_output(stream: IO[bytes], file: InputFile, added: AddedColumns, path: str) -> RowOutput:
    """What writes the rows of a file.

    stream: where to
    file:   the rows
    added:  what is added to them
    path:   the name that decides
    """
    form, _ = _form(path)
    if form in _PARQUET:
        return ParquetOutput(stream, _schema(file), added)
    delimiter = file.delimiter if isinstance(file, CsvInput) else ","
    if form in _TABS and delimiter != "\t":
        raise RequestError(
            "the fields of a .tsv file are separated by tabs, and these are not",
            where=f"-o '{path}', {delimiter!r} separates the fields",
            fix="name a .csv file",
        )
    if isinstance(file, CsvInput):
        return CsvLinesOutput(stream, file.start, added)
    return TypedCsvOutput(stream, _schema(file), added)


def _form(path: str) -> tuple[str, bool]:
    """The ending of a name, and whether `.gz` stands behind it."""
    name = path.lower()
    return Path(name.removesuffix(".gz")).suffix, name.endswith(".gz")


def _schema(file: InputFile) -> Any:
    if isinstance(file, ArrowInput):
        return file.schema
    return pa.schema([(name, pa.string()) for name in file.names])


class CsvLinesOutput(RowOutput):
    """Writes a CSV file from a CSV file.

    stream: where to
    start:  how the file that is read begins
    added:  what is added
    """

    def __init__(self, stream: IO[bytes], start: CsvStart, added: AddedColumns) -> None:
        self.stream = stream
        self.start = start
        self.added = added

    def begin(self) -> None:
        mark = self.start.delimiter.encode()
        cells = raw_cells(self.start.header, self.start.delimiter)
        if not self.added.is_raw:
            is_bad = [is_formula(name) for name in self.start.names]
            self.n_guarded += sum(is_bad)
            cells = [guarded_cell(raw) if bad else raw for raw, bad in zip(cells, is_bad, strict=True)]
        # Where every row ends in a delimiter, the header must have as many fields as the rows.
        cells += [b""] * (self.start.n_fields - len(cells))
        cells += [cell(name, self.start.delimiter).encode() for name in self.added.names]
        self.stream.write(self.start.before + mark.join(cells) + self.start.line_end)

    def write(self, chunk: InputChunk, answers: Answers) -> None:
        assert chunk.lines is not None
        delimiter = self.start.delimiter
        cells, n_guarded = answer_cells(answers, self.added, delimiter)
        self.n_guarded += n_guarded
        rows = _row_texts(chunk.lines if self.added.is_raw else self._guarded(chunk.lines, chunk))
        last = joined(cells[-1], self.start.line_end.decode())
        lines = joined(rows, *cells[:-1], last, mark=delimiter)
        # The values lie behind each other without a gap: they are the lines of the file.
        _, offsets, data = lines.buffers()
        ends = np.frombuffer(offsets, dtype=np.int64)[lines.offset : lines.offset + len(lines) + 1]
        self.stream.write(memoryview(data)[int(ends[0]) : int(ends[-1])])

    def end(self) -> None:
        """Nothing comes after the last row."""

    def _guarded(self, lines: TextLines, chunk: InputChunk) -> TextLines:
        claims = {place: are_formulas(values) for place, values in chunk.columns.items()}
        claims = {place: found for place, found in claims.items() if found.any()}
        if not claims:
            return lines
        self.n_guarded += sum(int(found.sum()) for found in claims.values())
        return guarded_lines(lines, claims, self.start.delimiter, self.start.n_fields)


def _row_texts(lines: TextLines) -> Any:
    """Each row as it stands in the file, as an Arrow array that was cut from its bytes at once."""
    offsets = np.empty(2 * len(lines.begins), dtype=np.int64)
    offsets[0::2], offsets[1::2] = lines.begins, lines.ends
    # Every other value is a row, the ones between are line ends.
    both = pa.Array.from_buffers(
        pa.large_string(), len(offsets) - 1, [None, pa.py_buffer(offsets), pa.py_buffer(lines.data)]
    )
    return both.take(pa.array(np.arange(0, len(both), 2)))


_QUOTE = ord('"')


def guarded_lines(
    lines: TextLines, claims: Mapping[int, NDArray[np.bool_]], delimiter: str, n_fields: int
) -> TextLines:
    """The rows with the guard before the text of these cells, inside the quotes of a cell that has some.

    claims:   by position of the column, one claim per row
    n_fields: of every row
    """
    view = np.frombuffer(lines.data, dtype=np.uint8)
    starts = _field_starts(view, lines, delimiter, n_fields)
    if starts is None:
        return _one_by_one(lines, claims, delimiter)
    places = np.sort(np.concatenate([starts[found, place] for place, found in claims.items()]))
    places = places + (view[places] == _QUOTE)
    begins, ends = (ends + np.searchsorted(places, ends) for ends in (lines.begins, lines.ends))
    return replace(lines, data=np.insert(view, places, ord(GUARD)).tobytes(), begins=begins, ends=ends)


def _field_starts(
    view: NDArray[np.uint8], lines: TextLines, delimiter: str, n_fields: int
) -> NDArray[np.intp] | None:
    """Where each field begins, rows × fields; None where quotes stand in the middle of values."""
    marks = np.flatnonzero(view == ord(delimiter))
    quotes = np.flatnonzero(view == _QUOTE)
    if len(quotes):
        if not are_sound_quotes(view, quotes, ord(delimiter), is_last=True):
            return None
        marks = marks[np.searchsorted(quotes, marks) % 2 == 0]
    starts = np.sort(np.concatenate([lines.begins, marks + 1]))
    if len(starts) != len(lines.begins) * n_fields:
        return None
    table = starts.reshape(-1, n_fields)
    return table if np.array_equal(table[:, 0], lines.begins) else None


def _one_by_one(lines: TextLines, claims: Mapping[int, NDArray[np.bool_]], delimiter: str) -> TextLines:
    rows = []
    for row, (begin, end) in enumerate(zip(lines.begins.tolist(), lines.ends.tolist(), strict=True)):
        cells = raw_cells(lines.data[begin:end], delimiter)
        for place, found in claims.items():
            cells[place] = guarded_cell(cells[place]) if found[row] else cells[place]
        rows.append(delimiter.encode().join(cells))
    lengths = np.array([len(text) for text in rows], dtype=np.intp)
    ends = np.cumsum(lengths + 1) - 1
    return replace(lines, data=b"\n".join(rows) + b"\n", begins=ends - lengths, ends=ends)
