"""Class weights are those of scikit-learn, and rows get that of their class."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.utils.class_weight import compute_class_weight, compute_sample_weight
from sklearn.utils.validation import has_fit_parameter

import heldout as ho

LABELS = st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=1, max_size=60)


@pytest.mark.slow
@given(labels=LABELS)
def test_balanced_weights_are_those_of_scikit_learn(labels: list[str]) -> None:
    """By class and by row the numbers are scikit-learn's, and the mean of a row is 1."""
    weights = ho.class_weights(labels)
    classes = np.unique(labels)
    by_class = compute_class_weight("balanced", classes=classes, y=np.array(labels))
    assert weights.by_class == dict(zip(classes.tolist(), by_class.tolist(), strict=True))
    assert (weights.rows == compute_sample_weight("balanced", labels)).all()
    assert weights.rows.mean() == pytest.approx(1.0)


def test_given_weights_are_used_and_1_for_classes_not_named() -> None:
    """A dict weighs the classes that it names."""
    weights = ho.class_weights([3, 1, 1, 2], {1: 0.5, 3: 4})
    assert weights.rows.tolist() == [4.0, 0.5, 0.5, 1.0]
    assert weights.by_class == {1: 0.5, 2: 1.0, 3: 4.0}
    assert weights.how == "given"


def test_a_learner_takes_the_rows() -> None:
    """`sample_weight=weights.rows` grows the tree of class_weight="balanced", from the same weights."""
    table = ho.datasets.load("house_votes")
    task = ho.Task(table, target="party")
    rows = ho.class_weights(task.y).rows
    weighted = ho.TreeClassifier(min_leaf=5).fit(task.X, task.y, sample_weight=rows)
    balanced = ho.TreeClassifier(min_leaf=5, class_weight="balanced").fit(task.X, task.y)
    assert np.array_equal(weighted.tree_.grown.value, balanced.tree_.grown.value)


def test_the_result_speaks_and_is_plain() -> None:
    """It says how much a row of each class counts, and goes into JSON."""
    weights = ho.class_weights(["no", "no", "no", "yes"])
    assert "yes: 1 row, each counts 2" in str(weights)
    assert json.loads(json.dumps(weights.to_dict()))["counts"] == {"no": 3, "yes": 1}
    assert "and 20 more classes" in str(ho.class_weights([*range(30), *range(30), 0]))


@pytest.mark.parametrize("how", ["balance", None, 3, {"q": 1.0}, {"a": -1.0}, {"a": 0.0, "b": 0}])
def test_wrong_requests_are_refused(how: object) -> None:
    """Unknown words, classes that are not there and weights below 0 are refused in three parts."""
    with pytest.raises(ho.HeldoutError) as caught:
        ho.class_weights(["a", "b"], how)
    assert caught.value.where
    assert caught.value.fix


def test_missing_labels_are_refused() -> None:
    """A label that is missing has no class."""
    with pytest.raises(ho.DataError, match="NaN"):
        ho.class_weights(["a", None])


def test_learners_without_weights_are_those_that_the_docs_name() -> None:
    """Of the classifiers only neighbors and the perceptron take no weights, and the docstring says so."""
    names = [name for name in ho.__all__ if name.endswith("Classifier") or name == "Perceptron"]
    names.remove("ThresholdClassifier")  # hands on what its estimator takes
    labels = np.array(["a"] * 45 + ["b"] * 15)
    rows = np.random.default_rng(0).integers(0, 9, (60, 3)).astype(float)
    without = []
    for name in names:
        learner = getattr(ho, name)()
        if has_fit_parameter(learner, "sample_weight"):
            learner.fit(rows, labels, sample_weight=ho.class_weights(labels).rows)
        else:
            without.append(name)
    assert without == ["NeighborsClassifier", "Perceptron"]
    assert all(name in ho.class_weights.__doc__ for name in without)


@pytest.mark.parametrize(
    "labels",
    [
        ["a", np.nan],
        ("a", None),
        np.array(["a", np.nan], dtype=object),
        pd.Series(["a", None], dtype="string"),
        pd.Series(["a", None]),
        pd.Series(["a", pd.NaT], dtype=object),
        pl.Series(["a", None]),
        None,
        np.array("a"),
    ],
)
def test_missing_labels_of_any_form_are_refused_in_three_parts(labels: object) -> None:
    """A missing label among words is no class called nan, whatever holds it."""
    for function in (ho.class_weights, ho.resample_rows):
        with pytest.raises(ho.DataError, match=r"NaN|None|1d array") as caught:
            function(labels)
        assert caught.value.where
        assert caught.value.fix
