"""A fitted model as JSON and arrays, and back: a learner, a transformer, or a pipeline of these."""

from __future__ import annotations

from typing import Any

from heldout.learners.threshold_classifier import ThresholdClassifier
from heldout.models.damaged_file import damaged, short
from heldout.models.foreign_model import cannot_be_saved
from heldout.models.learner_registry import RECORDS, record_of
from heldout.models.pipeline_record import PIPELINE, is_pipeline, pipeline_of_record, pipeline_record
from heldout.models.records.fitted_record import fitted_of_record, fitted_record
from heldout.models.threshold_record import THRESHOLD, threshold_of_record, threshold_record


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
