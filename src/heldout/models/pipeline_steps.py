"""Do these steps make a pipeline? Names, transformers before the last, and columns that are handed on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from copy import copy
from typing import Any

from heldout.learners.inputs.input_schema import InputColumn, InputSchema, NumbersSchema
from heldout.models.damaged_file import short

# The names of a pipeline's own parameters, which no step may have.
_TAKEN = frozenset({"steps", "transform_input", "memory", "verbose"})

Fault = tuple[str, str]


def is_pipeline(model: Any) -> bool:
    """Whether this is scikit-learn's Pipeline itself; asked without importing it.

    >>> is_pipeline(3)
    False
    """
    kind = type(model)
    return (kind.__module__, kind.__qualname__) == ("sklearn.pipeline", "Pipeline")


def without_threshold(model: Any) -> Any:
    """The classifier inside of one with a threshold, fitted if that is; any other model as it is.

    >>> without_threshold(3)
    3
    """
    return model.inner if type(model).__name__ == "ThresholdClassifier" else model


def as_decided(model: Any) -> Any:
    """The same, but what it shows are the classes that the threshold decides for.

    >>> as_decided(3)
    3
    """
    return model.decided if type(model).__name__ == "ThresholdClassifier" else model


def decision_words(model: Any) -> str:
    """How a model, or the last step of a pipeline, decides at a threshold; empty where it has none.

    >>> decision_words(3)
    ''
    """
    last = model.steps[-1][1] if is_pipeline(model) else model
    return str(last.decision_words()) if type(last).__name__ == "ThresholdClassifier" else ""


def is_skipped(step: Any) -> bool:
    """Whether a step passes everything on as it is."""
    return step is None or (type(step) is str and step == "passthrough")


def fault_of_steps(steps: Sequence[tuple[Any, Any]]) -> Fault | None:
    """What is wrong with the steps, and where; None if they make a pipeline.

    steps: pairs of a name and a fitted step that has passed the checks of its own record
    """
    return _fault_of_names([name for name, _ in steps]) or _fault_of_order(steps)


def _fault_of_names(names: list[Any]) -> Fault | None:
    if not names:
        return "a pipeline has no step", "Pipeline(steps=[])"
    for name in names:
        if type(name) is not str or "__" in name or name in _TAKEN:
            return "a step has a name that no step can have", short(name)
    name, count = Counter(names).most_common(1)[0]
    return ("two steps have the same name", short(name)) if count > 1 else None


def _fault_of_order(steps: Sequence[tuple[Any, Any]]) -> Fault | None:
    handed: list[str] | None = None
    for place, (name, step) in enumerate(steps):
        if is_skipped(step):
            continue
        if place + 1 < len(steps) and not is_transformer(step):
            return "a step before the last is no transformer", f"{short(name)}, a {type(step).__name__}"
        if handed is not None and not _takes(step, handed):
            return (
                "a step was fitted on other columns than the step before it gives",
                f"step {short(name)}, which is given {len(handed):,} columns",
            )
        if is_transformer(step) and first_inside(step) is not None:
            handed = _names_out(last_inside(step))
    return None


def is_transformer(step: Any) -> bool:
    """Whether a step hands rows on; a pipeline does if its last step does."""
    if not is_pipeline(step):
        return hasattr(step, "transform")
    last = step.steps[-1][1]
    return is_skipped(last) or is_transformer(last)


def first_inside(step: Any) -> Any:
    """The step itself, or of a pipeline the first that does something; None if there is none.

    Of a classifier with a threshold it is the classifier.
    """
    if not is_pipeline(step):
        return without_threshold(step)
    found = (first_inside(each) for _, each in step.steps if not is_skipped(each))
    return next((each for each in found if each is not None), None)


def last_inside(step: Any) -> Any:
    """The step itself, or of a pipeline the last that does something; None if there is none.

    Of a classifier with a threshold it is the classifier.
    """
    return without_threshold(last_step(step))


def last_step(step: Any) -> Any:
    """The same; a classifier with a threshold is itself."""
    if not is_pipeline(step):
        return step
    found = (last_step(each) for _, each in reversed(step.steps) if not is_skipped(each))
    return next((each for each in found if each is not None), None)


def named_learner(learner: Any, before: Any) -> Any:
    """A fitted learner that knows its columns by the names which the step before it gives.

    Counted words come as a sparse matrix, which has no names: its columns were x0, x1, … to the learner.

    learner: what a sparse matrix or an array was given to; any other model as it is
    before:  the transformer in front of it, None if there is none
    """
    if not isinstance(getattr(learner, "inputs_", None), NumbersSchema) or not is_transformer(before):
        return learner
    named = copy(learner)
    named.inputs_ = InputSchema(tuple([InputColumn(name) for name in _names_out(before)]))
    return named


def _names_out(step: Any) -> list[str]:
    """The names that a step gives; those that it got are known also where a frame's were no strings."""
    came = step.inputs_.names if hasattr(step, "n_features_in_") else None
    names: list[str] = step.get_feature_names_out(came).tolist()
    return names


def _takes(step: Any, names: list[str]) -> bool:
    """Whether a step was fitted on columns of these names, or on as many without names."""
    first = first_inside(step)
    if first is None:
        return True
    known = getattr(first, "feature_names_in_", None)
    if known is not None:
        return bool(known.tolist() == names)
    return getattr(first, "n_features_in_", None) in (None, len(names))
