"""Logarithms of numbers: what doubles becomes what grows by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError
from heldout.features.invertible_transformer import InvertibleTransformer
from heldout.features.numbers.cells import cell_values, marked_cells, refuse_overflow, with_cells
from heldout.features.numbers.column_lines import listed_columns
from heldout.features.numbers.logarithms import log2_of_one_more, one_less_than_power_of_2
from heldout.learners.inputs.sparse_inputs import is_sparse


class LogTransform(InvertibleTransformer):
    """Makes log2(x + 1) of every number: 0 stays 0, 1 becomes 1, 3 becomes 2, 7 becomes 3.

    For amounts and counts, of which a doubling matters rather than one more. Numbers of -1 and below have no
    such logarithm and are refused, in training rows and in later ones. A missing value stays missing, sparse
    data stay sparse. Dates are left as they are: days since 1970 are no amount. Nothing is learned.

    columns: names or positions of the columns to act on; None takes all numbers

    After fit: columns_ (their positions), inputs_, n_rows_, n_features_in_, feature_names_in_.

    >>> logs = LogTransform().fit([[0.0], [7.0]])
    >>> logs.transform([[0.0], [1.0], [7.0], [1023.0]]).ravel().tolist()
    [0.0, 1.0, 3.0, 10.0]
    >>> logs.inverse_transform([[3.0]]).tolist()
    [[7.0]]
    """

    _acts_on = ("number",)
    _takes_sparse = True

    def __init__(self, *, columns: Sequence[str | int] | None = None) -> None:
        self.columns = columns

    def description_bits(self) -> float:
        """Nothing is learned, so nothing has to be written down."""
        self._check_is_fitted()
        return 0.0

    def to_text(self) -> str:
        """What is done, and to which columns."""
        self._check_is_fitted()
        return f"log2(x + 1) of {listed_columns(self._acted_names)}"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags

    def _learn(self, matrix: Any, names: list[str], y: Any) -> None:
        _refuse_small(matrix, names)

    def _apply(self, matrix: Any, names: list[str]) -> Any:
        _refuse_small(matrix, names)
        return _of_cells(matrix, log2_of_one_more)

    def _revert(self, matrix: Any, names: list[str]) -> Any:
        with np.errstate(over="ignore"):
            made = _of_cells(matrix, one_less_than_power_of_2)
        refuse_overflow(matrix, made, names, "2^x - 1")
        return made


def _of_cells(matrix: Any, step: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> Any:
    """A new matrix whose cells went through a step that keeps zeros."""
    if not is_sparse(matrix):
        return step(matrix)
    return with_cells(matrix, step(matrix.data))


def _refuse_small(matrix: Any, names: list[str]) -> None:
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
