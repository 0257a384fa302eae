"""The exact power of the two tests of two shares, as plain functions of numbers.

Left out are the outermost tails, beyond 8.5 standard deviations; and of more than 4,000 numbers of hits, as
some 200,000 rows have, evenly spaced ones stand for all.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats

FARTHEST = 8.5
MOST_SUMMED = 4000


def power_of_separate_rows(n_rows: int, share_a: float, share_b: float, level: float) -> float:
    """How often the z-test of two shares, each on so many rows of its own, finds them different.

    The test pools both shares for its variance, without a correction for continuity.
    """
    from scipy.stats import binom

    if n_rows <= 0:
        return 0.0
    z = _critical_z(level)
    hits, weights = _likely(n_rows, share_a)
    low, high = _accepted(hits, n_rows, z)
    accepted = binom.cdf(high, n_rows, share_b) - binom.cdf(low - 1, n_rows, share_b)
    return _kept(1 - float(accepted @ weights))


def power_of_same_rows(n_rows: int, difference: float, differing: float, level: float) -> float:
    """How often McNemar's exact test finds two shares on the same rows different.

    difference: of the two shares
    differing:  share of the rows on which just one of the two has it right
    """
    from scipy.stats import binom

    if n_rows <= 0 or differing <= 0:
        return 0.0
    n_differing, weights = _likely(n_rows, differing)
    share = min(max((1 + difference / differing) / 2, 0.0), 1.0)
    most = _most_lost(n_differing, level)
    found = binom.cdf(most, n_differing, share) + binom.sf(n_differing - most - 1, n_differing, share)
    # With few differing rows no outcome is within the level.
    found = np.where(most < 0, 0.0, found)
    return _kept(float(found @ weights))


def rows_by_formula(
    share_a: float, share_b: float, power: float, level: float, differing: float | None
) -> float:
    """About how many rows it takes, by normal curves: where the search for the exact number begins."""
    difference = abs(share_a - share_b)
    if differing is None:
        mean = (share_a + share_b) / 2
        under_null = 2 * mean * (1 - mean)
        in_truth = share_a * (1 - share_a) + share_b * (1 - share_b)
    else:
        under_null, in_truth = differing, max(differing - difference**2, 0.0)
    both = _critical_z(level) * math.sqrt(under_null) + _critical_z(2 * (1 - power)) * math.sqrt(in_truth)
    return (both / difference) ** 2


def _most_lost(n_differing: NDArray[np.int64], level: float) -> Floats:
    """With how many wins at most of the loser the test's p, 2 · P(so few or fewer), is within the level."""
    from scipy.stats import binom

    # A normal curve is off by one or two; binom.ppf would be right, and fifty times slower.
    most = np.floor(n_differing / 2 - _critical_z(level) * np.sqrt(n_differing) / 2 - 0.5)
    most = np.clip(most, -1.0, None)
    while (is_too_many := (most >= 0) & (2 * binom.cdf(most, n_differing, 0.5) > level)).any():
        most -= is_too_many
    while (is_too_few := 2 * binom.cdf(most + 1, n_differing, 0.5) <= level).any():
        most += is_too_few
    return most


def _critical_z(level: float) -> float:
    from scipy.special import ndtri

    return -float(ndtri(level / 2))


def _likely(n_rows: int, share: float) -> tuple[NDArray[np.int64], Floats]:
    """The numbers of hits within 8.5 standard deviations, and how likely each is."""
    from scipy.stats import binom

    mean, width = n_rows * share, FARTHEST * math.sqrt(n_rows * share * (1 - share)) + FARTHEST
    first, last = max(math.floor(mean - width), 0), min(math.ceil(mean + width), n_rows)
    hits = np.arange(first, last + 1, (last - first) // MOST_SUMMED + 1)
    weights = binom.pmf(hits, n_rows, share)
    return hits, weights / weights.sum()


def _accepted(hits: NDArray[np.int64], n_rows: int, z: float) -> tuple[Floats, Floats]:
    """Between which hits of the other share the z-test finds no difference: two roots of a square."""
    # (x − y)² ≤ c · (x + y) · (2n − x − y) with c = z²/2n, solved for y.
    c = z * z / (2 * n_rows)
    half = (1 - c) * hits + c * n_rows
    inside = half**2 - (1 + c) * ((1 + c) * hits.astype(np.float64) ** 2 - 2 * c * n_rows * hits)
    root = np.sqrt(np.maximum(inside, 0.0))
    # Hits on the border itself are not beyond it; rounding may not push them there.
    low = np.ceil((half - root) / (1 + c) - 1e-9)
    high = np.floor((half + root) / (1 + c) + 1e-9)
    return low, high


def _kept(share: float) -> float:
    return min(max(share, 0.0), 1.0)
