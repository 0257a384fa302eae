"""Heldout: models you can read, numbers you can believe.

Public names are loaded when they are first used, so that `import heldout` costs next to nothing.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from heldout import datasets, features, learners, metrics, stats
    from heldout.errors import DataError, HeldoutError, InputTypeError, LedgerError, RequestError, SealError
    from heldout.features.bag_of_words import BagOfWords
    from heldout.features.class_balance import class_weights, resample_rows
    from heldout.features.coverage import coverage
    from heldout.features.discretize import Discretize
    from heldout.features.drop_low_variance import DropLowVariance
    from heldout.features.drop_rare import DropRare
    from heldout.features.fill_missing import FillMissing
    from heldout.features.importance_weights import importance_weights
    from heldout.features.log_transform import LogTransform
    from heldout.features.one_hot import OneHot
    from heldout.features.ordinal import Ordinal
    from heldout.features.patch_features import PatchFeatures
    from heldout.features.pixel_features import PixelFeatures
    from heldout.features.prepare_for import prepare_for
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
    from heldout.learners.sweep import Sweep
    from heldout.learners.threshold_classifier import ThresholdClassifier
    from heldout.learners.tree_classifier import TreeClassifier
    from heldout.learners.tree_regressor import TreeRegressor
    from heldout.metrics.metric import Metric
    from heldout.models.export import export
    from heldout.models.model_file import load, save
    from heldout.plan.contender import Contender
    from heldout.plan.default_contenders import default_contenders
    from heldout.plan.plan import Plan
    from heldout.results.study_result import StudyResult
    from heldout.split.holdout import Holdout
    from heldout.split.k_fold import EveryKth, KFold, LeaveOneOut, RotatingValidation
    from heldout.stats.comparison import Comparison
    from heldout.stats.interval import Interval
    from heldout.study.curves.compare_over import compare_over
    from heldout.study.seal.final_score import FinalScore
    from heldout.study.study import Study
    from heldout.table.column import Column
    from heldout.table.read_table import read_table
    from heldout.table.table import Table
    from heldout.table.task import Task
    from heldout.verdict.best_mean import BestMean
    from heldout.verdict.simplest_within_noise import SimplestWithinNoise
    from heldout.verdict.verdict import Verdict

__all__ = [
    "BagOfWords",
    "BaselineClassifier",
    "BaselineRegressor",
    "BestMean",
    "Column",
    "Comparison",
    "Contender",
    "DataError",
    "Discretize",
    "DropLowVariance",
    "DropRare",
    "EveryKth",
    "FillMissing",
    "FinalScore",
    "ForestClassifier",
    "ForestRegressor",
    "HeldoutError",
    "Holdout",
    "InputTypeError",
    "Interval",
    "KFold",
    "LeaveOneOut",
    "LedgerError",
    "LinearRegressor",
    "LogTransform",
    "Metric",
    "NeighborsClassifier",
    "NeighborsRegressor",
    "OneHot",
    "Ordinal",
    "PatchFeatures",
    "Perceptron",
    "PixelFeatures",
    "Plan",
    "RequestError",
    "RidgeRegressor",
    "RotatingValidation",
    "RuleClassifier",
    "Scale",
    "SealError",
    "ShapeFeatures",
    "SimplestWithinNoise",
    "Study",
    "StudyResult",
    "Sweep",
    "Table",
    "Task",
    "ThresholdClassifier",
    "TreeClassifier",
    "TreePaths",
    "TreeRegressor",
    "UnitLength",
    "Verdict",
    "__version__",
    "class_weights",
    "compare_over",
    "coverage",
    "datasets",
    "default_contenders",
    "export",
    "features",
    "importance_weights",
    "learners",
    "load",
    "metrics",
    "prepare_for",
    "read_table",
    "resample_rows",
    "save",
    "stats",
]

_HOME = {
    "BagOfWords": "heldout.features.bag_of_words",
    "BaselineClassifier": "heldout.learners.baseline_classifier",
    "BaselineRegressor": "heldout.learners.baseline_regressor",
    "BestMean": "heldout.verdict.best_mean",
    "Column": "heldout.table.column",
    "Comparison": "heldout.stats.comparison",
    "Contender": "heldout.plan.contender",
    "DataError": "heldout.errors",
    "Discretize": "heldout.features.discretize",
    "DropLowVariance": "heldout.features.drop_low_variance",
    "DropRare": "heldout.features.drop_rare",
    "EveryKth": "heldout.split.k_fold",
    "FillMissing": "heldout.features.fill_missing",
    "FinalScore": "heldout.study.seal.final_score",
    "ForestClassifier": "heldout.learners.forest_classifier",
    "ForestRegressor": "heldout.learners.forest_regressor",
    "HeldoutError": "heldout.errors",
    "Holdout": "heldout.split.holdout",
    "Interval": "heldout.stats.interval",
    "KFold": "heldout.split.k_fold",
    "InputTypeError": "heldout.errors",
    "LeaveOneOut": "heldout.split.k_fold",
    "LedgerError": "heldout.errors",
    "LinearRegressor": "heldout.learners.linear_regressor",
    "LogTransform": "heldout.features.log_transform",
    "Metric": "heldout.metrics.metric",
    "NeighborsClassifier": "heldout.learners.neighbors_classifier",
    "NeighborsRegressor": "heldout.learners.neighbors_regressor",
    "OneHot": "heldout.features.one_hot",
    "Ordinal": "heldout.features.ordinal",
    "PatchFeatures": "heldout.features.patch_features",
    "Perceptron": "heldout.learners.perceptron",
    "PixelFeatures": "heldout.features.pixel_features",
    "Plan": "heldout.plan.plan",
    "RequestError": "heldout.errors",
    "RidgeRegressor": "heldout.learners.ridge_regressor",
    "RotatingValidation": "heldout.split.k_fold",
    "RuleClassifier": "heldout.learners.rule_classifier",
    "Scale": "heldout.features.scale",
    "SealError": "heldout.errors",
    "ShapeFeatures": "heldout.features.shape_features",
    "SimplestWithinNoise": "heldout.verdict.simplest_within_noise",
    "Study": "heldout.study.study",
    "StudyResult": "heldout.results.study_result",
    "Sweep": "heldout.learners.sweep",
    "Table": "heldout.table.table",
    "Task": "heldout.table.task",
    "ThresholdClassifier": "heldout.learners.threshold_classifier",
    "TreeClassifier": "heldout.learners.tree_classifier",
    "TreePaths": "heldout.features.tree_paths",
    "TreeRegressor": "heldout.learners.tree_regressor",
    "UnitLength": "heldout.features.unit_length",
    "Verdict": "heldout.verdict.verdict",
    "class_weights": "heldout.features.class_balance",
    "compare_over": "heldout.study.curves.compare_over",
    "coverage": "heldout.features.coverage",
    "default_contenders": "heldout.plan.default_contenders",
    "export": "heldout.models.export",
    "importance_weights": "heldout.features.importance_weights",
    "load": "heldout.models.model_file",
    "prepare_for": "heldout.features.prepare_for",
    "read_table": "heldout.table.read_table",
    "resample_rows": "heldout.features.class_balance",
    "save": "heldout.models.model_file",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return _installed_version()
    if name in ("datasets", "features", "learners", "metrics", "stats"):
        return import_module(f"heldout.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'heldout' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)


@cache
def _installed_version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # costs 20 ms

    try:
        return version("heldout")
    except PackageNotFoundError:
        return "0+unknown"
