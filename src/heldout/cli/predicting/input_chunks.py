"""Rows of a file chunk by chunk: what a chunk holds, and files whose columns have types."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet
from numpy.typing import NDArray

from heldout.cli.predicting.byte_streams import ByteSource
from heldout.errors import DataError
from heldout.table.raw_table import RawTable, row_label


@dataclass(frozen=True)
class ChunkSize:
    """How much of a file is in memory at a time."""

    n_bytes: int = 1 << 22  # of a text
    n_rows: int = 1 << 15  # of a file whose columns have types


@dataclass(frozen=True, eq=False)
class TextLines:
    """The rows of a text as it stands in the file."""

    data: bytes  # uTF-8 bytes
    begins: NDArray[np.intp]  # of each row
    ends: NDArray[np.intp]
    first_line: int  # the physical line on which `data` begins


@dataclass(frozen=True, eq=False)
class InputChunk:
    """Rows that follow each other."""

    first_row: int  # the position of the first of them in the file, from 0
    n_rows: int  # how many
    columns: dict[int, Any]  # a pyarrow chunked array for each position that is wanted
    lines: TextLines | None = None  # the rows as text, where the file is one

    def describe_row(self, row: int) -> str:
        """Where a row of this chunk is found."""
        if self.lines is None:
            return row_label(self.first_row + row)
        n_before = self.lines.data.count(b"\n", 0, int(self.lines.begins[row]))
        if not n_before:
            n_before = self.lines.data.count(b"\r", 0, int(self.lines.begins[row]))
        return f"{row_label(self.first_row + row)} (line {self.lines.first_line + n_before:,})"


class InputFile(ABC):
    """A file of rows that can be gone through more than once."""

    names: Sequence[str]  # of its columns, as they are matched
    points_may_group: bool = False  # may 1.234 be a thousand and more, as in a file with semicolons?

    @abstractmethod
    def chunks(self, positions: Sequence[int] | None = None) -> Iterator[InputChunk]:
        """All rows in order."""


def reading_options_of(provenance: Mapping[str, Any]) -> dict[str, Any]:
    """The options of `read_table` that hold for new rows too: missing, decimal, day_first."""
    recorded = provenance.get("reading", {})
    is_sound = isinstance(recorded, dict) and all(
        name in _RULES and _RULES[name](value) for name, value in recorded.items()
    )
    if not is_sound:
        raise DataError(
            "the model file describes the reading of its training table in a way that cannot be followed",
            where=f"provenance, reading: {recorded!r:.60}",
            fix="ship the model again, or get a fresh copy of the file",
        )
    return dict(recorded)


def _is_list(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(entry, str) for entry in value)


def _are_markers(value: object) -> bool:
    return _is_list(value) or (isinstance(value, dict) and all(_is_list(entry) for entry in value.values()))


_RULES: dict[str, Callable[[Any], bool]] = {
    "missing": _are_markers,
    "decimal": lambda value: value in (",", "."),
    "day_first": lambda value: isinstance(value, bool),
}
Batches = Callable[[], Iterator[Any]]


class ArrowInput(InputFile):
    """Rows of a file with types."""

    def __init__(self, schema: pa.Schema, batches: Batches, size: ChunkSize | None = None) -> None:
        self.schema = schema
        self.batches = batches
        self.size = size or ChunkSize()
        self.names = tuple(name.strip() for name in schema.names)

    def chunks(self, positions: Sequence[int] | None = None) -> Iterator[InputChunk]:
        wanted = range(len(self.names)) if positions is None else positions
        first_row = 0
        for batch in self.batches():
            for begin in range(0, batch.num_rows, self.size.n_rows):
                part = batch.slice(begin, self.size.n_rows)
                columns = {position: pa.chunked_array([part.column(position)]) for position in wanted}
                yield InputChunk(first_row, part.num_rows, columns)
                first_row += part.num_rows


def parquet_input(source: ByteSource, size: ChunkSize | None = None) -> ArrowInput:
    """The rows of a Parquet file, a few pages at a time."""
    size = size or ChunkSize()

    def batches() -> Iterator[Any]:
        with (
            _translate_arrow_errors(source, "Parquet"),
            pyarrow.parquet.ParquetFile(source.path, pre_buffer=False) as file,
        ):
            yield from file.iter_batches(size.n_rows, use_threads=False)

    with _translate_arrow_errors(source, "Parquet"), pyarrow.parquet.ParquetFile(source.path) as file:
        return ArrowInput(file.schema_arrow, batches, size)


def feather_input(source: ByteSource, size: ChunkSize | None = None) -> ArrowInput:
    """The rows of a Feather file (Arrow IPC, a file or a stream), one record batch at a time."""

    def batches() -> Iterator[Any]:
        with _translate_arrow_errors(source, "Feather or Arrow"), pa.memory_map(str(source.path)) as mapped:
            opened = _open_ipc(mapped)
            if isinstance(opened, pyarrow.ipc.RecordBatchFileReader):
                yield from (opened.get_batch(position) for position in range(opened.num_record_batches))
            else:
                yield from opened

    with _translate_arrow_errors(source, "Feather or Arrow"), pa.memory_map(str(source.path)) as mapped:
        return ArrowInput(_open_ipc(mapped).schema, batches, size)


def whole_input(raw: RawTable, size: ChunkSize | None = None) -> ArrowInput:
    """The rows of a file that was read as a whole, as a sheet of Excel is."""
    table = pa.table(list(raw.arrays), names=list(raw.names))
    return ArrowInput(table.schema, lambda: iter(table.to_batches()), size)


def _open_ipc(mapped: pa.NativeFile) -> Any:
    try:
        return pyarrow.ipc.open_file(mapped)
    except pa.ArrowInvalid:
        mapped.seek(0)
        return pyarrow.ipc.open_stream(mapped)


@contextmanager
def _translate_arrow_errors(source: ByteSource, wanted: str) -> Iterator[None]:
    """What Arrow cannot read is an error in three parts."""
    try:
        yield
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError) as error:
        raise DataError(
            f"the file cannot be read as {wanted}",
            where=f"'{source.name}': {str(error).splitlines()[0][:150]}",
            fix="check that it was written completely, and that its name says what it is",
        ) from None
