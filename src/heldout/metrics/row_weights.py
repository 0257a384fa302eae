"""What each row counts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError
from heldout.stats.number_values import plain_numbers
from heldout.table.describe import first_of_rows, plural

_FIX = "give every row a finite weight of at least 0; a row of weight 0 is left out"


def row_weights(weights: Any, n_rows: int) -> NDArray[np.float64] | None:
    """The weights as numbers; None where each row counts once.

    weights: one number per row, at least 0 and not all 0; or None
    n_rows:  how many rows there are

    >>> row_weights([1, 0.5], 2)
    array([1. , 0.5])
    """
    if weights is None:
        return None
    numbers = plain_numbers(weights, "weights", _FIX)
    if numbers.shape != (n_rows,):
        raise DataError(
            "weights must have one number per row",
            where=f"weights have the shape {numbers.shape}, and there are {plural(n_rows, 'row')}",
            fix="give one weight per row",
        )
    is_wrong = ~(np.isfinite(numbers) & (numbers >= 0))
    if is_wrong.any():
        example = f"{numbers[is_wrong.argmax()]:g}"
        raise DataError(
            "a weight is negative or not finite", where=first_of_rows(is_wrong, example), fix=_FIX
        )
    total = _total(numbers)
    if total == 0 or not np.isfinite(total):
        what = "all weights are 0" if total == 0 else "the weights are so large that their sum is infinite"
        raise DataError(what, where=plural(n_rows, "row"), fix="give weights whose mean is about 1")
    return np.ascontiguousarray(numbers)


def _total(weights: NDArray[np.float64]) -> float:
    with np.errstate(over="ignore"):
        return float(weights.sum())
