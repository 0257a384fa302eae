"""What a mean, its standard error and its degrees of freedom give: t, p and the ends of the interval."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from heldout.arrays import Floats


@dataclass(frozen=True)
class TTest:
    """A t test; the ends are those of the interval of the estimate."""

    statistic: float
    p_value: float
    low: float
    high: float


NO_T_TEST = TTest(math.nan, math.nan, math.nan, math.nan)


def t_test(estimate: float, standard_error: float, freedom: float, confidence: float) -> TTest:
    """The two-sided test of whether what is estimated is 0.

    standard_error: above 0
    freedom:        degrees of freedom
    """
    from scipy.special import stdtr  # the function behind scipy.stats.t, which takes long to import

    statistic = estimate / standard_error
    half = -t_quantile(freedom, (1 - confidence) / 2) * standard_error
    p_value = min(2 * float(stdtr(freedom, -abs(statistic))), 1.0)
    return TTest(statistic, p_value, estimate - half, estimate + half)


def t_quantile(freedom: float, share: float) -> float:
    """The quantile of Student's t; of the normal curve where the degrees of freedom are infinite."""
    from scipy.special import ndtri, stdtrit

    return float(ndtri(share) if math.isinf(freedom) else stdtrit(freedom, share))


def spread(numbers: Floats) -> float:
    """The standard deviation with n − 1, of numbers of any size."""
    power = size_of(numbers)
    return float(np.std(numbers / power, ddof=1)) * power


def mean_of(numbers: Floats) -> float:
    """The mean of numbers of any size; NaN without any."""
    power = size_of(numbers)
    return float(np.mean(numbers / power)) * power if len(numbers) else math.nan


def size_of(numbers: Floats) -> float:
    """A power of two near the largest of the numbers: divided by it, sums and squares stay in range.

    Squares beyond 1e154 overflow and below 1e-154 vanish; a power of two takes no digit away.
    """
    largest = float(np.abs(numbers).max(initial=0.0))
    # Of the smallest numbers of all the power would be 0.
    return 2.0 ** max(math.frexp(largest)[1] - 1, -1000) if largest else 1.0
