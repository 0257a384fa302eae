"""Which learners a model file can hold: a fixed table, never a name to import."""

from __future__ import annotations

from typing import Any

from heldout.learners.baseline_classifier import BaselineClassifier
from heldout.learners.baseline_regressor import BaselineRegressor
from heldout.learners.forest_classifier import ForestClassifier
from heldout.learners.forest_regressor import ForestRegressor
from heldout.learners.linear_regressor import LinearRegressor
from heldout.learners.neighbors_classifier import NeighborsClassifier
from heldout.learners.neighbors_regressor import NeighborsRegressor
from heldout.learners.perceptron import Perceptron
from heldout.learners.ridge_regressor import RidgeRegressor
from heldout.learners.rule_classifier import RuleClassifier
from heldout.learners.tree_classifier import TreeClassifier
from heldout.learners.tree_regressor import TreeRegressor
from heldout.models.records.baseline_record import BaselineClassifierRecord, BaselineRegressorRecord
from heldout.models.records.forest_record import ForestClassifierRecord, ForestRecord
from heldout.models.records.learner_record import LearnerRecord
from heldout.models.records.linear_record import LinearRecord, RidgeRecord
from heldout.models.records.neighbors_record import NeighborsClassifierRecord, NeighborsRecord
from heldout.models.records.perceptron_record import PerceptronRecord
from heldout.models.records.rules_record import RulesRecord
from heldout.models.records.tree_record import TreeClassifierRecord, TreeRecord

RECORDS: dict[str, LearnerRecord] = {
    record.learner.__name__: record
    for record in (
        TreeClassifierRecord(TreeClassifier),
        TreeRecord(TreeRegressor),
        RulesRecord(RuleClassifier),
        ForestClassifierRecord(ForestClassifier),
        ForestRecord(ForestRegressor),
        NeighborsClassifierRecord(NeighborsClassifier),
        NeighborsRecord(NeighborsRegressor),
        PerceptronRecord(Perceptron),
        LinearRecord(LinearRegressor),
        RidgeRecord(RidgeRegressor),
        BaselineClassifierRecord(BaselineClassifier),
        BaselineRegressorRecord(BaselineRegressor),
    )
}


def record_of(model: Any) -> LearnerRecord | None:
    """The record for a model of exactly one of these classes; None for any other object."""
    record = RECORDS.get(type(model).__name__)
    return record if record is not None and record.learner is type(model) else None
