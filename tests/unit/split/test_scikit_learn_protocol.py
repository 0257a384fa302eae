"""Splits are cross-validators of scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import (
    GridSearchCV,
    cross_val_predict,
    cross_val_score,
    cross_validate,
    learning_curve,
)
from sklearn.tree import DecisionTreeClassifier

import heldout as ho
from heldout.errors import DataError, InputTypeError, RequestError
from heldout.split import EveryKth, Holdout, KFold, LeaveOneOut, RotatingValidation, RowFacts, Split

SPLITS: list[Split] = [
    KFold(4, repeats=2, seed=1),
    Holdout(0.25, repeats=3),
    EveryKth(4),
    LeaveOneOut(),
    RotatingValidation(4),
]


def some_rows(seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(60, 3))
    return X, (X[:, 0] + 0.3 * draw.normal(size=60) > 0).astype(int), np.arange(60) // 4


@pytest.mark.parametrize("split", SPLITS, ids=str)
def test_cross_val_score_takes_them(split: Split) -> None:
    """cross_val_score gives a score for every fold, with y and with groups."""
    X, y, groups = some_rows()
    for labels in (None, groups):
        scores = cross_val_score(DecisionTreeClassifier(random_state=0), X, y, cv=split, groups=labels)
        assert len(scores) == split.get_n_splits(X, y, labels)
        assert np.isfinite(scores).all()


@pytest.mark.slow
@pytest.mark.parametrize("split", SPLITS, ids=str)
def test_grid_search_takes_them(split: Split) -> None:
    """GridSearchCV asks for the number of splits beforehand and gets as many, also by groups."""
    X, y, groups = some_rows()
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]}, cv=split)
    clone(search).fit(X, y)
    search.fit(X, y, groups=groups)
    assert search.n_splits_ == split.get_n_splits(X, y, groups)
    assert search.best_params_["max_depth"] in (1, 3)


def test_pairs_are_those_of_the_folds() -> None:
    """`split` gives the rows of `folds` with the split's own seed, or 0."""
    X, y, groups = some_rows()
    for seed in (None, 9):
        split = KFold(4, repeats=2, seed=seed)
        folds = split.folds(RowFacts(y, "classification", groups), seed=0)
        for (train, test), fold in zip(split.split(X, y, groups), folds, strict=True):
            np.testing.assert_array_equal(train, fold.train)
            np.testing.assert_array_equal(test, fold.test)


def test_groups_are_obeyed() -> None:
    """A learner that memorises groups scores at chance across them, and high where they straddle."""
    draw = np.random.default_rng(3)
    groups = np.repeat(np.arange(60), 6)
    y = draw.integers(2, size=60)[groups]
    X = draw.permutation(60)[groups][:, np.newaxis]
    learner = DecisionTreeClassifier(random_state=0)
    across = cross_val_score(learner, X, y, cv=KFold(5), groups=groups)
    within = cross_val_score(learner, X, y, cv=KFold(5))
    assert abs(across.mean() - 0.5) < 0.2
    assert within.mean() == 1


def test_predictions_come_for_every_row() -> None:
    """cross_val_predict accepts the folds as a partition, with nested validation rows learned from."""
    X, y, _ = some_rows()
    for split in (KFold(5), EveryKth(5), LeaveOneOut(), RotatingValidation(5)):
        assert len(cross_val_predict(DecisionTreeClassifier(random_state=0), X, y, cv=split)) == 60
    for train, test in RotatingValidation(5).split(X, y):
        assert len(train) + len(test) == 60


def test_regression_and_other_forms_of_inputs() -> None:
    """Amounts as y, frames, lists, sparse matrices and tables as X all work."""
    X, _, _ = some_rows()
    y = X @ [1.0, 2.0, 3.0]
    assert cross_val_score(LinearRegression(), X, y, cv=KFold(5)).min() > 0.99
    assert cross_val_score(LinearRegression(), pd.DataFrame(X), pd.Series(y), cv=KFold(5)).min() > 0.99
    assert cross_val_score(LinearRegression(), csr_matrix(X), y, cv=KFold(5)).min() > 0.99
    pairs = [
        [test.tolist() for _, test in KFold(3).split(form, y)] for form in (X, X.tolist(), csr_matrix(X))
    ]
    assert pairs[0] == pairs[1] == pairs[2]
    table = ho.read_table({"a": X[:, 0].tolist(), "b": X[:, 1].tolist()})
    assert [test.tolist() for _, test in KFold(3).split(table, y)] == pairs[0]
    learned = learning_curve(LinearRegression(), X, y, cv=KFold(3), train_sizes=[0.5, 1.0])
    assert learned[1].shape == (2, 3)


