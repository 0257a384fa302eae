"""Bytes in and out: a file or pipe that can be read twice, as UTF-8; a file that is written as a whole."""

from __future__ import annotations

import codecs
import gzip
import io
import os
import secrets
import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heldout.errors import DataError, RequestError
from heldout.table.decode_text import unknown_encoding
from heldout.table.file_bytes import check_file, first_bytes

STANDARD = "-"
_GZIP_BEGINS = b"\x1f\x8b"


@dataclass(frozen=True)
class ByteSource:
    """Where bytes come from."""

    path: Path  # of the file that they are in, if need be a temporary one
    name: str  # what it is called in messages

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
    """A stream; damage of a packed file is a DataError."""

    def __init__(self, stream: Any, name: str) -> None:
        self.stream = stream
        self.name = name

    def __enter__(self) -> Unpacked:
        return self

    def __exit__(self, *failure: Any) -> None:
        self.stream.close()

    def read(self, n_bytes: int) -> bytes:
        """As many bytes as requested; fewer only at the end."""
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
    """The bytes of a file, of a pipe, or of standard input for "-"."""
    target = Path(path).expanduser()
    if path != STANDARD and not target.is_fifo():
        part = check_file(target)
        yield ByteSource(part, part.name)
        return
    with tempfile.NamedTemporaryFile(prefix="heldout-", suffix=".input") as kept:
        try:
            with nullcontext(sys.stdin.buffer) if path == STANDARD else target.open("rb") as stream:
                shutil.copyfileobj(stream, kept)
            kept.flush()
        except OSError as error:
            error.filename = error.filename or kept.name  # a full disk does not say which
            raise
        yield ByteSource(Path(kept.name), "standard input" if path == STANDARD else path)


_WIDE = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LOOKED_AT = 2000
_READ_AT_ONCE = 1 << 20


class Utf8Stream:
    """Reads UTF-8 bytes without a byte order mark; that they are sound is checked where lines are known."""

    def __init__(self, stream: Unpacked, encoding: str | None) -> None:
        self.stream = stream
        first = stream.read(_LOOKED_AT)
        self.encoding = encoding or _encoding_of(first)
        self._is_utf8 = _known(self.encoding) == "utf-8"
        self._decoder = codecs.getincrementaldecoder(self.encoding)()
        self.mark = codecs.BOM_UTF8 if self._is_utf8 and first.startswith(codecs.BOM_UTF8) else b""
        self._n_read = 0
        self._ready = self._as_utf8(first).removeprefix(codecs.BOM_UTF8)
        self._has_ended = len(first) < _LOOKED_AT
        if self._has_ended:
            self._ready += self._as_utf8(b"", is_end=True)

    def read(self, n_bytes: int) -> bytes:
        """As many bytes as requested; fewer only at the end."""
        while len(self._ready) < n_bytes and not self._has_ended:
            part = self.stream.read(max(n_bytes - len(self._ready), _READ_AT_ONCE))
            self._has_ended = not part
            self._ready += self._as_utf8(part, self._has_ended)
        given, self._ready = self._ready[:n_bytes], self._ready[n_bytes:]
        return given

    def _as_utf8(self, part: bytes, is_end: bool = False) -> bytes:
        if self._is_utf8:
            return part
        self._n_read += len(part)
        try:
            return self._decoder.decode(part, is_end).encode("utf-8")
        except UnicodeDecodeError as error:
            near = self._n_read - len(part) + error.start
            raise DataError(
                f"the file is not {self.encoding}",
                where=f"'{self.stream.name}', near byte {near:,}: {error.reason}",
                fix="give the right encoding with encoding=, or save the file as UTF-8",
            ) from None


def _known(encoding: str) -> str:
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        raise unknown_encoding(encoding) from None


def _encoding_of(first: bytes) -> str:
    for mark, name in _WIDE:
        if first.startswith(mark):
            return name
    for offset, name in ((1, "utf-16-le"), (0, "utf-16-be")):
        every_other = first[offset::2]
        if every_other.count(0) > 0.8 * len(every_other) and 0 not in first[1 - offset :: 2]:
            return name
    return "utf-8"


_NEW_FILE = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)


@contextmanager
def whole_file(path: str) -> Iterator[Any]:
    """A stream whose bytes are at the path once all of them are written; packed if it ends in .gz.

    To standard output, a pipe or a device they go at once.
    """
    if path == STANDARD:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    if os.path.exists(path) and not os.path.isfile(path):
        with _open_device(path) as stream:
            yield stream
        return
    target = Path(os.path.realpath(path))  # where a link leads; the link stays one
    beside = target.parent / f".{target.name[:40]}.{secrets.token_hex(8)}"
    try:
        handle = os.open(beside, _NEW_FILE, 0o666)
    except OSError as error:
        raise _cannot_write(path, error) from error
    try:
        with os.fdopen(handle, "wb") as file:
            if target.suffix.lower() == ".gz":
                with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
                    yield packed
            else:
                yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, target)
    except BaseException as error:
        os.unlink(beside)
        if isinstance(error, OSError) and error.filename is None:
            error.filename = path  # a full disk does not say which
        raise


def _open_device(path: str) -> Any:
    """What is no file, and cannot be put in another's place."""
    try:
        return open(path, "wb")
    except OSError as error:
        raise _cannot_write(path, error) from error


def _cannot_write(path: str, error: OSError) -> RequestError:
    return RequestError(
        "a file cannot be written here",
        where=f"'{path}': {error.strerror or error}",
        fix="choose a folder that exists and where you may write, with -o",
    )
