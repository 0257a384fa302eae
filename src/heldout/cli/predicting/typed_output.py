"""Rows as typed columns with their answers behind them: Parquet, or CSV of a file that was no text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import IO, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet
from numpy.typing import NDArray

from heldout.cli.predicting.answers import Answers
from heldout.cli.predicting.csv_input import joined
from heldout.cli.predicting.formulas import GUARD, are_formulas, guarded
from heldout.cli.predicting.input_chunk import InputChunk
from heldout.cli.predicting.model_columns import ModelColumns, WantedColumn
from heldout.cli.predicting.row_output import AddedColumns, RowOutput
from heldout.cli.predicting.ways_of_writing import ColumnWays, Ways, is_number_type
from heldout.errors import DataError
from heldout.table.column import LEVEL_KINDS, NUMERIC_KINDS, Column
from heldout.table.date_text import iso_days
from heldout.table.infer_arrow import infer_arrow, is_string_type, plain_strings
from heldout.table.infer_strings import without_markers
from heldout.table.kinds import TypingRules
from heldout.table.missing_markers import without_number_markers
from heldout.table.number_text import plain_numbers
from heldout.table.requested_kind import read_as
from heldout.table.strings import trimmed
from heldout.table.table import Table


class ParquetOutput(RowOutput):
    """Writes a Parquet file; what came as text stays text, and is left as it is.

    stream: where to
    schema: of the columns that are read
    added:  what is added
    """

    def __init__(self, stream: IO[bytes], schema: Any, added: AddedColumns) -> None:
        twice = [name for name in schema.names if schema.names.count(name) > 1]
        if twice:
            raise DataError(
                f"two columns are named '{twice[0]}', which a Parquet file cannot have",
                where=f"{len(schema.names)} columns",
                fix="rename one of them, or write a CSV file: -o name.csv",
            )
        self.added = added
        self.n_own = len(schema)
        self.schema = _with_answers(schema, added)
        self.writer = pyarrow.parquet.ParquetWriter(stream, self.schema)

    def begin(self) -> None:
        """The file begins with its first rows."""

    def write(self, chunk: InputChunk, answers: Answers) -> None:
        own = [chunk.columns[place] for place in range(self.n_own)]
        columns = [*own, *_answer_arrays(answers, self.added)]
        self.writer.write_table(pa.table(columns, schema=self.schema))

    def end(self) -> None:
        self.writer.close()

    def abandon(self) -> None:
        # A writer that is still open tries once more when it is collected, and complains on stderr.
        with suppress(OSError, ValueError, pa.ArrowException):
            self.writer.close()
        self.writer.is_open = False


class TypedCsvOutput(RowOutput):
    """Writes a CSV file of typed columns.

    stream: where to
    schema: of the columns that are read
    added:  what is added
    """

    def __init__(self, stream: IO[bytes], schema: Any, added: AddedColumns) -> None:
        self.stream = stream
        self.added = added
        self.names = _with_answers(schema, added).names

    def begin(self) -> None:
        names = self.names
        if not self.added.is_raw:
            names = [guarded(name) for name in names]
            self.n_guarded += sum(name != old for name, old in zip(names, self.names, strict=True))
        header = ",".join('"' + name.replace('"', '""') + '"' for name in names)
        self.stream.write(header.encode() + b"\n")

    def write(self, chunk: InputChunk, answers: Answers) -> None:
        columns = [*chunk.columns.values(), *_answer_arrays(answers, self.added)]
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

    def _cells(self, column: Any) -> Any:
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


def _with_answers(schema: Any, added: AddedColumns) -> Any:
    kind = pa.float64() if added.labels is None else pa.string()
    kinds = [kind, *[pa.float64()] * (len(added.names) - 1)]
    fields = [pa.field(name, kind) for name, kind in zip(added.names, kinds, strict=True)]
    return pa.schema([*schema, *fields])


def _answer_arrays(answers: Answers, added: AddedColumns) -> list[Any]:
    if added.labels is None:
        arrays = [pa.array(np.asarray(answers.prediction, dtype=np.float64))]
    else:
        arrays = [pa.array(list(added.labels), pa.string()).take(pa.array(answers.prediction))]
    if answers.probabilities is not None:
        arrays += [pa.array(np.ascontiguousarray(column)) for column in answers.probabilities.T]
    return arrays


_COUNTED = re.compile(r"^[\d,]+ of [\d,]+ rows, ")


@dataclass(frozen=True, eq=False)
class RowReader:
    """Makes tables of chunks.

    wanted:    the columns of the model
    positions: of each of them in the file, by name; None where it is unknown
    ways:      how the file is written
    """

    wanted: ModelColumns
    positions: Mapping[str, int | None]
    ways: Ways

    def table(self, chunk: InputChunk) -> Table:
        """The rows of a chunk."""
        rules = replace(self.ways.rules, place=chunk.place)
        return Table([self._column_of_training(column, chunk, rules) for column in self.wanted.columns])

    def _column_of_training(self, column: WantedColumn, chunk: InputChunk, rules: TypingRules) -> Column:
        """The column; that it could be read as another kind is no help here, and is not said."""
        try:
            return self._column(column, chunk, rules)
        except DataError as error:
            fix = f"clean those rows, or name what is missing with missing={{{column.name!r}: [...]}}"
            fix = f"the model has a {column.kind} there: {fix}" if "kinds=" in error.fix else error.fix
            # The rows that were counted are those of a chunk, and the examples that it was read with.
            raise DataError(error.what, where=_COUNTED.sub("", error.where), fix=fix) from None

    def _column(self, column: WantedColumn, chunk: InputChunk, rules: TypingRules) -> Column:
        position = self.positions[column.name]
        if position is None:
            return _unknown(column, chunk.n_rows)
        values = chunk.columns[position]
        if pa.types.is_dictionary(values.type) and column.kind == "category":
            # Levels that a file declares are no markers of missing values, as in training.
            return infer_arrow(column.name, values, False, rules).column
        ways = self.ways.columns.get(position)
        if ways is not None and column.kind == "boolean" and is_number_type(values.type):
            return _with_examples(ways, values, rules)
        if ways is None or not is_string_type(values.type):
            return read_as(column.name, values, column.kind, rules).column
        strings = plain_strings(values)
        return _plain(column, strings, rules) if ways.is_plain else _with_examples(ways, strings, rules)


def _plain(column: WantedColumn, strings: Any, rules: TypingRules) -> Column:
    """Plain numbers and ISO dates, by one cast."""
    known, _ = without_markers(trimmed(strings), rules.missing.markers(column.name))
    if column.kind == "date":
        is_empty = known.null_count == len(known)
        days = np.full(len(known), np.nan) if is_empty else iso_days(known)
        assert days is not None
        return Column(column.name, "date", days)
    numbers = plain_numbers(known)
    assert numbers is not None
    return Column(column.name, "number", without_number_markers(column.name, numbers, rules.missing)[0])


def _with_examples(ways: ColumnWays, strings: Any, rules: TypingRules) -> Column:
    """Read in the company of every way of writing that the whole column has."""
    column, places = ways.column, ways.places
    place_of_row = rules.place

    def place(row: int) -> str:
        return places[row] if row < len(places) else place_of_row(row - len(places))

    together = pa.chunked_array([ways.values(strings.type), *strings.chunks], strings.type)
    found = read_as(column.name, together, column.kind, replace(rules, place=place)).column
    return Column(column.name, column.kind, found.values[len(places) :], found.levels)


def _unknown(column: WantedColumn, n_rows: int) -> Column:
    values: NDArray[Any]
    if column.kind in NUMERIC_KINDS:
        values = np.full(n_rows, np.nan)
    elif column.kind in LEVEL_KINDS:
        values = np.full(n_rows, -1, dtype=np.int32)
    else:
        values = np.full(n_rows, None, dtype=object)
    return Column(column.name, column.kind, values)
