"""A text as UTF-8, whatever it is written in, part by part."""

from __future__ import annotations

import codecs

from heldout.cli.predicting.byte_source import Unpacked
from heldout.errors import DataError
from heldout.table.csv_text import unknown_encoding

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
