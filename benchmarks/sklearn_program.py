"""scikit-learn's DecisionTreeClassifier and DecisionTreeRegressor with their defaults: to purity."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from benchmarks.problem import Problem
from benchmarks.program import PythonProgram, judged


class ScikitLearn(PythonProgram):
    """It computes in float32, so it is given float32; it has no threads to use within a tree."""

    name = "scikit-learn"
    module = "sklearn"

    def prepare(self, problem: Problem, n_threads: int) -> Callable[[], Any]:
        learner = DecisionTreeRegressor if problem.is_regression else DecisionTreeClassifier
        X = problem.X.astype(np.float32)
        return lambda: learner(random_state=0).fit(X, problem.y)

    def score(self, model: Any, problem: Problem) -> float:
        return judged(model.predict(problem.X_test.astype(np.float32)), problem)

    def n_leaves(self, model: Any) -> int:
        return int(model.get_n_leaves())
