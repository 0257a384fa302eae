"""Heldout: models you can read, numbers you can believe.

Public names are loaded when they are first used, so that `import heldout` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from heldout import datasets
    from heldout.errors import DataError, HeldoutError, KindError, RequestError
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
    from heldout.models.export import export
    from heldout.models.load_model import load
    from heldout.models.save_model import save
    from heldout.table.column import Column
    from heldout.table.read_table import read_table
    from heldout.table.table import Table
    from heldout.table.task import Task

__all__ = [
    "BaselineClassifier",
    "BaselineRegressor",
    "Column",
    "DataError",
    "ForestClassifier",
    "ForestRegressor",
    "HeldoutError",
    "KindError",
    "LinearRegressor",
    "NeighborsClassifier",
    "NeighborsRegressor",
    "Perceptron",
    "RequestError",
    "RidgeRegressor",
    "RuleClassifier",
    "Table",
    "Task",
    "TreeClassifier",
    "TreeRegressor",
    "__version__",
    "datasets",
    "export",
    "load",
    "read_table",
    "save",
]

_HOME = {
    "BaselineClassifier": "heldout.learners.baseline_classifier",
    "BaselineRegressor": "heldout.learners.baseline_regressor",
    "Column": "heldout.table.column",
    "DataError": "heldout.errors",
    "ForestClassifier": "heldout.learners.forest_classifier",
    "ForestRegressor": "heldout.learners.forest_regressor",
    "HeldoutError": "heldout.errors",
    "KindError": "heldout.errors",
    "LinearRegressor": "heldout.learners.linear_regressor",
    "NeighborsClassifier": "heldout.learners.neighbors_classifier",
    "NeighborsRegressor": "heldout.learners.neighbors_regressor",
    "Perceptron": "heldout.learners.perceptron",
    "RequestError": "heldout.errors",
    "RidgeRegressor": "heldout.learners.ridge_regressor",
    "RuleClassifier": "heldout.learners.rule_classifier",
    "Table": "heldout.table.table",
    "Task": "heldout.table.task",
    "TreeClassifier": "heldout.learners.tree_classifier",
    "TreeRegressor": "heldout.learners.tree_regressor",
    "export": "heldout.models.export",
    "load": "heldout.models.load_model",
    "read_table": "heldout.table.read_table",
    "save": "heldout.models.save_model",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return _installed_version()
    if name == "datasets":
        return import_module("heldout.datasets")
    if name not in _HOME:
        raise AttributeError(f"module 'heldout' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)


def _installed_version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # costs 20 ms

    try:
        return version("heldout")
    except PackageNotFoundError:
        return "0+unknown"
