"""What the learners share that are read: they print themselves, and take categories and gaps as they are."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

from sklearn.exceptions import NotFittedError

from heldout.learners.learner_copies import KnownParameters


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
