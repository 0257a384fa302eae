"""The steps of a fitted pipeline, and the classifier behind a threshold."""

from __future__ import annotations

from copy import copy

from sklearn.base import BaseEstimator

from heldout.inputs.input_schema import InputColumn, InputSchema, NumbersSchema


def is_pipeline(model: object) -> bool:
    """Whether this is scikit-learn's Pipeline itself; asked without importing it."""
    kind = type(model)
    return (kind.__module__, kind.__qualname__) == ("sklearn.pipeline", "Pipeline")


def without_threshold(model: BaseEstimator) -> BaseEstimator:
    """The classifier inside of one with a threshold, fitted if that is; any other model as it is."""
    return model.inner if type(model).__name__ == "ThresholdClassifier" else model


def as_decided(model: BaseEstimator) -> BaseEstimator:
    """The same, but what it shows are the classes that the threshold decides for."""
    return model.decided if type(model).__name__ == "ThresholdClassifier" else model


def decision_words(model: BaseEstimator) -> str:
    """How a model, or the last step of a pipeline, decides at a threshold; empty where it has none."""
    last = model.steps[-1][1] if is_pipeline(model) else model
    return str(last.decision_words()) if type(last).__name__ == "ThresholdClassifier" else ""


def is_skipped(step: object) -> bool:
    """Whether a step passes everything on as it is."""
    return step is None or (type(step) is str and step == "passthrough")


def is_transformer(step: BaseEstimator) -> bool:
    """Whether a step hands rows on; a pipeline does if its last step does."""
    if not is_pipeline(step):
        return hasattr(step, "transform")
    last = step.steps[-1][1]
    return is_skipped(last) or is_transformer(last)


def first_inside(step: BaseEstimator) -> BaseEstimator:
    """The step itself, or of a pipeline the first that does something; None if there is none.

    Of a classifier with a threshold it is the classifier.
    """
    if not is_pipeline(step):
        return without_threshold(step)
    models = (first_inside(inner) for _, inner in step.steps if not is_skipped(inner))
    return next((inner for inner in models if inner is not None), None)


def last_inside(step: BaseEstimator) -> BaseEstimator:
    """The step itself, or of a pipeline the last that does something; None if there is none.

    Of a classifier with a threshold it is the classifier.
    """
    return without_threshold(last_step(step))


def last_step(step: BaseEstimator) -> BaseEstimator:
    """The same; a classifier with a threshold is itself."""
    if not is_pipeline(step):
        return step
    models = (last_step(inner) for _, inner in reversed(step.steps) if not is_skipped(inner))
    return next((inner for inner in models if inner is not None), None)


def named_learner(learner: BaseEstimator, before: BaseEstimator | None) -> BaseEstimator:
    """A fitted learner that knows its columns by the names which the step before it gives.

    Counted words come as a sparse matrix, which has no names: its columns were x0, x1, … to the learner.
    """
    if not isinstance(getattr(learner, "inputs_", None), NumbersSchema) or not is_transformer(before):
        return learner
    named = copy(learner)
    named.inputs_ = InputSchema(tuple([InputColumn(name) for name in _names_out(before)]))
    return named


def _names_out(step: BaseEstimator) -> list[str]:
    """The names that a step gives; those that it got are known also where a frame's were no strings."""
    came = step.inputs_.names if hasattr(step, "n_features_in_") else None
    names: list[str] = step.get_feature_names_out(came).tolist()
    return names
