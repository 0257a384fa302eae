"""The AUC under counts of rows: scores are sorted once, and every line of counts is one pass over them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.verdict.scored import Numbers, Scored

# So many numbers are held at once: 2 MB, which stay near the processor.
CHUNK = 250_000


@dataclass(frozen=True, eq=False)
class Ranks:
    """The rows of one repeat that were tested, as an AUC sees them.

    positives:    places of the positive rows
    negatives:    places of the others, by rising score
    below, up_to: of each positive row, how many negatives have a lower score, and a score that is no higher
    """

    positives: NDArray[np.intp]
    negatives: NDArray[np.intp]
    below: NDArray[np.intp]
    up_to: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class RankedScore(Scored):
    """The AUC of every repeat, for rows of two classes.

    ranks:   of each repeat
    weights: of all rows; None where each counts once

    >>> found = ranked_score([np.array([0.1, 0.6, 0.6, 0.9])], np.array([False, False, True, True]), None)
    >>> found.means(np.ones((1, 4)))
    array([0.875])
    """

    ranks: tuple[Ranks, ...]
    weights: Numbers | None

    @property
    def n_repeats(self) -> int:  # type: ignore[override]
        return len(self.ranks)

    @property
    def cost(self) -> float:
        return 3.0 * float(sum(len(each.positives) + len(each.negatives) for each in self.ranks))

    def values(self, counts: Numbers) -> Numbers:
        size = max(CHUNK // max(counts.shape[1], 1), 1)
        chunks = [counts[start : start + size] for start in range(0, len(counts), size)]
        return np.concatenate([self._values(chunk) for chunk in chunks]) if chunks else np.empty((0, 1))

    def _values(self, counts: Numbers) -> Numbers:
        # Counts of rows are exact in four bytes, which halves what is moved.
        is_counted = self.weights is None and counts.shape[1] < 2**20
        weighed = counts if self.weights is None else counts * self.weights
        weighed = weighed.astype(np.float32 if is_counted else np.float64)
        found = []
        for each in self.ranks:
            passed = np.zeros((len(weighed), len(each.negatives) + 1), dtype=weighed.dtype)
            np.cumsum(np.take(weighed, each.negatives, axis=1), axis=1, out=passed[:, 1:])
            positives = np.take(weighed, each.positives, axis=1)
            won = np.take(passed, each.below, axis=1) + np.take(passed, each.up_to, axis=1)
            won *= positives
            pairs = positives.sum(axis=1, dtype=np.float64) * passed[:, -1]
            sums = won.sum(axis=1, dtype=np.float64) / 2
            found.append(np.divide(sums, pairs, out=np.full(len(sums), np.nan), where=pairs > 0))
        return np.column_stack(found)


def ranked_score(
    scores: list[Numbers],
    is_positive: NDArray[np.bool_],
    weights: Numbers | None,
    is_tested: NDArray[Any] | None = None,
) -> RankedScore:
    """Sort the scores of every repeat.

    scores:      of each repeat, one per row
    is_positive: of all rows
    is_tested:   repeats × rows; left out, all rows were
    """
    ranks = []
    for repeat, line in enumerate(scores):
        is_asked = np.ones(len(line), dtype=np.bool_) if is_tested is None else is_tested[repeat]
        # In the order of the scores memory is read in runs.
        order = np.argsort(line, kind="stable")
        positives, negatives = order[(is_positive & is_asked)[order]], order[(~is_positive & is_asked)[order]]
        lower, asked = line[negatives], line[positives]
        below, up_to = (np.searchsorted(lower, asked, side) for side in ("left", "right"))
        ranks.append(Ranks(positives, negatives, below, up_to))
    return RankedScore(tuple(ranks), weights)
