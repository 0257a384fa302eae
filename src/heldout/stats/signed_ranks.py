"""Ranks of differences with signs: their exact distribution, ties or not, and the interval they give."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heldout.stats.choices import normal_z
from heldout.stats.interval import Interval
from heldout.stats.score_pairs import ROUNDING, is_constant
from heldout.stats.shown_number import shown_percent
from heldout.table.describe import plural

Numbers = NDArray[np.float64]
MOST_EXACT = 50
# Of so many differences the means of all pairs are still made: two million numbers.
MOST_PAIRED = 2_000


@dataclass(frozen=True)
class RankTest:
    """Sums of ranks, and what they say.

    p_value:  two-sided
    above:    the ranks of differences above 0
    below:    the ranks of those below 0
    is_exact: whether p comes from counting all signs
    """

    p_value: float
    above: float
    below: float
    is_exact: bool


def rank_p(differences: Numbers, scale: float, zeros: str) -> RankTest:
    """The two-sided p of the signs, given the sizes of the differences.

    scale: the size of the scores: differences that lie closer than its rounding are tied
    zeros: "pratt" or "wilcox"

    >>> rank_p(np.array([1.0, 2.0, -3.0, 0.0]), 3.0, "wilcox")
    RankTest(p_value=1.0, above=3.0, below=3.0, is_exact=True)
    >>> rank_p(np.array([1.0, 2.0, -3.0, 0.0]), 3.0, "pratt")
    RankTest(p_value=1.0, above=5.0, below=4.0, is_exact=True)
    """
    kept = differences if zeros == "pratt" else differences[differences != 0]
    sizes = _sizes(np.abs(kept), scale)
    doubled = _doubled_ranks(sizes)
    is_above, is_below = kept > 0, kept < 0
    above, below = int(doubled[is_above].sum()), int(doubled[is_below].sum())
    signed = doubled[is_above | is_below]
    is_exact = len(signed) <= MOST_EXACT
    p_value = _exact_p(signed, min(above, below)) if is_exact else _normal_p(sizes * np.sign(kept), zeros)
    return RankTest(p_value, above / 2, below / 2, is_exact)


def walsh_interval(
    differences: Numbers, what: str, unit: str, confidence: float, scale: float = 0.0
) -> Interval:
    """The middle of the means of all pairs of differences, with the interval of Hodges and Lehmann.

    scale: the size of the scores, below whose rounding there is no spread, and then no interval

    >>> found = walsh_interval(np.arange(1.0, 9.0), "A minus B", "pair", 0.95)
    >>> found.low, found.estimate, found.high
    (2.0, 4.5, 7.0)
    """
    n = len(differences)
    low = high = estimate = math.nan
    notes: tuple[str, ...] = ()
    if n > MOST_PAIRED:
        estimate = float(np.median(differences))
        notes = (f"With more than {MOST_PAIRED:,} there is the median alone, and no interval.",)
    elif n:
        rows, columns = np.triu_indices(n)
        means = np.sort(differences[rows] / 2 + differences[columns] / 2)
        estimate = float(np.median(means))
        n_outside = _means_outside(n, confidence)
        if n > 1 and is_constant(differences, scale):
            notes = ("All differences are the same, and nothing tells how far others may lie.",)
        elif n_outside:
            low, high = float(means[n_outside - 1]), float(means[-n_outside])
        else:
            notes = (f"{plural(n, 'difference')}: too few for an interval of {shown_percent(confidence)}.",)
    return Interval(
        what, estimate, low, high, confidence, "signed ranks, Hodges-Lehmann", n, unit, 0.0, notes
    )


def sum_counts(doubled: NDArray[np.int64]) -> Numbers:
    """In how many of all choices of signs the positive ones have each sum of doubled ranks.

    >>> sum_counts(np.array([2, 4])).tolist()
    [1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0]
    """
    counts = np.ones(1)
    for rank in doubled.tolist():
        longer = np.zeros(len(counts) + rank)
        longer[: len(counts)] += counts
        longer[rank:] += counts
        counts = longer
    return counts


def _sizes(sizes: Numbers, scale: float) -> Numbers:
    """Numbers 0, 1, 2 … in the order of the sizes; what differs by rounding has the same number."""
    order = np.argsort(sizes, kind="stable")
    is_new = np.diff(sizes[order], prepend=0.0) > 2 * ROUNDING * scale
    numbered = np.empty(len(sizes))
    numbered[order] = np.cumsum(is_new)
    return numbered


def _doubled_ranks(sizes: Numbers) -> NDArray[np.int64]:
    """Twice the mean rank of each, a whole number also with ties."""
    from scipy.stats import rankdata

    return np.rint(2 * rankdata(sizes)).astype(np.int64) if len(sizes) else np.empty(0, dtype=np.int64)


def _exact_p(doubled: NDArray[np.int64], smaller: int) -> float:
    # Up to 50 differences every count is a whole number that a double holds.
    counts = sum_counts(doubled)
    return min(1.0, 2 * float(counts[: smaller + 1].sum()) / 2.0 ** len(doubled))


def _normal_p(signed_sizes: Numbers, zeros: str) -> float:
    from scipy.stats import wilcoxon

    return float(wilcoxon(signed_sizes, zero_method=zeros, method="approx").pvalue)


def _means_outside(n: int, confidence: float) -> int:
    """How many of the means lie outside, with the end itself, on each side."""
    if n > MOST_EXACT:
        middle, spread = n * (n + 1) / 4, math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        return max(math.floor(middle - normal_z(confidence) * spread), 0)
    tail = np.cumsum(sum_counts(np.arange(1, n + 1))) / 2.0**n
    return int(np.searchsorted(tail, (1 - confidence) / 2 * (1 + 1e-12), side="right"))
