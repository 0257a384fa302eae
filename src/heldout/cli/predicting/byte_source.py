"""The bytes of a file, which can be read more than once; what comes through a pipe is kept on disk first."""

from __future__ import annotations

import gzip
import io
import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heldout.errors import DataError
from heldout.table.file_bytes import check_file, first_bytes

STANDARD = "-"
_GZIP_BEGINS = b"\x1f\x8b"


@dataclass(frozen=True)
class ByteSource:
    """Where bytes come from.

    path: of the file that they are in, if need be a temporary one
    name: what it is called in messages
    """

    path: Path
    name: str

    def first_bytes(self, n_bytes: int) -> bytes:
        """The beginning, unpacked."""
        with self.opened() as stream:
            return stream.read(n_bytes)

    def opened(self) -> Unpacked:
        """A stream of the bytes, unpacked where they are gzip."""
        is_packed = first_bytes(self.path, 2) == _GZIP_BEGINS
        stream: Any = gzip.open(self.path, "rb") if is_packed else self.path.open("rb")  # noqa: SIM115
        return Unpacked(stream, self.name)


class Unpacked:
    """A stream whose damage is said in three parts."""

    def __init__(self, stream: Any, name: str) -> None:
        self.stream = stream
        self.name = name

    def __enter__(self) -> Unpacked:
        return self

    def __exit__(self, *failure: Any) -> None:
        self.stream.close()

    def read(self, n_bytes: int) -> bytes:
        """As many bytes as asked for; fewer only at the end."""
        parts = io.BytesIO()
        try:
            while parts.tell() < n_bytes:
                part = self.stream.read(n_bytes - parts.tell())
                if not part:
                    break
                parts.write(part)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise DataError(
                "the gzip file is damaged or not complete",
                where=f"'{self.name}': {error}",
                fix="copy or download it again",
            ) from None
        return parts.getvalue()


@contextmanager
def byte_source(path: str) -> Iterator[ByteSource]:
    """The bytes of a file, of a pipe, or of standard input for "-".

    path: of the file

    >>> with tempfile.NamedTemporaryFile(suffix=".csv") as file:
    ...     _ = file.write(b"age,city")
    ...     file.flush()
    ...     with byte_source(file.name) as source:
    ...         source.first_bytes(3)
    b'age'
    """
    place = Path(path).expanduser()
    if path != STANDARD and not place.is_fifo():
        found = check_file(place)
        yield ByteSource(found, found.name)
        return
    with tempfile.NamedTemporaryFile(prefix="heldout-", suffix=".input") as kept:
        try:
            with nullcontext(sys.stdin.buffer) if path == STANDARD else place.open("rb") as stream:
                shutil.copyfileobj(stream, kept)
            kept.flush()
        except OSError as error:
            error.filename = error.filename or kept.name  # a full disk does not say which
            raise
        yield ByteSource(Path(kept.name), "standard input" if path == STANDARD else path)
