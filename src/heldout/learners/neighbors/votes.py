"""The answers of the nearest neighbors put together, for one k or for many in one pass.

Sums run in the order of the ranks, from the nearest on, whether one k is asked for or every one: so what a
sweep or leave-one-out says of a k is, to the bit, what a model with this k says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]


def share_steps(codes: Codes, weights: Floats | None, ks: Sequence[int], n_classes: int) -> Iterator[Floats]:
    """For each k the share that each class has of the weight of the k nearest: row × class.

    codes:   row × rank: the class of each neighbor
    weights: row × rank; None where each counts 1
    ks:      ascending

    >>> steps = share_steps(np.array([[1, 0, 0]], dtype=np.int32), None, [1, 3], 2)
    >>> [shares.round(3).tolist() for shares in steps]
    [[[0.0, 1.0]], [[0.667, 0.333]]]
    """
    n_rows = len(codes)
    places = np.arange(0, n_rows * n_classes, n_classes)[:, np.newaxis] + codes
    votes, total, done = np.zeros(n_rows * n_classes), np.zeros(n_rows), 0
    for k in ks:
        added = None if weights is None else weights[:, done:k]
        votes = _added_votes(votes, places[:, done:k], added)
        total = total + (k - done) if added is None else _added_total(total, added)
        done = k
        yield votes.reshape(n_rows, n_classes) / total[:, np.newaxis]


def leading_steps(codes: Codes, ks: Sequence[int], n_classes: int) -> Iterator[NDArray[np.int32]]:
    """For each k the class that most of the k nearest have, the first of equally frequent ones.

    Each step changes the array of the one before. The leader is the first largest share of `share_steps`:
    counts are whole, so dividing them makes none equal.

    >>> steps = leading_steps(np.array([[1, 0, 0]], dtype=np.int32), [1, 2, 3], 2)
    >>> [leaders.tolist() for leaders in steps]
    [[1], [0], [0]]
    """
    n_rows = len(codes)
    by_rank = np.ascontiguousarray(codes.T)
    first_place = np.arange(0, n_rows * n_classes, n_classes)
    counts = np.zeros(n_rows * n_classes, dtype=np.int32)
    leaders, most = np.full(n_rows, n_classes, dtype=np.int32), np.zeros(n_rows, dtype=np.int32)
    wanted = set(ks)
    for rank, voted in enumerate(by_rank[: ks[-1]], start=1):
        places = first_place + voted
        count = counts[places] + 1
        counts[places] = count
        is_ahead = (count > most) | ((count == most) & (voted < leaders))
        np.copyto(leaders, voted, where=is_ahead)
        np.maximum(most, count, out=most)
        if rank in wanted:
            yield leaders


def mean_steps(targets: Floats, weights: Floats | None, ks: Sequence[int]) -> Iterator[Floats]:
    """For each k the mean over the k nearest, each by its weight.

    targets: row × rank
    weights: row × rank; None where each counts 1
    ks:      ascending

    >>> [means.tolist() for means in mean_steps(np.array([[1.0, 2.0, 6.0]]), None, [1, 3])]
    [[1.0], [3.0]]
    """
    sums = np.cumsum(targets if weights is None else targets * weights, axis=1)
    totals = None if weights is None else np.cumsum(weights, axis=1)
    for k in ks:
        yield sums[:, k - 1] / (k if totals is None else totals[:, k - 1])


def _added_votes(votes: Floats, places: NDArray[np.intp], weights: Floats | None) -> Floats:
    """The votes with those of some ranks added, rank after rank."""
    if places.shape[1] == 1:
        votes = votes.copy()
        votes[places[:, 0]] += 1.0 if weights is None else weights[:, 0]
        return votes
    if weights is None:
        return np.asarray(votes + np.bincount(places.ravel(), minlength=len(votes)), dtype=np.float64)
    # The counter adds in the order in which it is given numbers, so the former votes come first.
    order = np.concatenate([np.arange(len(votes)), places.ravel()])
    amounts = np.concatenate([votes, weights.ravel()])
    return np.bincount(order, amounts, len(votes)).astype(np.float64, copy=False)


def _added_total(total: Floats, weights: Floats) -> Floats:
    return np.asarray(np.cumsum(np.column_stack([total, weights]), axis=1)[:, -1])
