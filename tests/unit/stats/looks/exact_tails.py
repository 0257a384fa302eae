"""Tails of the binomial distribution in exact fractions, to compare with."""

from __future__ import annotations

import math
from fractions import Fraction


def log_upper_tail(n_hits: int, n_rows: int, rate: float) -> float:
    """The logarithm of the chance of so many hits or more; nothing is rounded before it is taken."""
    share = Fraction(rate)
    terms = (
        math.comb(n_rows, hits) * share**hits * (1 - share) ** (n_rows - hits)
        for hits in range(n_hits, n_rows + 1)
    )
    return log_of(sum(terms, Fraction(0)))


def log_of(fraction: Fraction) -> float:
    """The natural logarithm of a fraction that may be too small for a float."""
    shift = fraction.denominator.bit_length() - fraction.numerator.bit_length()
    return math.log(fraction * Fraction(2) ** shift) - shift * math.log(2)
