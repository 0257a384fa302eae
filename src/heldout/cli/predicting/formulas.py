"""Cells that a spreadsheet would run: text that begins as a formula does, made harmless by an apostrophe.

A file of predictions is opened with a spreadsheet sooner or later, and a cell such as =HYPERLINK(...) that a
stranger typed into a form is then run on the reader's machine. A number with a sign is no formula. Some
readers pass over blanks before a sign, and some take its full-width form, which East Asian keyboards have.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from heldout.cli.predicting.csv_input import are_sound_quotes, guarded_cell, raw_cells
from heldout.cli.predicting.input_chunks import TextLines
from heldout.table.arrow_strings import string_bytes

# RE2 and Python read both expressions alike: no \s, which is not the same in the two.
BEGINNING = r"^(?:[\t\r\n]|[ \t\r\n]*[-=+@＝＋－＠])"
GUARD = "'"
_CURRENCY = "[$€£¥₹]|USD|EUR|GBP|CHF|JPY"
# Digits with marks between them, a currency or percent: what a reader of tables takes for a number.
_BLANKS = " \u00a0\u202f"
_GAP, _END = f"[{_BLANKS}]*", rf"[{_BLANKS}\t\r\n]*$"
NUMBER = (
    rf"^ *[-+](?:{_GAP}(?:{_CURRENCY}))?{_GAP}(?:[0-9](?:[0-9.,'’{_BLANKS}]*[0-9])?[.,]?|[.,][0-9]+)"
    rf"(?:[eE][-+]?[0-9]+)?{_GAP}(?:%|{_CURRENCY})?{_END}|^ *[-+](?i:inf|infinity){_END}"
)
_BEGINNING, _NUMBER = re.compile(BEGINNING), re.compile(NUMBER)
# The first bytes of whatever may match BEGINNING; 0xEF begins the full-width signs.
_MAY_BEGIN = np.zeros(256, dtype=np.bool_)
_MAY_BEGIN[[*b"=+-@ \t\r\n", 0xEF]] = True


def is_formula(text: str) -> bool:
    """Would a spreadsheet take this text for a formula?"""
    return _BEGINNING.match(text) is not None and _NUMBER.match(text) is None


def guarded(text: str) -> str:
    """The text, which no spreadsheet runs."""
    return GUARD + text if is_formula(text) else text


def are_formulas(strings: pa.ChunkedArray) -> NDArray[np.bool_]:
    """One claim per value of a chunked Arrow array of strings."""
    parts = [_claims(chunk) for chunk in strings.chunks]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.bool_)


def _claims(chunk: pa.Array) -> NDArray[np.bool_]:
    begins, ends, data = string_bytes(chunk)
    claims = np.zeros(len(chunk), dtype=np.bool_)
    if not len(chunk) or not len(data):
        return claims
    claims = _MAY_BEGIN[data.take(begins, mode="clip")] & (ends > begins)
    if chunk.null_count:
        claims &= ~np.asarray(chunk.is_null())
    if claims.any():
        claimed = chunk.filter(pa.array(claims))
        begins_so, is_number = (pc.match_substring_regex(claimed, pattern) for pattern in (BEGINNING, NUMBER))
        claims[claims] = np.asarray(pc.and_not(begins_so, is_number), dtype=np.bool_)
    return claims


_QUOTE = ord('"')


def guarded_lines(
    lines: TextLines, claims: Mapping[int, NDArray[np.bool_]], delimiter: str, n_fields: int
) -> TextLines:
    """The rows with the guard before the text of these cells, inside the quotes of a cell that has some."""
    view = np.frombuffer(lines.data, dtype=np.uint8)
    starts = _field_starts(view, lines, delimiter, n_fields)
    if starts is None:
        return _one_by_one(lines, claims, delimiter)
    insertions = np.sort(np.concatenate([starts[claimed, column] for column, claimed in claims.items()]))
    insertions = insertions + (view[insertions] == _QUOTE)
    begins, ends = (ends + np.searchsorted(insertions, ends) for ends in (lines.begins, lines.ends))
    return replace(lines, data=np.insert(view, insertions, ord(GUARD)).tobytes(), begins=begins, ends=ends)


def _field_starts(
    view: NDArray[np.uint8], lines: TextLines, delimiter: str, n_fields: int
) -> NDArray[np.intp] | None:
    """Where each field begins, rows × fields; None where quotes stand in the middle of values."""
    marks = np.flatnonzero(view == ord(delimiter))
    quotes = np.flatnonzero(view == _QUOTE)
    if len(quotes):
        if not are_sound_quotes(view, quotes, ord(delimiter), is_last=True):
            return None
        marks = marks[np.searchsorted(quotes, marks) % 2 == 0]
    starts = np.sort(np.concatenate([lines.begins, marks + 1]))
    if len(starts) != len(lines.begins) * n_fields:
        return None
    table = starts.reshape(-1, n_fields)
    return table if np.array_equal(table[:, 0], lines.begins) else None


def _one_by_one(lines: TextLines, claims: Mapping[int, NDArray[np.bool_]], delimiter: str) -> TextLines:
    rows = []
    for row, (begin, end) in enumerate(zip(lines.begins.tolist(), lines.ends.tolist(), strict=True)):
        cells = raw_cells(lines.data[begin:end], delimiter)
        for column, claimed in claims.items():
            cells[column] = guarded_cell(cells[column]) if claimed[row] else cells[column]
        rows.append(delimiter.encode().join(cells))
    lengths = np.array([len(text) for text in rows], dtype=np.intp)
    ends = np.cumsum(lengths + 1) - 1
    return replace(lines, data=b"\n".join(rows) + b"\n", begins=ends - lengths, ends=ends)
