"""A sheet of an Excel or OpenDocument workbook, read with calamine."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pyarrow as pa
import python_calamine

from heldout.errors import DataError, RequestError
from heldout.table.csv_header import check_names_and_header, column_names
from heldout.table.parse_numbers import LARGEST_EXACT, float_values, is_whole
from heldout.table.python_values import arrow_from_values
from heldout.table.raw_table import RawTable
from heldout.text.words import plural, suggestion


def read_excel(
    path: Path,
    sheet: str | int | None = None,
    header: bool | None = None,
    names: Sequence[str] | None = None,
    skip_lines: int = 0,
) -> RawTable:
    """The columns of one sheet.

    sheet:      its name or its position from 0; the first one by default
    header:     False if the first row holds values; None: it must not look like values
    names:      the columns' names, instead of or above the header's
    skip_lines: rows of the sheet above the header to pass over, as a title
    """
    check_names_and_header(names, header)
    name, grid, notes = _grid(path, sheet, skip_lines)
    top = _first_filled(grid, skip_lines)
    if top is None:
        below = f", below row {skip_lines}" if skip_lines else ""
        raise DataError(
            "the sheet is empty",
            where=f"'{path.name}', sheet '{name}'{below}",
            fix="name another with sheet=" + (", or skip fewer rows" if skip_lines else ""),
        )
    n_empty = top - skip_lines
    if n_empty:
        notes = (*notes, f"{n_empty} empty row{'s' * (n_empty > 1)} above the table skipped")
    rows = [list(row) for row in grid[top:]]
    while rows and all(cell == "" for cell in rows[-1]):
        rows.pop()
    found, body, cells, more = _cut(rows, header, f"'{path.name}', sheet '{name}'", top)
    named = column_names(found, len(found), names)
    return _raw(named, body, (*notes, *more), cells, first_row=top + (2 if header is not False else 1))


def _first_filled(grid: list[list[Any]], skip_lines: int) -> int | None:
    rows = range(skip_lines, len(grid))
    return next((row for row in rows if any(cell != "" for cell in grid[row])), None)


def _grid(
    path: Path, sheet: str | int | None, skip_lines: int
) -> tuple[str, list[list[Any]], tuple[str, ...]]:
    try:
        book = python_calamine.CalamineWorkbook.from_path(path)
    except (python_calamine.CalamineError, OSError) as error:
        raise DataError(
            "the file cannot be read as a workbook",
            where=f"'{path.name}': {str(error)[:150]}",
            fix="check that it was written completely, and that its name says what it is",
        ) from None
    with book:
        name = _sheet_name(book.sheet_names, sheet)
        found = book.get_sheet_by_name(name)
        _refuse_merged(found, f"'{path.name}', sheet '{name}'", skip_lines)
        notes = hidden_cell_notes(path, name)
        if sheet is None and len(book.sheet_names) > 1:
            notes += (f"sheet '{name}' read, the first of {len(book.sheet_names)}; sheet= names another",)
        return name, found.to_python(skip_empty_area=False), notes


def _sheet_name(names: Sequence[str], sheet: str | int | None) -> str:
    if sheet is None and names:
        return names[0]
    if isinstance(sheet, int) and 0 <= sheet < len(names):
        return names[sheet]
    if sheet in names:
        return str(sheet)
    raise RequestError(
        f"there is no sheet {sheet!r}",
        where=f"the workbook has {len(names)} sheet{'s' * (len(names) != 1)}",
        fix=suggestion(str(sheet), names),
    )


def _refuse_merged(sheet: python_calamine.CalamineSheet, where: str, skip_lines: int) -> None:
    """A merged cell has its value in one corner only: the others would be missing."""
    try:
        merged = [cells for cells in sheet.merged_cell_ranges or () if cells[1][0] >= skip_lines]
    except python_calamine.CalamineError:
        return
    if merged:
        (row, column), _ = min(merged)
        raise DataError(
            f"the sheet has {len(merged)} merged cell{'s' * (len(merged) > 1)}",
            where=f"{where}, first at row {row + 1}, column {column + 1}",
            fix="split them, so that every cell has its own value",
        )


def _cut(
    rows: list[list[Any]], header: bool | None, where: str, top: int
) -> tuple[list[str], list[list[Any]], tuple[str, ...], tuple[str, ...]]:
    """Names and rows, without columns that are empty from top to bottom."""
    n_columns = max(len(row) for row in rows)
    kept = [column for column in range(n_columns) if any(row[column] != "" for row in rows)]
    n_empty = n_columns - len(kept)
    notes = (f"{plural(n_empty, 'empty column')} left out",) if n_empty else ()
    rows = [[row[column] for column in kept] for row in rows]
    if header is False:
        return [f"column_{position}" for position in range(1, len(kept) + 1)], rows, (), notes
    if len(rows) == 1:
        raise DataError(
            "the sheet has a header and no rows",
            where=f"{where}, row {top + 1}",
            fix="say header=False if it is a row",
        )
    _refuse_title(rows, where, top)
    cells = tuple(_cell_text(cell) for cell in rows[0])
    return list(cells), rows[1:], cells if header is None else (), notes


def _refuse_title(rows: list[list[Any]], where: str, top: int) -> None:
    """A lone cell above a wider table is a title."""
    filled = [sum(cell != "" for cell in row) for row in rows[:3]]
    if filled[0] == 1 and len(rows[0]) > 1 and max(filled[1:]) > 1:
        text = next(cell for cell in rows[0] if cell != "")
        raise DataError(
            "the first row is not a header of the rows below it",
            where=f"{where}, row {top + 1} has one cell, {str(text)[:40]!r}; row {top + 2} has {filled[1]}",
            fix=f"remove the title, or say skip_lines={top + 1}",
        )


def _raw(
    names: list[str], rows: list[list[Any]], notes: tuple[str, ...], cells: tuple[str, ...], first_row: int
) -> RawTable:
    arrays = []
    for position, name in enumerate(names):
        column = [None if row[position] == "" else row[position] for row in rows]
        values, more = arrow_from_values(name, column)
        arrays.append(values)
        notes += (*more, *_lost_digits(name, values))

    def location(row_index: int) -> str:
        return f"row {row_index + first_row:,} of the sheet"

    return RawTable(
        tuple(names),
        tuple(arrays),
        notes,
        location,
        cells,
        header_index=f"row {first_row - 1} of the sheet",
        naming="mend the header, or replace it with header=True and names=[...]",
    )


def _lost_digits(name: str, values: pa.ChunkedArray) -> tuple[str, ...]:
    """A workbook holds floats, so that a whole number beyond 2^53 may be that of another row."""
    if not pa.types.is_floating(values.type):
        return ()
    numbers = float_values(values)
    n_large = int(np.count_nonzero((np.abs(numbers) >= LARGEST_EXACT) & np.isfinite(numbers)))
    if not n_large or not is_whole(numbers):
        return ()
    return (f"column '{name}': {plural(n_large, 'whole number')} beyond 2^53 may have lost digits",)


def _cell_text(cell: object) -> str:
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell).strip()


# An empty cell may close itself, and must not take the next one for its content.
_CELL = re.compile(rb"<c\s([^>]*?)(?:/>|>(.*?)</c>)", re.DOTALL)
_PLACE = re.compile(rb'\br="([A-Z]+[0-9]+)"')
_VALUE = re.compile(rb"<v[^>]*>([^<]+)</v>|<t[^>]*>([^<]+)</t>")
_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def hidden_cell_notes(path: Path, sheet: str) -> tuple[str, ...]:
    """Refuse formulas without a value, and say which cells hold errors; nothing for other formats."""
    if not zipfile.is_zipfile(path):
        return ()
    with zipfile.ZipFile(path) as archive:
        part = _sheet_part(archive, sheet)
        text = archive.read(part) if part in archive.namelist() else b""
    if b"<f" not in text and b't="e"' not in text:
        return ()
    formulas, errors = _hidden_cells(text)
    if formulas:
        raise DataError(
            f"{plural(len(formulas), 'formula')} without a computed value",
            where=f"'{path.name}', sheet '{sheet}', first in cell {formulas[0]}",
            fix="open the workbook in a spreadsheet program and save it there",
        )
    if not errors:
        return ()
    shown = plural(len(errors), "cell shows", "cells show")
    return (f"{shown} an error, first {errors[0]}, taken as missing",)


def _hidden_cells(text: bytes) -> tuple[list[str], list[str]]:
    """Where formulas without a value stand, and where errors do."""
    formulas, errors = [], []
    for attributes, content in _CELL.findall(text):
        index = _PLACE.search(attributes)
        cell = index[1].decode() if index else "without a name"
        if b't="e"' in attributes:
            errors.append(cell)
        elif b"<f" in content and b't="str"' not in attributes and _VALUE.search(content) is None:
            # A string that is empty, t="str", is a value that was computed.
            formulas.append(cell)
    return formulas, errors


def _sheet_part(archive: zipfile.ZipFile, sheet: str) -> str:
    """The name in the archive of the sheet's XML, "" if it is not found."""
    names = archive.namelist()
    if "xl/workbook.xml" not in names or "xl/_rels/workbook.xml.rels" not in names:
        return ""
    book = ElementTree.fromstring(archive.read("xl/workbook.xml"))
    relation = {entry.get("name"): entry.get(_RELATION) for entry in book.iter(f"{_MAIN}sheet")}.get(sheet)
    links = ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))
    target = {link.get("Id"): link.get("Target") for link in links}.get(relation) or ""
    return target.removeprefix("/") if target.startswith("/") else f"xl/{target}"
