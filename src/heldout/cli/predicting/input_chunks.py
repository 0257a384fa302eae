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
from heldout.table.raw_table import RawTable, row_place


@dataclass(frozen=True)
class ChunkSize:
    """How much of a file is in memory at a time.

    n_bytes: of a text
    n_rows:  of a file whose columns have types
    """

    n_bytes: int = 1 << 22
    n_rows: int = 1 << 15


@dataclass(frozen=True, eq=False)
class TextLines:
    """The rows of a text as it stands in the file.

    data:         UTF-8 bytes
    begins, ends: of each row
    first_line:   the physical line on which `data` begins
    """

    data: bytes
    begins: NDArray[np.intp]
    ends: NDArray[np.intp]
    first_line: int


@dataclass(frozen=True, eq=False)
class InputChunk:
    """Rows that follow each other.

    first_row: the position of the first of them in the file, from 0
    n_rows:    how many
    columns:   a pyarrow chunked array for each position that was asked for
    lines:     the rows as text, where the file is one
    """

    first_row: int
    n_rows: int
    columns: dict[int, Any]
    lines: TextLines | None = None

    def place(self, row: int) -> str:
        """Where a row of this chunk is found.

        row: its position in the chunk
        """
        if self.lines is None:
            return row_place(self.first_row + row)
        n_before = self.lines.data.count(b"\n", 0, int(self.lines.begins[row]))
        if not n_before:
            n_before = self.lines.data.count(b"\r", 0, int(self.lines.begins[row]))
        return f"{row_place(self.first_row + row)} (line {self.lines.first_line + n_before:,})"


class InputFile(ABC):
    """A file of rows that can be gone through more than once.

    names:            of its columns, as they are matched
    points_may_group: may 1.234 be a thousand and more, as in a file with semicolons?
    """

    names: Sequence[str]
    points_may_group: bool = False

    @abstractmethod
    def chunks(self, positions: Sequence[int] | None = None) -> Iterator[InputChunk]:
        """All rows in order.

        positions: the columns that are wanted; None for all
        """


def recorded_reading(provenance: Mapping[str, Any]) -> dict[str, Any]:
    """The options of `read_table` that hold for new rows too: missing, decimal, day_first.

    provenance: of the model file
    """
    recorded = provenance.get("reading", {})
    is_sound = isinstance(recorded, dict) and all(
        name in _RULES and _RULES[name](value) for name, value in recorded.items()
    )
    if not is_sound:
        raise DataError(
            "the model file says of its training table what no reader of tables can follow",
            where=f"provenance, reading: {recorded!r:.60}",
            fix="ship the model again, or get a fresh copy of the file",
        )
    return dict(recorded)


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, str) for entry in value)


def _are_markers(value: Any) -> bool:
    return _is_list(value) or (isinstance(value, dict) and all(_is_list(entry) for entry in value.values()))


_RULES: dict[str, Callable[[Any], bool]] = {
    "missing": _are_markers,
    "decimal": lambda value: value in (",", "."),
    "day_first": lambda value: isinstance(value, bool),
}


Batches = Callable[[], Iterator[Any]]


class ArrowInput(InputFile):
    """Rows of a file with types.

    schema:  the Arrow types of its columns, under the names that they have there
    batches: goes through the record batches of the file
    size:    of the chunks
    """

    def __init__(self, schema: Any, batches: Batches, size: ChunkSize | None = None) -> None:
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
                columns = {place: pa.chunked_array([part.column(place)]) for place in wanted}
                yield InputChunk(first_row, part.num_rows, columns)
                first_row += part.num_rows


def parquet_input(source: ByteSource, size: ChunkSize | None = None) -> ArrowInput:
    """The rows of a Parquet file, a few pages at a time."""
    size = size or ChunkSize()

    def batches() -> Iterator[Any]:
        with _said_as(source, "Parquet"), pyarrow.parquet.ParquetFile(source.path, pre_buffer=False) as file:
            yield from file.iter_batches(size.n_rows, use_threads=False)

    with _said_as(source, "Parquet"), pyarrow.parquet.ParquetFile(source.path) as file:
        return ArrowInput(file.schema_arrow, batches, size)


def feather_input(source: ByteSource, size: ChunkSize | None = None) -> ArrowInput:
    """The rows of a Feather file (Arrow IPC, a file or a stream), one record batch at a time."""

    def batches() -> Iterator[Any]:
        with _said_as(source, "Feather or Arrow"), pa.memory_map(str(source.path)) as mapped:
            opened = _opened(mapped)
            if isinstance(opened, pyarrow.ipc.RecordBatchFileReader):
                yield from (opened.get_batch(place) for place in range(opened.num_record_batches))
            else:
                yield from opened

    with _said_as(source, "Feather or Arrow"), pa.memory_map(str(source.path)) as mapped:
        return ArrowInput(_opened(mapped).schema, batches, size)


def whole_input(raw: RawTable, size: ChunkSize | None = None) -> ArrowInput:
    """The rows of a file that was read as a whole, as a sheet of Excel is."""
    table = pa.table(list(raw.arrays), names=list(raw.names))
    return ArrowInput(table.schema, lambda: iter(table.to_batches()), size)


def _opened(mapped: Any) -> Any:
    try:
        return pyarrow.ipc.open_file(mapped)
    except pa.ArrowInvalid:
        mapped.seek(0)
        return pyarrow.ipc.open_stream(mapped)


@contextmanager
def _said_as(source: ByteSource, wanted: str) -> Iterator[None]:
    """What Arrow cannot read is an error in three parts."""
    try:
        yield
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError) as error:
        raise DataError(
            f"the file cannot be read as {wanted}",
            where=f"'{source.name}': {str(error).splitlines()[0][:150]}",
            fix="check that it was written completely, and that its name says what it is",
        ) from None
