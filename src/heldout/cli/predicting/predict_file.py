"""A file goes in, the same file with predictions comes out; only a part of it is in memory at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sklearn.base import BaseEstimator

from heldout.cli.predicting.byte_streams import ByteSource, whole_file
from heldout.cli.predicting.column_formats import FileFormats, RowReader, find_formats
from heldout.cli.predicting.csv_input import CsvInput
from heldout.cli.predicting.input_chunks import (
    ChunkSize,
    InputFile,
    feather_input,
    parquet_input,
    whole_input,
)
from heldout.cli.predicting.model_columns import ModelColumns, model_columns, positions_of
from heldout.cli.predicting.predictions import Predictor, UnseenValues
from heldout.cli.predicting.row_output import AddedColumns, check_form, row_output
from heldout.errors import RequestError
from heldout.table.file_bytes import file_bytes, refuse_other_content
from heldout.table.kinds import TypingRules
from heldout.table.missing_markers import missing_rule
from heldout.table.raw_table import RawTable
from heldout.table.read_csv import CsvOptions, read_csv
from heldout.table.read_table import format_of


@dataclass(frozen=True)
class FileOptions:
    """How a file is written, where that is not to be found out."""

    delimiter: str | None = None  # of a text
    encoding: str | None = None
    sheet: str | None = None  # of an Excel file
    # False: the first line is a row, and columns have the names that training gave them
    header: bool | None = None
    names: tuple[str, ...] | None = None  # of the columns
    comment: str | None = None  # what comment lines begin with
    skip_lines: int | None = None  # lines above the header

    @property
    def is_plain(self) -> bool:
        """Whether a text begins with its header, and nothing but rows follows."""
        return (self.header, self.names, self.comment, self.skip_lines) == (None, None, None, None)


def input_file(source: ByteSource, options: FileOptions, size: ChunkSize | None = None) -> InputFile:
    """Rows to be predicted, from CSV (also .gz), Parquet or Feather in chunks, from others as a whole."""
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

        try:
            return read_sqlite(source.path)
        except RequestError as error:  # which of its tables: this command has no option to choose it
            raise RequestError(
                error.what,
                where=error.where,
                fix="save the rows as a CSV file with a line of names above them: columns are found by name",
            ) from None
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
    """What is requested beside the model and the file."""

    output: str  # path of the file to write, "-" for standard output
    file: FileOptions = field(default_factory=FileOptions)  # how the file is written
    # What is known of its values, as options of `read_table`: missing, decimal, day_first
    reading: Mapping[str, Any] = field(default_factory=dict)
    absent: tuple[str, ...] = ()  # columns of the model that the file lacks
    is_raw: bool = False  # whether formulas are left as they are
    size: ChunkSize = field(default_factory=ChunkSize)  # of the chunks


@dataclass(frozen=True, eq=False)
class Predicted:
    """What was done."""

    n_rows: int  # that were predicted
    added: list[str]  # the names of the columns that were added
    renamed: dict[str, str]  # those whose plain name the file has already, with that name
    unused: list[str]  # columns of the file that the model does not read
    decimal: str | None  # the mark in its numbers, where it mattered
    n_guarded: int  # cells that were made harmless
    unseen: UnseenValues  # what new rows have that training rows had not
    notes: list[str]  # what the model warned of


def predict_file(
    model: BaseEstimator,
    source: ByteSource,
    request: PredictRequest,
    progress: Callable[[int, int], None] | None = None,
) -> Predicted:
    """Answer every row of a file."""
    check_form(request.output)
    wanted = model_columns(model)
    file = input_file(source, request.file, request.size)
    positions = positions_of(wanted, file.names, request.absent)
    formats = file_formats(file, wanted, positions, request.reading)
    predictor = Predictor(model, wanted)
    labels = predictor.labels
    names = added_names(labels if predictor.has_probabilities else None, file.names)
    added = AddedColumns(list(names), labels, formats.rules.decimal or ".", request.is_raw)
    reader, unseen = RowReader(wanted, positions, formats), UnseenValues(wanted)
    with whole_file(request.output) as stream:
        output = row_output(stream, file, added, request.output)
        with output.whole():
            n_rows = 0
            for chunk in file.chunks():
                table = reader.table(chunk)
                if not wanted.is_blind:
                    unseen.count(table, chunk)
                output.write(chunk, predictor.predict(table, chunk))
                n_rows += chunk.n_rows
                if progress is not None:
                    progress(n_rows, formats.n_rows)
    return Predicted(
        n_rows=n_rows,
        added=list(names),
        renamed={name: plain for name, plain in names.items() if name != plain},
        unused=[name for name in file.names if name not in wanted.names],
        decimal=formats.rules.decimal,
        n_guarded=output.n_guarded,
        unseen=unseen,
        notes=predictor.notes,
    )


def file_formats(
    file: InputFile,
    wanted: ModelColumns,
    positions: Mapping[str, int | None],
    reading: Mapping[str, Any],
) -> FileFormats:
    """How a file is written, as far as the model's columns go."""
    rules = TypingRules(
        missing_rule(reading.get("missing")),
        reading.get("decimal"),
        reading.get("day_first"),
        points_may_group=file.points_may_group,
    )
    by_position = {
        position: column for column in wanted.columns if (position := positions[column.name]) is not None
    }
    return find_formats(file, by_position, rules)


PREDICTION = "prediction"


def added_names(labels: Sequence[str] | None, taken: Sequence[str]) -> dict[str, str]:
    """The prediction, then a probability for each class: every name, and what it would be were it free."""
    names: dict[str, str] = {}
    for name in (PREDICTION, *(f"probability of {label}" for label in labels or ())):
        known = {*taken, *names}
        other, count = name, 2
        while other in known:
            other, count = f"{name} ({count})", count + 1
        names[other] = name
    return names
