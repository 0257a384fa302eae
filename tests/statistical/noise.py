"""How far numbers that were found by chance may lie from what is expected.

All seeds are fixed, so a test passes or fails always; the chances say how likely a sound program would have
failed with other seeds.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import stats

CHANCE = 1e-3
Numbers = NDArray[np.float64]


def farthest(first: Numbers, second: Numbers) -> float:
    """The largest difference between the means over the repetitions, in units of what noise allows.

    Noise allows as much as all places together exceed with the chance of 1 in 1,000; above 1 the
    means differ.

    first, second: repetition × place

    >>> noise = np.random.default_rng(0).normal(size=(2, 400, 5))
    >>> farthest(noise[0], noise[1]) < 1, farthest(noise[0], noise[1] + 0.5) > 1
    (True, True)
    """
    error = np.sqrt(first.var(axis=0, ddof=1) / len(first) + second.var(axis=0, ddof=1) / len(second))
    difference = np.abs(first.mean(axis=0) - second.mean(axis=0))
    # A place at which all repetitions agree has no noise; a difference there is infinite, none is none.
    scores = np.divide(difference, error, out=np.where(difference > 1e-12, np.inf, 0.0), where=error > 0)
    return float(scores.max() / stats.norm.isf(CHANCE / 2 / first.shape[1]))


def is_centered(numbers: Numbers, center: float = 0.0) -> bool:
    """Whether the mean of the numbers is the center, but for noise.

    >>> noise = np.random.default_rng(1).normal(size=400)
    >>> is_centered(noise), is_centered(noise, 0.5)
    (True, False)
    """
    error = numbers.std(ddof=1) / np.sqrt(len(numbers))
    return bool(abs(numbers.mean() - center) <= stats.t.isf(CHANCE / 2, len(numbers) - 1) * error)


def is_share(n_hits: int, n_tries: int, share: float) -> bool:
    """Whether so many hits are a sample of this share.

    >>> is_share(950, 1000, 0.95), is_share(900, 1000, 0.95)
    (True, False)
    """
    return bool(stats.binomtest(n_hits, n_tries, share).pvalue > CHANCE)
