"""Which learners and transformers a model file can hold: a fixed table, never a name to import."""

from __future__ import annotations

from typing import Any

from heldout.features.bag_of_words import BagOfWords
from heldout.features.discretize import Discretize
from heldout.features.drop_low_variance import DropLowVariance
from heldout.features.drop_rare import DropRare
from heldout.features.fill_missing import FillMissing
from heldout.features.log_transform import LogTransform
from heldout.features.one_hot import OneHot
from heldout.features.ordinal import Ordinal
from heldout.features.patch_features import PatchFeatures
from heldout.features.pixel_features import PixelFeatures
from heldout.features.scale import Scale
from heldout.features.shape_features import ShapeFeatures
from heldout.features.tree_paths import TreePaths
from heldout.features.unit_length import UnitLength
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
from heldout.models.records.forest_record import ForestClassifierRecord, ForestRecord
from heldout.models.records.image_records import ImageRecord, PatchRecord, PixelRecord
from heldout.models.records.learner_record import LearnerRecord
from heldout.models.records.linear_record import (
    BaselineClassifierRecord,
    BaselineRegressorRecord,
    LinearRecord,
    PerceptronRecord,
    RidgeRecord,
)
from heldout.models.records.neighbors_record import NeighborsClassifierRecord, NeighborsRecord
from heldout.models.records.paths_record import TreePathsRecord
from heldout.models.records.rules_record import RulesRecord
from heldout.models.records.transformer_record import (
    DiscretizeRecord,
    FillRecord,
    OneHotRecord,
    OrdinalRecord,
    RareRecord,
    ScaleRecord,
    TransformerRecord,
    VarianceRecord,
)
from heldout.models.records.tree_record import TreeClassifierRecord, TreeRecord
from heldout.models.records.words_record import WordsRecord

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
        ScaleRecord(Scale),
        TransformerRecord(UnitLength),
        TransformerRecord(LogTransform),
        DiscretizeRecord(Discretize),
        FillRecord(FillMissing),
        OneHotRecord(OneHot),
        OrdinalRecord(Ordinal),
        RareRecord(DropRare),
        VarianceRecord(DropLowVariance),
        TreePathsRecord(TreePaths),
        WordsRecord(BagOfWords),
        PixelRecord(PixelFeatures),
        PatchRecord(PatchFeatures),
        ImageRecord(ShapeFeatures),
    )
}


def record_of(model: Any) -> LearnerRecord | None:
    """The record for a model of exactly one of these classes; None for any other object."""
    record = RECORDS.get(type(model).__name__)
    return record if record is not None and record.learner is type(model) else None
