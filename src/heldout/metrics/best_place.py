"""Which of several settings is chosen by its scores on the folds."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from heldout.metrics.metric import Metric


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


def setting_place(fold_scores: NDArray[np.float64], metric: Metric, choose: str = "best") -> int:
    """Which setting is chosen: the best mean, or the first within one standard error of it.

    fold_scores: setting × fold, the simplest setting first; the mean over folds counts
    choose:      "best"; or "one_se": Breiman's rule, with the standard error of the best one's mean over the
                 folds. One fold has no standard error, and the best is taken

    >>> from heldout.metrics.metric_registry import metric_named
    >>> folds = np.array([[0.5, 0.5, 0.5], [0.7, 0.7, 0.8], [0.6, 0.8, 0.9]])
    >>> accuracy = metric_named("accuracy")
    >>> setting_place(folds, accuracy), setting_place(folds, accuracy, "one_se")
    (2, 1)
    """
    with np.errstate(invalid="ignore"):
        means = np.ascontiguousarray(fold_scores).mean(axis=1)
    best = best_place(means, metric)
    n_folds = fold_scores.shape[1]
    if choose == "best" or n_folds < 2 or not math.isfinite(means[best]):
        return best
    error = float(np.std(fold_scores[best], ddof=1)) / math.sqrt(n_folds)
    is_within = metric.sign * (means - means[best]) >= -error
    return int(np.flatnonzero(is_within)[0])
