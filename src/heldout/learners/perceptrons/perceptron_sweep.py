"""The sweep of a perceptron: the settings that go through the rows in the same order share one run."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import RequestError
from heldout.learners.inputs.numeric_inputs import numeric_rows
from heldout.learners.separate_sweep import SeparateSweep
from heldout.native.perceptron import linear_scores


class PerceptronSweep(SeparateSweep):
    """The settings of a perceptron.

    settings: the settings in order
    models:   the fitted perceptron of each
    """

    def predict(self, X: Any) -> NDArray[Any]:
        """The answers of all settings: one row for each setting, one column for each row of X."""
        margins = self.decision_function(X)
        best = margins > 0 if margins.ndim == 2 else margins.argmax(axis=2)
        return np.asarray(self._models[0].classes_.take(best))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Refused: a perceptron has margins, not probabilities."""
        raise RequestError(
            "a perceptron has no probabilities: its margin says on which side a row lies, not how likely",
            where="Sweep.predict_proba",
            fix="use decision_function, or fit scikit-learn's CalibratedClassifierCV around a perceptron",
        )

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """The margins by all settings: setting × row of X, and × class where there are more than two."""
        first = self._models[0]
        matrix = numeric_rows(first, X, first.inputs_, accepts_sparse=True)
        found: dict[int, NDArray[np.float64]] = {}
        linear = [place for place, model in enumerate(self._models) if not model._is_voted]
        if linear:
            weights = np.concatenate([self._models[place].coef_ for place in linear])
            intercepts = np.concatenate([self._models[place].intercept_ for place in linear])
            scores = linear_scores(matrix, weights, intercepts)
            parts = np.split(scores, len(linear), axis=1)
            found = {place: first._margins(part) for place, part in zip(linear, parts, strict=True)}
        voted = set(range(len(self._models))) - set(linear)
        found |= {place: self._models[place]._margins_of(matrix) for place in voted}
        return np.stack([found[place] for place in range(len(self._models))])
