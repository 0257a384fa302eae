"""A contender fitted with one setting: preparation and learner on the same rows."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.study.cells.fit_arguments import fit_arguments
from heldout.study.cells.joined_model import joined_model
from heldout.study.cells.model_bits import is_foreign, model_bits
from heldout.study.cells.recipe import Recipe, recipe_for
from heldout.study.cells.training_part import TrainingPart

if TYPE_CHECKING:
    from heldout.plan.contender import Contender


@dataclass(frozen=True, eq=False)
class FittedContender:
    """A fitted preparation with a fitted learner.

    name:        of the contender
    preparation: fitted; None where nothing is done
    learner:     fitted
    setting:     with which it was fitted
    seconds:     that the fit took
    """

    name: str
    preparation: Any
    learner: Any
    setting: dict[str, Any]
    seconds: float

    @property
    def model(self) -> Any:
        """What can be saved: the learner, or a Pipeline of preparation and learner."""
        return joined_model(self.preparation, self.learner)

    def prepared(self, X: Any) -> Any:
        """Rows as the learner takes them."""
        return X if self.preparation is None else self.preparation.transform(X)

    def predict(self, X: Any) -> NDArray[Any]:
        """The answer for each row."""
        return np.asarray(self.learner.predict(self.prepared(X)))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The probability of each class of the learner, in the order of its `classes_`."""
        return np.asarray(self.learner.predict_proba(self.prepared(X)))

    def description_bits(self) -> float:
        """How many bits it takes to write the model down."""
        return model_bits(self.preparation) + model_bits(self.learner)

    @property
    def bits_are_foreign(self) -> bool:
        """Whether a part of it is described by its compressed pickle, which is no code for its kind."""
        return is_foreign(self.preparation) or is_foreign(self.learner)


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
    weights: how often each row counts, for learners that take it
    groups:  the group of each row, for learners that take it
    setting: parameters of the learner, and under "prepare__" of the preparation
    seed:    for every random_state that is None, and for resampling

    >>> import heldout as ho
    >>> task = ho.Task(ho.datasets.load("penguins"), target="species")
    >>> near = ho.Contender("near", ho.NeighborsClassifier())
    >>> fitted = fit_contender(near, task.X, task.y, setting={"k": 1})
    >>> fitted.model
    Pipeline(steps=[('fill', FillMissing()), ('scale', Scale()),
                    ('encode', OneHot()), ('learner', NeighborsClassifier(k=1))])
    >>> fitted.predict(task.X).tolist() == fitted.model.predict(task.X).tolist()
    True
    """
    recipe = recipe_for(contender, X, seed, settings=[setting or {}])
    return fit_recipe(recipe, 0, TrainingPart(X, y, weights, groups))


def fit_recipe(recipe: Recipe, place: int, part: TrainingPart) -> FittedContender:
    """Fit a recipe with one of its settings; see `fit_contender`."""
    start = time.perf_counter()
    preparation, prepared, _ = recipe.prepared(recipe.preparing[place], recipe.resampled(part))
    learner = recipe.unfitted(recipe.learning[place])
    learner.fit(prepared.X, prepared.y, **fit_arguments(learner, prepared))
    seconds = time.perf_counter() - start
    return FittedContender(recipe.name, preparation, learner, dict(recipe.settings[place]), seconds)
