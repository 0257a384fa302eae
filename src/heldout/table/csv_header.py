"""The names of the columns, and the check that the first line is a header and no row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from heldout.errors import DataError, RequestError
from heldout.table.column import Column
from heldout.table.date_text import read_dates
from heldout.table.kinds import boolean_levels
from heldout.table.missing_markers import DEFAULT_MARKERS
from heldout.table.number_text import is_plain_number
from heldout.table.table import Table

_FIRST_YEAR, _LAST_YEAR = 1900, 2100


def check_names_and_header(names: Sequence[str] | None, header: bool | None) -> None:
    """Names alone do not say whether the first line is a row."""
    if names is not None and header is None:
        raise RequestError(
            "names do not say whether the file has a header",
            where=f"names has {len(names)} entries, header is not given",
            fix="add header=False if the first line is a row, header=True if it is to be replaced",
        )


def column_names(header: Sequence[str] | None, n_columns: int, names: Sequence[str] | None) -> list[str]:
    """Names from the user, from the header, or column_1, column_2, ... where there is neither."""
    if names is not None and len(names) != n_columns:
        raise RequestError(
            "there must be one name per column",
            where=f"names has {len(names)}, the source {n_columns} columns",
            fix="name every column",
        )
    if names is not None:
        return [str(name) for name in names]
    if header is None:
        return [f"column_{position}" for position in range(1, n_columns + 1)]
    return [*header, ""][:n_columns]


def check_header(first_row: Sequence[str], table: Table, place: str) -> tuple[str, ...]:
    """Refuse a first line that looks like a row: read as names, that row would be lost.

    A cell speaks for a row if it is a number or date over a column of them, or a value that occurs below
    it; it speaks for a header if it is neither over a column of numbers, dates or booleans.

    place: where the line is, "line 1" or "row 1 of the sheet"
    """
    claims = [_claim(cell, column) for cell, column in zip(first_row, table.columns, strict=True)]
    if not _is_row(claims):
        return _value_notes(first_row, claims, place)
    numbered = [index for index, claim in enumerate(claims) if claim == "number"]
    cells = [first_row[index] for index in numbered]
    if _are_years(cells) and not all(_holds_years(table.columns[index]) for index in numbered):
        return (
            f"{place} is taken as names, as its numbers count up like years; header=False makes it a row",
        )
    what = "looks like a row, not like a header"
    if _counts_up(cells):
        what = "may be a row or hold names: its numbers count up"
    position = next(index for index, claim in enumerate(claims) if claim in ("number", "value"))
    kind = table.columns[position].kind
    raise DataError(
        f"the first line {what}",
        where=f"{place}, column {position + 1}: {first_row[position]!r} over a column of kind {kind}",
        fix="say header=False (with names=[...] to name the columns), or header=True if it is one",
    )


def _is_row(claims: Sequence[str]) -> bool:
    n_numbers, n_values, n_names = (claims.count(claim) for claim in ("number", "value", "name"))
    if n_numbers:
        return n_numbers > n_names
    return n_values > n_names and (n_values >= 2 or "new" not in claims)


def _value_notes(first_row: Sequence[str], claims: Sequence[str], place: str) -> tuple[str, ...]:
    """A name that is also a value of its column is odd, and said."""
    if "value" not in claims:
        return ()
    position = claims.index("value")
    name = first_row[position]
    note = f"{place} is taken as names, though {name!r} is also a value of column {position + 1}"
    return (f"{note}; header=False makes it a row",)


def _claim(cell: str, column: Column) -> str:
    """What a cell of the first line says: "number", "value", "name", "new" (a value not seen below), ""."""
    if cell == "" or cell in DEFAULT_MARKERS:
        return ""
    if column.kind in ("number", "date") and np.isnan(column.values).all():
        return ""
    strings = pa.array([cell])
    if column.kind == "number":
        return "number" if is_plain_number(strings)[0] or _is_decorated(cell) else "name"
    if column.kind == "date":
        return "number" if read_dates(strings, True) or read_dates(strings, False) else "name"
    if column.kind in ("category", "boolean"):
        is_value = cell in column.levels or cell.casefold() in column.levels
        # A "no" over nothing but "yes" is the other value of the pair.
        is_value = is_value or boolean_levels([cell, *column.levels[:13]]) is not None
        return "value" if is_value else "name" if column.kind == "boolean" else "new"
    is_numeric = column.kind == "identifier" and cell.isdigit()
    return (
        "number"
        if is_numeric and all(value is None or value.isdigit() for value in column.values[:1000])
        else ""
    )


def _is_decorated(cell: str) -> bool:
    return any(character.isdigit() for character in cell) and not any(
        character.isalpha() for character in cell
    )


def _counts_up(cells: Sequence[str]) -> bool:
    """Two or more whole numbers in steps of one."""
    return len(cells) > 1 and _are_digits(cells) and bool((np.diff([int(cell) for cell in cells]) == 1).all())


def _are_years(cells: Sequence[str]) -> bool:
    """Two or more years that increase are names."""
    if len(cells) < 2 or not _are_digits(cells):
        return False
    years = np.array([int(cell) for cell in cells])
    return bool((years >= _FIRST_YEAR).all() and (years <= _LAST_YEAR).all() and (np.diff(years) > 0).all())


def _holds_years(column: Column) -> bool:
    """Is every value a year, so that a year above them may be one more?"""
    if column.kind != "number":
        return False
    known = column.values[~np.isnan(column.values)]
    return bool(((known >= _FIRST_YEAR) & (known <= _LAST_YEAR)).all())


def _are_digits(cells: Sequence[str]) -> bool:
    """A number of 19 digits or more does not fit an integer, and is no name."""
    return all(cell.isascii() and cell.isdigit() and len(cell) < 19 for cell in cells)
