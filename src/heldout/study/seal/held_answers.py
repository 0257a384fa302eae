"""What a model answered on the held rows, and what has to be known to judge it."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.metrics.metric import Metric


@dataclass(frozen=True, eq=False)
class HeldAnswers:
    """The held rows' truth beside what one model says of them; it never leaves the look that it was made for.

    metric:        the one that judges
    y:             what is true
    answers:       labels, scores, probabilities or values, as the metric needs them
    options:       what else the metric is told: labels, positive
    baseline:      the score that has to be beaten, known from the open rows
    is_stratified: whether the seal kept the shares of the classes, so that their counts were known before
    n_classes:     0 for regression
    weights:       how often each row counts
    groups:        rows of one group are not independent
    time:          the held rows are the latest

    >>> from heldout.metrics.metric_registry import metric_named
    >>> HeldAnswers(metric_named("accuracy"), np.array(["a", "b"]), np.array(["a", "a"])).score()
    0.5
    """

    metric: Metric
    y: NDArray[Any]
    answers: NDArray[Any]
    options: Mapping[str, Any] = field(default_factory=dict)
    baseline: float = 0.5
    is_stratified: bool = True
    n_classes: int = 2
    weights: NDArray[np.float64] | None = None
    groups: NDArray[Any] | None = None
    time: NDArray[np.float64] | None = None

    @property
    def n_rows(self) -> int:
        return len(self.y)

    def score(self, rows: NDArray[Any] | slice = slice(None)) -> float:
        """The metric of these rows; NaN where it has none, or fails.

        What an error or a warning of a metric says may be the labels themselves, and nobody counted it.

        rows: positions or a mask; left out, all of them
        """
        weights = None if self.weights is None else self.weights[rows]
        weighed = {"weights": weights} if weights is not None and self.metric.takes("weights") else {}
        try:
            with warnings.catch_warnings(action="ignore"):
                return self.metric(self.y[rows], self.answers[rows], **weighed, **self.options)
        except Exception:
            return math.nan
