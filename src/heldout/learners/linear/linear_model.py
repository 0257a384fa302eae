"""What least squares and ridge share: an intercept and a coefficient for each column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import RegressorMixin

from heldout.arrays import Floats
from heldout.errors import DataError
from heldout.inputs.input_schema import InputSchema
from heldout.inputs.numeric_inputs import numeric_rows, numeric_training
from heldout.inputs.targets import check_lengths, numeric_targets, row_weights
from heldout.learners.description_length import number_bits
from heldout.learners.readable_learner import ReadableLearner
from heldout.types import Matrix, PerRow, TableLike

LARGEST_WEIGHT = 1e100


@dataclass(frozen=True, eq=False)
class LinearData:
    """What `fit` was given, checked.

    matrix:  rows × columns, dense or sparse
    weights: how many rows each row stands for; None means once
    """

    schema: InputSchema
    matrix: Any
    targets: Floats
    weights: Floats | None

    @property
    def n_rows(self) -> int:
        """The number of rows whose weight is above 0."""
        return len(self.targets) if self.weights is None else int(np.count_nonzero(self.weights))


class LinearModel(RegressorMixin, ReadableLearner):  # type: ignore[misc]
    """A weighted sum of the columns."""

    _learned = "coef_"
    _accepts_sparse: ClassVar[bool] = False
    _consequence: ClassVar[str]

    fit_intercept: bool

    # Set by fit.
    n_features_in_: int
    coef_: Floats
    intercept_: float
    n_rows_: int
    inputs_: InputSchema

    def predict(self, X: TableLike) -> Floats:
        """The intercept and the sum of the columns, each times its coefficient."""
        self._check_is_fitted()
        return self._predict_matrix(numeric_rows(self, X, self.inputs_, accepts_sparse=self._accepts_sparse))

    def description_bits(self) -> float:
        """How many bits it takes to write the model down.

        Half of log2 of the number of training rows for each coefficient, the intercept included.
        """
        self._check_is_fitted()
        return (len(self.coef_) + bool(self.fit_intercept)) * number_bits(self.n_rows_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = False
        tags.input_tags.categorical = False
        tags.input_tags.sparse = self._accepts_sparse
        return tags

    def _enter(self, X: TableLike, y: ArrayLike, sample_weight: PerRow) -> LinearData:
        """X, y and the weights, checked; sets what is known of the columns."""
        targets = numeric_targets(self, y)
        inputs = numeric_training(self, X, accepts_sparse=self._accepts_sparse)
        check_lengths(inputs.n_rows, targets)
        weights = row_weights(sample_weight, inputs.n_rows, consequence=self._consequence)
        _check_size(weights)
        return LinearData(inputs.schema, inputs.matrix, targets, weights)

    def _predict_matrix(self, matrix: Matrix) -> Floats:
        return np.asarray(matrix @ self.coef_ + self.intercept_)


def _check_size(weights: Floats | None) -> None:
    """Refuse weights whose sums would overflow."""
    if weights is not None and weights.max() > LARGEST_WEIGHT:
        raise DataError(
            "the weights are too large to be added up",
            where=f"sample_weight, the largest is {weights.max():.3g}",
            fix="weights count as numbers of rows; multiply them so that their mean is 1",
        )
