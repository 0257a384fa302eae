"""What both baselines share: they answer the same to every row."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

import numpy as np

from heldout.learners.baselines.counted_columns import n_rows_after_fit
from heldout.learners.inputs.input_schema import InputSchema
from heldout.learners.readable_learner import ReadableLearner
from heldout.learners.separate_sweep import SeparateSweep, separate_sweep


class Baseline(ReadableLearner):
    """The model that every other must beat.

    It knows nothing of the columns, so X may be anything: categories, missing values, sparse matrices.
    """

    _learned = "n_rows_"

    strategy: str

    # Set by fit.
    n_features_in_: int
    n_rows_: int
    inputs_: InputSchema

    @abstractmethod
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from y alone."""

    def sweep(self, X: Any, y: Any, space: Any, sample_weight: Any = None) -> SeparateSweep:
        """Fit many settings; this baseline is not changed.

        X, y, sample_weight: as for `fit`
        space: parameters with lists of values, such as {"strategy": [...]}, or a list of settings
        """
        return separate_sweep(self, X, y, space, sample_weight=sample_weight)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        return tags

    def _n_rows(self, X: Any) -> int:
        """How many answers are asked for."""
        self._check_is_fitted()
        return n_rows_after_fit(self, X)


def n_rows_with_weight(weights: Any, n_rows: int) -> int:
    """How many rows are learned from: those of weight 0 are not.

    >>> n_rows_with_weight(np.array([0.0, 2.0]), 2), n_rows_with_weight(None, 2)
    (1, 2)
    """
    return n_rows if weights is None else int(np.count_nonzero(weights))
