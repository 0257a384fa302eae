"""What a model file holds of a pipeline: its steps in order, each as it would stand alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from heldout.errors import HeldoutError, RequestError
from heldout.models.damaged_file import damaged, newer, short
from heldout.models.pipeline_steps import fault_of_steps, is_pipeline, is_skipped
from heldout.models.plain_values import decoded, encoded
from heldout.models.records.array_members import ArrayMembers
from heldout.models.records.fitted_record import check_parts

__all__ = ["MOST_DEPTH", "PIPELINE", "is_pipeline", "pipeline_of_record", "pipeline_record"]

PIPELINE = "Pipeline"
# How many pipelines may stand in each other.
MOST_DEPTH = 4
_PARTS = {"learner", "parameters", "steps"}
# `memory` is none of them: what joblib finds in a folder it unpickles, which executes what is there.
_KEPT = ("transform_input", "verbose")

Members = dict[str, bytes]
Write = Callable[[Any, int], tuple[dict[str, Any], Members]]
Read = Callable[[dict[str, Any], Members, int], Any]


def pipeline_record(pipeline: Any, depth: int, write: Write) -> tuple[dict[str, Any], Members]:
    """What is told of a fitted pipeline in JSON, and the arrays of its steps, each in a folder of its own.

    depth: how many pipelines this one stands in
    write: makes the record of a step
    """
    _check_writable(pipeline, depth)
    steps: list[list[Any]] = []
    members: Members = {}
    for place, (name, step) in enumerate(pipeline.steps):
        if is_skipped(step):
            steps.append([name, step])
            continue
        with _in_step(name):
            record, arrays = write(step, depth + 1)
        steps.append([name, record])
        members |= {f"{folder(place)}/{member}": content for member, content in arrays.items()}
    fault = fault_of_steps(pipeline.steps)
    if fault is not None:
        raise RequestError(*fault, fix="fit the pipeline anew, and save it as fit leaves it")
    parameters = {name: encoded(getattr(pipeline, name), name) for name in _KEPT}
    return {"learner": PIPELINE, "parameters": parameters, "steps": steps}, members


def pipeline_of_record(record: dict[str, Any], members: Members, depth: int, read: Read) -> Any:
    """The pipeline, after every step and what lies between them was checked.

    depth: how many pipelines this one stands in
    read:  makes a step of its record
    """
    from sklearn.pipeline import Pipeline

    if depth > MOST_DEPTH:
        raise damaged("pipelines stand in each other too deeply", f"more than {MOST_DEPTH}")
    check_parts(record, _PARTS)
    parameters = _parameters(record["parameters"])
    pairs = record["steps"]
    if type(pairs) is not list or not all(type(pair) is list and len(pair) == 2 for pair in pairs):
        raise damaged("the steps are not described as they should be", short(pairs))
    steps, arrays = [], ArrayMembers(members)
    for place, (name, content) in enumerate(pairs):
        with _in_step(name):
            steps.append((name, _step(content, arrays.take_folder(folder(place)), depth, read)))
    arrays.check_all_taken()
    fault = fault_of_steps(steps)
    if fault is not None:
        raise damaged(*fault)
    return Pipeline(steps, **parameters)


def folder(place: int) -> str:
    """Where the arrays of a step stand in the file.

    >>> folder(0)
    'step0'
    """
    return f"step{place}"


def _step(content: Any, members: Members, depth: int, read: Read) -> Any:
    if type(content) is dict:
        return read(content, members, depth + 1)
    if content is not None and content != "passthrough":
        raise damaged("a step is not described as it should be", short(content))
    ArrayMembers(members).check_all_taken()
    return content


@contextmanager
def _in_step(name: Any) -> Iterator[None]:
    """Errors say in which step they are."""
    try:
        yield
    except HeldoutError as error:
        raise type(error)(error.what, where=f"step {short(name)}: {error.where}", fix=error.fix) from error


def _parameters(record: Any) -> dict[str, Any]:
    """The parameters of the pipeline itself; what the file lacks has its default."""
    if type(record) is not dict:
        raise damaged("the list of parameters is not described as it should be", short(record))
    unknown = sorted(set(record) - set(_KEPT))
    if unknown:
        raise newer(f"this one has no parameter {short(unknown[0])}", "parameters of a Pipeline")
    found = {name: decoded(value, f"parameter {name}") for name, value in record.items()}
    if type(found.get("verbose", False)) is not bool:
        raise damaged("verbose is neither true nor false", short(found["verbose"]))
    names = found.get("transform_input")
    if names is not None and not (type(names) is list and all(type(name) is str for name in names)):
        raise damaged("transform_input is no list of names", short(names))
    return found


def _check_writable(pipeline: Any, depth: int) -> None:
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
