"""The form of the file that is written, by its name: CSV as text was, or Parquet."""

from __future__ import annotations

from pathlib import Path
from typing import IO, Any

import pyarrow as pa

from heldout.cli.predicting.arrow_input import ArrowInput
from heldout.cli.predicting.csv_input import CsvInput
from heldout.cli.predicting.csv_lines_output import CsvLinesOutput
from heldout.cli.predicting.input_chunk import InputFile
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

    >>> check_form("answers.csv.gz")
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
