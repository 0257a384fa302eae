"""How much a column says of the class, taken alone: bits that they share, and whether chance would do it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def shared_bits(counts: Sequence[Sequence[float]]) -> float:
    """The mutual information of a column and the class, in bits, without what chance alone would give.

    counts: one list per class: how many rows fall into each bin or level

    Counts of columns that say nothing share a little too: (classes − 1)(bins − 1) / (2 n ln 2) bits on
    average (Miller 1955), which are taken off.

    >>> round(shared_bits([[50, 0], [0, 50]]), 2), shared_bits([[25, 25], [25, 25]])
    (0.99, 0.0)
    """
    table = np.asarray(counts, dtype=np.float64)
    total = table.sum() if table.ndim == 2 else 0.0
    if total <= 0:
        return 0.0
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0] / total
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True)
    is_there = table > 0
    found = float((table[is_there] * np.log2(table[is_there] / expected[is_there])).sum())
    by_chance = (table.shape[0] - 1) * (table.shape[1] - 1) / (2 * total * np.log(2))
    return max(found - float(by_chance), 0.0)


def chance_deviations(counts: Sequence[Sequence[float]]) -> float:
    """How many standard deviations a column lies beyond what a column that says nothing would give.

    counts: as in `shared_bits`

    It is Pearson's sum over the cells of the table, brought to a normal scale (Wilson and Hilferty 1931).
    That stays near the truth where cells hold few rows; bits do not.

    >>> chance_deviations([[50, 0], [0, 50]]) > 8, chance_deviations([[25, 25], [25, 25]]) < 0
    (True, True)
    """
    table = np.asarray(counts, dtype=np.float64)
    total = table.sum() if table.ndim == 2 else 0.0
    if total <= 0:
        return 0.0
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    freedom = (table.shape[0] - 1) * (table.shape[1] - 1)
    if not freedom:
        return 0.0
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True) / total
    distance = float(((table - expected) ** 2 / expected).sum())
    spread = 2 / (9 * freedom)
    return float(((distance / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5)


def entropy_bits(counts: Sequence[float]) -> float:
    """How uncertain the class is before anything is known, in bits.

    >>> entropy_bits([50, 50]), entropy_bits([10])
    (1.0, 0.0)
    """
    known = np.asarray([count for count in counts if count > 0], dtype=np.float64)
    shares = known / known.sum() if len(known) else known
    return float(-(shares * np.log2(shares)).sum()) + 0.0
