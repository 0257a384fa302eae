"""Tests of two lists of scores: the t test in pairs and without, and Wilcoxon's signed ranks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.checks.values import check_choice, check_confidence
from heldout.errors import DataError
from heldout.stats.checked_values import normal_z
from heldout.stats.comparison import Significance
from heldout.stats.interval import Interval
from heldout.stats.score_pairs import (
    ROUNDING,
    clean_differences,
    is_all_zero,
    is_constant,
    largest,
    numbers_of,
    pair_names,
    score_pairs,
)
from heldout.stats.t_test import NO_T_TEST, TTest, mean_of, spread, t_test
from heldout.text.numbers import number_text, percent_text
from heldout.text.words import plural

ZEROS = {"pratt": "zeros ranked, then left out", "wilcox": "zeros left out first"}
FOLDS = (
    "Folds share their training rows, so a t test over folds is too eager;"
    " corrected_resampled_t accounts for it."
)


def paired_t(
    scores_a: Any,
    scores_b: Any,
    names: tuple[str, str] = ("A", "B"),
    unit: str = "pair",
    confidence: float = 0.95,
) -> Significance:
    """The t test of differences in pairs: whether their mean is 0.

    Parameters
    ----------
    scores_a, scores_b
        one score per pair, in the same order
    names
        of the two, for the sentences
    unit
        what a pair is, in the singular: "row", "fold", "data set"
    confidence
        of the interval of the mean difference

    Notes
    -----
    The pairs are taken as independent; differences of few pairs as roughly normal. Where all differences are
    0, p is 1; where all are the same number, or there are fewer than two, there is no p, and a note says why.

    Examples
    --------
    >>> found = paired_t([0.81, 0.84, 0.79, 0.83], [0.80, 0.80, 0.78, 0.79], names=("tree", "rule"))
    >>> round(found.p_value, 4), round(found.difference.low, 4), round(found.difference.high, 4)
    (0.0632, -0.0026, 0.0526)
    """
    confidence = check_confidence(confidence)
    first, second = pair_names(names)
    a, b = score_pairs(scores_a, scores_b)
    differences = clean_differences(a, b)
    reason = no_spread(differences, largest(a, b), unit)
    mean = mean_of(differences)
    found = NO_T_TEST
    if not reason:
        found = t_test(mean, spread(differences) / math.sqrt(len(a)), len(a) - 1, confidence)
    notes = (*((reason,) if reason else ()), *((FOLDS,) if unit == "fold" else ()))
    return Significance(
        "paired t test",
        f"{first} and {second} have the same mean",
        1.0 if is_all_zero(differences) else found.p_value,
        found.statistic,
        len(a),
        unit,
        _means(a, b, first, second),
        Interval(
            f"mean of {first} minus mean of {second}",
            mean,
            found.low,
            found.high,
            confidence,
            "paired t",
            len(a),
            unit,
            0.0,
            notes,
        ),
        notes,
        {"degrees_of_freedom": float(max(len(a) - 1, 0))},
    )


def two_sample_t(
    scores_a: Any,
    scores_b: Any,
    names: tuple[str, str] = ("A", "B"),
    unit: str = "score",
    confidence: float = 0.95,
) -> Significance:
    """Welch's t test of two separate samples, whose spreads may differ.

    Parameters
    ----------
    scores_a, scores_b
        scores that do not come in pairs; those on the same folds do: `paired_t`
    names, confidence
        as for `paired_t`
    unit
        what is counted, in the singular

    Notes
    -----
    Where neither sample has a spread p is 1 if the means agree, and unknown if not; as it is where a sample
    has fewer than two scores.

    Examples
    --------
    >>> found = two_sample_t([5.1, 4.9, 5.6, 5.2], [4.1, 4.8, 4.4])
    >>> round(found.p_value, 4), round(found.details["degrees_of_freedom"], 3)
    (0.0385, 3.935)
    """
    confidence = check_confidence(confidence)
    first, second = pair_names(names)
    a, b = numbers_of(scores_a, "scores_a"), numbers_of(scores_b, "scores_b")
    reason = _no_welch(a, b)
    mean = mean_of(a) - mean_of(b)
    if math.isinf(mean):
        raise DataError(
            "the difference of the two means is larger than a number can be",
            where=f"means {mean_of(a):.3g} and {mean_of(b):.3g}",
            fix="divide all scores by a large number",
        )
    found, freedom = (NO_T_TEST, math.nan) if reason else _welch(a, b, mean, confidence)
    is_same = min(len(a), len(b)) > 1 and is_constant(np.concatenate([a, b]))
    notes = (reason,) if reason else ()
    what, n_scores = f"mean of {first} minus mean of {second}", len(a) + len(b)
    ends = (found.low, found.high)
    return Significance(
        "Welch's t test",
        f"{first} and {second} have the same mean",
        1.0 if is_same else found.p_value,
        found.statistic,
        n_scores,
        unit,
        _means(a, b, first, second),
        Interval(what, mean, *ends, confidence, "Welch's t", n_scores, unit, 0.0, notes),
        notes,
        {"degrees_of_freedom": freedom},
    )


def signed_rank(
    scores_a: Any,
    scores_b: Any,
    zeros: str = "pratt",
    names: tuple[str, str] = ("A", "B"),
    unit: str = "pair",
    confidence: float = 0.95,
) -> Significance:
    """Wilcoxon's signed-rank test: whether differences in pairs lie evenly around 0.

    Parameters
    ----------
    scores_a, scores_b
        one score per pair, in the same order
    zeros
        "pratt" ranks differences of 0 with the others, then leaves them out; "wilcox" leaves them out
        first
    names, unit, confidence
        as for `paired_t`

    Notes
    -----
    Differences of the same size, up to the 14th digit, share the mean of their ranks. Up to 50 differences p
    is exact, ties or not; beyond it is the normal approximation with its correction for ties. Without a
    difference p is 1. The interval is that of the middle difference (Hodges and Lehmann).

    Examples
    --------
    >>> found = signed_rank([0.9, 0.8, 0.7, 0.9, 0.6, 0.8], [0.8, 0.7, 0.6, 0.7, 0.4, 0.8])
    >>> found.p_value, found.statistic
    (0.0625, 20.0)
    """
    check_choice("zeros", zeros, tuple(ZEROS))
    confidence = check_confidence(confidence)
    first, second = pair_names(names)
    a, b = score_pairs(scores_a, scores_b)
    differences = clean_differences(a, b)
    scale, what = largest(a, b), f"middle difference of {first} minus {second}"
    found = rank_p(differences, scale, zeros)
    difference = walsh_interval(differences, what, unit, confidence, scale)
    n_zero = int((differences == 0).sum())
    notes = []
    if n_zero == len(differences):
        notes.append(f"No {unit} shows a difference, so nothing speaks for either.")
    elif n_zero:
        notes.append(f"{plural(n_zero, unit)} without a difference: {ZEROS[zeros]}.")
    return Significance(
        f"{'exact' if found.is_exact else 'approximate'} Wilcoxon signed-rank test",
        f"the differences of {first} and {second} lie evenly around 0",
        found.p_value,
        found.above,
        len(a),
        unit,
        f"ranks {found.above:g} where {first} is larger, {found.below:g} where {second} is",
        difference,
        (*notes, *difference.notes),
        {"ranks_above": found.above, "ranks_below": found.below, "n_zero": float(n_zero)},
    )


def no_spread(differences: Floats, scale: float, unit: str) -> str:
    """Why differences have no t test, or nothing.

    scale: the size of the scores, below whose rounding there is no spread
    """
    n = len(differences)
    if n < 2:
        return f"{plural(n, unit)}: a t test needs two at least."
    if is_all_zero(differences):
        return f"All {n:,} differences are 0, so nothing speaks for either."
    if is_constant(differences, scale):
        shared = number_text(float(differences[0]))
        return (
            f"All {n:,} differences are {shared}: without a spread there is no t test;"
            " the sign test has an answer."
        )
    return ""


def _no_welch(a: Floats, b: Floats) -> str:
    if min(len(a), len(b)) < 2:
        return f"{len(a):,} and {len(b):,} scores: a t test needs two of each at least."
    if not (is_constant(a) and is_constant(b)):
        return ""
    if is_constant(np.concatenate([a, b])):
        return "All scores are the same, so nothing speaks for either."
    return "Neither sample has a spread, so there is no t test."


def _welch(a: Floats, b: Floats, mean: float, confidence: float) -> tuple[TTest, float]:
    """The test, and its degrees of freedom by Welch and Satterthwaite."""
    errors = [0.0 if is_constant(scores) else spread(scores) / math.sqrt(len(scores)) for scores in (a, b)]
    error = math.hypot(*errors)
    # Shares of the variance, which neither overflow nor vanish.
    shares = [(part / error) ** 2 for part in errors]
    freedom = 1 / (shares[0] ** 2 / (len(a) - 1) + shares[1] ** 2 / (len(b) - 1))
    return t_test(mean, error, freedom, confidence), freedom


def _means(a: Floats, b: Floats, first: str, second: str) -> str:
    if not len(a) or not len(b):
        return "no scores"
    return f"{first} {number_text(mean_of(a))}, {second} {number_text(mean_of(b))} on average"


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


def rank_p(differences: Floats, scale: float, zeros: str) -> RankTest:
    """The two-sided p of the signs, given the sizes of the differences.

    scale: the size of the scores: differences that lie closer than its rounding are tied
    zeros: "pratt" or "wilcox"
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
    differences: Floats, what: str, unit: str, confidence: float, scale: float = 0.0
) -> Interval:
    """The middle of the means of all pairs of differences, with the interval of Hodges and Lehmann.

    scale: the size of the scores, below whose rounding there is no spread, and then no interval
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
            notes = (f"{plural(n, 'difference')}: too few for an interval of {percent_text(confidence)}.",)
    return Interval(
        what, estimate, low, high, confidence, "signed ranks, Hodges-Lehmann", n, unit, 0.0, notes
    )


def sum_counts(doubled: NDArray[np.int64]) -> Floats:
    """In how many of all choices of signs the positive ones have each sum of doubled ranks."""
    counts = np.ones(1)
    for rank in doubled.tolist():
        longer = np.zeros(len(counts) + rank)
        longer[: len(counts)] += counts
        longer[rank:] += counts
        counts = longer
    return counts


def _sizes(sizes: Floats, scale: float) -> Floats:
    """Numbers 0, 1, 2 … in the order of the sizes; what differs by rounding has the same number."""
    order = np.argsort(sizes, kind="stable")
    is_new = np.diff(sizes[order], prepend=0.0) > 2 * ROUNDING * scale
    numbered = np.empty(len(sizes))
    numbered[order] = np.cumsum(is_new)
    return numbered


def _doubled_ranks(sizes: Floats) -> NDArray[np.int64]:
    """Twice the mean rank of each, a whole number also with ties."""
    from scipy.stats import rankdata

    return np.rint(2 * rankdata(sizes)).astype(np.int64) if len(sizes) else np.empty(0, dtype=np.int64)


def _exact_p(doubled: NDArray[np.int64], smaller: int) -> float:
    # Up to 50 differences every count is a whole number that a double holds.
    counts = sum_counts(doubled)
    return min(1.0, 2 * float(counts[: smaller + 1].sum()) / 2.0 ** len(doubled))


def _normal_p(signed_sizes: Floats, zeros: str) -> float:
    from scipy.stats import wilcoxon

    return float(wilcoxon(signed_sizes, zero_method=zeros, method="approx").pvalue)


def _means_outside(n: int, confidence: float) -> int:
    """How many of the means lie outside, with the end itself, on each side."""
    if n > MOST_EXACT:
        middle, spread = n * (n + 1) / 4, math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        return max(math.floor(middle - normal_z(confidence) * spread), 0)
    tail = np.cumsum(sum_counts(np.arange(1, n + 1))) / 2.0**n
    return int(np.searchsorted(tail, (1 - confidence) / 2 * (1 + 1e-12), side="right"))