def test_without_y_rows_are_alike() -> None:
    """Left out, or of several columns, y has no say, and folds are as equal as can be."""
    X, y, _ = some_rows()
    for target in (None, np.column_stack([y, y])):
        assert [len(test) for _, test in KFold(7).split(X, target)] == [9, 9, 9, 9, 8, 8, 8]
    column = [test.tolist() for _, test in KFold(3).split(X, y[:, np.newaxis])]
    assert column == [test.tolist() for _, test in KFold(3).split(X, y)]


def test_a_task_is_obeyed_with_its_groups_and_time() -> None:
    """A Task as X brings its target, groups and time; a list of the pairs serves scikit-learn."""
    X, y, groups = some_rows()
    columns = {
        "a": X[:, 0].tolist(),
        "farm": [f"f{group}" for group in groups],
        "day": np.arange(60.0).tolist(),
    }
    columns["ripe"] = np.where(y == 1, "yes", "no").tolist()
    table = ho.read_table(columns)
    by_group = ho.Task(table, "ripe", groups="farm")
    for train, test in KFold(4).split(by_group):
        assert by_group.groups is not None
        assert not set(by_group.groups[train]) & set(by_group.groups[test])
    by_time = ho.Task(table, "ripe", time="day")
    pairs = list(KFold(4, repeats=3).split(by_time))
    assert len(pairs) == KFold(4, repeats=3).get_n_splits(by_time) == 4
    assert all(train.max() < test.min() for train, test in pairs)
    scores = cross_val_score(ho.TreeClassifier(), by_time.X, by_time.y, cv=pairs)
    assert len(scores) == 4
    assert [fold.test.tolist() for fold in KFold(4).folds(by_time)] == [test.tolist() for _, test in pairs]
    assert KFold(4).notes(by_time) == KFold(4).notes(RowFacts.of(by_time))


def test_routing_of_metadata_hands_groups_over() -> None:
    """Where scikit-learn routes metadata, groups reach the split without being asked for."""
    X, y, groups = some_rows()
    with sklearn.config_context(enable_metadata_routing=True):
        found = cross_validate(
            DecisionTreeClassifier(random_state=0),
            X,
            y,
            cv=KFold(5),
            params={"groups": groups},
            return_indices=True,
        )
    for train, test in zip(found["indices"]["train"], found["indices"]["test"], strict=True):
        assert not set(groups[train]) & set(groups[test])


@pytest.mark.parametrize(
    ("ask", "error", "what"),
    [
        (lambda X, y: KFold(3).split(X, y[:-1]), DataError, "X and y differ in length"),
        (lambda X, y: KFold(3).split(X, y, y[:-1]), DataError, "y and groups differ in length"),
        (lambda X, y: KFold(3).split(7), InputTypeError, "X must have rows"),
        (lambda X, y: KFold(3).split(X, np.where(y, np.nan, 0.0)), DataError, "y has missing values"),
        (lambda X, y: KFold(61).split(X, y), DataError, "61 folds need at least 61 rows"),
        (
            lambda X, y: KFold(3).split(RowFacts(y, "classification"), y),
            RequestError,
            "a RowFacts brings its own targets and groups",
        ),
    ],
)
def test_arrays_that_do_not_fit_are_refused(
    ask: Callable[[Any, Any], Any], error: type[Exception], what: str
) -> None:
    """Lengths that differ, missing values and things without rows are refused in three parts."""
    X, y, _ = some_rows()
    with pytest.raises(error) as caught:
        list(ask(X, y))
    assert str(caught.value).startswith(what)
    assert "where:" in str(caught.value)
    assert "fix:" in str(caught.value)


def test_kinds_of_y() -> None:
    """Whole numbers, words and booleans are classes; other numbers are amounts."""
    from heldout.split.row_facts import facts_of_arrays

    X = np.zeros((4, 1))
    for classes in ([0, 1, 2, 3], ["a", "b", "a", "b"], [True, False, True, True], [1.0, 2.0, 1.0, 2.0]):
        assert facts_of_arrays(X, classes).kind == "classification"
    assert facts_of_arrays(X, [1.0, 2.5, 1.0, 2.0]).kind == "regression"
    assert facts_of_arrays(None, [0, 1, 0]).n_rows == 3
