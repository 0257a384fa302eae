"""The bytes of a delimited file as UTF-8 text, or an error that says what they are instead."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from heldout.errors import DataError, RequestError
from heldout.table.csv_header import line_at

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True)
class CsvText:
    """UTF-8 bytes without a byte order mark, and what was noticed on the way."""

    data: bytes
    notes: tuple[str, ...] = ()


def csv_text(data: bytes, encoding: str | None = None) -> CsvText:
    """Decode what the user or a byte order mark names; anything else must be UTF-8.

    encoding: a name that Python knows, or None
    """
    if data[:1000].isspace() or not data:
        _refuse_empty(data)
    if encoding is not None:
        return _as_requested(data, encoding)
    for mark, name in _MARKS:
        if data.startswith(mark):
            return CsvText(_decoded(data, name), (f"the file is {name.upper()}, by its byte order mark",))
    data = data.removeprefix(codecs.BOM_UTF8)
    # The smallest and the largest byte tell of NUL and of anything but ASCII, in half the time of a search.
    characters = np.frombuffer(data, dtype=np.uint8)
    if characters.min(initial=255) == 0:
        return _with_nul(data)
    if characters.max(initial=0) >= 0x80:
        _check_utf8(data)
    return CsvText(data)


def _as_requested(data: bytes, encoding: str) -> CsvText:
    """What the user's encoding makes of the bytes, with a word where UTF-8 fits them better."""
    text = _decoded(data, encoding).removeprefix(codecs.BOM_UTF8)
    name = codecs.lookup(encoding).name
    is_wide = name.startswith(("utf-16", "utf-32"))
    if name.startswith("utf-8") or (data.isascii() and not is_wide) or (is_wide and b"\x00" in data):
        return CsvText(text)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return CsvText(text)
    if is_wide:
        raise DataError(
            f"the file is not {encoding}",
            where=f"none of its {len(data):,} bytes is NUL, and all of them are UTF-8",
            fix="leave encoding= out",
        )
    note = f"the file is sound UTF-8, and is read as {encoding}, as requested; check its accents"
    return CsvText(text, (note,))


def _refuse_empty(data: bytes) -> None:
    if not data.strip():
        raise DataError(
            "the file is empty",
            where=f"{len(data):,} bytes" + (", all of them blank" if data else ""),
            fix="check where it was written; a header and rows are needed",
        )


def unknown_encoding(encoding: str) -> RequestError:
    """The error for a name that is no encoding."""
    return RequestError(
        f"there is no encoding {encoding!r}",
        where=f"encoding={encoding!r}",
        fix='use a name that Python knows, as "utf-8", "latin-1", "cp1252" or "utf-16"',
    )


def _decoded(data: bytes, encoding: str) -> bytes:
    try:
        text = data.decode(encoding)
    except LookupError:
        raise unknown_encoding(encoding) from None
    except UnicodeDecodeError as error:
        raise DataError(
            f"the file is not {encoding}",
            where=f"line {line_at(data, error.start):,}, byte {error.start:,}: {error.reason}",
            fix="give the right encoding with encoding=, or save the file as UTF-8",
        ) from None
    return text.encode("utf-8")


def _with_nul(data: bytes) -> CsvText:
    """NUL bytes: UTF-16 without a mark if every other byte of the beginning is one, else damage."""
    is_nul = np.frombuffer(data[:2000], dtype=np.uint8) == 0
    for offset, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        if is_nul[offset::2].mean() > 0.8 and not is_nul[1 - offset :: 2].any():
            return CsvText(_decoded(data, encoding), (f"the file is {encoding.upper()}, by its NUL bytes",))
    position = data.index(b"\x00")
    raise DataError(
        "the file holds NUL bytes, which text does not have",
        where=f"{data.count(0):,} of them, first on line {line_at(data, position):,}, byte {position:,}",
        fix="write the file again, or give its encoding with encoding=",
    )


def _check_utf8(data: bytes) -> None:
    whole = pa.Array.from_buffers(
        pa.large_binary(),
        1,
        [None, pa.py_buffer(np.array([0, len(data)], dtype=np.int64)), pa.py_buffer(data)],
    )
    try:
        whole.cast(pa.large_string())
    except pa.ArrowInvalid:
        raise _not_utf8(data) from None


def _not_utf8(data: bytes) -> DataError:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        position = error.start
    where = f"line {line_at(data, position):,}, byte {position:,} is 0x{data[position]:02x}"
    text = data.decode("utf-8", "replace")
    n_bad = text.count("\ufffd") - data.count("\ufffd".encode())
    n_sound = len(text) - len(text.encode("ascii", "ignore")) - n_bad
    if n_sound > n_bad:
        more = f"; {n_bad:,} such" if n_bad > 1 else ""
        return DataError(
            "the file is UTF-8 with damage",
            where=where + more,
            fix=f"mend it there; {n_sound:,} other characters are sound UTF-8, which no other encoding reads",
        )
    line_begin = max(data.rfind(b"\n", 0, position), data.rfind(b"\r", 0, position)) + 1
    is_windows = any(0x80 <= byte <= 0x9F for byte in data[position : position + 100_000])
    guess = "cp1252" if is_windows else "latin-1"
    shown = data[max(line_begin, position - 15) : position + 10].splitlines()[0].decode(guess, "replace")
    return DataError(
        "the file is not UTF-8",
        where=where,
        fix=f"if {shown!r} looks right, say encoding={guess!r}; otherwise name the right encoding",
    )
