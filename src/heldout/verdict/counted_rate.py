"""Rates of hits among the rows that count for them, with weights, groups and any splits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heldout.stats.group_spread import independent_rows
from heldout.stats.rate_ends import wilson_ends
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.scored import SummedScore

Numbers = NDArray[np.float64]
# Which of the sums of a SummedScore are hits, and which are counted for them.
Cells = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True)
class CountedRate:
    """A rate and the ends of its corrected Wilson interval."""

    share: float
    low: float
    high: float


def counted_rate(scored: SummedScore, cells: Cells, rows: JudgedRows, confidence: float) -> CountedRate:
    """Wilson's interval for so many rows as count and are independent, divided by the factor of the splits.

    scored: what each row adds
    cells:  the sums that are hits, and those that are counted

    >>> parts = np.column_stack([np.arange(100) < 80, np.ones(100)]).astype(float)
    >>> rows = JudgedRows(np.zeros(100), np.arange(100)[np.newaxis] % 10)
    >>> found = counted_rate(SummedScore((parts,), lambda sums: sums), ((0,), (1,)), rows, 0.95)
    >>> found.share, round(found.low, 3), round(found.high, 3)
    (0.8, 0.666, 0.889)
    """
    above, below = cells
    is_asked = rows.units >= 0
    hits = np.array([part[is_asked][:, list(above)].sum(axis=1) for part in scored.parts])
    counted = np.array([part[is_asked][:, list(below)].sum(axis=1) for part in scored.parts])
    total = float(counted.sum())
    if total == 0:
        return CountedRate(float("nan"), 0.0, 1.0)
    share = float(hits.sum()) / total
    n_rows = total / len(counted)
    if rows.unit != "row" or rows.weights is not None:
        if rows.n_units < 2:
            return CountedRate(share, float("nan"), float("nan"))
        n_rows = independent_rows(hits, counted, rows.units[is_asked], rows.n_units, confidence)
    if rows.weights is not None:
        n_rows = min(n_rows, _equal_rows(counted))
    return CountedRate(share, *wilson_ends(share, n_rows / rows.factor, confidence))


def _equal_rows(weights: Numbers) -> float:
    """How many rows of equal weight vary as much (Kish): a heavy row that is right hides its risk."""
    return float(np.mean(weights.sum(axis=1) ** 2 / (weights**2).sum(axis=1)))


def mapped(rate: CountedRate, value: Callable[[float], float]) -> CountedRate:
    """The rate and its ends carried over to another scale.

    >>> mapped(CountedRate(0.5, 0.25, 0.75), lambda share: 2 * share / (1 + share)).low
    0.4
    """
    return CountedRate(value(rate.share), value(rate.low), value(rate.high))


def mean_of_rates(rates: list[CountedRate]) -> CountedRate:
    """The mean of independent rates, with ends put together from theirs (Zou and Donner's MOVER, 2008).

    >>> found = mean_of_rates([CountedRate(0.9, 0.8, 0.95), CountedRate(0.5, 0.3, 0.7)])
    >>> round(found.share, 3), round(found.low, 3), round(found.high, 3)
    (0.7, 0.588, 0.803)
    """
    n_rates = len(rates)
    share = sum(each.share for each in rates) / n_rates
    down = sum((each.share - each.low) ** 2 for each in rates) ** 0.5 / n_rates
    up = sum((each.high - each.share) ** 2 for each in rates) ** 0.5 / n_rates
    return CountedRate(share, share - down, share + up)
