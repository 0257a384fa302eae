"""What each pruning makes of the same grown trees: how large they stay, and how they err on fresh rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import heldout as ho
from heldout.plan.resolved_plan import resolve_plan
from heldout.study.cells.chosen_on import chosen_on
from heldout.study.cells.work import work_of

from .cross_validations import seeded
from .populations import Numbers, Population, Rows, gaussian_classes

N_FRESH = 2_000
NOISE = Population("noise, half positives", True, gaussian_classes(0.5, 0.0))


def _numbers(truth: Callable[[Numbers], Numbers], noise: float) -> Callable[[np.random.Generator, int], Rows]:
    """Inputs between 0 and 1, of which the target is this function with normal noise."""

    def draw(generator: np.random.Generator, n_rows: int) -> Rows:
        X = generator.random((n_rows, 5))
        return Rows((X, X), truth(X) + noise * generator.normal(size=n_rows))

    return draw


def _step(X: Numbers) -> Numbers:
    return 3.0 * ((X[:, 0] > 0.5) & (X[:, 1] > 0.4)) + 2.0 * (X[:, 2] > 0.8)


def _additive(X: Numbers) -> Numbers:
    return np.asarray(1.5 * np.sin(6 * X[:, 0]) + 8 * (X[:, 1] - 0.5) ** 2 + X[:, 2])


# What a tree can draw exactly, what it can only approach, with much noise and with little, and nothing.
NUMBERS = (
    Population("noise", False, _numbers(lambda X: np.zeros(len(X)), 1.0)),
    Population("steps, noise 1", False, _numbers(_step, 1.0)),
    Population("steps, noise .2", False, _numbers(_step, 0.2)),
    Population("additive, noise 1", False, _numbers(_additive, 1.0)),
    Population("additive, noise .2", False, _numbers(_additive, 0.2)),
)


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
    _regressor("alpha .001", prune_alpha=0.001),
    _regressor("alpha .01", prune_alpha=0.01),
    _regressor("alpha by folds (default)"),
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


class TunedTree:
    """The default tree contender, its settings chosen by five inner folds as a study does.

    choose: as for `Contender`
    """

    def __init__(self, choose: str) -> None:
        self.choose = choose

    def fit(self, X: Any, y: Any) -> TunedTree:
        is_classified = np.asarray(y).dtype.kind == "i"
        self.classes = ("no", "yes") if is_classified else ()
        target = [self.classes[each] for each in y] if is_classified else y
        task = ho.Task(ho.read_table(self._table(X) | {"y": target}), target="y")
        tree = next(each for each in ho.default_contenders(task) if each.name == "tree")
        contender = ho.Contender("tree", tree.learner, tree.space, choose=self.choose)
        plan = ho.Plan([contender], tuning=ho.KFold(5))
        chosen = chosen_on(work_of(task, resolve_plan(plan, task, seed=1)), contender)
        self.model = chosen.fitted.learner
        self.n_leaves_ = int(self.model.n_leaves_)
        return self

    def predict(self, X: Any) -> Any:
        found = self.model.predict(ho.read_table(self._table(X)))
        return np.array([self.classes.index(each) for each in found]) if self.classes else found

    @staticmethod
    def _table(X: Any) -> dict[str, Any]:
        return {f"x{place}": X[:, place] for place in range(X.shape[1])}


TUNED = (Way("best", partial(TunedTree, "best")), Way("one standard error", partial(TunedTree, "one_se")))
