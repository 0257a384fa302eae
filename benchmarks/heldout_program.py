"""Heldout's exact trees: CART's setting, grown until the leaves are pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import heldout as ho
from benchmarks.grown_out import CLASSIFIER_GROWN_OUT, REGRESSOR_GROWN_OUT
from benchmarks.mixed_frame import mixed_frame
from benchmarks.problem import Problem
from benchmarks.program import PythonProgram, judged


class Heldout(PythonProgram):
    """The clock runs over the whole call of `fit`: checks, codes and growing."""

    name = "Heldout"
    module = "heldout"

    def __init__(self, max_leaves: int | None = None) -> None:
        self.max_leaves = max_leaves

    def learner(self, problem: Problem, n_threads: int) -> Any:
        """What is fitted."""
        options: dict[str, Any] = {
            "min_leaf": 1,
            "min_gain": None,
            "max_leaves": self.max_leaves,
            "n_jobs": n_threads,
        }
        if problem.is_regression:
            return ho.TreeRegressor(**options, **REGRESSOR_GROWN_OUT)
        return ho.TreeClassifier.cart(**options, **CLASSIFIER_GROWN_OUT)

    def prepare(self, problem: Problem, n_threads: int) -> Callable[[], Any]:
        learner = self.learner(problem, n_threads)
        # A new table each time: codes that an earlier round left behind would be a gift.
        X = ho.read_table(mixed_frame(problem.X, problem)) if problem.has_categories else problem.X
        return lambda: learner.fit(X, problem.y)

    def score(self, model: Any, problem: Problem) -> float:
        X = problem.X_test
        return judged(model.predict(mixed_frame(X, problem) if problem.has_categories else X), problem)

    def n_leaves(self, model: Any) -> int:
        return int(model.n_leaves_)
