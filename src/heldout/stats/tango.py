"""Tango's score interval for the difference of two shares on the same rows.

T. Tango (1998), "Equivalence test and confidence interval for the difference in proportions for the
paired-sample design", Statistics in Medicine 17, 891-908. A difference lies outside exactly if the score test
of it rejects; at 0 that is McNemar's test. It has an answer without a single discordant row.
"""

from __future__ import annotations

import math

from heldout.stats.choices import normal_z

_STEPS = 200


def tango_ends(only_a: int, only_b: int, n_rows: int, confidence: float = 0.95) -> tuple[float, float]:
    """The ends of the interval of (only_a − only_b) / n_rows.

    only_a, only_b: rows that only one of the two has right
    n_rows:         all rows, at least one

    >>> [round(end, 4) for end in tango_ends(6, 16, 161)]
    [-0.124, -0.0054]
    """
    z = normal_z(confidence)
    # The interval of b against a is that of a against b turned around.
    return _lower_end(only_a, only_b, n_rows, z), -_lower_end(only_b, only_a, n_rows, z)


def score(delta: float, only_a: int, only_b: int, n_rows: int) -> float:
    """How many standard errors the counts lie above a supposed difference.

    >>> round(score(0.0, 16, 6, 161), 6) == round(10 / math.sqrt(22), 6)
    True
    """
    distance = only_a - only_b - n_rows * delta
    share = likeliest_share(delta, only_a, only_b, n_rows)
    variance = n_rows * (2 * share + delta * (1 - delta))
    return distance / math.sqrt(variance) if variance > 0 else math.copysign(math.inf, distance)


def likeliest_share(delta: float, only_a: int, only_b: int, n_rows: int) -> float:
    """The likeliest share of rows that only B has right, if the difference is delta.

    >>> likeliest_share(0.0, 3, 5, 20)
    0.2
    """
    # The likelihood has its top where a quadratic equation is 0.
    b = (2 * n_rows - only_a + only_b) * delta - only_a - only_b
    root = math.sqrt(max(b * b + 8 * n_rows * only_b * delta * (1 - delta), 0.0))
    if b > 0:  # the same root without taking a difference of equals
        return 2 * only_b * delta * (1 - delta) / (b + root)
    return (root - b) / (4 * n_rows)


def _lower_end(only_a: int, only_b: int, n_rows: int, z: float) -> float:
    """The difference at which the score is z; the score falls as the difference grows."""
    low, high = -1.0, (only_a - only_b) / n_rows
    for _ in range(_STEPS):
        middle = low + (high - low) / 2
        if not low < middle < high:
            break
        if score(middle, only_a, only_b, n_rows) > z:
            low = middle
        else:
            high = middle
    return low + (high - low) / 2
