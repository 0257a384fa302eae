"""Every learner behind its default preparation, on every table that comes with Heldout.

As a program it loads the pipelines that another process has saved in a folder, and puts their answers there.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.pipeline import Pipeline

import heldout as ho

LEARNERS = (
    ho.BaselineClassifier(),
    ho.ForestClassifier(3),
    ho.NeighborsClassifier(),
    ho.Perceptron(),
    ho.RuleClassifier(),
    ho.TreeClassifier(),
    ho.BaselineRegressor(),
    ho.ForestRegressor(3),
    ho.LinearRegressor(),
    ho.NeighborsRegressor(),
    ho.RidgeRegressor(),
    ho.TreeRegressor(),
)


def tasks(table_name: str) -> Iterator[ho.Task]:
    """The table's own task, and one of its numbers as the target if that is a class."""
    table, target = ho.datasets.load(table_name), ho.datasets.describe(table_name).target
    yield ho.Task(table, target=target)
    numbers = [column.name for column in table.columns if column.kind == "number"]
    if numbers and table[target].kind != "number":
        yield ho.Task(table, target=numbers[0])


def prepared_pipelines() -> Iterator[tuple[str, Pipeline, ho.Task]]:
    """Pipelines that are not fitted yet, by a name that a file can have, with the task of each."""
    for table_name in ho.datasets.names():
        for task in tasks(table_name):
            is_number = task.table[task.target].kind == "number"
            for learner in LEARNERS:
                if is_classifier(learner) != is_number:
                    steps = [*ho.prepare_for(learner, task).steps, ("learner", learner)]
                    yield f"{table_name} {type(learner).__name__}", Pipeline(steps), task


def predictions_of(pipeline: Any, task: ho.Task) -> dict[str, np.ndarray]:
    """All that it answers on the task's rows."""
    methods = ("predict", "predict_proba", "decision_function")
    found = {name: np.asarray(getattr(pipeline, name)(task.X)) for name in methods if hasattr(pipeline, name)}
    return {name: array.astype(str) if array.dtype == object else array for name, array in found.items()}


if __name__ == "__main__":
    warnings.simplefilter("error")
    folder = Path(sys.argv[1])
    for name, _, task in prepared_pipelines():
        found: dict[str, Any] = predictions_of(ho.load(folder / f"{name}.model"), task)
        np.savez(folder / f"{name}.npz", **found)
