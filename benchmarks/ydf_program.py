"""ydf's CartLearner without pruning, depth limit or binning.

For classes it always scores splits by information gain, so its trees have other leaves than Gini's.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.mixed_frame import mixed_frame
from benchmarks.problem import Numbers, Problem
from benchmarks.program import PythonProgram, judged

LABEL = "target"


class Ydf(PythonProgram):
    """Its VerticalDataset is made before the clock starts."""

    name = "ydf"
    module = "ydf"

    def __init__(self, min_examples: int = 1) -> None:
        self.min_examples = min_examples

    def prepare(self, problem: Problem, n_threads: int) -> Callable[[], Any]:
        ydf = silent_ydf()
        task = ydf.Task.REGRESSION if problem.is_regression else ydf.Task.CLASSIFICATION
        learner = ydf.CartLearner(
            label=LABEL,
            task=task,
            max_depth=-1,
            min_examples=self.min_examples,
            validation_ratio=0.0,
            sorting_strategy="AUTO",
            num_threads=n_threads,
        )
        dataset = vertical_dataset(problem)
        return lambda: learner.train(dataset)

    def score(self, model: Any, problem: Problem) -> float:
        answers = model.predict(columns_of(problem.X_test, problem))
        if problem.is_regression:
            return judged(answers, problem)
        classes = np.array(model.label_classes(), dtype=np.int64)
        return judged(classes[(answers > 0.5).astype(int)], problem)

    def n_leaves(self, model: Any) -> int:
        return (int(model.num_nodes()) + 1) // 2


def silent_ydf() -> Any:
    """The library without its running commentary."""
    import ydf

    ydf.verbose(0)
    logging.getLogger("absl").setLevel(logging.ERROR)
    return ydf


def vertical_dataset(problem: Problem) -> Any:
    """All columns by name, every level kept."""
    ydf = silent_ydf()
    columns = columns_of(problem.X, problem)
    semantic = ydf.Semantic.NUMERICAL if problem.is_regression else ydf.Semantic.CATEGORICAL
    columns[LABEL] = problem.y if problem.is_regression else problem.y.astype(str)
    return ydf.create_vertical_dataset(
        columns,
        columns=[(LABEL, semantic)],
        include_all_columns=True,
        min_vocab_frequency=1,
        max_vocab_count=-1,
    )


def columns_of(X: Numbers, problem: Problem) -> dict[str, Any]:
    """A dictionary of columns, as ydf takes them: an empty string is a missing level."""
    if not problem.has_categories:
        return {f"x{position}": X[:, position] for position in range(X.shape[1])}
    frame = mixed_frame(X, problem)
    return {
        name: frame[name].astype(object).fillna("").to_numpy() if n_levels else frame[name].to_numpy()
        for name, n_levels in zip(frame.columns, problem.levels, strict=True)
    }
