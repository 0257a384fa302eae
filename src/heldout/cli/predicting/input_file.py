"""The file of rows, opened by what it is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from heldout.cli.predicting.arrow_input import feather_input, parquet_input, whole_input
from heldout.cli.predicting.byte_source import ByteSource
from heldout.cli.predicting.csv_input import CsvInput
from heldout.cli.predicting.input_chunk import ChunkSize, InputFile
from heldout.errors import DataError, RequestError
from heldout.table.file_bytes import file_bytes, refuse_other_content
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
