"""Rates on held rows where Clopper-Pearson alone does not do: rows in groups, and the mean of recalls."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from heldout.stats.after_looks import AfterLooks
from heldout.stats.group_spread import few_groups_factor
from heldout.stats.interval import Interval
from heldout.stats.log_levels import LOG2, auc_ends_at, level_after_bits, rate_ends_at
from heldout.stats.looks import Looks
from heldout.stats.rate_ends import clopper_pearson_ends
from heldout.study.seal.held_answers import HeldAnswers

Ends = Callable[[float], tuple[float, float]]
# Of 0, ½ and 1 the smallest with which intervals of 2 × 200 kinds of groups hold what they say.
MORE_GROUPS = 0.5


def grouped_rate_after_looks(held: HeldAnswers, earlier: Looks, confidence: float) -> AfterLooks:
    """An accuracy or error on rows that come in groups.

    While nothing was given away it is Clopper-Pearson's for as many independent rows as vary as much as these
    do between groups (Korn & Graubard 1998, with half a group more). That rests on a spread that was
    estimated, which says nothing about levels of 2^−bits; there each group counts as one draw, which holds
    for any correlation within it.
    """
    assert held.groups is not None
    codes = np.unique(held.groups, return_inverse=True)[1]
    n_groups = int(codes.max()) + 1
    is_hit = (held.y == held.answers) == held.metric.is_larger_better
    share = float(is_hit.mean())
    shares = np.bincount(codes) / len(codes)
    n_typical = 1 / float((shares**2).sum())
    n_alike = _rows_alike(is_hit, codes, n_typical)
    safe = _unit_ends(share, shares)
    alpha, n_looks, bits = 1 - confidence, len(earlier) + 1, earlier.bits_of_any
    words = f"{n_groups:,} groups count as {n_alike:,} independent rows, by their design effect."
    units = "Each group counts as one draw, whatever the correlation within it."

    def spread_ends(level: float) -> tuple[float, float]:
        if n_groups < 2:
            return 0.0, 1.0
        n_sure = n_alike / few_groups_factor(max(n_typical, 2.0), 1 - level) ** 2
        return clopper_pearson_ends(share * n_sure, n_sure, alpha=level)  # type: ignore[arg-type]

    def interval(ends: tuple[float, float], method: str, note: str) -> Interval:
        return Interval(
            held.metric.name,
            share,
            *ends,
            confidence,
            method,
            n_groups,
            "group",
            reference=held.baseline,
            notes=(note,),
        )

    shared = f" at {alpha:.3g} / {n_looks:,}" if n_looks > 1 else ""
    by_spread = "Clopper-Pearson by Korn & Graubard"
    fixed = interval(spread_ends(alpha / n_looks), by_spread + shared, words)
    adaptive = interval(spread_ends(alpha), by_spread, words)
    if bits:
        method = f"Hoeffding, groups as units, at {alpha:.3g} · 2^-{bits:.3g}"
        adaptive = interval(safe(level_after_bits(confidence, bits)), method, units)
    must_beat = held.baseline if held.metric.is_larger_better else 1 - held.baseline
    budget = _unit_budget(shares, must_beat, alpha)
    return AfterLooks(held.metric.name, share, adaptive, fixed, n_looks, bits, budget, baseline=held.baseline)


def _rows_alike(is_hit: NDArray[np.bool_], codes: NDArray[np.intp], n_typical: float) -> int:
    """How many independent rows vary as much, whole, so that it is one of few possible answers.

    Few groups, or a rate near its end, often show too little spread: no group was drawn that differs. So it
    is reckoned as if half a group more had been seen, one that is right or wrong as a whole.

    n_typical: how many groups of equal size weigh as much
    """
    n_rows, size = len(codes), len(codes) / n_typical
    n_more = size * MORE_GROUPS
    share = (float(is_hit.sum()) + n_more / 2) / (n_rows + n_more)
    left = np.bincount(codes, is_hit) - share * np.bincount(codes)
    one_more = size**2 * ((1 - share) ** 2 + share**2) / 2
    n_groups = len(left) + MORE_GROUPS
    squares = (float(left @ left) + MORE_GROUPS * one_more) * n_groups / (n_groups - 1)
    n_alike = share * (1 - share) * (n_rows + n_more) * n_rows / squares
    return max(int(min(n_alike, n_rows)), 1)


def _is_even(shares: NDArray[np.float64]) -> bool:
    """Whether Chernoff's bound, which reckons with the largest group, is the better one."""
    return bool(1 / shares.max() >= 0.7 / (shares**2).sum())


