"""Rows of a text with an apostrophe in every cell that a spreadsheet would run; nothing else is touched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from heldout.cli.predicting.csv_cells import guarded_cell, raw_cells
from heldout.cli.predicting.formulas import GUARD
from heldout.cli.predicting.input_chunk import TextLines
from heldout.cli.predicting.record_cuts import are_sound_quotes

_QUOTE = ord('"')


def guarded_lines(
    lines: TextLines, claims: Mapping[int, NDArray[np.bool_]], delimiter: str, n_fields: int
) -> TextLines:
    """The rows with the guard before the text of these cells, inside the quotes of a cell that has some.

    claims:   by position of the column, one claim per row
    n_fields: of every row

    >>> lines = TextLines(b"=1,a\\n2,b\\n", np.array([0, 5]), np.array([4, 8]), 1)
    >>> found = guarded_lines(lines, {0: np.array([True, False])}, ",", 2)
    >>> found.data, found.begins.tolist(), found.ends.tolist()
    (b"'=1,a\\n2,b\\n", [0, 6], [5, 9])
    """
    view = np.frombuffer(lines.data, dtype=np.uint8)
    starts = _field_starts(view, lines, delimiter, n_fields)
    if starts is None:
        return _one_by_one(lines, claims, delimiter)
    places = np.sort(np.concatenate([starts[found, place] for place, found in claims.items()]))
    places = places + (view[places] == _QUOTE)
    begins, ends = (ends + np.searchsorted(places, ends) for ends in (lines.begins, lines.ends))
    return replace(lines, data=np.insert(view, places, ord(GUARD)).tobytes(), begins=begins, ends=ends)


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
        for place, found in claims.items():
            cells[place] = guarded_cell(cells[place]) if found[row] else cells[place]
        rows.append(delimiter.encode().join(cells))
    lengths = np.array([len(text) for text in rows], dtype=np.intp)
    ends = np.cumsum(lengths + 1) - 1
    return replace(lines, data=b"\n".join(rows) + b"\n", begins=ends - lengths, ends=ends)
