"""Rows as typed columns with their answers behind them: Parquet, or CSV of a file that was no text."""

from __future__ import annotations

from contextlib import suppress
from typing import IO, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from heldout.cli.predicting.answers import Answers
from heldout.cli.predicting.csv_cells import joined
from heldout.cli.predicting.formulas import GUARD, are_formulas, guarded
from heldout.cli.predicting.input_chunk import InputChunk
from heldout.cli.predicting.row_output import AddedColumns, RowOutput
from heldout.errors import DataError
from heldout.table.infer_arrow import is_string_type


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
