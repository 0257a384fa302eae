"""The sweep of a learner whose settings have nothing to share: each is fitted by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import RequestError
from heldout.learners.learner_copies import learner_copies
from heldout.learners.parameters import check_parameters
from heldout.learners.sweep import Sweep, settings_of


class SeparateSweep(Sweep):
    """Settings that were fitted one by one.

    settings: the settings in order
    models:   the fitted learner of each
    """

    def __init__(self, settings: list[dict[str, Any]], models: Sequence[Any]) -> None:
        super().__init__(settings)
        self._models = models

    def model(self, i: int) -> Any:
        """The learner that `fit` made with the setting `settings[i]`."""
        return self._models[self._place(i)]

    def predict(self, X: Any) -> NDArray[Any]:
        """The answers of all settings: one row for each setting, one column for each row of X."""
        return np.stack([model.predict(X) for model in self._models])

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The probabilities by all settings: setting × row of X × class."""
        for place, model in enumerate(self._models):
            if not hasattr(model, "predict_proba"):
                raise RequestError(
                    f"{type(model).__name__} has no probabilities",
                    where=f"Sweep.predict_proba, setting {place}",
                    fix="use predict",
                )
        return np.stack([model.predict_proba(X) for model in self._models])


def separate_sweep(learner: Any, X: Any, y: Any, space: Any, **fit_arguments: Any) -> SeparateSweep:
    """Fit each setting of a space by itself; the learner is not changed.

    Every parameter of every setting is checked before the first is fitted.

    X, y:          as for `fit`
    space:         parameters with lists of values, or a list of settings, each a dict
    fit_arguments: what else `fit` is given, such as sample_weight

    >>> from heldout import TreeClassifier
    >>> sweep = separate_sweep(TreeClassifier(prune=None), [[1.0], [2.0]], ["a", "b"], {"min_leaf": [1, 2]})
    >>> sweep.predict([[0.0]]).tolist()
    [['a'], ['a']]
    """
    settings = settings_of(learner, space)
    return SeparateSweep(settings, separate_models(learner, settings, X, y, **fit_arguments))


def separate_models(
    learner: Any, settings: Sequence[dict[str, Any]], X: Any, y: Any, **fit_arguments: Any
) -> list[Any]:
    """A fitted copy of the learner for each setting."""
    copies = learner_copies(learner, settings)
    for copy in copies:
        check_parameters(copy, getattr(copy, "_parameters", ()))
    return [copy.fit(X, y, **fit_arguments) for copy in copies]
