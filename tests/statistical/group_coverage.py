"""How often intervals by groups hold the true value, where rows of a group share inputs and luck."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from heldout.native.ranking import auc
from heldout.stats.cross_validated_auc import cross_validated_auc
from heldout.stats.cross_validated_interval import (
    cross_validated_f1,
    cross_validated_mse,
    cross_validated_rate,
)
from heldout.stats.interval import Interval

from .cross_validations import Answers, Contender, answers, seeded
from .interval_coverage import Coverage
from .populations import Numbers

N_EACH, N_INPUTS, N_FOLDS, N_REPEATS = 5, 5, 10, 3
BY_GROUPS, BY_ROWS = "by groups", "as if rows were independent"


def draw_groups(
    generator: np.random.Generator, n_groups: int, is_classified: bool
) -> tuple[Numbers, Numbers]:
    """Rows in groups of five: half of the spread of the inputs, and of the noise, is that of the group."""

    def shared(n_columns: int) -> Numbers:
        whole = np.repeat(generator.normal(size=(n_groups, n_columns)), N_EACH, axis=0)
        return (whole + generator.normal(size=whole.shape)) / np.sqrt(2)

    X, noise = shared(N_INPUTS), shared(1)[:, 0]
    y = X @ np.array([1.0, 0.7, 0.4, 0.0, 0.0]) + noise
    return X, (y > 0).astype(np.int64) if is_classified else y


@cache
def true_values(contender: Contender, n_groups: int, is_classified: bool) -> dict[str, float]:
    """The expected loss, AUC and F1 of models of 9/10 of so many groups, asked for other groups."""
    generator = seeded("groups, truth", contender.name, n_groups)
    losses, aucs, counts = [], [], np.zeros(2)
    for _ in range(300):
        X, y = draw_groups(generator, n_groups * 9 // 10, is_classified)
        asked, truth = draw_groups(generator, 400, is_classified)
        found = answers(contender, X, y, asked)
        if not is_classified:
            losses.append(float(((found.predicted - truth) ** 2).mean()))
            continue
        losses.append(float((found.predicted != truth).mean()))
        aucs.append(auc(found.scores, truth == 1))
        counts += (found.predicted * truth).sum(), (found.predicted + truth).sum()
    if not is_classified:
        return {"MSE": float(np.mean(losses))}
    return {
        "error": float(np.mean(losses)),
        "AUC": float(np.mean(aucs)),
        "F1": float(2 * counts[0] / counts[1]),
    }


def group_coverage(contender: Contender, is_classified: bool, n_groups: int, n_sets: int) -> list[Coverage]:
    """The coverage of each default interval by groups, and beside it that of the same interval by rows."""
    true = true_values(contender, n_groups, is_classified)
    groups = np.repeat(np.arange(n_groups), N_EACH)
    generator = seeded("groups", contender.name, n_groups)
    held: dict[str, list[bool]] = {}
    widths: dict[str, list[float]] = {}
    for _ in range(n_sets):
        X, y = draw_groups(generator, n_groups, is_classified)
        makers = intervals(y, crossed_by_groups(contender, X, y, n_groups, generator))
        for what, made in makers.items():
            for kind, interval in ((BY_GROUPS, made(groups)), (BY_ROWS, made(None))):
                held.setdefault(f"{what}, {kind}", []).append(true[what] in interval)
                widths.setdefault(f"{what}, {kind}", []).append(interval.width)
    place = "groups of five", contender.name, n_groups
    return [
        Coverage(
            *place, name, sum(each), n_sets, float(np.mean(widths[name]) / np.mean(widths[by_rows(name)]))
        )
        for name, each in held.items()
    ]


def by_rows(name: str) -> str:
    """The same interval as if rows were independent."""
    return name.replace(BY_GROUPS, BY_ROWS)


def intervals(y: Numbers, found: Answers) -> dict[str, Callable[[object], Interval]]:
    """What makes each interval, given the groups or None."""
    predicted, scores = found.predicted, found.scores
    if y.dtype.kind != "i":
        return {"MSE": lambda groups: cross_validated_mse((predicted - y) ** 2, N_FOLDS, groups=groups)}
    labels = predicted.astype(np.int64)
    return {
        "error": lambda groups: cross_validated_rate(labels != y, N_FOLDS, groups=groups),
        "AUC": lambda groups: cross_validated_auc(y, scores, N_FOLDS, groups=groups),
        "F1": lambda groups: cross_validated_f1(y, labels, N_FOLDS, positive=1, groups=groups),
    }


def crossed_by_groups(
    contender: Contender, X: Numbers, y: Numbers, n_groups: int, generator: np.random.Generator
) -> Answers:
    """Out-of-fold answers, repeats × rows, where each group lies in one fold."""
    shape = N_REPEATS, len(y)
    predicted, scores = np.empty(shape), np.empty(shape)
    for repeat in range(N_REPEATS):
        folds = np.repeat(generator.permutation(n_groups) % N_FOLDS, N_EACH)
        for fold in range(N_FOLDS):
            is_test = folds == fold
            found = answers(contender, X[~is_test], y[~is_test], X[is_test])
            predicted[repeat, is_test], scores[repeat, is_test] = found.predicted, found.scores
    return Answers(predicted, scores)
