"""One tree of xgboost's exact method, without shrinkage or penalties.

For two classes its gain, taken at probability one half, orders splits as Gini does. The exact
method wants a depth limit; 200 is more than any of these trees reaches.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.problem import Problem
from benchmarks.program import PythonProgram, judged


class Xgboost(PythonProgram):
    """Its DMatrix is made before the clock starts, anew each time: it keeps sorted columns."""

    name = "xgboost"
    module = "xgboost"

    def prepare(self, problem: Problem, n_threads: int) -> Callable[[], Any]:
        import xgboost

        matrix = xgboost.DMatrix(problem.X, label=problem.y, nthread=n_threads)
        options = one_tree_options(problem, n_threads) | {"tree_method": "exact", "max_depth": 200}
        return lambda: xgboost.train(options, matrix, 1)

    def score(self, model: Any, problem: Problem) -> float:
        answers = model.inplace_predict(problem.X_test)
        return judged(answers if problem.is_regression else answers > 0.5, problem)

    def n_leaves(self, model: Any) -> int:
        return int(sum(tree.count("leaf=") for tree in model.get_dump()))


def one_tree_options(problem: Problem, n_threads: int) -> dict[str, Any]:
    """Options that leave a single, unpenalized tree."""
    options: dict[str, Any] = {
        "learning_rate": 1.0,
        "min_child_weight": 0.0,
        "reg_lambda": 0.0,
        "gamma": 0.0,
        "nthread": n_threads,
        "objective": "reg:squarederror" if problem.is_regression else "binary:logistic",
    }
    return options if problem.is_regression else options | {"base_score": 0.5}
