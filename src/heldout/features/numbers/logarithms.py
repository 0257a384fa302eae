"""log2(x + 1) and its inverse with all digits, near 0 and far from it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_LN_2 = math.log(2.0)
# So many numbers stay in the cache through all steps, which takes half the time of each step over all.
NUMBERS_PER_BLOCK = 1 << 14


def log2_of_one_more(values: Floats) -> Floats:
    """log2(x + 1) of numbers above -1, in an array of the same order.

    The sum x + 1 loses the last digits of x, and near 0 all of them. What it has lost is known exactly, and
    is added to the logarithm. Powers of 2 lose nothing, and give whole numbers.

    >>> log2_of_one_more(np.array([0.0, 1.0, 7.0, 1e-20 * math.log(2)])).tolist()
    [0.0, 1.0, 3.0, 1e-20]
    """
    return _in_blocks(values, _set_log2_of_one_more)


def one_less_than_power_of_2(values: Floats) -> Floats:
    """2^x - 1, in an array of the same order.

    >>> one_less_than_power_of_2(np.array([0.0, 1.0, 3.0, -1.0])).tolist()
    [0.0, 1.0, 7.0, -0.5]
    """
    return _in_blocks(values, _set_one_less_than_power_of_2)


def _in_blocks(values: Floats, step: Callable[[Floats, Floats], None]) -> Floats:
    """What a step makes of each number.

    step: takes numbers and where to put what they become
    """
    order: Literal["F", "C"] = "F" if values.flags.f_contiguous else "C"
    flat = values.ravel(order)
    made = np.empty(len(flat))
    for start in range(0, len(flat), NUMBERS_PER_BLOCK):
        block = slice(start, start + NUMBERS_PER_BLOCK)
        step(flat[block], made[block])
    return np.asarray(made.reshape(values.shape, order=order))


def _set_log2_of_one_more(values: Floats, made: Floats) -> None:
    one_more = 1.0 + values
    lost = one_more - 1.0
    np.subtract(values, lost, out=lost)
    np.log2(one_more, out=made)
    one_more *= _LN_2
    lost /= one_more
    made += lost


def _set_one_less_than_power_of_2(values: Floats, made: Floats) -> None:
    is_near_zero = (values > -1.0) & (values < 1.0)
    np.exp2(np.where(is_near_zero, 0.0, values), out=made)
    made -= 1.0
    np.copyto(made, np.expm1(np.where(is_near_zero, values, 0.0) * _LN_2), where=is_near_zero)
