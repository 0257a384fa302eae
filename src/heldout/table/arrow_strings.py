"""Columns of strings as Arrow holds them: trimmed, and reduced to their distinct values."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

_SLICE = 8192
_WHITE = np.zeros(256, dtype=np.bool_)
# Bytes that may begin or end white space, in ASCII and beyond.
_WHITE[[*range(9, 14), *range(28, 33), 0xC2, 0xE1, 0xE2, 0xE3, *range(0x80, 0xB0)]] = True


@dataclass(frozen=True)
class Spellings:
    """A column of strings as distinct values and the position of each row's value among them.

    values: pyarrow array of the distinct strings, no nulls
    codes:  int32 position per row, -1 for missing
    """

    values: Any
    codes: NDArray[np.int32]

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """How often each distinct value occurs."""
        return np.bincount(self.codes + 1, minlength=len(self.values) + 1)[1:].astype(np.int64)

    @property
    def n_known(self) -> int:
        return int(self.counts.sum())

    def without(self, markers: Sequence[str]) -> tuple[Spellings, dict[str, int]]:
        """The column with markers made missing, and how often each was."""
        is_marker = np.asarray(pc.is_in(self.values, value_set=pa.array([*markers, ""], pa.string())))
        if not is_marker.any():
            return self, {}
        counts = self.counts[is_marker].tolist()
        found = zip(self.values.filter(pa.array(is_marker)).to_pylist(), counts, strict=True)
        return self.only(~is_marker), {marker: count for marker, count in found if marker and count}

    def only(self, is_kept: NDArray[np.bool_]) -> Spellings:
        """The column with the other distinct values made missing."""
        if is_kept.all():
            return self
        new_code = np.where(is_kept, np.cumsum(is_kept) - 1, -1).astype(np.int32)
        codes = np.append(new_code, np.int32(-1))[self.codes]
        return Spellings(self.values.filter(pa.array(is_kept)), codes)

    def strings(self) -> pa.ChunkedArray:
        """The column again, one string per row, null for missing."""
        positions = pa.array(self.codes, mask=self.codes < 0)
        return pa.chunked_array([self.values.take(positions)])

    def first_row_of(self, is_wanted: NDArray[np.bool_]) -> int:
        """The first row whose value is one of the wanted distinct ones."""
        return int(np.argmax(np.append(is_wanted, False)[self.codes]))


def trim_strings(strings: pa.ChunkedArray) -> pa.ChunkedArray:
    """Without the white space around values; the array itself where there is none."""
    if not any(_has_outer_space(chunk) for chunk in strings.chunks):
        return strings
    return pc.utf8_trim_whitespace(strings)


def text_sizes(strings: pa.ChunkedArray) -> tuple[int, int]:
    """How many characters and how many blanks all the strings have together."""
    n_characters, n_blanks = 0, 0
    for chunk in strings.chunks:
        begins, ends, data = string_bytes(chunk)
        if len(chunk):
            used = data[begins[0] : ends[-1]]
            n_characters += len(used)
            if used.max(initial=0) >= 0x80:
                n_characters -= int(np.count_nonzero((used & 0xC0) == 0x80))
            n_blanks += int(np.count_nonzero(used == ord(" ")))
    return n_characters, n_blanks


def spellings(strings: pa.ChunkedArray) -> Spellings:
    """The distinct values of a chunked array of strings, trimmed, and where they are."""
    encoded = _encoded(strings)
    values = encoded.chunk(0).dictionary if encoded.num_chunks else pa.array([], pa.string())
    values = values if pa.types.is_string(values.type) else values.cast(pa.string())
    parts = [_codes(chunk) for chunk in encoded.chunks]
    codes = np.concatenate(parts) if parts else np.empty(0, dtype=np.int32)
    if not _has_outer_space(values):
        return Spellings(values, codes)
    merged = pc.utf8_trim_whitespace(values).dictionary_encode()
    return Spellings(merged.dictionary, np.append(_codes(merged), np.int32(-1))[codes])


def _encoded(strings: pa.ChunkedArray) -> pa.ChunkedArray:
    """Chunks of codes with one dictionary."""
    if pa.types.is_dictionary(strings.type):
        return strings.unify_dictionaries()
    whole = strings.combine_chunks()  # one chunk is three times as fast; beyond 2 GB there are several
    encoded = pc.dictionary_encode(whole)
    return encoded if isinstance(encoded, pa.ChunkedArray) else pa.chunked_array([encoded])


def object_strings(strings: pa.ChunkedArray) -> NDArray[np.object_]:
    """A NumPy array of str, None for missing."""
    objects = np.empty(len(strings), dtype=object)
    for begin in range(0, len(strings), _SLICE):
        part = strings.slice(begin, _SLICE)
        objects[begin : begin + len(part)] = part.to_numpy(zero_copy_only=False)
        # Making objects holds the interpreter; the threads that type other columns want it in between.
        time.sleep(0)
    return objects


def leading_zero_row(strings: pa.ChunkedArray) -> int | None:
    """The first row whose value is a 0 followed by a digit, as in 007; None if there is none."""
    start = 0
    for chunk in strings.chunks:
        found = _leading_zeros(chunk)
        if found.any():
            return start + int(np.argmax(found))
        start += len(chunk)
    return None


def has_exponent(strings: pa.ChunkedArray) -> bool:
    """Does an E or e stand in any value? A search of the bytes, many times as fast as one by value."""
    for chunk in strings.chunks:
        begins, ends, data = string_bytes(chunk)
        if len(chunk):
            used = data[begins[0] : ends[-1]].tobytes()
            if b"E" in used or b"e" in used:
                return True
    return False


def string_bytes(chunk: pa.Array) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.uint8]]:
    """Where each value begins and ends, and the bytes they lie in."""
    width = np.int64 if pa.types.is_large_string(chunk.type) else np.int32
    _, offset_buffer, data_buffer = chunk.buffers()
    offsets = np.frombuffer(offset_buffer, dtype=width)[chunk.offset : chunk.offset + len(chunk) + 1]
    data = np.frombuffer(data_buffer, dtype=np.uint8) if data_buffer else np.empty(0, dtype=np.uint8)
    return offsets[:-1], offsets[1:], data


def shortest(strings: pa.ChunkedArray) -> int:
    """The number of bytes of the shortest value, nulls left out."""
    lengths = pc.min(pc.binary_length(strings)).as_py()
    return 0 if lengths is None else int(lengths)


def string_size(chunk: pa.Array) -> int:
    """How many bytes the values of a chunk have together."""
    begins, ends, _ = string_bytes(chunk)
    return int(ends[-1] - begins[0]) if len(chunk) else 0


def _codes(chunk: pa.Array) -> NDArray[np.int32]:
    indices = chunk.indices
    if indices.null_count:
        indices = indices.fill_null(-1) if pa.types.is_signed_integer(indices.type) else _signed(indices)
    return np.asarray(indices.to_numpy(zero_copy_only=False), dtype=np.int32)


def _signed(indices: pa.Array) -> pa.ChunkedArray:
    return indices.cast(pa.int64()).fill_null(-1)


def _has_outer_space(chunk: pa.Array) -> bool:
    if not len(chunk):
        return False
    begins, ends, data = string_bytes(chunk)
    if not len(data):
        return False
    last = len(data) - 1
    filled = ends > begins
    outer = _WHITE[data[np.minimum(begins, last)]] | _WHITE[data[np.maximum(ends, 1) - 1]]
    return bool((outer & filled).any())


def _leading_zeros(chunk: pa.Array) -> NDArray[np.bool_]:
    if not len(chunk):
        return np.zeros(0, dtype=np.bool_)
    begins, ends, data = string_bytes(chunk)
    if not len(data):
        return np.zeros(len(chunk), dtype=np.bool_)
    last = len(data) - 1
    first_byte = data[np.minimum(begins, last)]
    signed = (first_byte == ord("-")) | (first_byte == ord("+"))
    if signed.any():
        begins = begins + signed
        first_byte = data[np.minimum(begins, last)]
    candidates = (first_byte == ord("0")) & (ends - begins > 1)
    if not candidates.any():
        return np.asarray(candidates)
    second = data[np.minimum(begins + 1, last)]
    return np.asarray(candidates & (second >= ord("0")) & (second <= ord("9")))
