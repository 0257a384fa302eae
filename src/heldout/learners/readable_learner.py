"""What the learners share that are read: they print themselves, and take categories and gaps as they are."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import NotFittedError

from heldout.arrays import Floats
from heldout.learners.parameters import threads_of
from heldout.types import Estimator, TableLike

PLAIN = (str, bytes, bool, int, float)
_NAMES: dict[type, tuple[str, ...]] = {}


class KnownParameters(BaseEstimator):  # type: ignore[misc]
    """A learner whose class is asked once for the names of its parameters."""

    @classmethod
    def _get_param_names(cls) -> list[str]:
        if cls not in _NAMES:
            _NAMES[cls] = tuple(super()._get_param_names())
        return list(_NAMES[cls])

    @property
    def _n_threads(self) -> int:
        """How many threads may be used now; `n_jobs` may have been set after `fit`."""
        return threads_of(self)


class HasProbabilities:
    """A classifier with probabilities, which have logarithms as well."""

    @abstractmethod
    def predict_proba(self, X: TableLike) -> Floats:
        """The probabilities of the classes, in the order of `classes_`."""

    def predict_log_proba(self, X: TableLike) -> Floats:
        """The logarithms of the probabilities."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))


def learner_copies(learner: Estimator, settings: Iterable[Mapping[str, Any]]) -> list[Any]:
    """An unfitted copy of the learner for each setting, which differs from it in these parameters only.

    settings: names of parameters with values; the names are known to be right
    """
    known = clone(learner).get_params(deep=False)
    own = {name for name, value in known.items() if value is not None and not isinstance(value, PLAIN)}
    return [
        # A random state or a dict is not shared: each copy draws and keeps for itself.
        type(learner)(**(known | {name: clone(known[name], safe=False) for name in own} | dict(setting)))
        for setting in settings
    ]


class ReadableLearner(KnownParameters):
    """A learner that prints what it has learned.

    _learned: the attribute that `fit` sets
    """

    _learned: ClassVar[str]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True
        return tags

    def __str__(self) -> str:
        return self.to_text() if self.__sklearn_is_fitted__() else repr(self)

    def __sklearn_is_fitted__(self) -> bool:
        return self._learned in self.__dict__

    @abstractmethod
    def to_text(self) -> str:
        """What was learned, in the original names."""

    def _check_is_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with appropriate"
                " arguments before using this estimator."
            )
