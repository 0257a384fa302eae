"""The oracle of tuning: scikit-learn's GridSearchCV inside its cross_validate, over the folds of a work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import config_context
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import Pipeline
from sklearn.utils.metadata_routing import MetadataRequest

import heldout as ho
from heldout.features.class_balance import resample_rows
from heldout.metrics.metric import Metric
from heldout.study.cells.recipe import Recipe
from heldout.study.cells.work import Work
from heldout.study.runners.one_thread import one_thread


@dataclass(frozen=True)
class Searched:
    """What a grid search found in each outer fold.

    places:        of the best setting
    choice_scores: of every setting, in the metric's direction
    scores:        of the test rows, in the metric's direction
    """

    places: list[int]
    choice_scores: list[NDArray[np.float64]]
    scores: list[float]


class WeighingScorer:
    """A metric's scorer that asks for the weights of the rows."""

    def __init__(self, metric: Metric) -> None:
        self.metric = metric

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        return self.metric.scorer(estimator, X, y, sample_weight)

    def get_metadata_routing(self) -> MetadataRequest:
        request = MetadataRequest(owner=type(self).__name__)
        request.score.add_request(param="sample_weight", alias=True)
        return request


class Resampled(MetaEstimatorMixin, BaseEstimator):
    """Fits an estimator on its training rows with classes of equal size."""

    def __init__(self, estimator: Any, how: str, seed: int) -> None:
        self.estimator, self.how, self.seed = estimator, how, seed

    def fit(self, X: Any, y: Any) -> Resampled:
        rows = resample_rows(y, self.how, self.seed)
        self.estimator_ = clone(self.estimator).fit(X.take(rows), y[rows])
        self.classes_ = self.estimator_.classes_
        return self

    def predict(self, X: Any) -> Any:
        return self.estimator_.predict(X)

    def predict_proba(self, X: Any) -> Any:
        return self.estimator_.predict_proba(X)


class FoldsOfWork:
    """Inner folds for GridSearchCV: those of the work for the outer training part that X is."""

    def __init__(self, work: Work) -> None:
        self.inner = {
            work.X.take(fold.train).digest: [
                (np.searchsorted(fold.train, inner.train), np.searchsorted(fold.train, inner.judged))
                for inner in work.inner_folds(fold.train)
            ]
            for fold in work.folds
        }

    def split(self, X: Any, y: Any, groups: Any = None) -> Any:
        return iter(self.inner[X.digest])

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        return len(next(iter(self.inner.values())))


def nested_search(work: Work, name: str) -> Searched:
    """Run scikit-learn over the outer and inner folds of a work, by the metric of the settings."""
    contender = work.resolved.contender(name)
    recipe, metric = work.recipe_of(contender), work.tunes_by(contender)
    has_weights = work.weights is not None
    given = {"sample_weight": work.weights, "groups": work.facts.groups}
    with (
        config_context(enable_metadata_routing=has_weights or work.facts.groups is not None),
        one_thread(),
        np.errstate(invalid="ignore"),
    ):
        params = {key: value for key, value in given.items() if value is not None}
        search = GridSearchCV(
            _estimator(recipe, params),
            _grid(recipe),
            scoring=WeighingScorer(metric) if has_weights else metric.scorer,
            cv=_with_routing(FoldsOfWork(work)),
            error_score="raise",
        )
        found = cross_validate(
            search,
            work.X,
            work.y,
            cv=[(fold.train, fold.test) for fold in work.folds],
            scoring=WeighingScorer(metric) if has_weights else metric.scorer,
            params=params or None,
            return_estimator=True,
            error_score="raise",
        )
    searches = found["estimator"]
    # Where less is better, scikit-learn has 0 with a sign, which adding 0 takes away.
    return Searched(
        [int(each.best_index_) for each in searches],
        [metric.sign * each.cv_results_["mean_test_score"] + 0.0 for each in searches],
        (metric.sign * found["test_score"] + 0.0).tolist(),
    )


def _estimator(recipe: Recipe, params: dict[str, Any]) -> Any:
    learner = clone(recipe.learner)
    if params:
        requested = {
            name: True for name in params if hasattr(learner, "set_fit_request") and _takes(learner, name)
        }
        if requested:
            learner.set_fit_request(**requested)
    whole = Pipeline([("prepare", recipe.preparation or "passthrough"), ("learner", learner)])
    return whole if recipe.resample is None else Resampled(whole, recipe.resample, recipe.seed)


def _takes(learner: Any, name: str) -> bool:
    from sklearn.utils.validation import has_fit_parameter

    return bool(has_fit_parameter(learner, name))


def _grid(recipe: Recipe) -> list[dict[str, list[Any]]]:
    """One grid for each setting, so that any list of settings keeps its order."""
    outer = "" if recipe.resample is None else "estimator__"
    return [
        {f"{outer}learner__{name}": [value] for name, value in learning.items()}
        | {f"{outer}prepare__{name}": [value] for name, value in preparing.items()}
        for learning, preparing in zip(recipe.learning, recipe.preparing, strict=True)
    ]


def _with_routing(folds: FoldsOfWork) -> Any:
    """Folds that ask for groups as our own splits do."""
    folds.get_metadata_routing = ho.KFold(2).get_metadata_routing  # type: ignore[attr-defined]
    return folds
