"""Rows brought to the length 1: only their direction is left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from heldout.errors import DataError
from heldout.features.number_transformer import NumberTransformer
from heldout.features.numbers.cells import cell_values, marked_cells
from heldout.features.numbers.column_lines import listed_columns
from heldout.features.numbers.row_lengths import rows_of_length_one


class UnitLength(NumberTransformer):
    """Divides each row by its Euclidean length, over the columns that are acted on.

    A row of zeros stays as it is. Nothing is learned from training rows: what a row becomes depends on that
    row alone. A missing value has no length, and is refused. Sparse rows stay sparse, and get the same bits
    as dense ones.

    columns: names or positions of the columns to act on; None takes all numbers and dates

    After fit: columns_ (their positions), inputs_, n_rows_, n_features_in_, feature_names_in_.

    >>> UnitLength().fit_transform([[3.0, 4.0], [0.0, 0.0]])
    array([[0.6, 0.8],
           [0. , 0. ]])
    """

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
        return f"each row divided by its length over {listed_columns(self._acted_names)}"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = False
        return tags

    def _learn(self, matrix: Any, names: list[str], y: Any) -> None:
        _refuse_missing(matrix, names)

    def _apply(self, matrix: Any, names: list[str]) -> Any:
        _refuse_missing(matrix, names)
        return rows_of_length_one(matrix)


def _refuse_missing(matrix: Any, names: list[str]) -> None:
    values = cell_values(matrix)
    with np.errstate(over="ignore", invalid="ignore"):
        if not np.isnan(values.sum()):
            return
    cells = marked_cells(matrix, np.isnan(values))
    if cells is not None:
        raise DataError(
            "Input X contains NaN: a row with a missing value has no length",
            where=cells.in_words(names),
            fix="fill the gaps before, with FillMissing, leave those rows out, or name other columns",
        )
