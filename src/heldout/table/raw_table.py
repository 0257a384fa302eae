"""What a reader hands on: named Arrow arrays that have not been given kinds yet."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from heldout.table.table import Table


def row_label(row_index: int) -> str:
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
    location: Callable[[int], str] = row_label
    header: tuple[str, ...] = ()
    header_index: str = "line 1"
    naming: str = "rename it in the source"
    points_may_group: bool = False
    has_first: bool = True


@dataclass(frozen=True)
class TableSource:
    """A file, and how it was read.

    path:    of the file, from the root on
    options: what `read_table` was told beside it, as JSON can hold it; what was left out stays left out
    """

    path: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The same as JSON can hold it."""
        return {"path": self.path, "options": dict(self.options)}

    def read(self, path: str | os.PathLike[str] | None = None) -> Table:
        """The table, read again in the same way.

        path: where the file is now, if it was moved
        """
        from heldout.table.read_table import read_table

        return read_table(self.path if path is None else path, **self.options)


def source_of(source: object, options: Mapping[str, Any]) -> TableSource | None:
    """What is kept of a source: only a file can be read again.

    source:  what `read_table` was given
    options: all of its other parameters, None where they were left out
    """
    if not isinstance(source, str | os.PathLike):
        return None
    given = {name: _plain(value) for name, value in options.items() if value is not None}
    return TableSource(str(Path(os.path.abspath(Path(source).expanduser()))), given)


def _plain(value: object) -> object:
    """Lists and dicts in place of what else may stand for them."""
    if isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    if isinstance(value, Iterable):
        return [_plain(entry) for entry in value]
    return value
