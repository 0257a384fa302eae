"""By which score to choose a model where a class is rare: what each choice loses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.metrics import balanced_accuracy_score, log_loss, roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict

import heldout as ho

from .populations import Population

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
