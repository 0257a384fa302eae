"""Rows drawn with replacement, again and again the same: the resamples in which the choosing is repeated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.stats.resamples import resample_plan
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.scored import Scored
from heldout.verdict.stacked_scores import StackedScores

Numbers = NDArray[np.float64]
# So many numbers are held at once: 32 MB.
CHUNK = 4_000_000
FEWEST, MOST = 200, 1000
# So many numbers may be touched, see `Scored.cost`; about a second.
BUDGET = 1.5e8


@dataclass(frozen=True, eq=False)
class Bags:
    """How rows are drawn.

    rows:        places of the rows that are drawn from
    n_all:       how many rows there are in all
    groups:      of the rows that are drawn from, drawn as a whole; None for single rows
    strata:      of these rows, each of which keeps its size; None for none
    n_resamples: how many times
    seed:        the same gives the same draws

    >>> bags = Bags(np.array([0, 2]), 3, None, None, 2, 0)
    >>> [counts.tolist() for counts in bags.chunks()]
    [[[0.0, 0.0, 2.0], [1.0, 0.0, 1.0]]]
    """

    rows: NDArray[np.intp]
    n_all: int
    groups: NDArray[Any] | None
    strata: NDArray[Any] | None
    n_resamples: int
    seed: int

    @property
    def n_units(self) -> int:
        return len(self.rows) if self.groups is None else len(np.unique(self.groups))

    def chunks(self) -> Iterator[Numbers]:
        """How often each row is drawn: resamples × rows, some resamples at a time."""
        plan = resample_plan(len(self.rows), self.strata, self.groups)
        size = max(CHUNK // self.n_all, 1)
        generator = np.random.default_rng(self.seed)
        draws = plan.draws(generator, self.n_resamples)
        for start in range(0, self.n_resamples, size):
            counts = np.zeros((min(size, self.n_resamples - start), self.n_all))
            for line in counts:
                line[self.rows] = np.bincount(next(draws), minlength=len(self.rows))
            yield counts

    def inside(self, scored: Sequence[Scored]) -> Numbers:
        """The score of everyone on the rows drawn: resamples × contenders."""
        stacked = StackedScores(scored)
        return np.concatenate([stacked.means(counts) for counts in self.chunks()])

    def outside(self, scored: Sequence[Scored], chosen: NDArray[np.intp]) -> Numbers:
        """The score of the one that was chosen on the rows not drawn; NaN where none was chosen."""
        found = np.full(self.n_resamples, np.nan)
        start = 0
        for counts in self.chunks():
            left = np.zeros_like(counts)
            left[:, self.rows] = counts[:, self.rows] == 0
            here = chosen[start : start + len(counts)]
            for place in np.unique(here[here >= 0]).tolist():
                lines = np.flatnonzero(here == place)
                found[start + lines] = scored[place].means(left[lines])
            start += len(counts)
        return found


def bags_of(
    judged: Sequence[JudgedRows],
    scored: Sequence[Scored],
    is_stratified: bool,
    seed: int,
    n_resamples: int | None,
) -> Bags | None:
    """Draws from the rows that everyone was tested on; None where there are no two.

    judged:        the rows of each contender, whose splits may differ
    scored:        what is scored, whose cost says how many resamples can be made
    is_stratified: whether classes keep their sizes
    n_resamples:   left out, 200 to 1,000 by the cost
    """
    is_shared = np.logical_and.reduce([each.units >= 0 for each in judged])
    rows = np.flatnonzero(is_shared)
    first = judged[0]
    groups = None if first.unit == "row" else first.units[rows]
    if len(rows) < 2 or (groups is not None and len(np.unique(groups)) < 2):
        return None
    strata = first.y[rows] if is_stratified and groups is None else None
    cost = sum(each.cost for each in scored)
    n_made = int(min(max(BUDGET / cost, FEWEST), MOST)) if n_resamples is None else n_resamples
    return Bags(rows, first.n_rows, groups, strata, n_made, seed)
