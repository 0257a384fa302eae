"""The sweep of neighbors: one search for each metric, from which every k and every weighting is predicted."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from heldout.arrays import Floats
from heldout.errors import HeldoutError
from heldout.learners.neighbors.class_factors import MOST_NEIGHBORS, blocks_of_others, requested_rows
from heldout.learners.neighbors.neighbor_lists import NeighborBlock
from heldout.learners.neighbors.parameter_checks import check_k
from heldout.learners.neighbors.row_inputs import check_local, rows_later
from heldout.learners.neighbors.stored_rows import StoredRows
from heldout.learners.sweep import Sweep, refuse_regression
from heldout.types import TableLike

if TYPE_CHECKING:
    from heldout.learners.neighbors.neighbors_base import NeighborsBase


class NeighborsSweep(Sweep):
    """The settings of neighbors, all of them fitted.

    settings: the settings in order
    learners: one fitted learner for each of them; those of one metric share their rows
    """

    def __init__(self, settings: list[dict[str, Any]], learners: Sequence[NeighborsBase]) -> None:
        super().__init__(settings)
        self._learners = learners

    def model(self, i: int) -> Any:
        """The learner that `fit` would have made with the setting `settings[i]`."""
        learner = self._learners[self._index(i)]
        calibrate([learner])
        return learner

    def predict(self, X: TableLike) -> NDArray[Any]:
        """The predictions of all settings: one row for each setting, one column for each row of X."""
        learner = self._learners[0]
        if learner._is_regression:
            return self._gathered(X)
        classes = learner.classes_
        return np.stack(
            [classes.take(leaders) for leaders in self._gathered(X, lambda shares: shares.argmax(axis=1))]
        )

    def predict_proba(self, X: TableLike) -> NDArray[np.float64]:
        """The probabilities by all settings: setting × row of X × class."""
        refuse_regression(self._learners[0]._is_regression)
        calibrate(self._learners)
        pairs = zip(self._learners, self._gathered(X), strict=True)
        return np.stack([learner._probabilities(shares) for learner, shares in pairs])

    def _gathered(self, X: TableLike, reduced: Callable[[Floats], NDArray[Any]] = np.asarray) -> NDArray[Any]:
        """What each setting says of every row: setting × row, and × class unless that is reduced."""
        found: list[list[NDArray[Any]]] = [[] for _ in self._learners]
        for _, indices in _alike(self._learners, _search_key):
            for index, predictions in self._searched(X, indices):
                found[index].append(reduced(predictions))
        return np.stack([np.concatenate(blocks) for blocks in found])

    def _searched(self, X: TableLike, indices: list[int]) -> Iterator[tuple[int, NDArray[np.float64]]]:
        """The predictions of settings that share a search, block after block."""
        leader = self._learners[indices[0]]
        n_rows = leader._kept.n_rows
        k_of = {index: check_k(leader, self._learners[index].k, n_rows) for index in indices}
        rows = rows_later(leader, X)
        for block in leader._blocks(rows, max(k_of.values()), X):
            yield from _combine_block(self._learners, k_of, block, rows.take(block.part))


def _combine_block(
    learners: Sequence[NeighborsBase], k_of: dict[int, int], block: NeighborBlock, queries: StoredRows
) -> Iterator[tuple[int, Floats]]:
    """What each of the learners makes of the neighbors in a block: shares of the classes, or numbers.

    k_of:    the number of neighbors by the index of a learner
    queries: the rows of the block
    """
    indices = list(k_of)
    for learner, members in _alike([learners[index] for index in indices], _vote_key):
        wanted = [indices[member] for member in members]
        ks = sorted({k_of[index] for index in wanted})
        for k, combined in zip(ks, learner._steps(block, queries, ks), strict=True):
            yield from ((index, combined) for index in wanted if k_of[index] == k)


def neighbors_sweep(
    settings: list[dict[str, Any]], learners: Sequence[NeighborsBase], X: TableLike, y: ArrayLike
) -> NeighborsSweep:
    """Keep the rows once for each metric, for all settings that have it.

    learners: one for each setting, with parameters that have been checked
    """
    for leader, indices in _alike(learners, _search_key):
        leader._learn(X, y, needs_k=True)
        learned = {name: value for name, value in vars(leader).items() if _is_learned(name)}
        for index in indices:
            check_local(learners[index].metric, X, learners[index]._is_linear)
            check_k(learners[index], learners[index].k, leader._kept.n_rows)
            learners[index].__dict__.update(learned)
    return NeighborsSweep(settings, learners)


def calibrate(learners: Sequence[NeighborsBase]) -> None:
    """Set the factors of the classes where they are not known yet; regressions have none.

    learners: fitted, in the rest
    """
    waiting = [each for each in learners if not each._is_regression and not hasattr(each, "class_factors_")]
    for leader, indices in _alike(waiting, _search_key):
        n_rows = leader._kept.n_rows
        requested = requested_rows(n_rows)
        k_of = {index: min(check_k(leader, waiting[index].k, n_rows), n_rows - 1) for index in indices}
        searched = [p for p in indices if waiting[p].calibrate and 0 < k_of[p] <= MOST_NEIGHBORS]
        votes = _votes_of_others(waiting, {index: k_of[index] for index in searched}, requested)
        for index in indices:
            waiting[index]._keep_factors(votes.get(index), requested)


def _votes_of_others(
    learners: Sequence[NeighborsBase], k_of: dict[int, int], requested: NDArray[np.intp]
) -> dict[int, NDArray[np.float64]]:
    """For each index row × class: what the nearest others vote; nothing where rows cannot be compared."""
    if not k_of:
        return {}
    indices = list(k_of)
    leader, found = learners[indices[0]], {index: [] for index in indices}  # type: Any, dict[int, list[Any]]
    try:
        for block in blocks_of_others(leader, requested, max(k_of.values())):
            for index, votes in _combine_block(
                learners, k_of, block, leader._kept.take(requested[block.part])
            ):
                found[index].append(votes)
    except HeldoutError:  # whoever asks for a prediction is told
        return {}
    return {index: np.concatenate(blocks) for index, blocks in found.items()}


def _is_learned(name: str) -> bool:
    return name in ("_points", "_listed") or (name.endswith("_") and not name.startswith("_"))


def _alike(
    learners: Sequence[NeighborsBase], key_of: Callable[[NeighborsBase], Hashable]
) -> list[tuple[Any, list[int]]]:
    """The first learner of each kind, and the indices of all that are of it."""
    indices: dict[Hashable, list[int]] = {}
    for index, learner in enumerate(learners):
        indices.setdefault(key_of(learner), []).append(index)
    return [(learners[alike[0]], alike) for alike in indices.values()]


def _search_key(learner: NeighborsBase) -> Hashable:
    """What decides which rows are near."""
    given = learner.feature_weights
    return learner.metric, repr(given.tolist() if isinstance(given, np.ndarray) else given)


def _vote_key(learner: NeighborsBase) -> Hashable:
    """What decides how the neighbors vote, but for how many there are."""
    rule = learner.weights
    return (id(rule) if callable(rule) else rule), learner.bandwidth, learner._is_linear
