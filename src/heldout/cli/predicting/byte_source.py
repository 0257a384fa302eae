"""The bytes of a file, which can be read more than once; what comes through a pipe is kept on disk first."""

from __future__ import annotations

import codecs
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

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError
from heldout.table.csv_header import records
from heldout.table.csv_text import unknown_encoding
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


_WIDE = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LOOKED_AT = 2000
_READ_AT_ONCE = 1 << 20


class Utf8Stream:
    """Reads UTF-8 bytes without a byte order mark; whether they are sound is checked where lines are known.

    stream:   the bytes as they are
    encoding: of the text; None to see it from a byte order mark or from NUL bytes, else it is UTF-8
    mark:     the byte order mark of UTF-8 if the text began with one, which spreadsheets look for
    """

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
        """As many bytes as asked for; fewer only at the end."""
        while len(self._ready) < n_bytes and not self._has_ended:
            found = self.stream.read(max(n_bytes - len(self._ready), _READ_AT_ONCE))
            self._has_ended = not found
            self._ready += self._as_utf8(found, self._has_ended)
        given, self._ready = self._ready[:n_bytes], self._ready[n_bytes:]
        return given

    def _as_utf8(self, found: bytes, is_end: bool = False) -> bytes:
        if self._is_utf8:
            return found
        self._n_read += len(found)
        try:
            return self._decoder.decode(found, is_end).encode("utf-8")
        except UnicodeDecodeError as error:
            near = self._n_read - len(found) + error.start
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


_FEED, _RETURN, _QUOTE = 10, 13, ord('"')


@dataclass(frozen=True, eq=False)
class RecordCuts:
    """The whole records of a part.

    begins, ends:  bytes of each record, its line end left out; a blank line is a record without bytes
    n_used:        bytes of the part up to which records are whole
    has_line_ends: does a quoted value hold a line end?
    problem:       "", or what is wrong with the quotes of a record; known only when the text has ended
    """

    begins: NDArray[np.intp]
    ends: NDArray[np.intp]
    n_used: int
    has_line_ends: bool = False
    problem: str = ""


def record_cuts(part: bytes, delimiter: str, is_last: bool) -> RecordCuts:
    """The records of a part that begins where a record does.

    is_last: whether nothing comes after it, so that its last record is whole
    """
    view = np.frombuffer(part, dtype=np.uint8)
    marks = _line_ends(view, is_last)
    if b'"' not in part:
        return _cuts(view, marks, is_last)
    quotes = np.flatnonzero(view == _QUOTE)
    if not are_sound_quotes(view, quotes, ord(delimiter), is_last):
        return _scanned(part, delimiter, is_last)
    is_inside = np.searchsorted(quotes, marks) % 2 == 1
    outside = marks[~is_inside]
    n_used = int(outside[-1]) + 1 if len(outside) else 0
    inner = bool(is_inside.any()) if is_last else bool((marks[is_inside] < n_used).any())
    return _cuts(view, outside, is_last, inner)


def _line_ends(view: NDArray[np.uint8], is_last: bool) -> NDArray[np.intp]:
    """The last byte of every line end: a feed, or a return that no feed follows."""
    feeds = np.flatnonzero(view == _FEED)
    returns = np.flatnonzero(view == _RETURN)
    if not len(returns):
        return feeds
    is_alone = view.take(returns + 1, mode="clip") != _FEED
    if len(returns) and returns[-1] == len(view) - 1:
        is_alone[-1] = is_last  # before the next part is there, nobody knows what follows it
    return np.sort(np.concatenate([feeds, returns[is_alone]]))


def are_sound_quotes(
    view: NDArray[np.uint8], quotes: NDArray[np.intp], delimiter: int, is_last: bool
) -> bool:
    """Does every other quote begin a field, and do the ones between end it? Doubled ones do both.

    view:    the bytes
    quotes:  where the quotes are
    is_last: whether all of the text is there, so that every quote must be closed
    """
    is_outside = np.zeros(256, dtype=np.bool_)
    is_outside[[_FEED, _RETURN, _QUOTE, delimiter]] = True
    opening, closing = quotes[0::2], quotes[1::2]
    if len(quotes) % 2 and is_last:
        return False
    begins = is_outside[view.take(opening - 1, mode="clip")] | (opening == 0)
    ends = is_outside[view.take(closing + 1, mode="clip")] | (closing == len(view) - 1)
    return bool(begins.all() and ends.all())


def _cuts(
    view: NDArray[np.uint8], marks: NDArray[np.intp], is_last: bool, has_line_ends: bool = False
) -> RecordCuts:
    n_used = int(marks[-1]) + 1 if len(marks) else 0
    begins = np.concatenate([[0], marks[:-1] + 1]).astype(np.intp) if len(marks) else np.empty(0, np.intp)
    has_return = (view[marks] == _FEED) & (marks > begins) & (view.take(marks - 1, mode="clip") == _RETURN)
    ends = marks - has_return
    if is_last and n_used < len(view):
        begins, ends = np.append(begins, n_used), np.append(ends, len(view))
        n_used = len(view)
    return RecordCuts(begins, ends, n_used, has_line_ends)


def _scanned(part: bytes, delimiter: str, is_last: bool) -> RecordCuts:
    """The same one by one, where quotes stand in the middle of values, or something is wrong with them."""
    begins: list[int] = []
    ends: list[int] = []
    n_used, has_line_ends = 0, False
    for record in records(part, delimiter, keep_blank=True):
        after = _after(part, record.end)
        # What reaches the end of a part may go on in the next one, and what seems wrong may be a doubled
        # quote of a value that is closed later.
        if not is_last and (record.problem or after >= len(part)):
            break
        if record.problem:
            return _arrays(begins, ends, n_used, has_line_ends, record.problem)
        begins.append(record.begin)
        ends.append(record.end)
        n_used, has_line_ends = after, has_line_ends or record.n_lines > 1
    return _arrays(begins, ends, n_used, has_line_ends, "")


def _after(part: bytes, end: int) -> int:
    return end + 2 if part.startswith(b"\r\n", end) else min(end + 1, len(part))


def _arrays(begins: list[int], ends: list[int], n_used: int, *claims: Any) -> RecordCuts:
    return RecordCuts(np.array(begins, np.intp), np.array(ends, np.intp), n_used, *claims)
