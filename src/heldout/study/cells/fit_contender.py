"""A contender fitted with one setting: preparation and learner on the same rows."""

from __future__ import annotations

import inspect
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline

from heldout.learners.forest_classifier import ForestClassifier
from heldout.learners.threshold_classifier import ThresholdClassifier
from heldout.study.cells.model_bits import ModelLength, model_length
from heldout.study.cells.recipe import Recipe, TrainingPart, recipe_for

if TYPE_CHECKING:
    from heldout.plan.contender import Contender
    from heldout.study.cells.tune import Choice


@dataclass(frozen=True, eq=False)
class FittedContender:
    """A fitted preparation with a fitted learner.

    name:        of the contender
    preparation: fitted; None where nothing is done
    learner:     fitted
    setting:     with which it was fitted
    seconds:     that the fit took
    X:           what the learner was fitted on, as it came from the preparation
    threshold:   at which it decides between two classes; NaN for the learner's own decision
    positive:    the class that is predicted from the threshold on
    """

    name: str
    preparation: Any
    learner: Any
    setting: dict[str, Any]
    seconds: float
    X: Any
    threshold: float = math.nan
    positive: Any = None

    def by_choice(self, choice: Choice, positive: Any) -> FittedContender:
        """The same with the class factors and the threshold of a choice."""
        learner, threshold = self.learner, choice.threshold
        if choice.factors:
            factors = [choice.factors.get(label, 1.0) for label in learner.classes_.tolist()]
            learner = learner._with_class_factors(np.array(factors))
        return replace(self, learner=learner, threshold=threshold, positive=positive)

    @property
    def model(self) -> Any:
        """What can be saved: the learner, or a Pipeline of preparation and learner."""
        return joined_model(self.preparation, self.decider)

    @property
    def decider(self) -> Any:
        """The learner, with its threshold where it has one."""
        if math.isnan(self.threshold):
            return self.learner
        return ThresholdClassifier.around(self.learner, self.threshold, self.positive)

    def prepared(self, X: Any) -> Any:
        """Rows as the learner takes them."""
        return X if self.preparation is None else self.preparation.transform(X)

    def predict(self, X: Any) -> NDArray[Any]:
        """The answer for each row."""
        return np.asarray(self.decider.predict(self.prepared(X)))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The probability of each class of the learner, in the order of its `classes_`."""
        return np.asarray(self.learner.predict_proba(self.prepared(X)))

    @cached_property
    def length(self) -> ModelLength:
        """How many bits it takes to write the model down, and whether by its compressed pickle."""
        parts = [model_length(part, self.X) for part in (self.preparation, self.learner)]
        return ModelLength(sum(each.bits for each in parts), any(each.is_pickled for each in parts))


def fit_contender(
    contender: Contender,
    X: Any,
    y: NDArray[Any],
    weights: NDArray[np.float64] | None = None,
    groups: NDArray[Any] | None = None,
    setting: Mapping[str, Any] | None = None,
    seed: int = 0,
) -> FittedContender:
    """Fit a contender with one setting on all of these rows, which are resampled first if it says so.

    X:       a Table
    y:       one answer per row
    weights: the sample weight of each row, for learners that take it
    groups:  the group of each row, for learners that take it
    setting: parameters of the learner, and under "prepare__" of the preparation
    seed:    for every random_state that is None, and for resampling
    """
    recipe = recipe_for(contender, X, seed, settings=[setting or {}])
    return fit_recipe(recipe, 0, TrainingPart(X, y, weights, groups))


def fit_recipe(recipe: Recipe, index: int, part: TrainingPart) -> FittedContender:
    """Fit a recipe with one of its settings; see `fit_contender`."""
    start = time.perf_counter()
    preparation, prepared, _ = recipe.prepared(recipe.preparing[index], recipe.resampled(part))
    learner = recipe.unfitted(recipe.learning[index])
    # A forest is calibrated by the rows out of the bag; trees and rules are by the inner folds.
    fit = learner._fit_calibrated if isinstance(learner, ForestClassifier) else learner.fit
    fit(prepared.X, prepared.y, **fit_arguments(learner, prepared))
    seconds = time.perf_counter() - start
    return FittedContender(
        recipe.name, preparation, learner, dict(recipe.settings[index]), seconds, prepared.X
    )


def fit_arguments(learner: Any, part: TrainingPart) -> dict[str, Any]:
    """Weights and groups of a part, as far as there are some and the learner takes them.

    A Pipeline hands them to its last step.
    """
    given = {"sample_weight": part.weights, "groups": part.groups}
    known = {name: value for name, value in given.items() if value is not None}
    if not known:
        return {}
    prefix, last = "", learner
    while isinstance(last, Pipeline) and last.steps:
        name, last = last.steps[-1]
        prefix += f"{name}__"
    return {prefix + name: value for name, value in known.items() if _takes(last, name)}


def ignores_weights(learner: Any, part: TrainingPart) -> bool:
    """Whether rows have weights that the learner does not look at."""
    if part.weights is None:
        return False
    return not any(name.endswith("sample_weight") for name in fit_arguments(learner, part))


def _takes(learner: Any, name: str) -> bool:
    fit = getattr(learner, "fit", None)
    return fit is not None and name in inspect.signature(fit).parameters


def joined_model(preparation: Any, learner: Any) -> Any:
    """The learner itself where nothing is prepared, else a Pipeline of all steps; nothing is fitted again."""
    if preparation is None:
        return learner
    steps = [*_steps(preparation, "prepare"), *_steps(learner, "learner")]
    names = [name for name, _ in steps]
    if len(set(names)) < len(names):
        return Pipeline([("prepare", preparation), ("learner", learner)])
    return Pipeline(steps)


def _steps(estimator: Any, name: str) -> list[tuple[str, Any]]:
    """The steps of a plain Pipeline, else the estimator as the only one."""
    is_plain = type(estimator) is Pipeline and estimator.memory is None
    return list(estimator.steps) if is_plain else [(name, estimator)]
