"""What a contender may learn with, and be prepared by: copies, so that no one changes a plan from outside."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator, clone

from heldout.errors import KindError, RequestError
from heldout.table.suggestion import suggestion


def checked_learner(name: str, learner: Any) -> Any:
    """An unfitted copy of the learner.

    name: of the contender

    >>> from heldout import TreeClassifier
    >>> checked_learner("tree", TreeClassifier)
    Traceback (most recent call last):
    heldout.errors.KindError: a contender needs a learner, and TreeClassifier is a class
      where: contender 'tree'
      fix:   hand over TreeClassifier()
    """
    _refuse_class(name, learner, "a contender needs a learner")
    if not isinstance(learner, BaseEstimator) or not hasattr(learner, "fit"):
        raise KindError(
            "a contender needs a learner of scikit-learn's protocol",
            where=f"contender {name!r}, learner is a {type(learner).__name__}",
            fix="use one of Heldout's or scikit-learn's, or derive yours from sklearn.base.BaseEstimator",
        )
    if not _may(learner, "predict"):
        raise KindError(
            f"a {type(learner).__name__} predicts nothing",
            where=f"contender {name!r}",
            fix=f"hand over a learner, and say prepare={type(learner).__name__}() if that is what it is for",
        )
    return _copied(name, learner)


def checked_preparation(name: str, prepare: Any) -> Any:
    """ "auto", None, or an unfitted copy of a transformer or Pipeline."""
    if prepare is None or (isinstance(prepare, str) and prepare == "auto"):
        return prepare
    _refuse_class(name, prepare, "a preparation is a transformer")
    if isinstance(prepare, BaseEstimator) and hasattr(prepare, "fit") and _may(prepare, "transform"):
        return _copied(name, prepare)
    raise KindError(
        'a preparation is "auto", None, a transformer, or a Pipeline of them',
        where=f"contender {name!r}, prepare={prepare!r:.60}",
        fix=suggestion(prepare, ["auto"])
        if isinstance(prepare, str)
        else "leave it out: what the learner cannot take as it is will be prepared",
    )


def _refuse_class(name: str, given: Any, what: str) -> None:
    if isinstance(given, type):
        raise KindError(
            f"{what}, and {given.__name__} is a class",
            where=f"contender {name!r}",
            fix=f"hand over {given.__name__}()",
        )


def _may(estimator: Any, what: str) -> bool:
    """Whether it could do so once fitted: a Pipeline asks its last step, a search what it searches."""
    return hasattr(estimator, what) or (hasattr(type(estimator), what) and not hasattr(estimator, "steps"))


def _copied(name: str, estimator: Any) -> Any:
    try:
        parts = [estimator, *estimator.get_params(deep=True).values()]
        copied = clone(estimator)
    except Exception as error:
        raise RequestError(
            f"a {type(estimator).__name__} cannot be copied: {error!s:.160}",
            where=f"contender {name!r}",
            fix="let its constructor keep every argument as it is, under the argument's name",
        ) from error
    if any(_is_frozen(part) for part in parts):
        raise RequestError(
            "a FrozenEstimator keeps what it learned elsewhere, from rows that it would be tested on",
            where=f"contender {name!r}",
            fix="hand over the estimator within it; it is fitted anew on the training rows of every fold",
        )
    return copied


def _is_frozen(part: Any) -> bool:
    return type(part).__name__ == "FrozenEstimator" and type(part).__module__.startswith("sklearn.")
