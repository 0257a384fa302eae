"""Two contenders compared on the same rows, with the standard error that a rule asks for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heldout.arrays import Floats
from heldout.stats.checked_values import normal_z
from heldout.stats.comparison import Comparison
from heldout.stats.t_test import t_quantile
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.standing import ROUNDING


@dataclass(frozen=True)
class PairedComparison(Comparison):
    """A Comparison whose first is the one with the better score.

    The difference is the first's score minus the second's in the metric's own units: above 0 where larger is
    better, below 0 where smaller is.

    name_a … notes:   as of `Comparison`
    standard_error:   of the difference, corrected for what the splits share; NaN for unknown
    is_larger_better: the direction of the score
    degrees_of_freedom: of its t test; infinite where the normal curve is taken

    Examples
    --------
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
        """
        freedom = self.degrees_of_freedom
        return (t_quantile(freedom, 1 - level / 2) + t_quantile(freedom, power)) * self.standard_error


def advantage_of(
    comparisons: Sequence[Comparison], first: str, second: str, is_larger_better: bool
) -> tuple[float, float, float]:
    """By how much the first is better than the second, its standard error, and p, adjusted where it was.

    All are NaN where the two were not compared.
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


def score_differences(first: Floats, second: Floats) -> Floats:
    """first − second, and 0 where both agree but for rounding.

    A tree of one leaf and the baseline both answer the mean, and add it up in another order. No test may take
    the last digit of their errors for a difference, however often it comes out on the same side.

    Of two infinite losses it is not known.
    """
    with np.errstate(invalid="ignore"):
        differences = first - second
    is_rounding = np.abs(differences) <= ROUNDING * np.maximum(np.abs(first), np.abs(second))
    return np.where(is_rounding & np.isfinite(differences), 0.0, differences)


def rounding_of(first: Floats, second: Floats) -> float:
    """The spread of differences below which they differ by rounding alone; it grows with the scores."""
    return ROUNDING * float(
        np.fmax.reduce(np.abs(np.concatenate([first.ravel(), second.ravel()])), initial=0.0)
    )


MOST_PARTS = 100


def all_counts(rows: JudgedRows) -> Floats:
    """One line of counts: every row that was tested, once."""
    return np.asarray(rows.units >= 0, dtype=np.float64)[np.newaxis]


def left_out_counts(rows: JudgedRows) -> Floats:
    """A line of counts for each part that is left out."""
    n_parts = min(rows.n_units, MOST_PARTS)
    part = np.where(rows.units >= 0, rows.units % n_parts, -1)
    is_kept = (part[np.newaxis] != np.arange(n_parts)[:, np.newaxis]) & (part >= 0)
    return np.asarray(is_kept, dtype=np.float64)


def jackknife_variance(values: Floats) -> float:
    """The variance of a score, from its values without each part; NaN where one of them has no value.

    Of several repeats it is the mean, because predictions to the same rows say little more than one of them.

    values: parts × repeats
    """
    n_parts = len(values)
    if n_parts < 2 or not np.isfinite(values).all():
        return float("nan")
    spread = ((values - values.mean(axis=0)) ** 2).sum(axis=0)
    return float((n_parts - 1) / n_parts * spread.mean())
