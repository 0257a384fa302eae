"""A fitted preparation and a fitted learner as one model, which can be saved."""

from __future__ import annotations

from typing import Any

from sklearn.pipeline import Pipeline


def joined_model(preparation: Any, learner: Any) -> Any:
    """The learner itself where nothing is prepared, else a Pipeline of all steps; nothing is fitted again.

    >>> from heldout import RidgeRegressor, Scale
    >>> joined_model(Scale(), RidgeRegressor())
    Pipeline(steps=[('prepare', Scale()), ('learner', RidgeRegressor())])
    """
    if preparation is None:
        return learner
    steps = [*_steps(preparation, "prepare"), *_steps(learner, "learner")]
    names = [name for name, _ in steps]
    if len(set(names)) < len(names):
        return Pipeline([("prepare", preparation), ("learner", learner)])
    return Pipeline(steps)


def _steps(estimator: Any, name: str) -> list[tuple[str, Any]]:
    """The steps of a plain Pipeline, else the estimator as the only one."""
    is_plain = type(estimator) is Pipeline and estimator.memory is None
    return list(estimator.steps) if is_plain else [(name, estimator)]
