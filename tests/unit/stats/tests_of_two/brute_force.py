"""The tests of two by looking at everything that could have been, in fractions and plain loops."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar


def sign_p(wins: int, losses: int) -> Fraction:
    """The chance of a count at least as far from the middle, by summing them all."""
    n = wins + losses
    far = abs(2 * wins - n)
    return Fraction(sum(comb(n, k) for k in range(n + 1) if abs(2 * k - n) >= far), 2**n)


def mid_p(wins: int, losses: int) -> Fraction:
    """The same, with half of what is exactly as far."""
    n = wins + losses
    far = abs(2 * wins - n)
    as_far = Fraction(sum(comb(n, k) for k in range(n + 1) if abs(2 * k - n) == far), 2**n)
    return sign_p(wins, losses) - as_far / 2


def mean_ranks(sizes: Sequence[int]) -> list[Fraction]:
    """The rank of each, ties sharing the mean of theirs."""
    return [
        Fraction(2 * sum(other < size for other in sizes) + sum(other == size for other in sizes) + 1, 2)
        for size in sizes
    ]


def signed_rank_p(differences: Sequence[int], zeros: str) -> Fraction:
    """Wilcoxon's two-sided p over all signs of the differences that are not 0."""
    kept = [each for each in differences if each or zeros == "pratt"]
    ranks = mean_ranks([abs(each) for each in kept])
    moving = [(rank, each > 0) for rank, each in zip(ranks, kept, strict=True) if each]
    total = sum((rank for rank, _ in moving), Fraction(0))
    seen = abs(2 * sum((rank for rank, is_above in moving if is_above), Fraction(0)) - total)
    n_far = 0
    for signs in itertools.product([0, 1], repeat=len(moving)):
        above = sum((rank for (rank, _), sign in zip(moving, signs, strict=True) if sign), Fraction(0))
        n_far += abs(2 * above - total) >= seen
    return Fraction(n_far, 2 ** len(moving))


def swap_p(
    y: Sequence[Any],
    a: Sequence[Any],
    b: Sequence[Any],
    metric: Callable[[Any, Any], float],
    groups: Any = None,
) -> float:
    """The share of all swaps, of rows or of groups, that differ at least as much."""
    labels = list(range(len(y))) if groups is None else list(groups)
    units = sorted(set(labels))
    seen = abs(metric(y, a) - metric(y, b))
    n_far = 0
    for choice in itertools.product([False, True], repeat=len(units)):
        is_swapped = dict(zip(units, choice, strict=True))
        first = [q if is_swapped[unit] else p for p, q, unit in zip(a, b, labels, strict=True)]
        second = [p if is_swapped[unit] else q for p, q, unit in zip(a, b, labels, strict=True)]
        n_far += abs(metric(y, first) - metric(y, second)) >= seen - 1e-12
    return n_far / 2 ** len(units)


def likeliest(delta: float, only_a: int, only_b: int, n_rows: int) -> float:
    """The share of rows only B has right under which the counts are likeliest, found by trying."""

    def cost(share: float) -> float:
        shares = np.array([share + delta, share, 1 - 2 * share - delta])
        counts = np.array([only_a, only_b, n_rows - only_a - only_b])
        return -float((counts[counts > 0] * np.log(np.maximum(shares[counts > 0], 1e-300))).sum())

    low, high = max(0.0, -delta), (1 - delta) / 2
    return float(minimize_scalar(cost, bounds=(low, high), method="bounded", options={"xatol": 1e-12}).x)


def plain_accuracy(y: Sequence[Any], answer: Sequence[Any]) -> float:
    """The share of rows that are right."""
    return sum(p == q for p, q in zip(y, answer, strict=True)) / len(y)


def plain_f1(y: Sequence[Any], answer: Sequence[Any], spotted: Any = 1) -> float:
    """Twice the hits by all that is there and all that is called; 0 of nothing."""
    hits = sum(p == q == spotted for p, q in zip(y, answer, strict=True))
    both = sum(p == spotted for p in y) + sum(q == spotted for q in answer)
    return 2 * hits / both if both else 0.0


def plain_precision(y: Sequence[Any], answer: Sequence[Any]) -> float:
    """The hits by all that is called 1; 0 of nothing."""
    called = [p for p, q in zip(y, answer, strict=True) if q == 1]
    return sum(p == 1 for p in called) / len(called) if called else 0.0


def plain_recall(y: Sequence[Any], answer: Sequence[Any], spotted: Any = 1) -> float:
    """The hits by all that is there; 0 of nothing."""
    there = [q for p, q in zip(y, answer, strict=True) if p == spotted]
    return sum(q == spotted for q in there) / len(there) if there else 0.0


def mean_recall(y: Sequence[Any], answer: Sequence[Any]) -> float:
    """Over the classes in y."""
    return sum(plain_recall(y, answer, label) for label in set(y)) / len(set(y))


def mean_f1(y: Sequence[Any], answer: Sequence[Any]) -> float:
    """Over the classes in y or in the answers."""
    labels = {*y, *answer}
    return sum(plain_f1(y, answer, label) for label in labels) / len(labels)


def plain_auc(y: Sequence[Any], scores: Sequence[float]) -> float:
    """The share of pairs in the right order, ties by half."""
    above = [score for score, label in zip(scores, y, strict=True) if label]
    below = [score for score, label in zip(scores, y, strict=True) if not label]
    return sum((p > q) + (p == q) / 2 for p in above for q in below) / (len(above) * len(below))
