"""The models that every other must beat."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.utils.estimator_checks import check_dataframe_column_names_consistency

from heldout import BaselineClassifier, BaselineRegressor, DataError, RequestError, Task, datasets, read_table
from heldout.learners.baseline_regressor import weighted_mean, weighted_median

X = np.zeros((6, 2))

numbers = st.floats(-1e6, 1e6, allow_nan=False)


def test_the_most_frequent_class_is_predicted_for_every_row():
    """Both strategies predict it; they differ in how sure they are."""
    y = ["no", "yes", "yes", "maybe", "yes", "no"]
    prior, majority = (BaselineClassifier(strategy=name).fit(X, y) for name in ("prior", "majority"))
    assert prior.predict(X[:2]).tolist() == majority.predict(X[:2]).tolist() == ["yes", "yes"]
    assert prior.classes_.tolist() == ["maybe", "no", "yes"]
    np.testing.assert_allclose(prior.predict_proba(X[:1]), [[1 / 6, 2 / 6, 3 / 6]], rtol=1e-15)
    assert majority.predict_proba(X[:1]).tolist() == [[0.0, 0.0, 1.0]]


def test_a_baseline_prints_what_it_answers():
    """Before fit the learner, after it the one answer; classes with their shares."""
    assert str(BaselineRegressor()) == "BaselineRegressor()"
    numbers = BaselineRegressor(strategy="median").fit(X, [1, 2, 3, 4, 5, 90])
    assert str(numbers) == "always 3.5, the median of the training rows"
    classes = BaselineClassifier().fit(X, ["no", "yes", "yes", "maybe", "yes", "no"])
    assert str(classes).splitlines() == [
        "always yes",
        "shares of the training rows: maybe 0.167, no 0.333, yes 0.5",
    ]


def test_ties_go_to_the_first_class():
    """Of equally frequent classes the first in sorted order is taken, whatever the order of the rows."""
    assert BaselineClassifier().fit(X, ["b", "b", "a", "a", "c", "c"]).predict(X)[0] == "a"
    weights = [0.1, 0.2, 0.1, 0.2, 0.2, 0.1]
    assert BaselineClassifier().fit(X, ["b", "b", "a", "a", "c", "c"], weights).predict(X)[0] == "a"


def test_weights_count_as_rows():
    """A class of few rows wins by weight; one without weight stays with a share of 0."""
    model = BaselineClassifier().fit(X, ["a", "a", "a", "b", "c", "c"], [1, 1, 1, 6, 0, 0])
    assert model.predict(X)[0] == "b"
    np.testing.assert_allclose(model.class_prior_, [1 / 3, 2 / 3, 0], rtol=1e-15)
    assert model.n_rows_ == 4


@given(st.lists(st.tuples(numbers, st.integers(0, 5)), min_size=1, max_size=12))
def test_weighted_median_is_that_of_repeated_numbers(pairs):
    """Whole weights give numpy's median of the repeated numbers, bit for bit, and so do their quarters."""
    values, weights = np.array([v for v, _ in pairs]), np.array([float(w) for _, w in pairs])
    if not weights.any():
        return
    expected = float(np.median(np.repeat(values, weights.astype(int))))
    assert weighted_median(values, weights) == expected
    assert weighted_median(values, weights * 0.25) == expected


@given(st.lists(numbers, min_size=1, max_size=30))
def test_equal_weights_give_the_plain_median(values):
    """Sums of a tenth are rounded, and the middle is found all the same."""
    array = np.array(values)
    assert weighted_median(array, np.full(len(array), 0.1)) == float(np.median(array))


@given(st.lists(st.tuples(numbers, st.integers(0, 5)), min_size=1, max_size=12))
def test_weighted_mean_is_that_of_repeated_numbers(pairs):
    """Whole weights give the mean of the numbers repeated."""
    values, weights = np.array([v for v, _ in pairs]), np.array([float(w) for _, w in pairs])
    if not weights.any():
        return
    repeated = np.repeat(values, weights.astype(int))
    expected = math.fsum(repeated) / len(repeated)
    assert weighted_mean(values, weights) == pytest.approx(expected, rel=1e-13, abs=1e-9)


@given(st.lists(numbers, min_size=1, max_size=20))
def test_the_mean_is_rounded_once(values):
    """Without weights the mean is that of the exact sum, in any order."""
    array = np.array(values)
    assert weighted_mean(array, None) == pytest.approx(math.fsum(values) / len(values), rel=1e-15, abs=1e-300)
    assert weighted_mean(array, None) == weighted_mean(array[::-1], None)


def test_numbers_that_sum_beyond_the_largest_float():
    """Neither the mean nor the median overflows."""
    y = np.array([1.7e308, 1.7e308, 1.6e308, 1.6e308, 1.7e308, 1.6e308])
    assert BaselineRegressor().fit(X, y).constant_ == pytest.approx(1.65e308)
    assert BaselineRegressor(strategy="median").fit(X, y).constant_ == pytest.approx(1.65e308)
    assert BaselineRegressor().fit(X, y, [1e308] * 6).constant_ == pytest.approx(1.65e308)


def test_a_constant_target_comes_back_exactly():
    """Rounding does not move a mean past the values that it is made of."""
    assert BaselineRegressor().fit(X, [0.1] * 6, [0.3, 0.7, 1, 2, 0.9, 0.1]).predict(X).tolist() == [0.1] * 6


