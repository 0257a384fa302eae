"""What a column is typed with, and what comes out of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from heldout.table.column import Column, sort_levels
from heldout.table.missing_markers import MissingRule
from heldout.table.raw_table import row_place
from heldout.table.strings import Spellings


@dataclass(frozen=True)
class TypingRules:
    """The settings that hold for a whole table.

    decimal:   "," or "." if the user or the file's other columns decided, else None
    day_first: how 03/04/2024 is read, None to let the values decide
    place:     says where a row is found
    points_may_group: may 1.234 be a thousand and more?
    """

    missing: MissingRule = field(default_factory=MissingRule)
    decimal: str | None = None
    day_first: bool | None = None
    place: Callable[[int], str] = row_place
    points_may_group: bool = False


@dataclass(frozen=True)
class TypedColumn:
    """A column, what was noticed about it, and what it tells about the others.

    decimal:          "," or "." if the column can only be read with it
    hangs_on_decimal: would it be read otherwise if the file had decimal commas?
    is_undecided:     does it wait for another column, or the user, to say what its marks mean?
    """

    column: Column
    notes: tuple[str, ...] = ()
    decimal: str = ""
    hangs_on_decimal: bool = False
    is_undecided: bool = False


def category_from(name: str, spelled: Spellings, reason: str, kind: str = "category") -> Column:
    """A category of distinct strings, levels sorted whatever the order of rows."""
    found = spelled.values.to_pylist()
    levels = sort_levels(found)
    return Column(name, kind, recoded(spelled.codes, found, levels), levels, reason)


def recoded(codes: NDArray[np.int32], old: Sequence[str], new: Sequence[str]) -> NDArray[np.int32]:
    """Positions in `old` turned into positions in `new`; missing stays missing."""
    position = {level: code for code, level in enumerate(new)}
    table = np.array([*(position[level] for level in old), -1], dtype=np.int32)
    return np.asarray(table[codes], dtype=np.int32)


def whole_number_strings(numbers: NDArray[np.float64]) -> Any:
    """17.0 as "17", NaN as null, in a chunked Arrow array."""
    missing = np.isnan(numbers)
    whole = pa.array(np.where(missing, 0.0, numbers).astype(np.int64), mask=missing)
    return pa.chunked_array([whole.cast(pa.string())])


def quoted(value: str) -> str:
    """A value as it is shown in a message, cut if it is long."""
    return repr(value if len(value) <= 40 else value[:37] + "...")
