"""What each pruning makes of the same grown trees: how large they stay, and how they err on fresh rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import heldout as ho

from .cross_validations import seeded
from .populations import Population, gaussian_classes

N_FRESH = 2_000
NOISE = Population("noise, half positives", True, gaussian_classes(0.5, 0.0))


@dataclass(frozen=True)
class Way:
    """A way of making a tree smaller, by the name that the tables have."""

    name: str
    make: Callable[[], Any]


def _of_classes(grown: Callable[..., Any]) -> tuple[Way, ...]:
    """All prunings of trees that are grown alike, so that they differ in the pruning alone."""
    named: dict[str, dict[str, Any]] = {
        "none": {"prune": None},
        "pessimistic": {"prune": "pessimistic"},
        "pessimistic, no raising": {"prune": "pessimistic", "raise_subtrees": False},
        "cost and complexity, by folds": {"prune": "cost_complexity", "prune_alpha": "cv"},
        "reduced error": {"prune": "reduced_error"},
        "chi-square": {"prune": "chi_square"},
    }
    return tuple(Way(name, partial(grown, n_jobs=1, **settings)) for name, settings in named.items())


def _regressor(name: str, **parameters: Any) -> Way:
    return Way(name, lambda: ho.TreeRegressor(n_jobs=1, **parameters))


GROWN_BY_C45 = (*_of_classes(ho.TreeClassifier.c45), Way("rules", partial(ho.RuleClassifier, n_jobs=1)))
# Every cut that gains anything is made, down to single rows: the pruning has to do all the work.
GROWN_TO_THE_END = _of_classes(ho.TreeClassifier.id3)
OF_NUMBERS = (
    _regressor("none", prune=None),
    _regressor("cost and complexity, alpha .001 (default)"),
    _regressor("cost and complexity, by folds", prune_alpha="cv"),
    _regressor("reduced error", prune="reduced_error"),
)


@dataclass(frozen=True)
class PrunedTrees:
    """Trees of one population, size and way of pruning.

    errors: the share of fresh rows that each has wrong, or its mean squared error on them
    leaves: how many leaves each has, or rules with the one for all other rows
    """

    population: str
    n_rows: int
    way: str
    errors: tuple[float, ...]
    leaves: tuple[int, ...]

    @property
    def error(self) -> float:
        return float(np.mean(self.errors))

    @property
    def standard_error(self) -> float:
        return float(np.std(self.errors, ddof=1) / np.sqrt(len(self.errors)))

    @property
    def mean_leaves(self) -> float:
        return float(np.mean(self.leaves))

    @property
    def n_with_splits(self) -> int:
        return int(np.sum(np.array(self.leaves) > 1))


def pruned_trees(population: Population, n_rows: int, n_sets: int, ways: Sequence[Way]) -> list[PrunedTrees]:
    """All ways on the same made sets, judged by the same fresh rows."""
    generator = seeded("prunings", population.name, n_rows)
    errors: dict[str, list[float]] = {way.name: [] for way in ways}
    leaves: dict[str, list[int]] = {way.name: [] for way in ways}
    for _ in range(n_sets):
        rows, fresh = population.rows(generator, n_rows), population.rows(generator, N_FRESH)
        for way in ways:
            model = way.make().fit(rows.views[0], rows.y)
            answers = np.asarray(model.predict(fresh.views[0]))
            losses = answers != fresh.y if population.is_classified else (answers - fresh.y) ** 2
            errors[way.name].append(float(np.mean(losses)))
            leaves[way.name].append(model.n_leaves_ if hasattr(model, "n_leaves_") else len(model.rules_) + 1)
    return [
        PrunedTrees(population.name, n_rows, way.name, tuple(errors[way.name]), tuple(leaves[way.name]))
        for way in ways
    ]
