"""The names of the columns, and the check that the first line is a header and no row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from heldout.errors import DataError, RequestError
from heldout.table.column import Column
from heldout.table.date_text import read_dates
from heldout.table.missing_markers import DEFAULT_MARKERS
from heldout.table.number_text import is_plain_number
from heldout.table.table import Table


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
    n_numbers, n_values, n_names = (claims.count(claim) for claim in ("number", "value", "name"))
    is_row = n_numbers > n_names if n_numbers else n_values > 0 and n_names == 0 and "new" not in claims
    if not is_row:
        return ()
    if _counts_up([cell for cell, claim in zip(first_row, claims, strict=True) if claim == "number"]):
        return (f"{place} is taken as names, as its numbers count up; header=False makes it a row",)
    position = next(index for index, claim in enumerate(claims) if claim in ("number", "value"))
    kind = table.columns[position].kind
    raise DataError(
        "the first line looks like a row, not like a header",
        where=f"{place}, column {position + 1}: {first_row[position]!r} over a column of kind {kind}",
        fix="say header=False (with names=[...] to name the columns), or header=True if it is one",
    )


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
    """Three or more whole numbers in steps of one are names, such as years."""
    if len(cells) < 3 or not all(cell.isdigit() for cell in cells):
        return False
    steps = np.diff([int(cell) for cell in cells])
    return bool((steps == 1).all())
