"""Where a table was read from, so that it can be read again later, by somebody else, in the same way."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from heldout.table.table import Table


@dataclass(frozen=True)
class TableSource:
    """A file, and how it was read.

    path:    of the file, from the root on
    options: what `read_table` was told beside it, as JSON can hold it; what was left out stays left out

    >>> TableSource("/data/churn.csv", {"decimal": ","}).to_dict()
    {'path': '/data/churn.csv', 'options': {'decimal': ','}}
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


def source_of(source: Any, options: Mapping[str, Any]) -> TableSource | None:
    """What is kept of a source: only a file can be read again.

    source:  what `read_table` was given
    options: all of its other parameters, None where they were left out

    >>> source_of({"age": [41]}, {}) is None
    True
    >>> source_of("/data/churn.csv", {"missing": ("?",), "decimal": None}).options
    {'missing': ['?']}
    """
    if not isinstance(source, str | os.PathLike):
        return None
    given = {name: _plain(value) for name, value in options.items() if value is not None}
    return TableSource(str(Path(os.path.abspath(Path(source).expanduser()))), given)


def _plain(value: Any) -> Any:
    """Lists and dicts in place of what else may stand for them."""
    if isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(_plain(entry) for entry in value)
    if isinstance(value, Iterable):
        return [_plain(entry) for entry in value]
    return value
