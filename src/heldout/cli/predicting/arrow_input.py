"""Files whose columns have types, chunk by chunk; those that cannot be cut are read as a whole."""

from __future__ import annotations

import gzip
import os
import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet

from heldout.cli.predicting.byte_source import STANDARD, ByteSource
from heldout.cli.predicting.input_chunk import ChunkSize, InputChunk, InputFile
from heldout.errors import DataError, RequestError
from heldout.table.raw_table import RawTable

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


_NEW_FILE = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)


@contextmanager
def whole_file(path: str) -> Iterator[Any]:
    """A stream whose bytes are at the path once all of them are written; packed if it ends in .gz.

    To standard output, a pipe or a device they go at once.

    path: of the file, which is replaced if it is there; "-" for standard output
    """
    if path == STANDARD:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    if os.path.exists(path) and not os.path.isfile(path):
        with _opened_whole(path) as stream:
            yield stream
        return
    place = Path(os.path.realpath(path))  # where a link leads; the link stays one
    beside = place.parent / f".{place.name[:40]}.{secrets.token_hex(8)}"
    try:
        handle = os.open(beside, _NEW_FILE, 0o666)
    except OSError as error:
        raise _refused(path, error) from error
    try:
        with os.fdopen(handle, "wb") as file:
            if place.suffix.lower() == ".gz":
                with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
                    yield packed
            else:
                yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, place)
    except BaseException as error:
        os.unlink(beside)
        if isinstance(error, OSError) and error.filename is None:
            error.filename = path  # a full disk does not say which
        raise


def _opened_whole(path: str) -> Any:
    """What is no file, and cannot be put in another's place."""
    try:
        return open(path, "wb")
    except OSError as error:
        raise _refused(path, error) from error


def _refused(path: str, error: OSError) -> RequestError:
    return RequestError(
        "a file cannot be written here",
        where=f"'{path}': {error.strerror or error}",
        fix="choose a place that exists and where you may write, with -o",
    )
