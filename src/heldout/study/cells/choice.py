"""The choice of a setting: the best mean over the inner folds, the first of equals."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.metrics.metric import Metric


@dataclass(frozen=True, eq=False)
class Choice:
    """Which setting was chosen, and what all of them scored.

    place:       of the setting among the contender's settings
    setting:     the parameters
    scores:      of each setting the mean over the inner folds; NaN where one of them gave no score
    fold_scores: setting × inner fold
    n_fits:      how many settings were fitted on how many folds
    seconds:     that it took

    >>> Choice(1, {"k": 3}, np.array([0.5, 0.75])).score
    0.75
    """

    place: int
    setting: dict[str, Any]
    scores: NDArray[np.float64]
    fold_scores: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 0)))
    n_fits: int = 0
    seconds: float = 0.0

    @property
    def score(self) -> float:
        """What the chosen setting scored."""
        return float(self.scores[self.place])


def mean_scores(fold_scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The plain mean of each setting over the inner folds; one fold without a score leaves it without one.

    >>> mean_scores(np.array([[0.5, 1.0], [0.5, np.nan]])).tolist()
    [0.75, nan]
    """
    with np.errstate(invalid="ignore"):
        return np.asarray(np.ascontiguousarray(fold_scores).mean(axis=1))


def best_place(scores: NDArray[np.float64], metric: Metric) -> int:
    """Where the best score stands, the first of equals; one without a score only if none has any.

    >>> from heldout.metrics.metric_registry import metric_named
    >>> best_place(np.array([np.nan, 0.5, 0.7, 0.7]), metric_named("accuracy"))
    2
    >>> best_place(np.array([np.nan, np.nan]), metric_named("accuracy"))
    0
    """
    best = 0
    for place, score in enumerate(scores.tolist()):
        if metric.is_better(score, float(scores[best])):
            best = place
    return best


def only_setting(setting: dict[str, Any]) -> Choice:
    """The choice where there is only one setting: nothing was compared.

    >>> only_setting({"k": 3}).setting
    {'k': 3}
    """
    return Choice(0, dict(setting), np.array([math.nan]))
