"""Small tasks that plans are made for, and classes as users write them."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

import heldout as ho
from heldout.metrics.metric import Metric
from heldout.table.column import Column, category_column


def class_task(counts: dict[str, int], **roles: Any) -> ho.Task:
    """So many rows of each class, with a number, a category and gaps."""
    names = [name for name, count in counts.items() for _ in range(count)]
    return _task(names, "classification", **roles)


def number_task(n_rows: int = 60, **roles: Any) -> ho.Task:
    """A regression of so many rows."""
    return _task(list(np.linspace(0.0, 5.0, n_rows)), "regression", **roles)


def _task(targets: list[Any], kind: str, **roles: Any) -> ho.Task:
    n_rows = len(targets)
    generator = np.random.default_rng(n_rows)
    size = generator.normal(size=n_rows)
    size[::7] = np.nan
    columns = [
        Column("size", "number", size),
        category_column("city", generator.choice(["a", "b"], n_rows).tolist()),
    ]
    if kind == "regression":
        columns.append(Column("target", "number", np.array(targets)))
    else:
        columns.append(category_column("target", targets))
    for role, values in roles.items():
        if role == "groups":
            columns.append(category_column(role, [str(value) for value in values]))
        else:
            columns.append(Column(role, "number", np.asarray(values, dtype=float)))
    return ho.Task(ho.Table(columns), target="target", kind=kind, **{role: role for role in roles})


class OwnClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A learner as a user writes it, in a module without a version."""

    def __init__(self, answer: Any = None) -> None:
        self.answer = answer

    def fit(self, X: Any, y: Any) -> Self:
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> Any:
        return np.repeat(self.classes_[:1], len(X))


class NoEstimator:
    """A class that a plan file must not make objects of."""

    made: list[Any] = []  # noqa: RUF012

    def __init__(self, **arguments: Any) -> None:
        self.made.append(arguments)


def own_share(y: Any, predicted: Any) -> float:
    """The share of rows answered right, by a function of the user's."""
    return float(np.mean(np.asarray(y) == np.asarray(predicted)))


OWN_SHARE = Metric("own_share", own_share, "labels", True, 0.0, 1.0)
