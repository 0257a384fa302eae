"""How a table was read, as far as it bears on reading others like it: what was said, and what was found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heldout.table.table import Table

# What build_table says where commas mark decimals; a later file of a few rows may not show it.
COMMAS_FOUND = "the file has decimal commas"
_ORDERS = {"day/month/year": True, "month/day/year": False}


def found_reading(table: Table, options: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The options of `read_table` by which new rows are read as these were.

    table:   as it was read, with its notes
    options: what was said when it was read

    >>> from heldout.table.read_table import read_table
    >>> found_reading(read_table({"price": ["1,5", "2,25"], "day": ["31/01/2024", "02/03/2024"]}))
    {'decimal': ',', 'day_first': True}
    """
    said = options or {}
    found = {name: said[name] for name in ("missing", "decimal", "day_first") if said.get(name) is not None}
    if "decimal" not in found and any(note.startswith(COMMAS_FOUND) for note in table.notes):
        found["decimal"] = ","
    orders = {
        is_first for column in table.columns for is_first in [_order(column.reason)] if is_first is not None
    }
    if "day_first" not in found and len(orders) == 1:
        found["day_first"] = orders.pop()
    return found


def _order(reason: str) -> bool | None:
    return next((is_first for words, is_first in _ORDERS.items() if f"date, {words}" in reason), None)