@pytest.mark.parametrize(
    "rows",
    [
        np.array([[1, "a"], [None, "b"], [np.nan, "c"]], dtype=object),
        np.array([["a"], ["b"], ["c"]]),
        np.array([[np.inf, np.nan]] * 3),
        sparse.csr_array(np.eye(3)),
        pd.DataFrame({"a": [1, None, 2], "b": ["x", None, "y"]}),
        pl.DataFrame({"a": [1, None, 2], "b": ["x", None, "y"]}),
        read_table({"a": ["1", "", "2"], "b": ["x", "", "x"]}),
    ],
    ids=["objects", "words", "infinity", "sparse", "pandas", "polars", "table"],
)
def test_the_columns_are_not_looked_at(rows):
    """Categories, gaps, infinity and sparse matrices are all accepted, at fit and afterwards."""
    assert BaselineRegressor().fit(rows, [1.0, 2.0, 6.0]).predict(rows).tolist() == [3.0] * 3
    assert BaselineClassifier().fit(rows, ["u", "v", "v"]).predict(rows).tolist() == ["v"] * 3


def test_a_task_is_taken_whole():
    """The embedded table of PlayTennis is answered with its more frequent class."""
    task = Task(datasets.load("play_tennis"), "PlayTennis")
    model = BaselineClassifier().fit(task.X, task.y)
    assert model.predict(task.X).tolist() == ["Yes"] * 14
    assert model.class_prior_.tolist() == [5 / 14, 9 / 14]
    assert model.inputs_.names == list(task.X.names)


def test_the_number_and_names_of_the_columns_are_checked():
    """Rows with other columns than at fit are refused."""
    with pytest.raises(ValueError, match="expecting 2 features"):
        BaselineRegressor().fit(X, np.arange(6.0)).predict(X[:, :1])
    frame = pd.DataFrame(X, columns=["a", "b"])
    with pytest.raises(DataError, match="feature names should match"):
        BaselineRegressor().fit(frame, np.arange(6.0)).predict(frame[["b", "a"]])


@pytest.mark.parametrize("learner", [BaselineClassifier(), BaselineRegressor()])
def test_frames_without_a_column_are_refused_in_scikit_learn_words(learner):
    """The check that scikit-learn keeps for its own estimators passes as well."""
    check_dataframe_column_names_consistency(type(learner).__name__, learner)


def test_an_empty_table_is_refused():
    """There is no frequent class of no rows."""
    with pytest.raises(DataError, match="0 sample"):
        BaselineClassifier().fit(pd.DataFrame({"a": [], "b": []}), [])


def test_classes_are_no_targets_of_a_regression():
    """Words and booleans are refused with advice."""
    for y in (["a", "b", "a", "b", "a", "b"], [True, False] * 3):
        with pytest.raises(DataError, match="y holds classes") as caught:
            BaselineRegressor().fit(X, y)
        assert "BaselineClassifier" in caught.value.fix


@pytest.mark.parametrize("weights", [[-1, 1, 1, 1, 1, 1], [0] * 6])
def test_bad_weights_are_refused(weights):
    """Negative weights, and no weight at all, are errors."""
    with pytest.raises(DataError, match=r"Negative values|at least one non-zero"):
        BaselineRegressor().fit(X, np.arange(6.0), weights)


def test_small_weights_do_not_matter():
    """The scale of the weights changes nothing, so there is no warning."""
    assert BaselineRegressor().fit(X, np.arange(6.0), [1e-9] * 6).constant_ == 2.5


def test_a_wrong_strategy_is_refused():
    """The error names what is allowed."""
    with pytest.raises(RequestError, match="'prior' or 'majority'"):
        BaselineClassifier(strategy="most_frequent").fit(X, list("ababab"))


def test_description_bits():
    """A majority names a class; a prior divides four steps, the root of 16 rows; a mean has five places."""
    y = ["a", "b", "c", "d"] * 4
    rows = np.zeros((16, 1))
    assert BaselineClassifier(strategy="majority").fit(rows, y).description_bits() == 2.0
    assert BaselineClassifier().fit(rows, y).description_bits() == pytest.approx(np.log2(35))  # C(4 + 3, 3)
    assert BaselineRegressor().fit(rows, np.arange(16.0)).description_bits() == pytest.approx(np.log2(5))
    assert BaselineClassifier().fit(rows, ["a"] * 16).description_bits() == 0.0


def test_one_row_is_enough():
    """One row of one class is answered with itself."""
    assert BaselineClassifier().fit([[1]], ["a"]).predict_proba([[2]]).tolist() == [[1.0]]
    assert BaselineRegressor(strategy="median").fit([[1]], [7.0]).predict([[2]]).tolist() == [7.0]


def test_sweep_over_strategies():
    """A sweep answers as separate fits do."""
    y = ["a", "b", "b", "a", "b", "c"]
    sweep = BaselineClassifier().sweep(X, y, {"strategy": ["prior", "majority"]}, [1, 1, 2, 1, 1, 1])
    alone = [
        BaselineClassifier(strategy=name).fit(X, y, [1, 1, 2, 1, 1, 1]) for name in ("prior", "majority")
    ]
    assert np.array_equal(sweep.predict(X), [model.predict(X) for model in alone])
    assert np.array_equal(sweep.predict_proba(X), [model.predict_proba(X) for model in alone])
