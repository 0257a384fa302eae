"""The class of a row that is answered by a sum of parts: the first that no other exceeds.

Equal sums may differ in their last bits by the order of adding, so what lies within a rounding of the
largest counts as equal to it, and the first class wins, as everywhere.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

TIE = 1e-12


def first_largest(shares: NDArray[np.float64]) -> NDArray[np.intp]:
    """The place of the first largest share in each row.

    >>> first_largest(np.array([[0.3, 0.1 + 0.2, 0.4], [0.3, 0.1 + 0.2, 0.2]])).tolist()
    [2, 0]
    """
    largest = shares.max(axis=1, keepdims=True)
    return np.asarray((shares + TIE >= largest).argmax(axis=1))
