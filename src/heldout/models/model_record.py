"""A fitted model as JSON and arrays, and back: a learner, a transformer, or a pipeline of these."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from heldout.errors import HeldoutError, InputTypeError
from heldout.learners.threshold_classifier import ThresholdClassifier
from heldout.models.learner_registry import RECORDS, record_of
from heldout.models.model_archive import damaged, short
from heldout.models.pipeline_record import PIPELINE, is_pipeline, pipeline_of_record, pipeline_record
from heldout.models.plain_values import decoded, encoded
from heldout.models.records.array_members import ArrayMembers
from heldout.models.records.learner_record import check_parts, fitted_of_record, fitted_record


def model_record(model: Any, depth: int = 0) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What is told of a fitted model in JSON, and its arrays as members of the file.

    depth: how many pipelines the model stands in
    """
    if is_pipeline(model):
        return pipeline_record(model, depth, model_record)
    if type(model) is ThresholdClassifier:
        return threshold_record(model, model_record)
    form = record_of(model)
    if form is None:
        raise cannot_be_saved(model)
    return fitted_record(form, model)


def model_of_record(record: dict[str, Any], members: dict[str, bytes], depth: int = 0) -> Any:
    """The model, after everything in the record was checked.

    depth: how many pipelines the model stands in
    """
    learner = record.get("learner")
    if learner == PIPELINE:
        return pipeline_of_record(record, members, depth, model_of_record)
    if learner == THRESHOLD:
        return threshold_of_record(record, members, model_of_record)
    if type(learner) is not str or learner not in RECORDS:
        raise damaged("the file holds a learner that this version does not know", short(learner))
    return fitted_of_record(RECORDS[learner], record, members)


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


# What users of scikit-learn have in their pipelines, and what does it here.
_OURS = {
    "StandardScaler": "ho.Scale()",
    "MaxAbsScaler": 'ho.Scale(center=False, by="max")',
    "Normalizer": "ho.UnitLength()",
    "KBinsDiscretizer": "ho.Discretize()",
    "SimpleImputer": "ho.FillMissing()",
    "OneHotEncoder": "ho.OneHot()",
    "OrdinalEncoder": "ho.Ordinal()",
    "VarianceThreshold": "ho.DropLowVariance()",
    "CountVectorizer": "ho.BagOfWords()",
    "ColumnTransformer": "the parameter columns of each transformer of Heldout",
    "DecisionTreeClassifier": "ho.TreeClassifier.cart()",
    "DecisionTreeRegressor": "ho.TreeRegressor()",
    "RandomForestClassifier": "ho.ForestClassifier()",
    "RandomForestRegressor": "ho.ForestRegressor()",
    "KNeighborsClassifier": "ho.NeighborsClassifier()",
    "KNeighborsRegressor": "ho.NeighborsRegressor()",
    "LinearRegression": "ho.LinearRegressor()",
    "Ridge": "ho.RidgeRegressor()",
    "DummyClassifier": "ho.BaselineClassifier()",
    "DummyRegressor": "ho.BaselineRegressor()",
}


def cannot_be_saved(model: Any) -> InputTypeError:
    """The error for an object that `ho.save` cannot write."""
    name = type(model).__name__
    is_foreign = type(model).__module__.partition(".")[0] == "sklearn"
    if is_foreign and name in _OURS:
        fix = f"use {_OURS[name]}, which a model file can hold"
    else:
        fix = f"hand over a fitted {', '.join(RECORDS)}, or a Pipeline of these"
    return InputTypeError(f"a {name} cannot be saved", where="ho.save", fix=fix)
