"""The regressor that every other must beat: it predicts without looking."""

from __future__ import annotations

import math
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import RegressorMixin

from heldout.arrays import Floats
from heldout.inputs.targets import check_lengths, numeric_targets, row_weights
from heldout.learners.baseline import Baseline, columns_at_fit, n_rows_with_weight
from heldout.learners.description_length import mean_bits
from heldout.learners.parameters import Parameter, check_parameters
from heldout.types import PerRow, TableLike


class BaselineRegressor(RegressorMixin, Baseline):  # type: ignore[misc]
    """Always the mean, or the median, of the training targets.

    X may be anything, and only its columns are counted and its names checked.

    Parameters
    ----------
    strategy
        "mean", which squared errors must beat, or "median", which absolute errors must beat; between two
        middle values lies their mean

    Attributes
    ----------
    constant_
        what is predicted
    n_rows_
        the rows of weight above 0
    n_features_in_
    feature_names_in_

    Examples
    --------
    >>> BaselineRegressor(strategy="median").fit([[1], [2], [3]], [1.0, 2.0, 9.0]).predict([[7]]).tolist()
    [2.0]
    """

    _parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("strategy", choices=("mean", "median")),)

    # Set by fit.
    constant_: float

    def __init__(self, *, strategy: str = "mean") -> None:
        self.strategy = strategy

    def fit(self, X: TableLike, y: ArrayLike, sample_weight: PerRow = None) -> Self:
        """Find the middle of y.

        Parameters
        ----------
        X
            anything with rows and columns
        y
            one number per row; classes are refused
        sample_weight
            how many rows each row stands for: a weight of 3 is the same as the row three times
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

    def predict(self, X: TableLike) -> NDArray[np.float64]:
        """The same number for every row."""
        n_rows = self._n_rows(X)
        return np.full(n_rows, self.constant_)

    def description_bits(self) -> float:
        """How many bits it takes to write the model down: one number, as a leaf of a tree with all rows."""
        self._check_is_fitted()
        return float(mean_bits(self.n_rows_))

    def to_text(self) -> str:
        """The number that is always predicted."""
        self._check_is_fitted()
        return f"always {self.constant_:.6g}, the {self.strategy} of the training rows"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = True
        return tags


def weighted_mean(values: Floats, weights: Floats | None) -> float:
    """The mean, whose sums are rounded once: it does not depend on the order of the values.

    weights: of at least 0 and not all 0; None counts each value once
    """
    if weights is not None:
        values, weights = values[weights > 0], weights[weights > 0]
    low, high = float(values.min()), float(values.max())
    # A power of two, which changes no digit, keeps large values from overflowing.
    _, exponent = math.frexp(max(abs(low), abs(high)))
    scaled = np.ldexp(values, -exponent)
    if weights is None:
        mean = math.fsum(scaled) / len(values)
    else:
        shares = np.ldexp(weights, -math.frexp(float(weights.max()))[1])
        mean = math.fsum(shares * scaled) / math.fsum(shares)
    return min(max(math.ldexp(mean, exponent), low), high)


def weighted_median(values: Floats, weights: Floats | None) -> float:
    """The value that has half of the weight on either side; the mean of two where both have."""
    if weights is None:
        weights = np.ones(len(values))
    order = np.argsort(values[weights > 0], kind="stable")
    ordered, counted = values[weights > 0][order], weights[weights > 0][order]
    index = _middle(counted)
    lower = float(ordered[index])
    if _balance(counted, index) != 0:
        return lower
    upper = float(ordered[index + 1])
    mean = (lower + upper) / 2
    return mean if math.isfinite(mean) else lower / 2 + upper / 2


def _middle(weights: Floats) -> int:
    """The first index up to which, itself included, lies at least half of the weight."""
    totals = np.cumsum(weights)
    index = min(int(np.searchsorted(totals, totals[-1] / 2)), len(weights) - 1)
    # The sums are rounded, so they may be off by one; the balance is not.
    while _balance(weights, index) < 0:
        index += 1
    while index > 0 and _balance(weights, index - 1) >= 0:
        index -= 1
    return index


def _balance(weights: Floats, index: int) -> float:
    """The weight up to an index, itself included, minus the weight behind it; its sign is exact."""
    return math.fsum(weights[: index + 1].tolist() + (-weights[index + 1 :]).tolist())
