"""Fayyad and Irani's cuts by the definition: no sum of logarithms is decided by rounding."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise

# A sum of rational multiples of logarithms: of log 6 a half and of log 5 minus two is {6: 1/2, 5: -2}.
Logs = dict[int, Fraction]


def sum_of(terms: Iterable[tuple[Fraction | int, Logs]]) -> Logs:
    """Multiples of such sums, added."""
    total: Logs = {}
    for factor, logs in terms:
        for base, times in logs.items():
            total[base] = total.get(base, Fraction(0)) + factor * times
    return total


def sign_of(logs: Logs) -> int:
    """1, 0 or -1: by 60 digits where they tell, else by comparing products of whole numbers."""
    with localcontext() as context:
        context.prec = 60
        total = sum(
            (
                Decimal(times.numerator) / times.denominator * Decimal(base).ln()
                for base, times in logs.items()
            ),
            Decimal(0),
        )
    if abs(total) > Decimal("1e-40"):
        return 1 if total > 0 else -1
    shared = math.lcm(*(times.denominator for times in logs.values()), 1)
    above = math.prod(base ** int(times * shared) for base, times in logs.items() if times > 0)
    below = math.prod(base ** int(-times * shared) for base, times in logs.items() if times < 0)
    return (above > below) - (above < below)


def information(classes: list[int]) -> Logs:
    """N·H of these classes: N·log N less c·log c of every class."""
    counts = Counter(classes)
    own = [(1, {len(classes): Fraction(len(classes))})]
    return sum_of([*own, *((-1, {count: Fraction(count)}) for count in counts.values())])


def is_accepted(left: list[int], right: list[int]) -> bool:
    """N·gain > log2(N - 1) + log2(3^k - 2) - (k·H - k1·H1 - k2·H2)."""
    sides = [left + right, left, right]
    bits = [information(side) for side in sides]
    weights = [Fraction(len(set(side)), len(side)) for side in sides]
    k, n = len(set(left + right)), len(left) + len(right)
    terms = [
        (1, sum_of([(1, bits[0]), (-1, bits[1]), (-1, bits[2])])),
        (-1, {n - 1: Fraction(1)}),
        (-1, {3**k - 2: Fraction(1)}),
        (weights[0], bits[0]),
        (-weights[1], bits[1]),
        (-weights[2], bits[2]),
    ]
    return sign_of(sum_of(terms)) > 0


def exact_cuts(rows: list[tuple[int, int]]) -> list[float]:
    """All accepted cuts of rows (value, class), halfway between whole numbers; of equal ones the lowest."""
    best: tuple[Logs, float] | None = None
    values = sorted({value for value, _ in rows})
    for lower, upper in pairwise(values):
        sides = [information([c for v, c in rows if (v <= lower) == is_left]) for is_left in (True, False)]
        mixed = sum_of([(1, sides[0]), (1, sides[1])])
        if best is None or sign_of(sum_of([(1, mixed), (-1, best[0])])) < 0:
            best = mixed, (lower + upper) / 2
    if best is None:
        return []
    cut = best[1]
    left, right = [row for row in rows if row[0] <= cut], [row for row in rows if row[0] > cut]
    if not is_accepted([c for _, c in left], [c for _, c in right]):
        return []
    return [*exact_cuts(left), cut, *exact_cuts(right)]
