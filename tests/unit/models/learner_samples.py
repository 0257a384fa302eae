"""One fitted model of every learner and every form that its file can have, with rows to answer."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from scipy.sparse import csr_array

import heldout as ho
from heldout import Column, Table
from heldout.learners.baseline_classifier import BaselineClassifier
from heldout.learners.baseline_regressor import BaselineRegressor
from heldout.learners.forest_classifier import ForestClassifier
from heldout.learners.forest_regressor import ForestRegressor
from heldout.learners.linear_regressor import LinearRegressor
from heldout.learners.neighbors_classifier import NeighborsClassifier
from heldout.learners.neighbors_regressor import NeighborsRegressor
from heldout.learners.perceptron import Perceptron
from heldout.learners.ridge_regressor import RidgeRegressor

from ...contract.fitted_state import state_of
from .model_samples import sample_models, sample_table

N_ROWS = 80
METHODS = ("predict", "predict_proba", "decision_function", "apply", "transform")


def classes() -> np.ndarray:
    return np.array(["a", "b", "c"])[np.random.default_rng(6).integers(0, 3, N_ROWS)]


def targets() -> np.ndarray:
    return np.random.default_rng(7).normal(size=N_ROWS)


def numbers_table() -> Table:
    """A number, a date and a boolean without gaps: what learners of numbers take."""
    draw = np.random.default_rng(8)
    return Table(
        [
            Column("length", "number", draw.normal(size=N_ROWS)),
            Column("day", "date", draw.integers(18_000, 18_400, N_ROWS) + 0.25),
            Column("paid", "boolean", draw.integers(0, 2, N_ROWS).astype(np.int32), ("no", "yes")),
        ]
    )


def words_table() -> Table:
    """A category, text and an identifier."""
    return ho.read_table(
        {
            "colour": ["red", "blue"] * 40,
            "note": [f"so many words that it must be text, {k}" for k in range(N_ROWS)],
            "number": [f"A{k:03}" for k in range(N_ROWS)],
        }
    )


def of_baselines() -> dict[str, tuple[Any, Any]]:
    table, words = sample_table(), words_table()
    return {
        "prior": (BaselineClassifier().fit(table, classes()), table),
        "majority": (BaselineClassifier(strategy="majority").fit(words, classes()), words),
        "mean": (BaselineRegressor().fit(table, targets()), table),
        "median": (
            BaselineRegressor(strategy="median").fit(np.zeros((N_ROWS, 2)), targets()),
            np.ones((3, 2)),
        ),
    }


def of_trees() -> dict[str, tuple[Any, Any]]:
    return {name: (model, sample_table(60, seed=9)) for name, model in sample_models().items()}


def of_neighbors() -> dict[str, tuple[Any, Any]]:
    table, mixed, later = numbers_table(), sample_table(), sample_table(60, seed=9)
    array = np.random.default_rng(9).normal(size=(N_ROWS, 3))
    cells = csr_array(np.round(array, 1) * (array > 0.5))
    asked = array[:20] + 0.01
    by_table = NeighborsClassifier(k=3, feature_weights={"day": 0.5}).fit(table, classes())
    bell = NeighborsRegressor(weights="gaussian", bandwidth=0.7).fit(array.astype(np.float32), targets())
    return {
        "l2": (by_table, table),
        "float32": (bell, asked.astype(np.float32)),
        "mahalanobis": (
            NeighborsRegressor(metric="mahalanobis", local="linear", k=20).fit(array, targets()),
            asked,
        ),
        "gower": (NeighborsClassifier(metric="gower", weights="inverse").fit(mixed, classes()), later),
        "gower mean": (NeighborsRegressor(metric="gower", k="all").fit(mixed, targets()), later),
        "hamming": (NeighborsClassifier(metric="hamming").fit(table, classes()), table),
        "sparse": (NeighborsClassifier(metric="cosine").fit(cells, classes()), csr_array(cells[:20])),
        "sparse mean": (
            NeighborsRegressor(metric="l1", feature_weights=[1, 0, 2]).fit(cells, targets()),
            asked,
        ),
    }


def of_linear() -> dict[str, tuple[Any, Any]]:
    table, array = numbers_table(), np.random.default_rng(9).normal(size=(N_ROWS, 3))
    doubled = np.column_stack([array, array[:, 0]])
    return {
        "least squares": (LinearRegressor().fit(table, targets()), table),
        "dependent": (LinearRegressor(fit_intercept=False).fit(doubled, targets()), doubled[:9]),
        "saturated": (LinearRegressor().fit(array[:3], targets()[:3]), array),
        "ridge": (RidgeRegressor(df=2).fit(table, targets()), table),
        "sparse ridge": (RidgeRegressor(alpha=0.3).fit(csr_array(array), targets()), csr_array(array[:7])),
    }


def of_perceptrons() -> dict[str, tuple[Any, Any]]:
    table, array = numbers_table(), np.random.default_rng(9).normal(size=(N_ROWS, 3))
    cells = csr_array(np.round(array, 1) * (array > 0.3))
    sides = np.where(array[:, 0] > 0, 5, -3)
    voted = {"variant": "voted", "epochs": 3}
    return {
        "averaged": (Perceptron().fit(table, classes()), table),
        "plain": (Perceptron(variant="plain", fit_intercept=False).fit(array, sides), array[:20]),
        "voted": (Perceptron(**voted).fit(table, classes()), table),
        "voted of two": (Perceptron(**voted, shuffle=False).fit(cells, sides), cells),
        "sparse averaged": (Perceptron(random_state=3).fit(cells, sides), cells),
    }


def of_forests() -> dict[str, tuple[Any, Any]]:
    table, later = sample_table(), sample_table(60, seed=9)
    array = np.random.default_rng(9).normal(size=(N_ROWS, 3))
    branching = {"categorical_splits": "multiway", "categorical": ["size"], "missing": "class_mode"}
    factored = ForestClassifier(5, class_weight="balanced").fit(table, classes())
    factored.class_factors_ = np.array([0.25, 1.0, 0.7321])
    return {
        "calibrated": (factored, later),
        "forest": (ForestClassifier(7, oob_score=True).fit(table, classes()), later),
        "votes": (ForestClassifier(5, combine="vote", **branching).fit(table, classes()), later),
        "weighed": (ForestClassifier(5, class_weight="balanced", max_depth=2).fit(table, classes()), later),
        "mean forest": (ForestRegressor(6, max_depth=3, oob_score=True).fit(table, targets()), later),
        "few": (ForestRegressor(2, bootstrap=False).fit(array, targets()), array[:9]),
    }


KINDS: dict[str, Callable[[], dict[str, tuple[Any, Any]]]] = {
    "trees and rules": of_trees,
    "baselines": of_baselines,
    "neighbors": of_neighbors,
    "linear": of_linear,
    "perceptrons": of_perceptrons,
    "forests": of_forests,
}


@cache
def samples(kind: str) -> dict[str, tuple[Any, Any]]:
    """Models by name, each with rows to answer."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return KINDS[kind]()


