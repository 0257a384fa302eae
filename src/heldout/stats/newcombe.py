"""Newcombe's method 5: an interval for an AUC from the estimate and the two counts alone.

It inverts a test, as Wilson's interval does: an AUC t stays inside unless the estimate lies more than z
standard errors away from it, with the standard error of t and not of the estimate. So it never leaves 0 … 1
and has a width even where the estimate is 1. R. G. Newcombe, Statistics in Medicine 25 (2006), 559-573.
"""

from __future__ import annotations

import math

from heldout.stats.choices import normal_z


def newcombe_ends(
    auc: float, n_positives: float, n_negatives: float, confidence: float = 0.95, alpha: float | None = None
) -> tuple[float, float]:
    """The ends of the interval; all of 0 … 1 where a class has no rows.

    auc:         the estimate
    n_positives: how many rows of the class there are, or count as independent; need not be whole
    alpha:       1 − confidence, where that is too small for a confidence to hold

    >>> tuple(round(end, 4) for end in newcombe_ends(0.8, 30, 30))
    (0.6622, 0.8868)
    >>> tuple(round(end, 4) for end in newcombe_ends(1.0, 5, 40))
    (0.785, 1.0)
    """
    z = normal_z(confidence, alpha)
    if n_positives <= 0 or n_negatives <= 0:
        return 0.0, 1.0
    # The variance of t is that of 1 − t, so the upper end is the lower one of the mirrored estimate.
    low = _lower_end(auc, n_positives, n_negatives, z)
    return low, 1 - _lower_end(1 - auc, n_positives, n_negatives, z)


def newcombe_variance(auc: float, n_positives: float, n_negatives: float) -> float:
    """The variance of an estimate if this is the AUC.

    Hanley and McNeil's, with scores of both classes distributed exponentially; where they have
    n_positives − 1 and n_negatives − 1, both terms get their mean, so that no class has a role of its own.

    >>> round(newcombe_variance(0.8, 30, 30), 6)
    0.003328
    """
    n_others = (n_positives + n_negatives) / 2 - 1
    pairs = 1 + n_others * ((1 - auc) / (2 - auc) + auc / (1 + auc))
    return auc * (1 - auc) * pairs / (n_positives * n_negatives)


def _lower_end(auc: float, n_positives: float, n_negatives: float, z: float) -> float:
    """The smallest t from which the estimate lies at most z standard errors away.

    (auc − t)² / variance(t) falls all the way from t = 0 to t = auc, so halving finds the only place.
    """
    outside, inside = 0.0, auc
    while True:
        middle = (outside + inside) / 2
        if not outside < middle < inside:
            return inside
        if auc - middle > z * math.sqrt(newcombe_variance(middle, n_positives, n_negatives)):
            outside = middle
        else:
            inside = middle
