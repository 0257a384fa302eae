"""The AUC under counts of rows: scores are sorted once, and every line of counts is one pass over them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.verdict.scored import Numbers, Scored

# So many numbers are held at once: 16 MB.
CHUNK = 2_000_000


@dataclass(frozen=True, eq=False)
class RankedScore(Scored):
    """The AUC of every repeat, for rows of two classes.

    orders:      of each repeat: the rows that were tested, by rising score
    starts:      of each repeat and row in that order, where the rows with its score begin and end
    is_positive: of all rows
    weights:     of all rows; None where each counts once

    >>> found = ranked_score([np.array([0.1, 0.6, 0.6, 0.9])], np.array([False, False, True, True]), None)
    >>> found.means(np.ones((1, 4)))
    array([0.875])
    """

    orders: tuple[NDArray[np.intp], ...]
    starts: tuple[tuple[NDArray[np.intp], NDArray[np.intp]], ...]
    is_positive: NDArray[np.bool_]
    weights: Numbers | None

    @property
    def n_repeats(self) -> int:  # type: ignore[override]
        return len(self.orders)

    @property
    def cost(self) -> float:
        return 3.0 * float(sum(len(each) for each in self.orders))

    def values(self, counts: Numbers) -> Numbers:
        size = max(CHUNK // max(counts.shape[1], 1), 1)
        chunks = [counts[start : start + size] for start in range(0, len(counts), size)]
        return np.concatenate([self._values(chunk) for chunk in chunks]) if chunks else np.empty((0, 1))

    def _values(self, counts: Numbers) -> Numbers:
        # Rows first: a row of this table is one run of memory, and sorting moves whole runs. Counts of rows
        # are exact in four bytes, which halves what is moved.
        is_counted = self.weights is None and counts.shape[1] < 2**20
        weighed = np.ascontiguousarray(
            (counts if self.weights is None else counts * self.weights).T,
            dtype=np.float32 if is_counted else np.float64,
        )
        found = []
        for order, (first, last) in zip(self.orders, self.starts, strict=True):
            sorted_counts = weighed[order]
            is_positive = self.is_positive[order]
            places = np.flatnonzero(is_positive)
            positives = sorted_counts[places]
            sorted_counts[places] = 0
            negatives = np.zeros((len(order) + 1, counts.shape[0]), dtype=weighed.dtype)
            np.cumsum(sorted_counts, axis=0, out=negatives[1:])
            below = negatives[first[places]] + negatives[last[places]]
            below *= positives
            pairs = positives.sum(axis=0, dtype=np.float64) * negatives[-1]
            won = below.sum(axis=0, dtype=np.float64) / 2
            found.append(np.divide(won, pairs, out=np.full(len(won), np.nan), where=pairs > 0))
        return np.column_stack(found)


def ranked_score(
    scores: list[Numbers],
    is_positive: NDArray[np.bool_],
    weights: Numbers | None,
    is_tested: NDArray[Any] | None = None,
) -> RankedScore:
    """Sort the scores of every repeat.

    scores:    of each repeat, one per row
    is_tested: repeats × rows; left out, all rows were
    """
    orders, starts = [], []
    for repeat, line in enumerate(scores):
        asked = np.arange(len(line)) if is_tested is None else np.flatnonzero(is_tested[repeat])
        order = asked[np.argsort(line[asked], kind="stable")]
        ordered = line[order]
        orders.append(order)
        starts.append((np.searchsorted(ordered, ordered, "left"), np.searchsorted(ordered, ordered, "right")))
    return RankedScore(tuple(orders), tuple(starts), is_positive, weights)
