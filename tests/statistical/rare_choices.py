"""By which score to choose a model where a class is rare: what each choice loses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.metrics import balanced_accuracy_score, f1_score, log_loss, roc_auc_score
from sklearn.model_selection import ParameterGrid, StratifiedKFold, cross_val_predict

import heldout as ho
from heldout.learners.threshold_classifier import best_threshold

from .populations import Population, Rows

# A perceptron has decision values and no probabilities, so log loss cannot choose it.
CONTENDERS: tuple[Any, ...] = (
    ho.TreeClassifier(prune=None, min_leaf=10),
    ho.ForestClassifier(n_trees=50, min_leaf=3, random_state=1),
    ho.NeighborsClassifier(k=31),
    ho.Perceptron(epochs=10, random_state=1),
)
N_FRESH = 10_000
Floats = NDArray[np.float64]
Score = Callable[[Any, NDArray[Any], Floats], float]


def by_area(model: Any, y: NDArray[Any], scores: Floats) -> float:
    """The area under the ROC curve."""
    return float(roc_auc_score(y, scores))


def by_log_loss(model: Any, y: NDArray[Any], scores: Floats) -> float:
    """Less the log loss; NaN without probabilities."""
    return -float(log_loss(y, scores)) if hasattr(model, "predict_proba") else np.nan


def at_one_half(model: Any, y: NDArray[Any], scores: Floats) -> float:
    """Balanced accuracy of decisions at a probability of one half, or a decision value of 0."""
    return float(balanced_accuracy_score(y, scores >= (0.5 if hasattr(model, "predict_proba") else 0.0)))


CHOICES: dict[str, Score] = {
    "AUC": by_area,
    "log loss": by_log_loss,
    "balanced accuracy at one half": at_one_half,
}


@dataclass(frozen=True)
class RareRegret:
    """How much AUC a choice lost on each set, against the best contender on fresh rows, in points."""

    choice: str
    losses: Floats


def rare_regrets(population: Population, n_rows: int, n_sets: int, seed: int = 0) -> list[RareRegret]:
    """What each choice loses on sets of a population."""
    lost: dict[str, list[float]] = {name: [] for name in CHOICES}
    for number in range(n_sets):
        generator = np.random.default_rng([seed, n_rows, number])
        rows, fresh = population.rows(generator, n_rows), population.rows(generator, N_FRESH)
        X, y = rows.views[0], rows.y
        folds = StratifiedKFold(5, shuffle=True, random_state=number)
        areas, scored = [], []
        for model in CONTENDERS:
            method = "predict_proba" if hasattr(model, "predict_proba") else "decision_function"
            out_of_fold = _column(cross_val_predict(clone(model), X, y, cv=folds, method=method))
            scored.append([score(model, y, out_of_fold) for score in CHOICES.values()])
            fitted = clone(model).fit(X, y)
            areas.append(roc_auc_score(fresh.y, _column(getattr(fitted, method)(fresh.views[0]))))
        for name, taken in zip(CHOICES, np.nanargmax(scored, axis=0), strict=True):
            lost[name].append(100 * (max(areas) - areas[taken]))
    return [RareRegret(name, np.array(each)) for name, each in lost.items()]


def _column(scores: Floats) -> Floats:
    return scores[:, 1] if scores.ndim == 2 else scores


# Learners with settings, as in a study by default.
TUNED: tuple[tuple[Any, dict[str, list[Any]]], ...] = (
    (ho.TreeClassifier(), {"min_leaf": [10, 5, 2], "prune_confidence": [0.01, 0.1, 0.25, 0.5]}),
    (ho.NeighborsClassifier(), {"k": [1, 3, 5, 9, 15, 25, 51]}),
    (ho.Perceptron(random_state=1), {"epochs": [1, 3, 10, 30]}),
)
DECIDED: dict[str, Score] = {
    "f1": lambda model, y, calls: float(f1_score(y, calls, zero_division=0.0)),
    "balanced_accuracy": lambda model, y, calls: float(balanced_accuracy_score(y, calls)),
}
WAYS = ("at one half", "at its own threshold", "by AUC")


def setting_regrets(
    population: Population, n_rows: int, n_sets: int, metric: str, seed: int = 0
) -> dict[str, Floats]:
    """Points of F1 or balanced accuracy that a way of choosing settings lost on each set and learner.

    Settings are chosen by five inner folds: by the mean score at one half, by the score of all rows at the
    best threshold of the setting, or by AUC. The chosen one decides at the best threshold of the inner folds,
    and is compared on fresh rows with the setting that would have been the best there, at its own threshold.
    """
    lost: dict[str, list[float]] = {way: [] for way in WAYS}
    for number in range(n_sets):
        generator = np.random.default_rng([seed, n_rows, number])
        rows, fresh = population.rows(generator, n_rows), population.rows(generator, N_FRESH)
        folds = list(StratifiedKFold(5, shuffle=True, random_state=number).split(rows.views[0], rows.y))
        for learner, space in TUNED:
            tried = [
                _tried(clone(learner).set_params(**each), rows, fresh, folds, metric)
                for each in ParameterGrid(space)
            ]
            reached = np.array([each[-1] for each in tried])
            for place, way in enumerate(WAYS):
                taken = int(np.argmax([each[place] for each in tried]))
                lost[way].append(100 * float(reached.max() - reached[taken]))
    return {way: np.array(each) for way, each in lost.items()}


def _tried(model: Any, rows: Rows, fresh: Rows, folds: list[Any], metric: str) -> tuple[float, ...]:
    """What each way of choosing says of a setting, and what it reaches on fresh rows at its threshold."""
    method = "predict_proba" if hasattr(model, "predict_proba") else "decision_function"
    usual, X, y = 0.5 if method == "predict_proba" else 0.0, rows.views[0], rows.y
    score, scores, halves, areas = DECIDED[metric], np.empty(len(y)), [], []
    for train, judged in folds:
        scores[judged] = _column(getattr(clone(model).fit(X[train], y[train]), method)(X[judged]))
        halves.append(score(model, y[judged], scores[judged] >= usual))
        areas.append(roc_auc_score(y[judged], scores[judged]))
    threshold = best_threshold(y == 1, scores, None, metric, method == "predict_proba")
    threshold = usual if np.isnan(threshold) else threshold
    calls = _column(getattr(clone(model).fit(X, y), method)(fresh.views[0])) >= threshold
    own = score(model, y, scores >= threshold)
    return float(np.mean(halves)), own, float(np.mean(areas)), score(model, fresh.y, calls)
