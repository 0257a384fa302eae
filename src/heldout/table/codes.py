"""Columns as the core wants them: dense ranks for numbers, positions for levels.

Ranks keep the order and lose nothing, so they are made once for a whole table and shared by every
selection of its rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout import native


@dataclass(frozen=True, eq=False)
class CodedColumn:
    """One column of codes.

    codes:       uint8, uint16 or uint32, one per row; a missing value has the code `n_codes`
    n_codes:     how many distinct codes there can be, missing left out
    numbers:     for ranks, the column they were made from
    distinct:    or the sorted distinct numbers they stand for; levels have neither
    levels:      the names of the levels, in the order of their codes
    """

    codes: NDArray[Any]
    n_codes: int
    numbers: NDArray[np.float64] | None = None
    distinct: NDArray[np.float64] | None = None
    levels: tuple[str, ...] = ()

    @property
    def is_category(self) -> bool:
        """Whether the codes are levels (no order) or ranks."""
        return self.numbers is None and self.distinct is None

    def distinct_numbers(self) -> NDArray[np.float64]:
        """The sorted distinct numbers that the ranks stand for."""
        if self.distinct is not None:
            return self.distinct
        distinct = np.empty(self.n_codes + 1)
        if self.numbers is not None:
            distinct[self.codes] = self.numbers
        return distinct[: self.n_codes]


@dataclass(frozen=True, eq=False)
class CodedTable:
    """The coded columns of a whole table, and which of its rows are meant (None: all)."""

    columns: tuple[CodedColumn, ...]
    rows: NDArray[np.uint32] | None
    n_rows: int


def code_numbers(values: NDArray[np.float64]) -> CodedColumn:
    """Dense ranks of the numbers, NaN last."""
    ((codes, n_codes),) = native.rank_columns(values.reshape(-1, 1))
    return CodedColumn(codes, n_codes, values)


def code_levels(positions: NDArray[np.int32], levels: tuple[str, ...]) -> CodedColumn:
    """Level positions in the narrowest type that also holds the code for missing."""
    n_levels = len(levels)
    width = np.min_scalar_type(n_levels)
    codes = np.where(positions < 0, n_levels, positions).astype(width)
    return CodedColumn(codes, n_levels, levels=levels)
