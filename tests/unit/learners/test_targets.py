"""How y and the weights enter."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout import (
    Column,
    DataError,
    InputTypeError,
    LinearRegressor,
    NeighborsRegressor,
    RequestError,
    RuleClassifier,
    TreeClassifier,
    TreeRegressor,
)
from heldout.inputs.targets import class_codes, group_codes
from heldout.table.column import category_column

from .same_tree import differing_fields

X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]])


@pytest.mark.slow
@given(st.lists(st.integers(-(2**40), 2**40) | st.integers(-3, 3), min_size=1, max_size=30))
def test_integers_are_coded_as_numpy_would(values):
    """The quick way for whole numbers gives what sorting gives."""
    y = np.array(values, dtype=np.int64)
    classes, codes = class_codes(None, y)
    expected, inverse = np.unique(y, return_inverse=True)
    assert np.array_equal(classes, expected)
    assert classes.dtype == y.dtype
    assert np.array_equal(codes, inverse)


@pytest.mark.parametrize(
    "y", [[True, False] * 3, ["b", "a"] * 3, np.array(["b", "a"] * 3, dtype=object), [1.0, 0.0] * 3], ids=str
)
def test_classes_of_every_type_come_back(y):
    """Predictions have the type of the classes."""
    tree = TreeClassifier.id3().fit(X, y)
    assert tree.predict(X).tolist() == list(y)
    assert tree.classes_.dtype == np.asarray(y).dtype


def test_a_column_can_be_the_target():
    """A category column is taken with its levels, a number column with its numbers."""
    tree = TreeClassifier.id3().fit(X, category_column("play", ["no", "yes"] * 3))
    assert tree.predict(X[:2]).tolist() == ["no", "yes"]
    numbers = TreeRegressor(min_leaf=1).fit(X, Column("price", "number", np.arange(6.0)))
    assert numbers.predict(X).tolist() == [0, 1, 2, 3, 4, 5]


def test_a_target_with_gaps_is_refused():
    """A row without an answer cannot be learned from, and is pointed at."""
    with pytest.raises(DataError, match="column 'play' has missing values") as caught:
        TreeClassifier().fit(X, category_column("play", ["no", None, "yes", "yes", "no", "no"]))
    assert caught.value.where == "1 of 6 rows, first row 2"
    with pytest.raises(DataError, match="some classes are None"):
        TreeClassifier().fit(X, ["no", None, "yes", "yes", "no", "no"])


@pytest.mark.parametrize("form", [pd.Series, pl.Series, pa.array, pd.Categorical, tuple])
def test_classes_may_come_in_any_series(form):
    """A target of pandas, polars or Arrow is the list of its values."""
    y = ["b", "a"] * 3
    assert TreeClassifier.id3().fit(X, form(y)).predict(X).tolist() == y


def test_continuous_classes_are_refused():
    """scikit-learn's words for a target that is a measurement."""
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        TreeClassifier().fit(X, X[:, 0] + 0.5)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_number_that_is_none_is_refused_as_target(bad):
    """NaN and infinity are no answers."""
    y = np.array([0.0, 1.0, bad, 0.0, 1.0, 0.0])
    with pytest.raises(ValueError, match="Input y contains"):
        TreeRegressor().fit(X, y)
    with pytest.raises(ValueError, match="Input y contains"):
        TreeClassifier().fit(X, y)


@pytest.mark.parametrize("learner", [LinearRegressor, NeighborsRegressor, TreeRegressor])
@pytest.mark.parametrize(
    ("bad", "what"), [(None, "Input y contains NaN."), (np.inf, "Input y contains infinity")]
)
def test_objects_that_are_no_numbers_are_refused_as_target(learner, bad, what):
    """None becomes NaN where objects become numbers: it is found there, with its row."""
    y = np.array([0.0, 1.0, bad, 0.0, 1.0, 0.0], dtype=object)
    with pytest.raises(DataError, match=re.escape(what)) as caught:
        learner().fit(X, y)
    assert caught.value.where == "1 of 6 rows, first row 3"


def test_a_target_array_with_gaps_is_pointed_at():
    """The error for an array of numbers names the first row, as that of a column does."""
    with pytest.raises(DataError, match=r"Input y contains NaN\.") as caught:
        LinearRegressor().fit(X, np.array([0.0, np.nan, 1.0, np.inf, 2.0, np.nan]))
    assert caught.value.where == "2 of 6 rows, first row 2"


