"""By which power of 2 numbers are divided before they are squared: no square overflows or vanishes then."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def size_exponent(numbers: NDArray[np.float64]) -> int:
    """The exponent of the largest number, whatever its sign; 0 where all are 0, or there is none.

    Dividing by a power of 2 changes no digit, so what is a ratio of squares stays the same to the bit.

    >>> size_exponent(np.array([1.0, -6.0])), size_exponent(np.array([2.0**-600]))
    (3, -599)
    """
    return int(np.frexp(np.abs(numbers).max(initial=0.0))[1])
