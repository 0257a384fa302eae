"""One tree of lightgbm with its native categories, at a given number of leaves.

It bins numbers to 255 values, so it is no exact peer; it is the fast one that knows categories.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.mixed_frame import mixed_frame
from benchmarks.problem import Problem
from benchmarks.program import PythonProgram, judged


class Lightgbm(PythonProgram):
    """Binning is part of its learning, as coding is of ours: both are on the clock."""

    module = "lightgbm"

    def __init__(self, n_leaves: int) -> None:
        self.wanted_leaves = n_leaves
        self.name = "lightgbm"

    def prepare(self, problem: Problem, n_threads: int) -> Callable[[], Any]:
        import lightgbm

        options = {
            "objective": "binary",
            "boost_from_average": False,
            "num_leaves": self.wanted_leaves,
            "max_depth": -1,
            "min_data_in_leaf": 1,
            "min_sum_hessian_in_leaf": 0.0,
            "min_data_per_group": 1,
            "max_cat_threshold": 500,
            "cat_smooth": 0.0,
            "cat_l2": 0.0,
            "learning_rate": 1.0,
            "num_threads": n_threads,
            "verbosity": -1,
        }
        frame = mixed_frame(problem.X, problem)
        return lambda: lightgbm.train(options, lightgbm.Dataset(frame, problem.y), num_boost_round=1)

    def score(self, model: Any, problem: Problem) -> float:
        return judged(model.predict(mixed_frame(problem.X_test, problem)) > 0.5, problem)

    def n_leaves(self, model: Any) -> int:
        return int(model.dump_model()["tree_info"][0]["num_leaves"])
