"""log2(x + 1) and its inverse with all digits, near 0 and far from it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_LN_2 = math.log(2.0)


def log2_of_one_more(values: Floats) -> Floats:
    """log2(x + 1) of numbers above -1.

    The sum x + 1 loses the last digits of x, and near 0 all of them. What it has lost is known exactly, and
    is added to the logarithm. Powers of 2 lose nothing, and give whole numbers.

    >>> log2_of_one_more(np.array([0.0, 1.0, 7.0, 1e-20 * math.log(2)])).tolist()
    [0.0, 1.0, 3.0, 1e-20]
    """
    one_more = 1.0 + values
    lost = one_more - 1.0
    np.subtract(values, lost, out=lost)
    lost /= one_more
    lost /= _LN_2
    np.log2(one_more, out=one_more)
    one_more += lost
    return one_more


def one_less_than_power_of_2(values: Floats) -> Floats:
    """2^x - 1.

    >>> one_less_than_power_of_2(np.array([0.0, 1.0, 3.0, -1.0])).tolist()
    [0.0, 1.0, 7.0, -0.5]
    """
    is_near_zero = (values > -1.0) & (values < 1.0)
    made = np.exp2(np.where(is_near_zero, 0.0, values)) - 1.0
    return np.where(is_near_zero, np.expm1(np.where(is_near_zero, values, 0.0) * _LN_2), made)
