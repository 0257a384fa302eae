"""What a reader hands on: named Arrow arrays that have not been given kinds yet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


def row_place(row_index: int) -> str:
    """Where a row is, for sources that have no lines."""
    return f"row {row_index + 1:,}"


@dataclass(frozen=True)
class RawTable:
    """Columns as their source has them.

    names:  distinct names, one per column
    arrays: pyarrow chunked arrays of equal length; strings are typed by their contents later
    notes:  what the reader noticed
    place:  says where a row index is found, "row 17" or "row 17 (line 18)"
    header: the cells of a first line that nobody has said is a header, and where that line is
    naming: how the columns of this source get other names
    points_may_group: may 1.234 be a thousand and more, as in a file with semicolons?
    has_first: is the first column of the source among them? That one may count the rows
    """

    names: tuple[str, ...]
    arrays: tuple[Any, ...]
    notes: tuple[str, ...] = ()
    place: Callable[[int], str] = row_place
    header: tuple[str, ...] = ()
    header_place: str = "line 1"
    naming: str = "rename it in the source"
    points_may_group: bool = False
    has_first: bool = True
