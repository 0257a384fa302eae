"""Exports predict as the tree does, run in their own worlds, on random tables."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .mixed_problems import Problem, classifiers, regressors
from .reference_predictions import Row, assert_same, known, reference_label, reference_numbers
from .run_exports import RUNNERS

# Half of the usual number of examples, for each of which five programs are made and run.
PATIENT = settings(max_examples=settings().max_examples // 2, suppress_health_check=[HealthCheck.too_slow])


def assert_world_agrees(world: str, problem: Problem, tree: Any) -> None:
    """ONNX gets only the rows that it may answer; it was asked to refuse the others."""
    rows, options = problem.questions, {}
    if world == "onnx":
        options = {"missing": "refuse"}
        rows = [row for row in rows if not tree.tree_.splits_unknown or is_known(tree, row)]
    assert_same(tree, rows, RUNNERS[world](tree, problem.kinds, rows, **options))


def is_known(tree: Any, row: Row) -> bool:
    return all(known(column, row[column.name]) is not None for column in tree.inputs_.columns)


@pytest.mark.slow
@pytest.mark.parametrize("world", RUNNERS)
@given(data=st.data())
@PATIENT
def test_classes_and_probabilities_are_the_trees(world: str, data: st.DataObject) -> None:
    """Same class and same probabilities for known, missing and never-seen values, filled or split."""
    assert_world_agrees(world, *data.draw(classifiers()))


@pytest.mark.slow
@pytest.mark.parametrize("world", RUNNERS)
@given(data=st.data())
@PATIENT
def test_means_are_the_trees(world: str, data: st.DataObject) -> None:
    """A regression gives the same numbers."""
    assert_world_agrees(world, *data.draw(regressors()))


@pytest.mark.slow
@given(drawn=classifiers())
@PATIENT
def test_the_judge_agrees_with_the_learner_on_classes(drawn: tuple[Problem, Any]) -> None:
    """What the exports are judged by is what `predict` and `predict_proba` answer."""
    problem, tree = drawn
    table = problem.table(problem.questions)
    expected = [[float(number) for number in reference_numbers(tree, row)] for row in problem.questions]
    np.testing.assert_allclose(tree.predict_proba(table), expected, rtol=0, atol=1e-12)
    assert tree.predict(table).tolist() == [reference_label(tree, row) for row in problem.questions]


@pytest.mark.slow
@given(drawn=regressors())
@PATIENT
def test_the_judge_agrees_with_the_learner_on_means(drawn: tuple[Problem, Any]) -> None:
    """The same for a regression."""
    problem, tree = drawn
    means = tree.predict(problem.table(problem.questions)).tolist()
    for row, mean in zip(problem.questions, means, strict=True):
        assert math.isclose(mean, float(reference_numbers(tree, row)[0]), rel_tol=1e-12, abs_tol=1e-15)