def test_dates_are_refused_as_target():
    """An array of dates would be counted in nanoseconds, or in whatever unit it happens to have."""
    with pytest.raises(DataError, match="y holds dates"):
        LinearRegressor().fit(X, pd.date_range("2024-01-01", periods=6))


def test_lengths_must_agree():
    """scikit-learn's words if X and y differ in length."""
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        TreeClassifier().fit(X, [0, 1])


def test_negative_weights_are_refused():
    """A negative weight is named with its row."""
    with pytest.raises(DataError, match="Negative values in data passed to `sample_weight`") as caught:
        TreeClassifier().fit(X, [0, 1] * 3, sample_weight=[1, 1, -2, 1, 1, -1])
    assert caught.value.where == "2 of 6 rows, first -2 in row 3"


def test_weights_far_below_one_get_a_warning():
    """Weights that sum to 1 would forbid every split; the user is told."""
    with pytest.warns(UserWarning, match="multiply the weights"):
        TreeClassifier().fit(np.arange(40.0)[:, None], [0, 1] * 20, sample_weight=np.full(40, 1 / 40))


@pytest.mark.parametrize(
    "tree",
    [
        TreeClassifier(),
        TreeClassifier(missing="node_mode"),
        TreeClassifier(missing="class_mode", prune="chi_square", prune_significance=0.5),
        TreeClassifier.cart(prune_alpha=0.01),
        TreeClassifier.cart(prune=None),
        TreeClassifier.cart(prune=None, missing="column_mode"),
        TreeRegressor(min_leaf=2, prune_alpha=0.001),
    ],
    ids=str,
)
def test_weights_equal_repetition(tree):
    """A row of weight 3 is three rows, and one of weight 0 is none, where nothing is set aside."""
    draw = np.random.default_rng(5)
    table, y = draw.integers(0, 12, size=(120, 3)).astype(float), draw.integers(0, 3, 120)
    table[::10, 1] = np.nan
    weights = draw.integers(0, 4, 120)
    weighted = tree.fit(table, y, sample_weight=weights).tree_.grown
    repeated = tree.fit(table.repeat(weights, axis=0), y.repeat(weights)).tree_.grown
    for name in ("feature", "threshold", "first_child", "default_child"):
        assert np.array_equal(getattr(weighted, name), getattr(repeated, name), equal_nan=name == "threshold")
    # Parts of rows are sums that are rounded; whole rows are not.
    rounding = 1e-12 if tree.missing == "fractional" else 0.0
    assert np.allclose(weighted.weight, repeated.weight, rtol=rounding, atol=0)
    assert np.allclose(weighted.value, repeated.value, rtol=1e-12)


@pytest.mark.parametrize(
    "tree",
    [
        TreeClassifier.cart(),
        TreeClassifier(prune="reduced_error", missing="column_mode"),
        TreeRegressor(min_leaf=2),
        TreeRegressor(min_leaf=2, prune="reduced_error"),
    ],
    ids=str,
)
def test_a_row_of_weight_0_is_not_set_aside(tree):
    """What is set aside is dealt among the rows that have a weight, as if the others were not there."""
    draw = np.random.default_rng(6)
    table, y = draw.integers(0, 12, size=(120, 3)).astype(float), draw.integers(0, 3, 120)
    weights = draw.choice([0, 0.5, 2, 3], 120)
    weighted = tree.fit(table, y, sample_weight=weights).tree_.grown
    chosen = weights > 0
    assert differing_fields(weighted, tree.fit(table[chosen], y[chosen], weights[chosen]).tree_.grown) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "changes",
    [
        {"prune": None},
        {"prune": "pessimistic"},
        {"prune": "cost_complexity", "prune_alpha": 0.01},
        {"prune": "chi_square"},
    ],
    ids=str,
)
@pytest.mark.parametrize("seed", range(8))
def test_every_row_of_weight_2_is_every_row_twice(changes, seed):
    """Also where a category has so many levels that C4.5 leaves it out of the average gain."""
    draw = np.random.default_rng(seed)
    towns, moods = draw.integers(0, 40, 100).astype(str), draw.integers(0, 3, 100).astype(str)
    numbers = draw.normal(size=(2, 100))
    y = (numbers[0] + (moods == "1") + 0.7 * draw.normal(size=100) > 0).astype(int)
    if seed % 2:
        numbers[0, draw.random(100) < 0.1] = np.nan
    frame = pd.DataFrame({"town": pd.Categorical(towns), "mood": pd.Categorical(moods), "x": numbers[0]})
    frame["z"] = numbers[1]
    weighted = TreeClassifier(**changes).fit(frame, y, np.full(100, 2.0))
    doubled = TreeClassifier(**changes).fit(pd.concat([frame, frame], ignore_index=True), np.append(y, y))
    assert np.array_equal(weighted.tree_.grown.feature, doubled.tree_.grown.feature)
    assert weighted.rules().to_dnf(1) == doubled.rules().to_dnf(1)
    assert weighted.tree_.grown.value == pytest.approx(doubled.tree_.grown.value)


