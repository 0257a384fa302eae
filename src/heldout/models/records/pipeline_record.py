"""What a model file holds of models in others: steps of a pipeline, a classifier with a threshold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sklearn.base import BaseEstimator

from heldout.errors import HeldoutError, RequestError
from heldout.learners.threshold_classifier import ThresholdClassifier
from heldout.models.model_archive import ArrayMembers, damaged, other_version, short
from heldout.models.pipeline_steps import (
    _names_out,
    first_inside,
    is_skipped,
    is_transformer,
    last_inside,
)
from heldout.models.records.json_values import decode_value, encode_value
from heldout.models.records.learner_record import check_parts

PIPELINE = "Pipeline"
# How many pipelines may stand in each other.
MOST_DEPTH = 4
_PARTS = {"learner", "parameters", "steps"}
# `memory` is none of them: what joblib finds in a folder it unpickles, which executes what is there.
_KEPT = ("transform_input", "verbose")
Members = dict[str, bytes]
Write = Callable[[Any, int], tuple[dict[str, Any], Members]]
Read = Callable[[dict[str, Any], Members, int], Any]


def write_pipeline(pipeline: BaseEstimator, depth: int, write: Write) -> tuple[dict[str, Any], Members]:
    """What is told of a fitted pipeline in JSON, and the arrays of its steps, each in a folder of its own."""
    _check_writable(pipeline, depth)
    steps: list[list[Any]] = []
    members: Members = {}
    for index, (name, step) in enumerate(pipeline.steps):
        if is_skipped(step):
            steps.append([name, step])
            continue
        with _in_step(name):
            record, arrays = write(step, depth + 1)
        steps.append([name, record])
        members |= {f"{folder(index)}/{member}": content for member, content in arrays.items()}
    fault = find_fault(pipeline.steps)
    if fault is not None:
        raise RequestError(*fault, fix="fit the pipeline anew, and save it as fit leaves it")
    parameters = {name: encode_value(getattr(pipeline, name), name) for name in _KEPT}
    return {"learner": PIPELINE, "parameters": parameters, "steps": steps}, members


def read_pipeline(record: dict[str, Any], members: Members, depth: int, read: Read) -> Any:
    """The pipeline, after every step and what lies between them was checked."""
    from sklearn.pipeline import Pipeline

    if depth > MOST_DEPTH:
        raise damaged("pipelines stand in each other too deeply", f"more than {MOST_DEPTH}")
    check_parts(record, _PARTS)
    parameters = _parameters(record["parameters"])
    pairs = record["steps"]
    if type(pairs) is not list or not all(type(pair) is list and len(pair) == 2 for pair in pairs):
        raise damaged("the steps are not described as they should be", short(pairs))
    steps, arrays = [], ArrayMembers(members)
    for index, (name, content) in enumerate(pairs):
        with _in_step(name):
            steps.append((name, _step(content, arrays.take_folder(folder(index)), depth, read)))
    arrays.check_all_taken()
    fault = find_fault(steps)
    if fault is not None:
        raise damaged(*fault)
    return Pipeline(steps, **parameters)


def folder(index: int) -> str:
    """Where the arrays of a step stand in the file."""
    return f"step{index}"


def _step(content: object, members: Members, depth: int, read: Read) -> Any:
    if type(content) is dict:
        return read(content, members, depth + 1)
    if content is not None and content != "passthrough":
        raise damaged("a step is not described as it should be", short(content))
    ArrayMembers(members).check_all_taken()
    return content


@contextmanager
def _in_step(name: object) -> Iterator[None]:
    """Errors say in which step they are."""
    try:
        yield
    except HeldoutError as error:
        raise type(error)(error.what, where=f"step {short(name)}: {error.where}", fix=error.fix) from error


def _parameters(record: object) -> dict[str, Any]:
    """The parameters of the pipeline itself; what the file lacks has its default."""
    if type(record) is not dict:
        raise damaged("the list of parameters is not described as it should be", short(record))
    if set(record) != set(_KEPT):
        first = sorted(set(record) ^ set(_KEPT))[0]
        raise other_version(f"it lacks or adds the parameter {short(first)}", "parameters of a Pipeline")
    parameters = {name: decode_value(value, f"parameter {name}") for name, value in record.items()}
    if type(parameters.get("verbose", False)) is not bool:
        raise damaged("verbose is neither true nor false", short(parameters["verbose"]))
    names = parameters.get("transform_input")
    if names is not None and not (type(names) is list and all(type(name) is str for name in names)):
        raise damaged("transform_input is no list of names", short(names))
    return parameters


def _check_writable(pipeline: BaseEstimator, depth: int) -> None:
    if depth > MOST_DEPTH:
        raise RequestError(
            "pipelines stand in each other too deeply for a model file",
            where=f"ho.save, more than {MOST_DEPTH} in each other",
            fix="put the steps of the inner pipelines into the outer one",
        )
    if pipeline.memory is not None:
        raise RequestError(
            "a model file holds nothing that is executed, and what memory keeps is executed when it is read",
            where=f"Pipeline(memory={pipeline.memory!r:.60})",
            fix="call pipeline.set_params(memory=None) before you save it",
        )
    strange = sorted(set(vars(pipeline)) - set(pipeline.get_params(deep=False)))
    if strange:
        raise RequestError(
            "this Pipeline has an attribute that a model file cannot hold",
            where=strange[0],
            fix="delete the attribute, or fit the pipeline anew",
        )
    for name in _KEPT:
        value = getattr(pipeline, name)
        is_names = type(value) is list and all(type(entry) is str for entry in value)
        if not (type(value) is bool if name == "verbose" else value is None or is_names):
            raise RequestError(
                f"{name} holds what a model file cannot",
                where=f"Pipeline({name}={value!r:.60})",
                fix="set verbose to True or False, and transform_input to None or a list of names",
            )


# The names of a pipeline's own parameters, which no step may have.
_TAKEN = frozenset({"steps", "transform_input", "memory", "verbose"})
Fault = tuple[str, str]


def find_fault(steps: Sequence[tuple[Any, Any]]) -> Fault | None:
    """What is wrong with the steps, and where; None if they make a pipeline."""
    return _name_fault([name for name, _ in steps]) or _order_fault(steps)


def _name_fault(names: list[Any]) -> Fault | None:
    if not names:
        return "a pipeline has no step", "Pipeline(steps=[])"
    for name in names:
        if type(name) is not str or "__" in name or name in _TAKEN:
            return "a step has a name that no step can have", short(name)
    name, count = Counter(names).most_common(1)[0]
    return ("two steps have the same name", short(name)) if count > 1 else None


def _order_fault(steps: Sequence[tuple[Any, Any]]) -> Fault | None:
    handed: list[str] | None = None
    for index, (name, step) in enumerate(steps):
        if is_skipped(step):
            continue
        if index + 1 < len(steps) and not is_transformer(step):
            return "a step before the last is no transformer", f"{short(name)}, a {type(step).__name__}"
        if handed is not None and not _takes(step, handed):
            return (
                "a step was fitted on other columns than the step before it gives",
                f"step {short(name)}, which is given {len(handed):,} columns",
            )
        if is_transformer(step) and first_inside(step) is not None:
            handed = _names_out(last_inside(step))
    return None


def _takes(step: BaseEstimator, names: list[str]) -> bool:
    """Whether a step was fitted on columns of these names, or on as many without names."""
    first = first_inside(step)
    if first is None:
        return True
    known = getattr(first, "feature_names_in_", None)
    if known is not None:
        return bool(known.tolist() == names)
    return getattr(first, "n_features_in_", None) in (None, len(names))


THRESHOLD = "ThresholdClassifier"
_THRESHOLD_PARTS = {"learner", "parameters", "estimator"}
_FOLDER = "estimator"
WriteModel = Callable[[Any], tuple[dict[str, Any], Members]]
ReadModel = Callable[[dict[str, Any], Members], Any]


def write_threshold(model: ThresholdClassifier, write: WriteModel) -> tuple[dict[str, Any], Members]:
    """What is told of the model in JSON, and the arrays of its classifier."""
    model._check_is_fitted()
    record, arrays = write(model.estimator_)
    parameters = {
        "threshold": encode_value(float(model.threshold), "threshold"),
        "positive": encode_value(model.positive_, "positive"),
    }
    members = {f"{_FOLDER}/{member}": content for member, content in arrays.items()}
    return {"learner": THRESHOLD, "parameters": parameters, "estimator": record}, members


def read_threshold(record: dict[str, Any], members: Members, read: ReadModel) -> ThresholdClassifier:
    """The model, after everything in the record was checked."""
    check_parts(record, _THRESHOLD_PARTS)
    parameters = record["parameters"]
    if type(parameters) is not dict or set(parameters) != {"threshold", "positive"}:
        raise damaged("the list of parameters is not described as it should be", short(parameters))
    threshold = decode_value(parameters["threshold"], "parameter threshold")
    positive = decode_value(parameters["positive"], "parameter positive")
    inner = record["estimator"]
    if type(threshold) is not float or threshold != threshold:
        raise damaged("the threshold is no number", short(threshold))
    if type(inner) is not dict or inner.get("learner") == THRESHOLD:
        raise damaged("the classifier of a threshold is not described as it should be", short(inner))
    arrays = ArrayMembers(members)
    classifier = read(inner, arrays.take_folder(_FOLDER))
    arrays.check_all_taken()
    if not hasattr(classifier, "classes_") or len(classifier.classes_) != 2:
        raise damaged("a threshold decides between two classes", f"a {type(classifier).__name__}")
    try:
        return ThresholdClassifier.around(classifier, threshold, positive)
    except HeldoutError as error:
        raise damaged(error.what, error.where) from error
