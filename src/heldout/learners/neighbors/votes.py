"""The targets of the nearest neighbors put together, for one k or for many in one pass.

Sums run in the order of the ranks, from the nearest on, whether one k is asked for or every one: so what a
sweep or leave-one-out says of a k is, to the bit, what a model with this k says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.errors import HeldoutError, RequestError

Codes = NDArray[np.int32]


def share_steps(codes: Codes, weights: Floats | None, ks: Sequence[int], n_classes: int) -> Iterator[Floats]:
    """For each k the share that each class has of the weight of the k nearest: row × class.

    codes:   row × rank: the class of each neighbor
    weights: row × rank; None where each counts 1
    ks:      ascending
    """
    n_rows = len(codes)
    indices = np.arange(0, n_rows * n_classes, n_classes)[:, np.newaxis] + codes
    votes, total, done = np.zeros(n_rows * n_classes), np.zeros(n_rows), 0
    for k in ks:
        added = None if weights is None else weights[:, done:k]
        votes = _added_votes(votes, indices[:, done:k], added)
        total = total + (k - done) if added is None else _added_total(total, added)
        done = k
        yield votes.reshape(n_rows, n_classes) / total[:, np.newaxis]


def leading_steps(codes: Codes, ks: Sequence[int], n_classes: int) -> Iterator[NDArray[np.int32]]:
    """For each k the class that most of the k nearest have, the first of equally frequent ones.

    Each step changes the array of the one before. The leader is the first largest share of `share_steps`:
    counts are whole, so dividing them makes none equal.
    """
    n_rows = len(codes)
    by_rank = np.ascontiguousarray(codes.T)
    first_index = np.arange(0, n_rows * n_classes, n_classes)
    counts = np.zeros(n_rows * n_classes, dtype=np.int32)
    leaders, most = np.full(n_rows, n_classes, dtype=np.int32), np.zeros(n_rows, dtype=np.int32)
    wanted = set(ks)
    for rank, voted in enumerate(by_rank[: ks[-1]], start=1):
        indices = first_index + voted
        count = counts[indices] + 1
        counts[indices] = count
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
    """
    sums = np.cumsum(targets if weights is None else targets * weights, axis=1)
    totals = None if weights is None else np.cumsum(weights, axis=1)
    for k in ks:
        yield sums[:, k - 1] / (k if totals is None else totals[:, k - 1])


def _added_votes(votes: Floats, indices: NDArray[np.intp], weights: Floats | None) -> Floats:
    """The votes with those of some ranks added, rank after rank."""
    if indices.shape[1] == 1:
        votes = votes.copy()
        votes[indices[:, 0]] += 1.0 if weights is None else weights[:, 0]
        return votes
    if weights is None:
        return np.asarray(votes + np.bincount(indices.ravel(), minlength=len(votes)), dtype=np.float64)
    # The counter adds in the order in which it is given numbers, so the former votes come first.
    order = np.concatenate([np.arange(len(votes)), indices.ravel()])
    amounts = np.concatenate([votes, weights.ravel()])
    return np.bincount(order, amounts, len(votes)).astype(np.float64, copy=False)


def _added_total(total: Floats, weights: Floats) -> Floats:
    return np.asarray(np.cumsum(np.column_stack([total, weights]), axis=1)[:, -1])


@dataclass(frozen=True)
class Weighting:
    """A rule and what it needs.

    rule:      "uniform", "inverse", "gaussian", or a function of an array of distances
    bandwidth: of "gaussian": the standard deviation of the bell; None is half the distance of the k-th
               neighbor
    """

    rule: str | Callable[[Floats], Any]
    bandwidth: float | None = None

    @property
    def is_uniform(self) -> bool:
        return self.rule == "uniform"

    @property
    def changes_with_k(self) -> bool:
        """Whether a neighbor's weight may depend on how many there are."""
        return callable(self.rule) or (self.rule == "gaussian" and self.bandwidth is None)

    def weights(self, distances: Floats) -> Floats | None:
        """A weight for each neighbor, None where all count the same.

        distances: row × neighbor, ascending in each row
        """
        if callable(self.rule):
            return _checked(self.rule, distances)
        if self.rule == "inverse":
            # Rows at distance zero have all the weight, where there are some.
            return np.divide(distances[:, :1], distances, out=np.ones_like(distances), where=distances > 0)
        return None if self.is_uniform else _bell(distances, self.bandwidth)


def _bell(distances: Floats, bandwidth: float | None) -> Floats:
    """exp(-½ (d/h)²), divided by that of the nearest."""
    width: Any = distances[:, -1:] / 2 if bandwidth is None else float(bandwidth)
    nearest = distances[:, :1]
    beyond, exponent = distances - nearest, np.zeros_like(distances)
    with np.errstate(over="ignore"):
        np.divide(beyond, width, out=exponent, where=beyond > 0)
        np.multiply(
            exponent, (distances + nearest) / np.where(width > 0, width, 1.0), out=exponent, where=beyond > 0
        )
    return np.exp(-0.5 * exponent)


def _checked(rule: Callable[[Floats], Any], distances: Floats) -> Floats:
    given = rule(distances.copy())
    try:
        weights = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise _refusal(f"{type(given).__name__} {given!r:.40}") from error
    if weights.shape != distances.shape:
        raise _refusal(f"an array of shape {weights.shape} for distances of shape {distances.shape}")
    is_wrong = ~(np.isfinite(weights) & (weights >= 0))
    if is_wrong.any():
        row, rank = np.argwhere(is_wrong)[0]
        raise _refusal(f"{weights[row, rank]:g} for the distance {distances[row, rank]:g}")
    is_empty = ~weights.any(axis=1)
    if is_empty.any():
        first = distances[int(is_empty.argmax())]
        raise _refusal(f"0 for all neighbors of a row, at the distances {first[0]:g} to {first[-1]:g}")
    return np.ascontiguousarray(weights)


def _refusal(where: str) -> HeldoutError:
    return RequestError(
        "weights must turn an array of distances into weights of the same shape",
        where=f"it gave {where}",
        fix="give finite weights of at least 0, and in each row one above 0",
    )
