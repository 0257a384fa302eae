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
    if hasattr(learner, "__sklearn_is_fitted__"):
        # scikit-learn does not ask a transformer that could do without `fit`; a file needs its columns.
        return bool(learner.__sklearn_is_fitted__())
    try:
        check_is_fitted(learner)
    except NotFittedError:
        return False
    return True
