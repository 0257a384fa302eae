"""What a model file holds of a classifier with a threshold: both, the classifier as it would stand alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from heldout.errors import HeldoutError
from heldout.learners.threshold_classifier import ThresholdClassifier
from heldout.models.damaged_file import damaged, short
from heldout.models.plain_values import decoded, encoded
from heldout.models.records.array_members import ArrayMembers
from heldout.models.records.fitted_record import check_parts

THRESHOLD = "ThresholdClassifier"
_PARTS = {"learner", "parameters", "estimator"}
_FOLDER = "estimator"

Members = dict[str, bytes]
Write = Callable[[Any], tuple[dict[str, Any], Members]]
Read = Callable[[dict[str, Any], Members], Any]


def threshold_record(model: ThresholdClassifier, write: Write) -> tuple[dict[str, Any], Members]:
    """What is told of the model in JSON, and the arrays of its classifier.

    write: makes the record of the classifier
    """
    model._check_is_fitted()
    record, arrays = write(model.estimator_)
    parameters = {
        "threshold": encoded(float(model.threshold), "threshold"),
        "positive": encoded(model.positive_, "positive"),
    }
    members = {f"{_FOLDER}/{member}": content for member, content in arrays.items()}
    return {"learner": THRESHOLD, "parameters": parameters, "estimator": record}, members


def threshold_of_record(record: dict[str, Any], members: Members, read: Read) -> ThresholdClassifier:
    """The model, after everything in the record was checked.

    read: makes the classifier of its record
    """
    check_parts(record, _PARTS)
    parameters = record["parameters"]
    if type(parameters) is not dict or set(parameters) != {"threshold", "positive"}:
        raise damaged("the list of parameters is not described as it should be", short(parameters))
    threshold = decoded(parameters["threshold"], "parameter threshold")
    positive = decoded(parameters["positive"], "parameter positive")
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