def _unit_ends(share: float, shares: NDArray[np.float64]) -> Ends:
    """Ends for a mean of groups of these shares, each anything from 0 to 1 (Hoeffding 1963)."""
    if _is_even(shares):
        n_units = max(int(1 / shares.max()), 1)
        return lambda log_alpha: auc_ends_at(share, n_units, n_units, log_alpha)
    squares = float((shares**2).sum())

    def ends(log_alpha: float) -> tuple[float, float]:
        half = math.sqrt((LOG2 - log_alpha) * squares / 2)
        return max(share - half, 0.0), min(share + half, 1.0)

    return ends


def _unit_budget(shares: NDArray[np.float64], must_beat: float, alpha: float) -> float:
    """With how many bits not even a perfect score lies above the baseline."""
    if must_beat <= 0:
        return math.inf
    if _is_even(shares):
        bits = -max(int(1 / shares.max()), 1) * math.log2(must_beat)
    else:
        bits = 2 * (1 - must_beat) ** 2 / (shares**2).sum() / LOG2
    return max(float(bits) + math.log2(alpha / 2), 0.0)


def balanced_after_looks(held: HeldAnswers, earlier: Looks, confidence: float) -> tuple[AfterLooks, int]:
    """The mean recall on held rows, and how many answers were possible.

    Each recall has its exact interval at α / classes; where all of these hold, the mean of the recalls lies
    between the mean of their lower and the mean of their upper ends.
    """
    names, codes = np.unique(held.y, return_inverse=True)
    counts = np.bincount(codes, minlength=len(names))
    hits = np.bincount(codes, held.y == held.answers, len(names)).astype(int)
    estimate = float((hits / counts).mean())
    log_classes = math.log(len(names))
    alpha, n_looks, bits = 1 - confidence, len(earlier) + 1, earlier.bits_of_any

    def ends(log_alpha: float, of: NDArray[np.intp] = hits) -> tuple[float, float]:
        found = [
            rate_ends_at(int(n_hits), int(n), log_alpha - log_classes)
            for n_hits, n in zip(of, counts, strict=True)
        ]
        low, high = np.mean(found, axis=0)
        return float(low), float(high)

    def interval(log_alpha: float, level: str) -> Interval:
        method = f"Clopper-Pearson of each recall at {level} / {len(names)}"
        return Interval(
            held.metric.name,
            estimate,
            *ends(log_alpha),
            confidence,
            method,
            held.n_rows,
            reference=held.baseline,
        )

    shared = f"{alpha:.3g} / {n_looks:,}" if n_looks > 1 else f"{alpha:.3g}"
    fixed = interval(math.log(alpha / n_looks), shared)
    level = f"{alpha:.3g} · 2^-{bits:.3g}" if bits else f"{alpha:.3g}"
    adaptive = interval(level_after_bits(confidence, bits), level)
    budget = _bits_until(lambda spent: ends(level_after_bits(confidence, spent), counts)[0] <= held.baseline)
    after = AfterLooks(held.metric.name, estimate, adaptive, fixed, n_looks, bits, budget, held.baseline)
    return after, _balanced_answers(held, [int(n) for n in counts])


def _balanced_answers(held: HeldAnswers, counts: list[int]) -> int:
    """How many pairs of hits and counts of every class are possible.

    With a stratified seal the counts follow from those of the open rows. Otherwise the answer may tell them
    too: of two classes the rows called by each tell the rest, of more any rows may lie in any class.
    """
    if held.is_stratified:
        return math.prod(n + 1 for n in counts)
    n_classes = max(held.n_classes, len(counts))
    if n_classes <= 2:
        return (held.n_rows + 2) ** 2 // 4
    return math.comb(held.n_rows + 2 * n_classes - 1, 2 * n_classes - 1)


def _bits_until(is_used_up: Callable[[float], bool], most: float = 1e6) -> float:
    """The fewest bits with which this holds, to a tenth of a bit; all there are if it never does."""
    if is_used_up(0.0):
        return 0.0
    low, high = 0.0, 1.0
    while not is_used_up(high):
        low, high = high, 2 * high
        if high > most:
            return math.inf
    while high - low > 0.1:
        middle = (low + high) / 2
        low, high = (low, middle) if is_used_up(middle) else (middle, high)
    return high
