"""What a rule looks at when the choosing is repeated on resamples: numbers alone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from heldout.metrics.metric import Metric

Numbers = NDArray[np.float64]
# Sums of the same losses may differ in the last bits by the order of adding; such rivals are tied.
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Rivals:
    """All that may be chosen.

    goodness:    resamples × rivals: the score, with its sign turned where smaller is better; NaN for none
    errors:      rivals × rivals: the corrected standard error of the difference of two; NaN for unknown
    bits:        of each; NaN counts as the longest
    is_baseline: which of them only guess
    metric:      what the scores are of, for rules with a margin; None for rules without
    reference:   the score of the baseline, or without one that of the best, in the metric's own units

    >>> rivals = Rivals(np.array([[0.80, 0.79]]), np.zeros((2, 2)), np.array([9.0, 5.0]), np.zeros(2, bool))
    >>> rivals.best().tolist()
    [0]
    """

    goodness: Numbers
    errors: Numbers
    bits: Numbers
    is_baseline: NDArray[np.bool_]
    metric: Metric | None = None
    reference: float = math.nan

    def best(self, can_win: NDArray[np.bool_] | None = None) -> NDArray[np.intp]:
        """The place of the best in each resample, the first of those that are tied; −1 for none.

        can_win: resamples × rivals; left out, all can
        """
        is_known = ~np.isnan(self.goodness)
        allowed = is_known if can_win is None else is_known & can_win
        goodness = np.where(allowed, self.goodness, -np.inf)
        top = goodness.max(axis=1, keepdims=True)
        with np.errstate(invalid="ignore"):
            is_top = allowed & (goodness >= top - ROUNDING * np.abs(top))
        return np.where(allowed.any(axis=1), np.argmax(is_top, axis=1), -1).astype(np.intp)
