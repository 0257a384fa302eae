"""Forests that share scikit-learn's interface: Heldout's, scikit-learn's and scikit-learn-intelex's.

All grow to purity from bootstrapped rows, with the square root of the columns at each node.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier

import heldout as ho
from benchmarks.accelerated import accelerated
from benchmarks.problem import Problem
from benchmarks.program import PythonProgram, Run, judged


class HeldoutForest(PythonProgram):
    """The clock runs over the whole call of `fit`: checks, codes and growing."""

    name = "Heldout"
    module = "heldout"

    def __init__(self, n_trees: int) -> None:
        self.n_trees = n_trees

    def prepare(self, problem: Problem, n_threads: int) -> Callable[[], Any]:
        learner = ho.ForestClassifier(
            n_trees=self.n_trees, max_features="sqrt", n_jobs=n_threads, random_state=0
        )
        return lambda: learner.fit(problem.X, problem.y)

    def score(self, model: Any, problem: Problem) -> float:
        return judged(model.predict(problem.X_test), problem)

    def n_leaves(self, model: Any) -> int:
        return int(np.sum(model.n_leaves_))


class ScikitLearnForest(PythonProgram):
    """It computes in float32, so it is given float32."""

    name = "scikit-learn"
    module = "sklearn"

    def __init__(self, n_trees: int) -> None:
        self.n_trees = n_trees

    def prepare(self, problem: Problem, n_threads: int) -> Callable[[], Any]:
        learner = self.learner()(self.n_trees, n_jobs=n_threads, random_state=0)
        X = problem.X.astype(np.float32)
        return lambda: learner.fit(X, problem.y)

    def learner(self) -> Any:
        """The class of the forest."""
        return RandomForestClassifier

    def score(self, model: Any, problem: Problem) -> float:
        return judged(model.predict(problem.X_test.astype(np.float32)), problem)

    def n_leaves(self, model: Any) -> int:
        return sum(int(tree.get_n_leaves()) for tree in model.estimators_)


class IntelexForest(ScikitLearnForest):
    """oneDAL's forest; a run that was handed to scikit-learn instead is an error."""

    name = "scikit-learn-intelex"
    module = "sklearnex"

    def learner(self) -> Any:
        from sklearnex.ensemble import RandomForestClassifier as OneDalForest

        return OneDalForest

    def run(self, problem: Problem, n_threads: int, is_judged: bool) -> Run:
        with accelerated():
            return super().run(problem, n_threads, is_judged)
