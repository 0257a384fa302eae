"""Cross-validation of a learner on made rows, and what it truly does on as many others."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

import heldout as ho

from .populations import Numbers, Population, Rows

Folds = NDArray[np.intp]


@dataclass(frozen=True)
class Contender:
    """A learner by its name: a function that makes it anew."""

    name: str
    make: Callable[[], Any]


def logistic() -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression()


TREE = Contender("pruned tree", lambda: ho.TreeClassifier(n_jobs=1))
NEIGHBORS = Contender("11 neighbors", lambda: ho.NeighborsClassifier(k=11, n_jobs=1))
LOGISTIC = Contender("logistic", logistic)
RIDGE = Contender("ridge", ho.RidgeRegressor)
# Hardly pruned at all, so that it differs much from fold to fold; the default is pruned by folds.
TREE_OF_NUMBERS = Contender("regression tree", lambda: ho.TreeRegressor(prune_alpha=0.001, n_jobs=1))
PRUNED_OF_NUMBERS = Contender("pruned regression tree", lambda: ho.TreeRegressor(n_jobs=1))
NEIGHBORS_OF_NUMBERS = Contender("11 neighbors", lambda: ho.NeighborsRegressor(k=11, n_jobs=1))
CLASSIFIERS = (TREE, NEIGHBORS, LOGISTIC)
REGRESSORS = (RIDGE, TREE_OF_NUMBERS, NEIGHBORS_OF_NUMBERS)


@dataclass(frozen=True)
class Answers:
    """What models said of rows that they did not learn from.

    predicted: the answers
    scores:    how much each row is held for class 1; the answers themselves where there are no classes
    """

    predicted: Numbers
    scores: Numbers


@dataclass(frozen=True)
class Crossed:
    """Out-of-fold answers: repeats × rows, with the fold in which each row was judged."""

    y: Any
    answers: Answers
    folds: Folds

    @property
    def losses(self) -> Numbers:
        """1 for a wrong class, or the squared error: repeats × rows."""
        if self.y.dtype.kind == "i":
            return (self.answers.predicted != self.y).astype(np.float64)
        return np.asarray((self.answers.predicted - self.y) ** 2)

    def fold_means(self, n_folds: int) -> Numbers:
        """The mean loss of each fold: repeats × folds."""
        return np.array(
            [
                np.bincount(folds, losses, n_folds) / np.bincount(folds, minlength=n_folds)
                for folds, losses in zip(self.folds, self.losses, strict=True)
            ]
        )


def stratified_folds(y: Any, n_folds: int, generator: np.random.Generator) -> Folds:
    """The fold of each row: all folds of one size but for one row, and so is each class."""
    order = generator.permutation(len(y))
    if y.dtype.kind == "i":
        order = order[np.argsort(y[order], kind="stable")]
    folds = np.empty(len(y), dtype=np.intp)
    folds[order] = np.arange(len(y)) % n_folds
    return folds


def answers(contender: Contender, X: Numbers, y: Any, asked: Numbers) -> Answers:
    """What the learner says of the rows asked after learning from the others."""
    model = contender.make().fit(X, y)
    predicted = np.asarray(model.predict(asked), dtype=np.float64)
    if y.dtype.kind != "i":
        return Answers(predicted, predicted)
    return Answers(predicted, np.asarray(model.predict_proba(asked)[:, 1]))


def crossed(
    contender: Contender,
    rows: Rows,
    n_repeats: int,
    n_folds: int,
    generator: np.random.Generator,
    view: int = 0,
) -> Crossed:
    """Cross-validate the learner on one view of the rows; the same generator gives the same folds."""
    X, y = rows.views[view], rows.y
    shape = n_repeats, len(y)
    predicted, scores, folds = np.empty(shape), np.empty(shape), np.empty(shape, dtype=np.intp)
    for repeat in range(n_repeats):
        folds[repeat] = stratified_folds(y, n_folds, generator)
        for fold in range(n_folds):
            is_test = folds[repeat] == fold
            found = answers(contender, X[~is_test], y[~is_test], X[is_test])
            predicted[repeat, is_test], scores[repeat, is_test] = found.predicted, found.scores
    return Crossed(y, Answers(predicted, scores), folds)


@dataclass(frozen=True)
class Truth:
    """What a learner does on average over models that learn from 9/10 of n rows; NaN where it does not apply.

    loss:      the expected loss of a row
    auc:       the expected AUC of a model
    f1:        the F1 of the answers of all models taken together
    single_f1: the expected F1 of one model, 0 where it spots none
    """

    loss: float
    auc: float
    f1: float
    single_f1: float


@cache
def truth(
    contender: Contender, population: Population, n_rows: int, n_models: int = 300, n_requested: int = 2_000
) -> Truth:
    """Measured with fresh models of fresh rows, each asked for fresh rows.

    n_rows: of which a model learns from nine tenths, divided as folds are
    """
    from heldout.native.ranking import auc

    generator = seeded("truth", contender.name, population.name, n_rows)
    losses, aucs, singles, counts = [], [], [], np.zeros(2)
    for _ in range(n_models):
        rows, fresh = population.rows(generator, n_rows), population.draw(generator, n_requested)
        is_train = stratified_folds(rows.y, 10, generator) > 0
        found = answers(contender, rows.views[0][is_train], rows.y[is_train], fresh.views[0])
        if population.is_classified:
            losses.append(float((found.predicted != fresh.y).mean()))
            aucs.append(auc(found.scores, fresh.y == 1))
            both = float((found.predicted * fresh.y).sum()), float(found.predicted.sum() + fresh.y.sum())
            counts += both
            singles.append(2 * both[0] / both[1])
        else:
            losses.append(float(((found.predicted - fresh.y) ** 2).mean()))
    if not population.is_classified:
        return Truth(float(np.mean(losses)), np.nan, np.nan, np.nan)
    f1 = 2 * counts[0] / counts[1]
    return Truth(float(np.mean(losses)), float(np.mean(aucs)), float(f1), float(np.mean(singles)))


def seeded(*names: object) -> np.random.Generator:
    """A stream of its own for each combination of names, the same in every run."""
    return np.random.default_rng(zlib.crc32("/".join(map(str, names)).encode()))
