"""The regressor that every other must beat: it answers without looking."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin

from heldout.learners.baselines.baseline import Baseline, n_rows_with_weight
from heldout.learners.baselines.counted_columns import columns_at_fit
from heldout.learners.baselines.weighted_center import weighted_mean, weighted_median
from heldout.learners.description_length import mean_bits
from heldout.learners.inputs.targets import check_lengths, numeric_targets, row_weights
from heldout.learners.parameters import Parameter, check_parameters


class BaselineRegressor(RegressorMixin, Baseline):  # type: ignore[misc]
    """Always the mean, or the median, of the training targets.

    X may be anything, and only its columns are counted and its names checked.

    strategy: "mean", which squared errors must beat, or "median", which absolute errors must beat; between
              two middle values lies their mean

    After fit: constant_ (the answer), n_rows_ (the rows of weight above 0), n_features_in_,
    feature_names_in_.

    >>> BaselineRegressor(strategy="median").fit([[1], [2], [3]], [1.0, 2.0, 9.0]).predict([[7]]).tolist()
    [2.0]
    """

    _parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("strategy", choices=("mean", "median")),)

    # Set by fit.
    constant_: float

    def __init__(self, *, strategy: str = "mean") -> None:
        self.strategy = strategy

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the middle of y.

        X:             anything with rows and columns
        y:             one number per row; classes are refused
        sample_weight: how often each row counts: a weight of 3 is the same as the row three times
        """
        check_parameters(self, self._parameters)
        targets = numeric_targets(self, y)
        self.inputs_, n_rows = columns_at_fit(self, X)
        check_lengths(n_rows, targets)
        weights = row_weights(sample_weight, n_rows, consequence=None)
        middle = weighted_median if self.strategy == "median" else weighted_mean
        self.constant_ = middle(targets, weights)
        self.n_rows_ = n_rows_with_weight(weights, n_rows)
        return self

    def predict(self, X: Any) -> NDArray[np.float64]:
        """The same number for every row."""
        n_rows = self._n_rows(X)
        return np.full(n_rows, self.constant_)

    def description_bits(self) -> float:
        """How many bits it takes to write the model down: one number, as a leaf of a tree with all rows."""
        self._check_is_fitted()
        return float(mean_bits(self.n_rows_))

    def to_text(self) -> str:
        """The number that is always the answer."""
        self._check_is_fitted()
        return f"always {self.constant_:.6g}, the {self.strategy} of the training rows"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = True
        return tags
