"""How differences per split enter a test: a line per repetition, a number per fold."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError, KindError

Numbers = NDArray[np.float64]
# How large the scores were is not known; differences that agree in ten digits differ by their rounding.
AGREEMENT = 1e-10


def split_differences(differences: Any) -> Numbers:
    """One or two dimensions of finite numbers.

    >>> split_differences([[0.1, 0.2], [0.0, 0.1]]).shape
    (2, 2)
    """
    try:
        numbers = np.asarray(differences, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise KindError(
            "differences must be numbers, one per split",
            where=f"differences, a {type(differences).__name__}",
            fix="give repetitions × folds, every repetition with as many folds",
        ) from error
    if numbers.ndim not in (1, 2):
        raise DataError(
            "differences must be a list, or repetitions × folds",
            where=f"differences has the shape {numbers.shape}",
            fix="give one number per split",
        )
    is_wrong = ~np.isfinite(numbers)
    if is_wrong.any():
        place = tuple(int(index) + 1 for index in np.argwhere(is_wrong)[0])
        raise DataError(
            "some splits have no difference",
            where=f"{int(is_wrong.sum())} of {numbers.size} are NaN or infinite, first at place {place}",
            fix="use a metric that every fold has, or leave the repetition out",
        )
    return numbers
