"""Where the best of several scores stands."""

from __future__ import annotations

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
