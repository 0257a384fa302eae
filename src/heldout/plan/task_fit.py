"""Whether a contender can learn a task: a regressor no classes, a classifier no numbers."""

from __future__ import annotations

import sys
from typing import Any

from sklearn.base import is_classifier, is_regressor
from sklearn.utils.validation import has_fit_parameter

from heldout.errors import RequestError
from heldout.features.prepare_for import prepare_for
from heldout.metrics.metric import Metric
from heldout.plan.contender import Contender
from heldout.plan.space import check_settings
from heldout.plan.trusted_names import name_of
from heldout.table.task import Task

# Learners whose counterpart is not called alike.
_INSTEAD = {
    "RuleClassifier": "heldout.TreeRegressor",
    "Perceptron": "heldout.RidgeRegressor",
    "RidgeRegressor": "heldout.Perceptron",
    "LinearRegressor": "heldout.Perceptron",
    "LogisticRegression": "sklearn.linear_model.Ridge",
    "LinearRegression": "sklearn.linear_model.LogisticRegression",
    "Ridge": "sklearn.linear_model.RidgeClassifier",
    "SVC": "sklearn.svm.SVR",
    "SVR": "sklearn.svm.SVC",
    "LinearSVC": "sklearn.svm.LinearSVR",
    "LinearSVR": "sklearn.svm.LinearSVC",
    "GaussianNB": "sklearn.linear_model.Ridge",
}


def check_contender(contender: Contender, task: Task, choose_by: Metric) -> None:
    """Refuse a contender that could not run on this task.

    choose_by: the metric that settings and contenders are chosen by
    """
    learner = contender.learner
    is_regression = task.kind == "regression"
    if (is_classifier(learner) if is_regression else is_regressor(learner)) is True:
        raise RequestError(
            f"{type(learner).__name__} is a {'classifier' if is_regression else 'regressor'}",
            where=f"contender {contender.name!r}, and the task is {task.kind} of '{task.target}'",
            fix=_counterpart(learner, task),
        )
    if contender.resample is not None and is_regression:
        raise RequestError(
            "only classes can be made equally frequent",
            where=f"contender {contender.name!r}, resample={contender.resample!r} for regression",
            fix="leave resample out",
        )
    if lacks_predictions(contender, choose_by, task):
        raise RequestError(
            f"{type(learner).__name__} gives no {choose_by.needs}, and {choose_by.name} needs them",
            where=f"contender {contender.name!r}, choose_by={choose_by.name!r}",
            fix="choose by accuracy or another metric of labels, or leave the contender out",
        )
    _check_preparation(contender, task)


def lacks_predictions(contender: Contender, metric: Metric, task: Task) -> bool:
    """Whether the learner has no probabilities or scores, and the metric judges these."""
    if metric.needs not in ("probabilities", "scores"):
        return False
    learner = contender.learner
    learner.set_params(**contender.divided(contender.settings()[0])[0])
    has_scores = metric.needs == "scores" and len(task.classes) <= 2 and hasattr(learner, "decision_function")
    return not has_scores and not hasattr(learner, "predict_proba")


def takes_weights(contender: Contender) -> bool:
    """Whether fitting hears how often a row counts."""
    learner = contender.learner
    steps = getattr(learner, "steps", None)
    return bool(has_fit_parameter(steps[-1][1] if steps else learner, "sample_weight"))


def _check_preparation(contender: Contender, task: Task) -> None:
    """What reaches into a preparation that only the task decides."""
    if contender.prepare != "auto":
        return
    preparation = prepare_for(contender.learner, task)
    parts = [contender.divided(setting)[1] for setting in contender.settings()]
    check_settings(f"contender {contender.name!r}, prepare", preparation, [part for part in parts if part])


def _counterpart(learner: Any, task: Task) -> str:
    """The learner that does the same for the other kind of target."""
    name = type(learner).__name__
    other = _INSTEAD.get(name) or _alike(type(learner))
    ours = f"use {other.replace('heldout.', 'ho.')}(), or " if other else ""
    wanted = "classification" if task.kind == "regression" else "regression"
    return f"{ours}ask for the other kind: ho.Task(…, kind={wanted!r})"


def _alike(cls: type) -> str:
    """The class of the same module that is called Regressor instead of Classifier, or the other way round."""
    name = cls.__name__
    other = (
        name.replace("Classifier", "Regressor")
        if "Classifier" in name
        else name.replace("Regressor", "Classifier")
    )
    path, _, _ = name_of(cls).rpartition(".")
    found = getattr(sys.modules.get(path), other, None) if other != name else None
    return f"{path}.{other}" if isinstance(found, type) else ""