@pytest.mark.parametrize("weights", ["balanced", {0: 1.0, 1: 2.0}], ids=str)
@pytest.mark.parametrize("learner", [TreeClassifier(), TreeRegressor(), RuleClassifier()], ids=str)
def test_weights_that_are_no_list_are_refused(learner, weights):
    """A word or a dict belongs to class_weight, and the error says so."""
    with pytest.raises(InputTypeError, match="sample_weight must be one number per row") as caught:
        learner.fit(X, [0, 1, 1, 0, 1, 0], sample_weight=weights)
    assert repr(weights) in caught.value.where
    assert "class_weight" in caught.value.fix


def test_equal_weights_are_no_weights():
    """Weights of 1 give bit for bit the tree without weights."""
    y = [0, 1, 1, 0, 1, 0]
    plain = TreeClassifier.cart().fit(X, y).tree_.grown
    assert differing_fields(plain, TreeClassifier.cart().fit(X, y, np.ones(6)).tree_.grown) == []


def test_class_weights_multiply_row_weights():
    """A weight for each class is one weight per row of that class."""
    y = np.array([0, 1, 1, 0, 1, 0])
    weights = np.array([1.0, 2.0, 1.0, 1.0, 3.0, 1.0])
    by_class = TreeClassifier.cart(class_weight={0: 2.0, 1: 1.0}).fit(X, y, weights).tree_.grown
    by_row = TreeClassifier.cart().fit(X, y, weights * np.where(y == 0, 2.0, 1.0)).tree_.grown
    assert differing_fields(by_class, by_row) == []


def test_a_class_of_weight_zero_is_left_out():
    """Class weight 0 takes the rows away; the class stays known."""
    tree = TreeClassifier.cart(class_weight={0: 1.0, 1: 0.0}).fit(X, [0, 1] * 3)
    assert tree.n_leaves_ == 1
    assert tree.predict_proba(X[:1]).tolist() == [[1.0, 0.0]]


@pytest.mark.parametrize("weight", [-1.0, float("nan"), float("inf"), "heavy", None])
def test_class_weights_that_are_none_are_refused(weight):
    """A class counts as a finite number of at least 0."""
    with pytest.raises(RequestError, match="negative or no number") as caught:
        TreeClassifier(class_weight={0: weight}).fit(X, [0, 1] * 3)
    assert caught.value.where.endswith("for 0")


def test_a_class_weight_for_an_unknown_class_is_refused():
    """A name that is no class is shown with the classes there are."""
    with pytest.raises(RequestError, match="a class that is not there") as caught:
        TreeClassifier(class_weight={0: 1.0, 2: 5.0}).fit(X, [0, 1] * 3)
    assert caught.value.where == "1 of 2 names, first 2; the classes are 0, 1"
    assert caught.value.fix


def test_class_weights_may_cover_more_than_a_fold_has():
    """If every class has its weight, one more name is a class that this fold lacks."""
    more = TreeClassifier(class_weight={0: 1.0, 1: 2.0, 2: 5.0}).fit(X, [0, 1] * 3).tree_.grown
    same = TreeClassifier(class_weight={1: 2.0}).fit(X, [0, 1] * 3).tree_.grown
    assert differing_fields(more, same) == []


def test_class_weights_that_leave_nothing_are_refused():
    """All classes at weight 0 leave no row to learn from."""
    with pytest.raises(RequestError, match="no row is left") as refusal:
        TreeClassifier(class_weight={0: 0, 1: 0}).fit(np.eye(4), [0, 1, 0, 1])
    assert refusal.value.fix


def test_small_class_weights_are_warned_about():
    """A row counts with the weight of its class, so small ones get the warning of small weights."""
    with pytest.warns(UserWarning, match="the mean weight of a row is 0.05") as caught:
        TreeClassifier(class_weight={0: 0.05, 1: 0.05}).fit(np.eye(4), [0, 1, 0, 1])
    assert caught[0].filename == __file__


def test_groups_of_several_kinds_are_refused():
    """Words and numbers have no common order."""
    with pytest.raises(DataError, match="several kinds"):
        group_codes(np.array(["a", 1, "b"], dtype=object), 3)
