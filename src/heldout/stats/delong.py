"""DeLong's variance of an AUC, from the place that each row takes among the rows of the other class.

E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson, Biometrics 44 (1988), 837-845.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.native.ranking import placements
from heldout.stats.choices import normal_z
from heldout.table.describe import plural

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Placements:
    """For every row the share of the other class that it is rightly told from, ties counting half.

    of_positives: of each positive row the share of negatives below it, in the order of the rows
    of_negatives: of each negative row the share of positives above it
    """

    of_positives: Numbers
    of_negatives: Numbers

    @property
    def n_positives(self) -> int:
        return len(self.of_positives)

    @property
    def n_negatives(self) -> int:
        return len(self.of_negatives)

    @property
    def auc(self) -> float:
        """The share of pairs told apart; NaN where a class has no rows.

        >>> placements_of(np.array([True, True, False]), np.array([2.0, 1.0, 1.0])).auc
        0.75
        """
        if not self.n_positives or not self.n_negatives:
            return math.nan
        # Twice the pairs won is a whole number, so the division is the only place where a digit is lost.
        n_pairs = self.n_positives * self.n_negatives
        return int(_doubled(self.of_positives, self.n_negatives).sum()) / (2 * n_pairs)

    @property
    def sizes(self) -> str:
        """How many rows each class has, as a sentence."""
        return f"{self.n_positives:,} positive and {plural(self.n_negatives, 'negative row')}."

    @property
    def variance(self) -> float:
        """DeLong's variance of the AUC; NaN where a class has fewer than two rows."""
        return paired_variance(self, None)


def placements_of(is_positive: NDArray[Any], scores: Numbers) -> Placements:
    """The placements of rows with these scores.

    >>> placements_of(np.array([True, False, False]), np.array([0.5, 0.1, 0.9])).of_positives
    array([0.5])
    """
    return Placements(*placements(scores, is_positive))


def paired_variance(first: Placements, second: Placements | None) -> float:
    """The variance of the difference of two AUCs on the same rows; of the first where there is no second.

    It is exactly 0 where all placements, or all their differences, are equal. NaN below two rows of a class.

    >>> is_positive = np.array([True, True, False, False])
    >>> a = placements_of(is_positive, np.array([3.0, 1.0, 2.0, 0.0]))
    >>> paired_variance(a, None), paired_variance(a, a)
    (0.125, 0.0)
    """
    n_positives, n_negatives = first.n_positives, first.n_negatives
    if n_positives < 2 or n_negatives < 2:
        return math.nan
    positives = _doubled(first.of_positives, n_negatives)
    negatives = _doubled(first.of_negatives, n_positives)
    if second is not None:
        positives = positives - _doubled(second.of_positives, n_negatives)
        negatives = negatives - _doubled(second.of_negatives, n_positives)
    return _spread(positives, n_negatives) + _spread(negatives, n_positives)


def logit_ends(
    auc: float, standard_error: float, confidence: float = 0.95, alpha: float | None = None
) -> tuple[float, float]:
    """The ends of an interval made on the logit scale, where an AUC may be anything.

    auc:            strictly between 0 and 1
    standard_error: of the AUC, above 0
    alpha:          1 − confidence, where that is too small for a confidence to hold

    >>> tuple(round(end, 4) for end in logit_ends(0.8, 0.05))
    (0.6843, 0.8807)
    """
    half = normal_z(confidence, alpha) * standard_error / (auc * (1 - auc))
    odds = math.log(auc) - math.log1p(-auc)
    return _share(odds - half), _share(odds + half)


def _share(odds: float) -> float:
    """The share with this logarithm of its odds."""
    if odds >= 0:
        return 1 / (1 + math.exp(-odds))
    return math.exp(odds) / (1 + math.exp(odds)) if odds > -700 else 0.0


def _doubled(shares: Numbers, n_others: int) -> NDArray[np.int64]:
    """Twice the number of pairs won: whole, so that equal differences are equal to the last bit."""
    return np.rint(shares * (2.0 * n_others)).astype(np.int64)


def _spread(doubled: NDArray[np.int64], n_others: int) -> float:
    """The variance of the mean of these placements."""
    if doubled.min() == doubled.max():
        return 0.0
    return float(np.var(doubled / (2.0 * n_others), ddof=1)) / len(doubled)
