"""Whether a learner was fitted, whichever way it tells."""

from __future__ import annotations

from typing import Any

from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted


def is_fitted(learner: Any) -> bool:
    """Whether `fit` was called.

    >>> from heldout import TreeClassifier
    >>> is_fitted(TreeClassifier()), is_fitted(TreeClassifier().fit([[1.0], [2.0]], [0, 1]))
    (False, True)
    """
    try:
        check_is_fitted(learner)
    except NotFittedError:
        return False
    return True
