"""Logarithms of numbers: what doubles becomes what grows by one."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.errors import DataError
from heldout.features.number_transformer import FixedTransformer, InvertibleTransformer
from heldout.features.numeric_cells import cell_values, marked_cells, refuse_overflow, with_cells
from heldout.types import Matrix


class LogTransform(FixedTransformer, InvertibleTransformer):
    """Makes log2(x + 1) of every number: 0 stays 0, 1 becomes 1, 3 becomes 2, 7 becomes 3.

    For amounts and counts, of which a doubling matters rather than one more. Numbers of -1 and below have no
    such logarithm and are refused, in training rows and in later ones. A missing value stays missing, sparse
    data stay sparse. Dates are left as they are: days since 1970 are no amount. Nothing is learned.

    Parameters
    ----------
    columns
        names or positions of the columns to act on; None takes all numbers

    Attributes
    ----------
    columns_
        their positions
    inputs_
    n_rows_
    n_features_in_
    feature_names_in_

    Examples
    --------
    >>> logs = LogTransform().fit([[0.0], [7.0]])
    >>> logs.transform([[0.0], [1.0], [7.0], [1023.0]]).ravel().tolist()
    [0.0, 1.0, 3.0, 10.0]
    >>> logs.inverse_transform([[3.0]]).tolist()
    [[7.0]]
    """

    _acts_on = ("number",)
    _step = "log2(x + 1) of"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags

    def _refuse(self, matrix: Matrix, names: list[str]) -> None:
        values = cell_values(matrix)
        if values.min(initial=0.0) > -1.0:  # which no NaN is
            return
        cells = marked_cells(matrix, values <= -1.0)
        if cells is not None:
            raise DataError(
                "Negative values in data: there is no log2(x + 1) of numbers of -1 and below",
                where=cells.in_words(names),
                fix="name the columns of amounts and counts in columns, or leave those rows out",
            )

    def _transformed(self, matrix: Matrix) -> Matrix:
        return _of_cells(matrix, log2_of_one_more)

    def _revert(self, matrix: Matrix, names: list[str]) -> Matrix:
        with np.errstate(over="ignore"):
            made = _of_cells(matrix, one_less_than_power_of_2)
        refuse_overflow(matrix, made, names, "2^x - 1")
        return made


def _of_cells(matrix: Matrix, step: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> Matrix:
    """A new matrix whose cells went through a step that keeps zeros."""
    if isinstance(matrix, np.ndarray):
        return step(matrix)
    return with_cells(matrix, step(matrix.data))


_LN_2 = math.log(2.0)
# So many numbers stay in the cache through all steps, which takes half the time of each step over all.
NUMBERS_PER_BLOCK = 1 << 14


def log2_of_one_more(values: Floats) -> Floats:
    """log2(x + 1) of numbers above -1, in an array of the same order.

    The sum x + 1 loses the last digits of x, and near 0 all of them. What it has lost is known exactly, and
    is added to the logarithm. Powers of 2 lose nothing, and give whole numbers.
    """
    return _in_blocks(values, _set_log2_of_one_more)


def one_less_than_power_of_2(values: Floats) -> Floats:
    """2^x - 1, in an array of the same order."""
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
