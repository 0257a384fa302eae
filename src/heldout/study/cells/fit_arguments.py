"""What `fit` of a learner takes beside X and y."""

from __future__ import annotations

import inspect
from typing import Any

from sklearn.pipeline import Pipeline

from heldout.study.cells.training_part import TrainingPart


def fit_arguments(learner: Any, part: TrainingPart) -> dict[str, Any]:
    """Weights and groups of a part, as far as there are some and the learner takes them.

    A Pipeline hands them to its last step.

    >>> import numpy as np
    >>> from heldout import NeighborsClassifier, TreeClassifier
    >>> part = TrainingPart(None, np.array([0, 1]), weights=np.array([1.0, 2.0]), groups=np.array([0, 1]))
    >>> sorted(fit_arguments(TreeClassifier(), part)), fit_arguments(NeighborsClassifier(), part)
    (['groups', 'sample_weight'], {})
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
