"""Classes that are tied but for rounding: all ways to ask a tree give the same class."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

import heldout as ho
from heldout.inputs.input_schema import InputSchema
from heldout.learners.trees.tree_walk import near_ties

from .reference_predictions import assert_same
from .run_exports import RUNNERS

NAN = float("nan")
# Known in both columns, unknown where the row is not asked, and unknown where it is.
ROWS = [[0.0, 0.0], [0.0, NAN], [1.0, 0.0], [1.0, 9.0], [1.0, NAN], [NAN, 0.0], [NAN, 9.0], [NAN, NAN]]


def training_rows() -> tuple[list[list[float]], list[str], list[float]]:
    """Rows, classes and weights."""
    X = [[0.0, 0.0], [0.0, 9.0]] * 3 + [[1.0, 0.0]] * 2 + [[1.0, 9.0]] * 2
    return X, [*"aabbbb", *"aacc"], [0.3, 0.3, 0.1, 0.1, 0.2, 0.2, 0.1, 0.1, 0.1, 0.1]


def nearly_tied_tree() -> ho.TreeClassifier:
    """A leaf of 0.6 each but for rounding, reached by x0 alone, and two leaves that x1 tells apart."""
    X, classes, weights = training_rows()
    tree = ho.TreeClassifier(
        criterion="entropy",
        average_gain=False,
        numeric_cuts="plain",
        missing="fractional",
        min_leaf=0.1,
        prune=None,
        smoothing=0,
    ).fit(X, classes, sample_weight=weights)
    assert near_ties(tree, tree.tree_).tolist() == [False, True, False, False, False]
    return tree


@pytest.fixture(scope="module")
def tree() -> ho.TreeClassifier:
    return nearly_tied_tree()


def as_rows(values: list[list[float]]) -> list[dict[str, Any]]:
    return [{f"x{k}": None if v != v else v for k, v in enumerate(row)} for row in values]


def test_a_whole_row_is_answered_by_the_weights_of_its_leaf(tree: ho.TreeClassifier) -> None:
    """A value that is unknown and not asked for changes nothing; a row of parts counts the tie."""
    assert tree.predict(ROWS).tolist() == ["b", "b", "a", "c", "a", "a", "a", "a"]


def test_rules_explanations_and_sweeps_answer_alike(tree: ho.TreeClassifier) -> None:
    """What the tree predicts is what its rules, its explanations and a sweep say."""
    predicted = tree.predict(ROWS).tolist()
    assert tree.rules().predict(ROWS).tolist() == predicted
    assert [tree.explain(row).prediction for row in as_rows(ROWS)] == predicted
    swept = tree.sweep(*training_rows()[:2], {"max_depth": [None, 2]}, sample_weight=training_rows()[2])
    assert swept.predict(ROWS).tolist() == [predicted, predicted]


@pytest.mark.parametrize("world", [world for world in RUNNERS if world != "onnx"])
def test_exports_answer_alike(world: str, tree: ho.TreeClassifier) -> None:
    """Every exported form gives the class that the tree predicts."""
    rows = as_rows(ROWS)
    answers = RUNNERS[world](tree, {"x0": "number", "x1": "number"}, rows)
    assert_same(tree, rows, answers)
    assert [answer for answer, _ in answers] == tree.predict(ROWS).tolist()


def test_filled_values_make_whole_rows(tree: ho.TreeClassifier) -> None:
    """With a fill no row is split, and the leaf's weights decide."""
    columns = tuple(dataclasses.replace(column, fill=0.0) for column in tree.inputs_.columns)
    filled = nearly_tied_tree()
    filled.inputs_ = InputSchema(columns)
    assert filled.predict([[NAN, NAN], [NAN, 9.0]]).tolist() == ["b", "b"]
    assert filled.rules().predict([[NAN, NAN]]).tolist() == ["b"]
