"""Rows, folds and answers made up for the tests of the verdict."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.metrics.metric_registry import metric_named
from heldout.stats.interval import Interval
from heldout.verdict import JudgedRows, Predictions, Standing, estimate_score


def folds_of(n_rows: int, n_folds: int, n_repeats: int, seed: int = 0) -> NDArray[np.intp]:
    """The fold of each row in each repeat."""
    generator = np.random.default_rng(seed)
    return np.array([generator.permutation(n_rows) % n_folds for _ in range(n_repeats)], dtype=np.intp)


def classified(
    n_rows: int = 60,
    classes: tuple[Any, ...] = ("a", "b"),
    n_folds: int = 5,
    n_repeats: int = 2,
    **known: Any,
) -> JudgedRows:
    """Rows of some classes, in folds."""
    codes = np.random.default_rng(1).integers(len(classes), size=n_rows)
    codes[: 2 * len(classes)] = np.arange(2 * len(classes)) % len(classes)
    positive = classes[-1] if len(classes) == 2 else None
    folds = folds_of(n_rows, n_folds, n_repeats)
    return JudgedRows(np.array(classes)[codes], folds, classes=classes, positive=positive, **known)


def measured(n_rows: int = 60, n_folds: int = 5, n_repeats: int = 2, **known: Any) -> JudgedRows:
    """Rows with a number as the target, in folds."""
    y = np.random.default_rng(1).normal(size=n_rows)
    return JudgedRows(y, folds_of(n_rows, n_folds, n_repeats), **known)


def predictions_of(rows: JudgedRows, skill: float = 0.7, seed: int = 2) -> Predictions:
    """Answers that are right in about this share of rows: labels and probabilities, or values."""
    generator = np.random.default_rng(seed)
    shape = rows.folds.shape
    if not rows.classes:
        return Predictions(values=rows.y + generator.normal(size=shape) * (1 - skill) * 2)
    n_classes = len(rows.classes)
    truth = np.searchsorted(np.array(rows.classes), rows.y)
    codes = np.where(generator.random(shape) < skill, truth, generator.integers(n_classes, size=shape))
    table = generator.dirichlet(np.ones(n_classes), size=shape) + np.eye(n_classes)[codes]
    return Predictions(labels=codes, probabilities=table / table.sum(axis=2, keepdims=True))


def fold_scores(name: str, answers: Predictions, rows: JudgedRows) -> NDArray[np.float64]:
    """Repeats × folds of accuracy or mean squared error."""
    if rows.classes:
        assert name == "accuracy"
        losses = np.array(rows.classes)[answers.labels] == rows.y
    else:
        assert name == "mse"
        losses = (answers.values - rows.y) ** 2
    return np.array(
        [
            [losses[repeat][rows.folds[repeat] == fold].mean() for fold in range(rows.n_folds)]
            for repeat in range(rows.n_repeats)
        ]
    )


def standing(name: str, rows: JudgedRows, skill: float, seed: int = 2, **known: Any) -> Standing:
    """A contender with answers of this skill, judged by accuracy or mean squared error."""
    metric = "accuracy" if rows.classes else "mse"
    answers = predictions_of(rows, skill, seed)
    scores = fold_scores(metric, answers, rows)
    return Standing(
        name, metric, estimate_score(metric_named(metric), answers, rows), scores, answers, **known
    )


def bare(name: str, score: float, **known: Any) -> Standing:
    """A contender of which nothing is known but its score."""
    return Standing(name, "accuracy", Interval("accuracy", score, score - 0.1, score + 0.1), **known)
