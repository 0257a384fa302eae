"""Rows drawn with replacement, again and again the same: the resamples in which the choosing is repeated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.metrics.metric import Metric
from heldout.stats.bootstrap_ends import coded_groups, resample_plan
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.weighted_score import SummedScore, WeightedScore, mean_of_repeats

Counts = NDArray[np.uint8]
# So many numbers are made ready for a product at once: 8 MB, which stay near the processor.
CHUNK = 1_000_000
# So many counts are kept from the choosing to the scoring: 64 MB. More are drawn a second time.
MOST_KEPT = 64_000_000
FEWEST, MOST = 200, 1000
# So many numbers may be touched, see `WeightedScore.cost`; about a second.
BUDGET = 1.5e8


@dataclass(frozen=True, eq=False)
class Resamples:
    """How rows are drawn.

    rows:        places of the rows that are drawn from
    n_all:       how many rows there are in all
    groups:      of the rows that are drawn from, drawn as a whole; None for single rows
    strata:      of these rows, each of which keeps its size; None for none
    n_resamples: how many times
    seed:        the same gives the same draws
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

    @cached_property
    def _kept(self) -> list[Counts]:
        return list(self._drawn())

    def _drawn(self) -> Iterator[Counts]:
        """Counts of all rows, some resamples at a time; the same draws as `heldout.stats` makes."""
        plan = resample_plan(len(self.rows), self.strata, self.groups)
        units = slice(None) if self.groups is None else coded_groups(self.groups, len(self.rows))
        generator = np.random.default_rng(self.seed)
        size = max(CHUNK // self.n_all, 1)
        # As many are drawn as there are, so none comes near to 256 times.
        of_units = np.zeros(plan.n_units, dtype=np.uint8)
        for start in range(0, self.n_resamples, size):
            counts = np.zeros((min(size, self.n_resamples - start), self.n_all), dtype=np.uint8)
            for line in counts:
                for stratum in plan.strata:
                    drawn = generator.integers(len(stratum), size=len(stratum))
                    of_units[stratum] = np.bincount(drawn, minlength=len(stratum))
                line[self.rows] = of_units[units]
            yield counts

    def counts(self) -> Iterator[Counts]:
        """How often each row is drawn: resamples × rows, some resamples at a time."""
        is_small = self.n_resamples * self.n_all <= MOST_KEPT
        return iter(self._kept) if is_small else self._drawn()

    def inside(self, scored: Sequence[WeightedScore]) -> Floats:
        """The score of everyone on the rows drawn: resamples × contenders."""
        stacked = StackedScores(scored)
        return np.concatenate([stacked.means(counts.astype(np.float64)) for counts in self.counts()])

    def outside(self, scored: Sequence[WeightedScore], chosen: NDArray[np.intp]) -> Floats:
        """The score of the one that was chosen on the rows not drawn; NaN where none was chosen."""
        found = np.full(self.n_resamples, np.nan)
        is_drawn_from = np.zeros(self.n_all, dtype=np.bool_)
        is_drawn_from[self.rows] = True
        start = 0
        for counts in self.counts():
            here = chosen[start : start + len(counts)]
            for index in np.unique(here[here >= 0]).tolist():
                lines = np.flatnonzero(here == index)
                left = (counts[lines] == 0) & is_drawn_from
                found[start + lines] = scored[index].means(left.astype(np.float64))
            start += len(counts)
        return found


def make_resamples(
    judged: JudgedRows,
    scored: Sequence[WeightedScore],
    metric: Metric,
    seed: int,
    n_resamples: int | None = None,
    fewest: int = FEWEST,
) -> Resamples | None:
    """Draws from the rows that a plan tested; None where there are no two.

    Whoever was tested on some of them only, because its plan split otherwise, is scored on those.

    judged:        the rows of the plan
    scored:        what is scored, whose cost says how many resamples can be made
    metric:        by which is scored
    n_resamples:   left out, 200 to 1,000 by the cost
    fewest:        so many at least, whatever they cost
    """
    rows = np.flatnonzero(judged.units >= 0)
    groups = None if judged.unit == "row" else judged.units[rows]
    if len(rows) < 2 or (groups is not None and len(np.unique(groups)) < 2):
        return None
    # A mean over rows does not mind how many rows of a class are drawn; a rate among some of them may vanish.
    is_stratified = metric.needs != "values" and not metric.family.is_row_mean
    strata = judged.y[rows] if is_stratified and groups is None else None
    cost = sum(each.cost for each in scored)
    n_made = max(int(min(BUDGET / cost, MOST)), fewest) if n_resamples is None else n_resamples
    return Resamples(rows, judged.n_rows, groups, strata, n_made, seed)


# One product with many columns reads the counts once; the columns of a stack are copied: 64 MB.
MOST_STACKED = 8_000_000


class StackedScores:
    """The scores of several contenders."""

    def __init__(self, scored: Sequence[WeightedScore]) -> None:
        self._scored = tuple(scored)
        self._stacks: list[tuple[list[int], Floats]] = []
        indices: list[int] = []
        size = 0
        for index, each in enumerate(self._scored):
            if not isinstance(each, SummedScore):
                continue
            indices.append(index)
            size += sum(part.size for part in each.parts)
            if size > MOST_STACKED:
                self._stack(indices)
                indices, size = [], 0
        self._stack(indices)

    def _stack(self, indices: list[int]) -> None:
        if indices:
            parts = [part for index in indices for part in self._of(index).parts]
            self._stacks.append((indices, np.hstack(parts)))

    def _of(self, index: int) -> SummedScore:
        found = self._scored[index]
        assert isinstance(found, SummedScore)
        return found

    def means(self, counts: Floats) -> Floats:
        """The score of each under each line of counts: lines × contenders."""
        found = np.full((len(counts), len(self._scored)), np.nan)
        for indices, stack in self._stacks:
            sums, start = counts @ stack, 0
            for index in indices:
                values = []
                for part in self._of(index).parts:
                    values.append(self._of(index).valued(sums[:, start : start + part.shape[1]]))
                    start += part.shape[1]
                found[:, index] = mean_of_repeats(np.column_stack(values))
        for index, each in enumerate(self._scored):
            if not isinstance(each, SummedScore):
                found[:, index] = each.means(counts)
        return found
