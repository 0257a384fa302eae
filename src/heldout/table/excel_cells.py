"""Cells of an .xlsx sheet that calamine hands over as empty although they are not.

A formula that no program has computed yet, and a cell that shows an error, both come back as the
empty string. Read as missing values without a word they would be a misreading, so the sheet's XML is asked.
"""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

from heldout.errors import DataError
from heldout.table.describe import plural

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
        place = _PLACE.search(attributes)
        cell = place[1].decode() if place else "without a name"
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
