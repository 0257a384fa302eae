"""Some rows of a file, as they stand there, and the file that gives them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError
from heldout.table.raw_table import row_place


@dataclass(frozen=True)
class ChunkSize:
    """How much of a file is in memory at a time.

    n_bytes: of a text
    n_rows:  of a file whose columns have types
    """

    n_bytes: int = 1 << 22
    n_rows: int = 1 << 15


@dataclass(frozen=True, eq=False)
class TextLines:
    """The rows of a text as it stands in the file.

    data:         UTF-8 bytes
    begins, ends: of each row
    first_line:   the physical line on which `data` begins
    """

    data: bytes
    begins: NDArray[np.intp]
    ends: NDArray[np.intp]
    first_line: int


@dataclass(frozen=True, eq=False)
class InputChunk:
    """Rows that follow each other.

    first_row: the position of the first of them in the file, from 0
    n_rows:    how many
    columns:   a pyarrow chunked array for each position that was asked for
    lines:     the rows as text, where the file is one
    """

    first_row: int
    n_rows: int
    columns: dict[int, Any]
    lines: TextLines | None = None

    def place(self, row: int) -> str:
        """Where a row of this chunk is found.

        row: its position in the chunk
        """
        if self.lines is None:
            return row_place(self.first_row + row)
        n_before = self.lines.data.count(b"\n", 0, int(self.lines.begins[row]))
        if not n_before:
            n_before = self.lines.data.count(b"\r", 0, int(self.lines.begins[row]))
        return f"{row_place(self.first_row + row)} (line {self.lines.first_line + n_before:,})"


class InputFile(ABC):
    """A file of rows that can be gone through more than once.

    names:            of its columns, as they are matched
    points_may_group: may 1.234 be a thousand and more, as in a file with semicolons?
    """

    names: Sequence[str]
    points_may_group: bool = False

    @abstractmethod
    def chunks(self, positions: Sequence[int] | None = None) -> Iterator[InputChunk]:
        """All rows in order.

        positions: the columns that are wanted; None for all
        """


def recorded_reading(provenance: Mapping[str, Any]) -> dict[str, Any]:
    """The options of `read_table` that hold for new rows too: missing, decimal, day_first.

    provenance: of the model file
    """
    recorded = provenance.get("reading", {})
    is_sound = isinstance(recorded, dict) and all(
        name in _RULES and _RULES[name](value) for name, value in recorded.items()
    )
    if not is_sound:
        raise DataError(
            "the model file says of its training table what no reader of tables can follow",
            where=f"provenance, reading: {recorded!r:.60}",
            fix="ship the model again, or get a fresh copy of the file",
        )
    return dict(recorded)


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, str) for entry in value)


def _are_markers(value: Any) -> bool:
    return _is_list(value) or (isinstance(value, dict) and all(_is_list(entry) for entry in value.values()))


_RULES: dict[str, Callable[[Any], bool]] = {
    "missing": _are_markers,
    "decimal": lambda value: value in (",", "."),
    "day_first": lambda value: isinstance(value, bool),
}
