"""Two contenders compared on the same rows, with the standard error that a rule asks for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from heldout.stats.choices import normal_z
from heldout.stats.comparison import Comparison
from heldout.stats.t_test import t_quantile


@dataclass(frozen=True)
class PairedComparison(Comparison):
    """A Comparison whose first is the one with the better score.

    The difference is the first's score minus the second's in the metric's own units: above 0 where larger is
    better, below 0 where smaller is.

    name_a … notes:   as of `Comparison`
    standard_error:   of the difference, corrected for what the splits share; NaN for unknown
    is_larger_better: the direction of the score
    degrees_of_freedom: of its t test; infinite where the normal curve is taken

    >>> from heldout.stats.interval import Interval
    >>> effect = Interval("mse of tree minus mse of ridge", -0.3, -0.5, -0.1)
    >>> PairedComparison("tree", "ridge", effect, 0.01, is_larger_better=False).advantage
    0.3
    """

    standard_error: float = math.nan
    is_larger_better: bool = True
    degrees_of_freedom: float = math.inf

    @property
    def advantage(self) -> float:
        """By how much the first is better; below 0 where it is worse."""
        return self.effect.estimate if self.is_larger_better else -self.effect.estimate

    def ends_at(self, confidence: float) -> tuple[float, float] | None:
        if not self.standard_error > 0:
            return None
        half = t_quantile(self.degrees_of_freedom, (1 + confidence) / 2) * self.standard_error
        return self.effect.estimate - half, self.effect.estimate + half

    def detectable(self, level: float, power: float = 0.8) -> float:
        """The difference that this test finds with this power, by its standard error; NaN for unknown.

        level: of the two-sided test

        >>> from heldout.stats.interval import Interval
        >>> found = PairedComparison("a", "b", Interval("", 0.0, -0.1, 0.1), 1.0, standard_error=0.05)
        >>> round(found.detectable(0.05), 3)
        0.14
        """
        freedom = self.degrees_of_freedom
        return (t_quantile(freedom, 1 - level / 2) + t_quantile(freedom, power)) * self.standard_error


def advantage_of(
    comparisons: Sequence[Comparison], first: str, second: str, is_larger_better: bool
) -> tuple[float, float, float]:
    """By how much the first is better than the second, its standard error, and p, adjusted where it was.

    All are NaN where the two were not compared.

    >>> from heldout.stats.interval import Interval
    >>> effect = Interval("tree minus rule", 0.02, 0.0, 0.04)
    >>> found = Comparison("tree", "rule", effect, 0.05, adjusted_p=0.1, adjustment="holm", n_together=2)
    >>> [round(number, 3) for number in advantage_of([found], "rule", "tree", is_larger_better=True)]
    [-0.02, 0.01, 0.1]
    """
    for each in comparisons:
        if {each.name_a, each.name_b} == {first, second}:
            sign = (1 if is_larger_better else -1) * (1 if each.name_a == first else -1)
            p_value = each.p_value if each.adjusted_p is None else each.adjusted_p
            return sign * each.effect.estimate, _error_of(each), p_value
    return math.nan, math.nan, math.nan


def _error_of(comparison: Comparison) -> float:
    if isinstance(comparison, PairedComparison):
        return comparison.standard_error
    # Comparisons that users made themselves have an interval only; with few folds this is rather too large.
    return comparison.effect.width / (2 * normal_z(comparison.effect.confidence))
