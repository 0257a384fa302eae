"""ydf's RandomForestLearner with exact cuts, without depth limit, and without its out-of-bag report."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.problem import Problem
from benchmarks.ydf_program import LABEL, Ydf, silent_ydf, vertical_dataset


class YdfForest(Ydf):
    """For classes it always scores splits by information gain; it takes the square root of the columns."""

    def __init__(self, n_trees: int) -> None:
        super().__init__()
        self.n_trees = n_trees

    def prepare(self, problem: Problem, n_threads: int) -> Callable[[], Any]:
        learner = silent_ydf().RandomForestLearner(
            label=LABEL,
            num_trees=self.n_trees,
            max_depth=-1,
            min_examples=self.min_examples,
            compute_oob_performances=False,
            num_threads=n_threads,
        )
        dataset = vertical_dataset(problem)
        return lambda: learner.train(dataset)

    def n_leaves(self, model: Any) -> int:
        return (int(model.num_nodes()) + self.n_trees) // 2
