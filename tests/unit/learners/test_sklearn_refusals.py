"""What is no table is refused in three parts, by learners and by transformers alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, clone

from heldout import (
    BaselineClassifier,
    HeldoutError,
    InputTypeError,
    OneHot,
    Perceptron,
    Scale,
    Task,
    TreeClassifier,
    TreePaths,
    read_table,
)

ANSWERS = ["no", "yes", "no"]
TABLE = read_table({"age": [31, 25, 47], "churned": ANSWERS})
TASK = Task(TABLE, target="churned")
EVERY = pytest.mark.parametrize(
    "learner",
    [TreeClassifier(), Perceptron(), BaselineClassifier(), Scale(), OneHot(), TreePaths()],
    ids=lambda learner: type(learner).__name__,
)


@EVERY
@pytest.mark.parametrize(
    ("X", "fix"),
    [
        (TASK, "task.X"),
        (TABLE["age"], "table[[name]]"),
        ("customers.csv", "ho.read_table"),
        (Path("customers.csv"), "ho.read_table"),
        (None, "hand over a Table"),
    ],
    ids=["task", "column", "str", "path", "none"],
)
def test_what_has_no_rows_and_columns_is_named(learner: BaseEstimator, X: Any, fix: str) -> None:
    """A task, a column, a file name and nothing at all lead to what was meant."""
    with pytest.raises(InputTypeError, match="X has no rows and columns") as caught:
        clone(learner).fit(X, ANSWERS)
    assert fix in caught.value.fix


@EVERY
@pytest.mark.parametrize(
    ("X", "words", "fix"),
    [
        (np.arange(3.0), "Expected 2D array, got 1D array instead", "Reshape your data"),
        (np.zeros((3, 2, 2)), "Found array with dim 3", "ho.PixelFeatures"),
        (np.zeros((0, 2)), "Found array with 0 sample", "one row"),
        (np.zeros((3, 0)), "Found array with 0 feature", "one column"),
        (np.zeros((3, 1)) + 1j, "Complex data not supported", "real"),
        (pd.Series([1.0, 2.0, 3.0]), "Expected a 2-dimensional container", "to_frame"),
        ([[1.0, 2.0], [3.0], [4.0]], "setting an array element", "as many cells"),
    ],
    ids=["one axis", "three axes", "no rows", "no columns", "complex", "series", "ragged"],
)
def test_what_scikit_learn_refuses_has_three_parts(
    learner: BaseEstimator, X: Any, words: str, fix: str
) -> None:
    """Its words come first, on one line and without the data; then the form of X, and what helps."""
    with pytest.raises(HeldoutError) as caught:
        clone(learner).fit(X, ANSWERS)
    what, where, help_ = str(caught.value).split("\n")
    assert what.startswith(words)
    assert where.strip().startswith("where: X is a ")
    assert fix in help_


@EVERY
def test_other_columns_after_fit_are_refused(learner: BaseEstimator) -> None:
    """A number of columns that fit did not have is said in scikit-learn's words, with the way out."""
    fitted = clone(learner).fit(np.array([[1.0], [2.0], [3.0]]), ANSWERS)
    ask = fitted.transform if hasattr(fitted, "transform") else fitted.predict
    with pytest.raises(HeldoutError, match=r"X has 2 features, but .* is expecting 1 features") as caught:
        ask(np.zeros((3, 2)))
    assert "the columns of fit" in caught.value.fix


@pytest.mark.parametrize(
    "learner", [TreeClassifier(), Perceptron(), TreePaths()], ids=lambda learner: type(learner).__name__
)
@pytest.mark.parametrize(
    ("y", "words"),
    [
        ("churned", "y should be a 1d array"),
        (ANSWERS[:2], r"inconsistent numbers of samples: \[3, 2\]"),
        ([["no"], ["yes", "no"], ["no"]], "inhomogeneous shape"),
        ([1.0, np.nan, 0.0], "Input y contains NaN"),
        (None, "requires y to be passed"),
    ],
    ids=["name", "short", "ragged", "nan", "none"],
)
def test_answers_are_refused_in_three_parts(learner: BaseEstimator, y: Any, words: str) -> None:
    """A name in place of answers, too few, ragged or missing ones are told apart, each with what helps."""
    with pytest.raises(HeldoutError, match=words) as caught:
        clone(learner).fit(np.array([[1.0], [2.0], [3.0]]), y)
    assert caught.value.where
    assert caught.value.fix
