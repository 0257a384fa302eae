"""Swapping answers without touching rows: how many of the rows that are alike are swapped is drawn.

Rows with the same class and the same two answers change the sums of a metric by the same amount when they are
swapped. Of n such rows a binomial number is swapped, so a swap of all rows is one number per kind of row.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from heldout.stats.answer_pairs import AnswerPairs, Codes
from heldout.stats.tallies import TallyMetric

Numbers = NDArray[np.float64]
# Numbers that are held at once.
_MOST_DRAWN = 1 << 21


@dataclass(frozen=True)
class SwapUnits:
    """What is swapped or drawn as a whole, rows or groups, each kind of them once.

    counts:   how many units of each kind there are
    of_a:     what a unit of this kind adds to the sums of the first: kinds × sums
    of_b:     and to those of the second
    of_sizes: and to the sizes of the classes
    """

    counts: NDArray[np.int64]
    of_a: Numbers
    of_b: Numbers
    of_sizes: Numbers

    @property
    def n_units(self) -> int:
        return int(self.counts.sum())

    def values(self, metric: TallyMetric) -> tuple[float, float]:
        """The metric of both, as they are."""
        sums_a, sums_b, sizes = (
            (self.counts @ part)[np.newaxis] for part in (self.of_a, self.of_b, self.of_sizes)
        )
        return float(metric.value(sums_a, sizes)[0]), float(metric.value(sums_b, sizes)[0])


def swap_units(pairs: AnswerPairs, metric: TallyMetric, groups: Codes | None = None) -> SwapUnits:
    """The kinds of rows, or of groups.

    groups: the group of each row, from 0 on; left out, every row stands for itself
    """
    n_classes = max(len(pairs.classes), 1)
    kinds = (pairs.y * n_classes + pairs.a) * n_classes + pairs.b
    _, first, kind_of_row, counts = np.unique(
        kinds, return_index=True, return_inverse=True, return_counts=True
    )
    y, a, b = pairs.y[first], pairs.a[first], pairs.b[first]
    of_a, of_b = metric.tallies(y, a), metric.tallies(y, b)
    of_sizes = (y[:, np.newaxis] == np.arange(n_classes)).astype(np.float64)
    if groups is None:
        return SwapUnits(counts.astype(np.int64), of_a, of_b, of_sizes)
    n_groups = int(groups.max(initial=-1)) + 1
    parts = np.hstack([of_a, of_b, of_sizes])[kind_of_row.ravel()]
    # Groups that add the same are one kind, as rows are.
    alike, n_alike = np.unique(_sums_by_group(parts, groups, n_groups), axis=0, return_counts=True)
    n_sums = of_a.shape[1]
    of_a, of_b, of_sizes = np.split(alike, [n_sums, 2 * n_sums], axis=1)
    return SwapUnits(n_alike.astype(np.int64), of_a, of_b, of_sizes)


@dataclass(frozen=True)
class Swaps:
    """How much each kind of unit moves when it is swapped, and how many of a kind there are.

    moves:  what a swapped unit adds to the sums of the first, and takes from the second: kinds × sums
    counts: units of each kind; only kinds that move anything
    """

    moves: Numbers
    counts: NDArray[np.int64]

    @property
    def n_outcomes(self) -> float:
        """In how many ways so many of each kind can be swapped; infinite beyond what a double holds."""
        with np.errstate(over="ignore"):
            return float(np.prod(self.counts + 1.0))


def swaps_of(units: SwapUnits) -> Swaps:
    """The units that differ; those that move the sums alike are one kind."""
    moves = units.of_b - units.of_a
    is_moved = moves.any(axis=1)
    if not is_moved.any():
        return Swaps(moves[:0], np.empty(0, dtype=np.int64))
    kinds, kind = np.unique(moves[is_moved], axis=0, return_inverse=True)
    counts = np.bincount(kind.ravel(), weights=units.counts[is_moved]).astype(np.int64)
    return Swaps(kinds, counts)


def drawn_differences(
    units: SwapUnits, swaps: Swaps, metric: TallyMetric, n_swaps: int, generator: np.random.Generator
) -> Numbers:
    """The difference of the metric after each of so many random swaps."""
    step = max(_MOST_DRAWN // max(len(swaps.counts), 1), 1)
    parts = []
    for start in range(0, n_swaps, step):
        size = (min(step, n_swaps - start), len(swaps.counts))
        parts.append(_differences(units, swaps, metric, generator.binomial(swaps.counts, 0.5, size=size)))
    return np.concatenate(parts)


def all_differences(units: SwapUnits, swaps: Swaps, metric: TallyMetric) -> tuple[Numbers, Numbers]:
    """The difference of the metric after every possible swap, and the chance of each."""
    from scipy.special import gammaln

    choices = [np.arange(count + 1) for count in swaps.counts.tolist()]
    grid = np.meshgrid(*choices, indexing="ij") if choices else [np.zeros(1, dtype=np.int64)]
    swapped = np.stack([line.ravel() for line in grid], axis=1)[:, : len(choices)]
    chances = [
        np.exp(
            gammaln(n + 1) - gammaln(np.arange(n + 1) + 1) - gammaln(n - np.arange(n + 1) + 1) - n * np.log(2)
        )
        for n in swaps.counts.tolist()
    ]
    chance = reduce(np.multiply.outer, chances, np.ones(())).ravel()
    return _differences(units, swaps, metric, swapped), chance


def resampled_differences(
    units: SwapUnits, metric: TallyMetric, n_resamples: int, generator: np.random.Generator
) -> Numbers:
    """The difference of the metric in resamples of the units, drawn with replacement."""
    step = max(_MOST_DRAWN // len(units.counts), 1)
    parts = []
    for start in range(0, n_resamples, step):
        size = min(step, n_resamples - start)
        drawn = generator.multinomial(units.n_units, units.counts / units.n_units, size=size).astype(
            np.float64
        )
        sizes = drawn @ units.of_sizes
        parts.append(metric.value(drawn @ units.of_a, sizes) - metric.value(drawn @ units.of_b, sizes))
    return np.concatenate(parts)


def _differences(units: SwapUnits, swaps: Swaps, metric: TallyMetric, swapped: NDArray[np.int64]) -> Numbers:
    moved = swapped.astype(np.float64) @ swaps.moves
    sizes = np.broadcast_to(units.counts @ units.of_sizes, (len(swapped), units.of_sizes.shape[1]))
    sums_a, sums_b = units.counts @ units.of_a + moved, units.counts @ units.of_b - moved
    return np.asarray(metric.value(sums_a, sizes) - metric.value(sums_b, sizes))


def _sums_by_group(of_rows: Numbers, groups: Codes, n_groups: int) -> Numbers:
    columns = [np.bincount(groups, weights=column, minlength=n_groups) for column in of_rows.T]
    return np.stack(columns, axis=1)
