"""Rows of a text with their answers behind them: what was there stays as it was, byte for byte."""

from __future__ import annotations

from typing import IO, Any

import numpy as np
import pyarrow as pa

from heldout.cli.predicting.answers import Answers
from heldout.cli.predicting.csv_cells import answer_cells, cell, guarded_cell, joined, raw_cells
from heldout.cli.predicting.csv_start import CsvStart
from heldout.cli.predicting.formulas import are_formulas, is_formula
from heldout.cli.predicting.guarded_lines import guarded_lines
from heldout.cli.predicting.input_chunk import InputChunk, TextLines
from heldout.cli.predicting.row_output import AddedColumns, RowOutput


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