def answers(model: Any, X: Any) -> dict[str, Any]:
    """What every method says about the rows, to the bit."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {name: state_of(getattr(model, name)(X)) for name in METHODS if hasattr(model, name)}


def plain_parts(value: Any) -> Any:
    """A value as nested tuples that can be compared: arrays by type, shape and bytes."""
    if isinstance(value, np.ndarray):
        is_object = value.dtype == object
        return value.dtype.str, value.shape, repr(value.tolist()) if is_object else value.tobytes()
    if hasattr(value, "indptr"):
        return type(value).__name__, value.shape, *map(plain_parts, (value.data, value.indices, value.indptr))
    if isinstance(value, list | tuple):
        return type(value).__name__, tuple(map(plain_parts, value))
    if isinstance(value, dict):
        return tuple((plain_parts(key), plain_parts(part)) for key, part in value.items())
    if hasattr(value, "__dict__") and not isinstance(value, type):
        fields = {key: part for key, part in sorted(vars(value).items()) if not is_cached(value, key)}
        return type(value).__name__, plain_parts(fields)
    return type(value).__name__, repr(value)


def is_cached(owner: Any, name: str) -> bool:
    """Whether this is a property that was asked for before, which is made again when it is asked for."""
    return hasattr(type(owner), name) and name not in getattr(owner, "__dataclass_fields__", {})
