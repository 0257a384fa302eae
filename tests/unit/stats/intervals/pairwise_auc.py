"""AUC and DeLong's variance by brute force over all pairs, in fractions, as the paper has them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def won(high: float, low: float) -> Fraction:
    """1 if the positive score is higher, a half for a tie."""
    return Fraction(1) if high > low else Fraction(1, 2) if high == low else Fraction(0)


def pairwise_auc(positives: Sequence[float], negatives: Sequence[float]) -> Fraction:
    """The share of pairs won."""
    pairs = [won(high, low) for high in positives for low in negatives]
    return sum(pairs, Fraction()) / len(pairs)


def pairwise_covariance(
    a: tuple[Sequence[float], Sequence[float]], b: tuple[Sequence[float], Sequence[float]]
) -> Fraction:
    """DeLong's covariance of two AUCs on the same rows; each is scores of positives, scores of negatives."""
    return sum((side(a, b, is_positive) for is_positive in (True, False)), Fraction())


def side(
    a: tuple[Sequence[float], Sequence[float]], b: tuple[Sequence[float], Sequence[float]], is_positive: bool
) -> Fraction:
    """The part of one class: the covariance of its placements, divided by its size."""
    columns = []
    for positives, negatives in (a, b):
        if is_positive:
            columns.append(
                [sum((won(p, n) for n in negatives), Fraction()) / len(negatives) for p in positives]
            )
        else:
            columns.append(
                [sum((won(p, n) for p in positives), Fraction()) / len(positives) for n in negatives]
            )
    size = len(columns[0])
    means = [sum(column, Fraction()) / size for column in columns]
    products = [(x - means[0]) * (y - means[1]) for x, y in zip(*columns, strict=True)]
    return sum(products, Fraction()) / (size - 1) / size
