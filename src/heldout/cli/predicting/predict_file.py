"""A file goes in, the same file with predictions comes out; only a part of it is in memory at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heldout.cli.predicting.byte_streams import ByteSource, whole_file
from heldout.cli.predicting.column_formats import RowReader, Ways, ways_of_writing
from heldout.cli.predicting.csv_input import CsvInput
from heldout.cli.predicting.input_chunks import (
    ChunkSize,
    InputFile,
    feather_input,
    parquet_input,
    whole_input,
)
from heldout.cli.predicting.model_columns import ModelColumns, model_columns, positions_of
from heldout.cli.predicting.predictions import Answerer, UnseenValues
from heldout.cli.predicting.row_output import AddedColumns, check_form, row_output
from heldout.errors import DataError, RequestError
from heldout.table.file_bytes import file_bytes, refuse_other_content
from heldout.table.kinds import TypingRules
from heldout.table.missing_markers import missing_rule
from heldout.table.raw_table import RawTable
from heldout.table.read_csv import CsvOptions, read_csv
from heldout.table.read_table import format_of

# What `read_table` advises of, and this command has no option for.
_NOT_HERE = ("table", "query")


@dataclass(frozen=True)
class FileOptions:
    """How a file is written, where that is not to be found out.

    delimiter, encoding: of a text
    sheet:               of an Excel file
    header:              False: the first line is a row, and columns have the names that training gave them
    names:               of the columns
    comment:             what comment lines begin with
    skip_lines:          lines above the header
    """

    delimiter: str | None = None
    encoding: str | None = None
    sheet: str | None = None
    header: bool | None = None
    names: tuple[str, ...] | None = None
    comment: str | None = None
    skip_lines: int | None = None

    @property
    def is_plain(self) -> bool:
        """Whether a text begins with its header, and nothing but rows follows."""
        return (self.header, self.names, self.comment, self.skip_lines) == (None, None, None, None)


def input_file(source: ByteSource, options: FileOptions, size: ChunkSize | None = None) -> InputFile:
    """Rows to be answered, from CSV (also .gz), Parquet or Feather in chunks, from others as a whole.

    source:  where the bytes are
    options: how they are written
    size:    of the chunks
    """
    try:
        return _opened(source, options, size)
    except (DataError, RequestError) as error:
        if not any(f"{name}=" in error.fix for name in _NOT_HERE):
            raise
        fix = "save the rows as a CSV file with one line of names above them: columns are found by name"
        raise type(error)(error.what, where=error.where, fix=fix) from None


def _opened(source: ByteSource, options: FileOptions, size: ChunkSize | None) -> InputFile:
    kind = format_of(Path(source.path))
    _check(kind, options)
    if kind == "parquet":
        return parquet_input(source, size)
    if kind == "feather":
        return feather_input(source, size)
    if kind == "csv":
        refuse_other_content(source.first_bytes(2000), Path(source.name))
        if not options.is_plain:
            return whole_input(_csv(source, options), size)
        return CsvInput(source, options.delimiter, options.encoding, size)
    return whole_input(_whole(source, kind, options), size)


def _csv(source: ByteSource, options: FileOptions) -> RawTable:
    """A text with lines that are no rows: it is read as a whole, as `read_table` reads it."""
    return read_csv(
        file_bytes(source.path),
        CsvOptions(
            options.delimiter,
            options.encoding,
            options.header,
            options.names,
            options.comment,
            options.skip_lines or 0,
        ),
    )


def _whole(source: ByteSource, kind: str, options: FileOptions) -> RawTable:
    if kind == "excel":
        from heldout.table.read_excel import read_excel

        return read_excel(source.path, _sheet(options.sheet))
    if kind == "sqlite":
        from heldout.table.read_sqlite import read_sqlite

        return read_sqlite(source.path)
    from heldout.table.read_arff import read_arff

    return read_arff(file_bytes(source.path), options.encoding)


def _sheet(typed: str | None) -> str | int | None:
    """A name, or a position where it is made of digits alone."""
    return int(typed) if typed is not None and typed.isdecimal() else typed


def _check(kind: str, options: FileOptions) -> None:
    allowed = {
        "csv": ("delimiter", "encoding", "header", "names", "comment", "skip_lines"),
        "excel": ("sheet",),
        "arff": ("encoding",),
    }
    for name, value in vars(options).items():
        if value is not None and name not in allowed.get(kind, ()):
            raise RequestError(
                f"--{name.replace('_', '-')} says nothing about this file",
                where=f"--{name.replace('_', '-')} {value!r}, the file is {kind}",
                fix="leave it out",
            )


@dataclass(frozen=True)
class PredictRequest:
    """What was asked for beside the model and the file.

    output:    path of the file to write, "-" for standard output
    file:      how the file is written
    reading:   what is known of its values, as options of `read_table`: missing, decimal, day_first
    absent:    columns of the model that the file lacks
    is_raw:    whether formulas are left as they are
    size:      of the chunks
    """

    output: str
    file: FileOptions = field(default_factory=FileOptions)
    reading: Mapping[str, Any] = field(default_factory=dict)
    absent: tuple[str, ...] = ()
    is_raw: bool = False
    size: ChunkSize = field(default_factory=ChunkSize)


@dataclass(frozen=True, eq=False)
class Predicted:
    """What was done.

    n_rows:    that were answered
    added:     the names of the columns that were added
    renamed:   those whose plain name the file has already, with that name
    unused:    columns of the file that the model does not ask for
    decimal:   the mark in its numbers, where it mattered
    n_guarded: cells that were made harmless
    unseen:    what new rows have that training rows had not
    notes:     what the model warned of
    """

    n_rows: int
    added: list[str]
    renamed: dict[str, str]
    unused: list[str]
    decimal: str | None
    n_guarded: int
    unseen: UnseenValues
    notes: list[str]


def predict_file(
    model: Any,
    source: ByteSource,
    request: PredictRequest,
    progress: Callable[[int, int], None] | None = None,
) -> Predicted:
    """Answer every row of a file.

    model:    as it was loaded
    source:   of the rows
    request:  how, and where to
    progress: is told how many rows of how many are answered
    """
    check_form(request.output)
    wanted = model_columns(model)
    file = input_file(source, request.file, request.size)
    positions = positions_of(wanted, file.names, request.absent)
    ways = file_ways(file, wanted, positions, request.reading)
    answerer = Answerer(model, wanted)
    labels = answerer.labels
    names = added_names(labels if answerer.has_probabilities else None, file.names)
    added = AddedColumns(list(names), labels, ways.rules.decimal or ".", request.is_raw)
    reader, unseen = RowReader(wanted, positions, ways), UnseenValues(wanted)
    with whole_file(request.output) as stream:
        output = row_output(stream, file, added, request.output)
        with output.whole():
            n_rows = 0
            for chunk in file.chunks():
                table = reader.table(chunk)
                if not wanted.is_blind:
                    unseen.count(table, chunk)
                output.write(chunk, answerer.answers(table, chunk))
                n_rows += chunk.n_rows
                if progress is not None:
                    progress(n_rows, ways.n_rows)
    return Predicted(
        n_rows=n_rows,
        added=list(names),
        renamed={name: plain for name, plain in names.items() if name != plain},
        unused=[name for name in file.names if name not in wanted.names],
        decimal=ways.rules.decimal,
        n_guarded=output.n_guarded,
        unseen=unseen,
        notes=answerer.notes,
    )


def file_ways(
    file: InputFile,
    wanted: ModelColumns,
    positions: Mapping[str, int | None],
    reading: Mapping[str, Any],
) -> Ways:
    """How a file is written, as far as the model's columns go.

    file:      that is read
    wanted:    the columns of the model
    positions: of these in the file
    reading:   what is known already, as options of `read_table`: missing, decimal, day_first
    """
    rules = TypingRules(
        missing_rule(reading.get("missing")),
        reading.get("decimal"),
        reading.get("day_first"),
        points_may_group=file.points_may_group,
    )
    by_position = {
        place: column for column in wanted.columns if (place := positions[column.name]) is not None
    }
    return ways_of_writing(file, by_position, rules)


PREDICTION = "prediction"


def added_names(labels: Sequence[str] | None, taken: Sequence[str]) -> dict[str, str]:
    """The prediction, then a probability for each class: every name, and what it would be were it free.

    labels: of the classes; none for a number, or for a model without probabilities
    taken:  names of the file's own columns
    """
    found: dict[str, str] = {}
    for name in (PREDICTION, *(f"probability of {label}" for label in labels or ())):
        known = {*taken, *found}
        other, count = name, 2
        while other in known:
            other, count = f"{name} ({count})", count + 1
        found[other] = name
    return found
