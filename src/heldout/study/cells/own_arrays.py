"""Arrays that a learner may write into: one that is not ours gets copies, so that nobody finds them changed.

scikit-learn hands every fit of a grid search rows that were taken for it alone, and learners that compute in
place (`copy_X=False`) rely on it. Columns of a Table cannot be written to, and ours write into nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from heldout.learners.threshold_classifier import ThresholdClassifier
from heldout.study.cells.training_part import TrainingPart
from heldout.table.table import Table


def is_ours(learner: Any) -> bool:
    """Whether the learner is one of Heldout's.

    >>> from heldout import TreeClassifier
    >>> from sklearn.dummy import DummyClassifier
    >>> is_ours(TreeClassifier()), is_ours(DummyClassifier())
    (True, False)
    """
    inner = getattr(learner, "estimator_", learner) if type(learner) is ThresholdClassifier else learner
    return type(inner).__module__.split(".")[0] == "heldout"


def own_part(learner: Any, part: TrainingPart) -> TrainingPart:
    """The part as this learner may have it to itself."""
    if is_ours(learner):
        return part
    return replace(
        part,
        X=own_rows(learner, part.X),
        y=part.y.copy(),
        weights=None if part.weights is None else part.weights.copy(),
        groups=None if part.groups is None else part.groups.copy(),
    )


def own_rows(learner: Any, X: Any) -> Any:
    """The rows as this learner may have them to itself.

    >>> import numpy as np
    >>> from sklearn.dummy import DummyClassifier
    >>> X = np.zeros((2, 1))
    >>> own_rows(DummyClassifier(), X) is X
    False
    """
    is_safe = is_ours(learner) or isinstance(X, Table) or not hasattr(X, "copy")
    return X if is_safe else X.copy()
