"""What a coded column is to the core, and the kernel that makes codes of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from numpy.typing import NDArray

from heldout import _native
from heldout.arrays import Floats


class CodedColumnLike(Protocol):
    """What the core needs of a column: its codes, how many there are, and the numbers that were coded.

    Either the numbers of all rows, or the distinct ones that the codes stand for; a category has neither.
    """

    @property
    def codes(self) -> NDArray[Any]: ...
    @property
    def n_codes(self) -> int: ...
    @property
    def numbers(self) -> Floats | None: ...
    @property
    def distinct(self) -> Floats | None: ...


def rank_columns(X: Floats, n_threads: int = 1) -> list[tuple[NDArray[Any], int]]:
    """Dense ranks of every column, and how many distinct ones there are.

    NaN gets the rank behind the last, and the ranks come in the narrowest unsigned type that holds it.
    """
    return _native.rank_columns(X, n_threads)


def column_arrays(columns: Sequence[CodedColumnLike]) -> list[Any]:
    """The columns as the compiled module takes them."""
    return [(column.codes, column.n_codes, column.numbers, column.distinct) for column in columns]
