"""Rows with their predictions behind them, as CSV or Parquet, in the order in which they came."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from heldout.cli.predicting.csv_input import (
    CsvInput,
    CsvStart,
    cell,
    guarded_cell,
    joined,
    number_cells,
    raw_cells,
)
from heldout.cli.predicting.formulas import GUARD, are_formulas, guarded, guarded_lines, is_formula
from heldout.cli.predicting.input_chunks import ArrowInput, InputChunk, InputFile, TextLines
from heldout.cli.predicting.predictions import Predictions
from heldout.errors import DataError, RequestError
from heldout.table.infer_arrow import is_string_type


@dataclass(frozen=True)
class AddedColumns:
    """What is added to each row."""

    names: Sequence[str]  # of the columns: the prediction, then the probabilities
    labels: Sequence[str] | None  # of the classes in order; None for a number
    decimal: str = "."  # the mark in numbers, that of the file
    is_raw: bool = False  # whether cells that a spreadsheet would run are left as they are


class RowOutput(ABC):
    """Writes rows."""

    n_guarded: int = 0  # how many cells were made harmless

    @abstractmethod
    def begin(self) -> None:
        """Write what comes before the first row."""

    @abstractmethod
    def write(self, chunk: InputChunk, predictions: Predictions) -> None:
        """Write rows and their predictions."""

    @abstractmethod
    def end(self) -> None:
        """Write what comes after the last row."""

    def abandon(self) -> None:  # noqa: B027
        """Let go of what was begun, after a failure; the stream is thrown away."""

    @contextmanager
    def whole(self) -> Iterator[None]:
        """Begin, and end when all rows are written."""
        try:
            self.begin()
            yield
            self.end()
        except BaseException:
            self.abandon()
            raise


_PARQUET = (".parquet", ".pq")
_TABS = (".tsv", ".tab")
# Whoever opens a CSV file under one of these names takes it for a damaged file.
_OTHERS = (
    *(".xlsx", ".xls", ".xlsm", ".xlsb", ".ods", ".feather", ".arrow", ".ipc", ".arff", ".json", ".jsonl"),
    *(".sqlite", ".sqlite3", ".db", ".heldout", ".model", ".html", ".zip", ".bz2", ".xz", ".zst", ".7z"),
)


def check_form(path: str) -> None:
    """Refuse a file name whose format is not written."""
    form, is_packed = _form(path)
    if form in _OTHERS or (is_packed and form in _PARQUET):
        raise RequestError(
            "predictions are written as CSV or Parquet",
            where=f"-o '{path}'",
            fix="name a .csv, .csv.gz or .parquet file; a spreadsheet opens .csv",
        )


def row_output(stream: IO[bytes], file: InputFile, added: AddedColumns, path: str) -> RowOutput:
    """What writes the rows of a file."""
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
    """Writes a CSV file from a CSV file."""

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

    def write(self, chunk: InputChunk, predictions: Predictions) -> None:
        assert chunk.lines is not None
        delimiter = self.start.delimiter
        cells, n_guarded = prediction_cells(predictions, self.added, delimiter)
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
        claims = {column: are_formulas(values) for column, values in chunk.columns.items()}
        claims = {column: claimed for column, claimed in claims.items() if claimed.any()}
        if not claims:
            return lines
        self.n_guarded += sum(int(claimed.sum()) for claimed in claims.values())
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


class ParquetOutput(RowOutput):
    """Writes a Parquet file; what came as text stays text, and is left as it is."""

    def __init__(self, stream: IO[bytes], schema: pa.Schema, added: AddedColumns) -> None:
        twice = [name for name in schema.names if schema.names.count(name) > 1]
        if twice:
            raise DataError(
                f"two columns are named '{twice[0]}', which a Parquet file cannot have",
                where=f"{len(schema.names)} columns",
                fix="rename one of them, or write a CSV file: -o name.csv",
            )
        self.added = added
        self.n_own = len(schema)
        self.schema = _with_predictions(schema, added)
        self.writer = pyarrow.parquet.ParquetWriter(stream, self.schema)

    def begin(self) -> None:
        """The file begins with its first rows."""

    def write(self, chunk: InputChunk, predictions: Predictions) -> None:
        own = [chunk.columns[column] for column in range(self.n_own)]
        columns = [*own, *_prediction_arrays(predictions, self.added)]
        self.writer.write_table(pa.table(columns, schema=self.schema))

    def end(self) -> None:
        self.writer.close()

    def abandon(self) -> None:
        # A writer that is still open tries once more when it is collected, and complains on stderr.
        with suppress(OSError, ValueError, pa.ArrowException):
            self.writer.close()
        self.writer.is_open = False


class TypedCsvOutput(RowOutput):
    """Writes a CSV file of typed columns."""

    def __init__(self, stream: IO[bytes], schema: pa.Schema, added: AddedColumns) -> None:
        self.stream = stream
        self.added = added
        self.names = _with_predictions(schema, added).names

    def begin(self) -> None:
        names = self.names
        if not self.added.is_raw:
            names = [guarded(name) for name in names]
            self.n_guarded += sum(name != old for name, old in zip(names, self.names, strict=True))
        header = ",".join('"' + name.replace('"', '""') + '"' for name in names)
        self.stream.write(header.encode() + b"\n")

    def write(self, chunk: InputChunk, predictions: Predictions) -> None:
        columns = [*chunk.columns.values(), *_prediction_arrays(predictions, self.added)]
        try:
            table = pa.table([self._cells(column) for column in columns], names=self.names)
            pyarrow.csv.write_csv(table, self.stream, pyarrow.csv.WriteOptions(include_header=False))
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            raise DataError(
                "the file has a column that a CSV file cannot hold",
                where=str(error).splitlines()[0][:150],
                fix="write a Parquet file: -o name.parquet",
            ) from None

    def end(self) -> None:
        """Nothing comes after the last row."""

    def _cells(self, column: pa.ChunkedArray | pa.Array) -> pa.ChunkedArray:
        if not isinstance(column, pa.ChunkedArray):
            column = pa.chunked_array([column])
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        if pa.types.is_binary(column.type) or pa.types.is_large_binary(column.type):
            column = column.cast(pa.large_string())  # bytes are written as the text that they are
        if self.added.is_raw or not is_string_type(column.type):
            return column
        column = column.cast(pa.large_string())
        claims = are_formulas(column)
        if not claims.any():
            return column
        self.n_guarded += int(claims.sum())
        return pc.if_else(pa.array(claims), joined(GUARD, column), column)


def _with_predictions(schema: pa.Schema, added: AddedColumns) -> pa.Schema:
    kind = pa.float64() if added.labels is None else pa.string()
    kinds = [kind, *[pa.float64()] * (len(added.names) - 1)]
    fields = [pa.field(name, kind) for name, kind in zip(added.names, kinds, strict=True)]
    return pa.schema([*schema, *fields])


def _prediction_arrays(predictions: Predictions, added: AddedColumns) -> list[Any]:
    if added.labels is None:
        arrays = [pa.array(np.asarray(predictions.prediction, dtype=np.float64))]
    else:
        arrays = [pa.array(list(added.labels), pa.string()).take(pa.array(predictions.prediction))]
    if predictions.probabilities is not None:
        arrays += [pa.array(np.ascontiguousarray(column)) for column in predictions.probabilities.T]
    return arrays


def prediction_cells(predictions: Predictions, added: AddedColumns, delimiter: str) -> tuple[list[Any], int]:
    """One Arrow array of large strings per added column, and how many cells were made harmless."""
    n_guarded = 0
    if added.labels is None:
        cells = [number_cells(predictions.prediction, delimiter, added.decimal)]
    else:
        safe = [label if added.is_raw else guarded(label) for label in added.labels]
        is_changed = np.array([text != label for text, label in zip(safe, added.labels, strict=True)])
        n_guarded = int(is_changed[predictions.prediction].sum())
        words = pa.array([cell(text, delimiter) for text in safe], pa.large_string())
        cells = [words.take(pa.array(predictions.prediction))]
    if predictions.probabilities is not None:
        columns = predictions.probabilities.T
        cells += [number_cells(column, delimiter, added.decimal) for column in columns]
    return cells, n_guarded
