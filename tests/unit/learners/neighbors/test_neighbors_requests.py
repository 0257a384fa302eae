"""What neighbors refuse, with what is wrong, where, and how to mend it."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from heldout import (
    DataError,
    HeldoutError,
    InputTypeError,
    NeighborsClassifier,
    NeighborsRegressor,
    RequestError,
    Table,
)
from heldout.table.column import Column, category_column

ROWS = np.array([[0.0, 1.0, 5.0], [2.0, 0.0, 5.5], [1.0, 3.0, 7.0], [4.0, 2.0, 6.0], [0.5, 9.0, 5.1]])
CLASSES = [0, 1, 0, 1, 1]


def refused(error, learner, X=ROWS, y=CLASSES):
    """The error that fitting raises; it has all three parts."""
    with pytest.raises(error) as raised:
        learner.fit(X, y)
    assert isinstance(raised.value, HeldoutError)
    assert all((raised.value.what, raised.value.where, raised.value.fix))
    return raised.value


@pytest.mark.parametrize(
    ("parameters", "error"),
    [
        ({"k": 0}, RequestError),
        ({"k": 1.5}, RequestError),
        ({"k": "every"}, RequestError),
        ({"k": None}, InputTypeError),
        ({"metric": "euclidean"}, RequestError),
        ({"weights": "distance"}, RequestError),
        ({"weights": 3}, InputTypeError),
        ({"bandwidth": 0}, RequestError),
        ({"bandwidth": -1.0}, RequestError),
        ({"feature_weights": 2.0}, InputTypeError),
        ({"n_jobs": 0}, RequestError),
    ],
)
@pytest.mark.parametrize("learner", [NeighborsClassifier, NeighborsRegressor])
def test_values_that_are_not_allowed(learner, parameters, error):
    """Each parameter says what it may be."""
    assert next(iter(parameters)) in refused(error, learner(**parameters)).what


@pytest.mark.parametrize(
    ("parameters", "fix"),
    [
        ({"metric": "euclidean"}, "did you mean 'l2'?"),
        ({"metric": "L1"}, "did you mean 'l1'?"),
        ({"metric": "Chebyshev"}, "did you mean 'linf'?"),
        ({"weights": "distance"}, "did you mean 'inverse'?"),
    ],
)
def test_words_of_other_libraries_are_understood(parameters, fix):
    """Whoever comes from scikit-learn is told our word."""
    assert refused(RequestError, NeighborsClassifier(**parameters)).fix == fix


def test_weights_may_be_a_function():
    """The error says so in plain words."""
    error = refused(InputTypeError, NeighborsClassifier(weights=3))
    assert error.what == "weights must be 'uniform', 'inverse', 'gaussian' or a function"


def test_more_neighbors_than_rows():
    """k > N is refused at fit with the number of rows, and at prediction if k grew since."""
    error = refused(RequestError, NeighborsClassifier(k=6))
    assert error.what == "k=6 neighbors are asked for where n_samples = 5"
    assert error.fix == 'set k to at most 5, or to "all"'
    learner = NeighborsClassifier(k=5).fit(ROWS, CLASSES)
    with pytest.raises(RequestError, match="n_samples = 5"):
        learner.set_params(k=9).predict(ROWS)
    with pytest.raises(RequestError, match="n_samples = 5, and no row is its own neighbor"):
        learner.kneighbors(k=5)
    with pytest.raises(RequestError, match="k=all neighbors are asked for where n_samples = 1"):
        NeighborsClassifier(k="all").fit([[1.0]], [0]).kneighbors()
    with pytest.raises(RequestError, match="k must be"):
        learner.kneighbors(ROWS, k=0)


@pytest.mark.parametrize(
    ("weights", "where"),
    [
        ([1, 2], "shape (2,) for 3 columns"),
        ([1, -1, 1], "column 'x1' has the weight -1"),
        ([1, np.nan, 1], "column 'x1' has the weight nan"),
        ([1, np.inf, 1], "column 'x1' has the weight inf"),
        ([0, 0, 0], "all 3 columns have the weight 0"),
        ({"age": 1}, "it names 'age', which is not a column"),
        ({"x0": "much"}, "['much']"),
        ([[1, 2], [3]], "[[1, 2], [3]]"),
    ],
)
def test_feature_weights_that_are_none(weights, where):
    """The wrong one is named, by `fit` and by a sweep."""
    assert refused(RequestError, NeighborsClassifier(feature_weights=weights)).where == where
    with pytest.raises(RequestError) as raised:
        NeighborsClassifier(k=1).sweep(ROWS, CLASSES, {"feature_weights": [None, weights]})
    assert raised.value.where == where


@pytest.mark.parametrize(
    ("rule", "where"),
    [
        (lambda distances: distances[:, 0], "it gave an array of shape (5,) for distances of shape (5, 3)"),
        (lambda distances: -distances - 1, "it gave -1 for the distance 0"),
        (lambda distances: distances * np.nan, "it gave nan for the distance 0"),
        (lambda distances: distances * 0, "it gave 0 for all neighbors of a row, at the distances 0 to"),
        (lambda distances: "heavy", "it gave str 'heavy'"),
    ],
)
def test_functions_that_give_no_weights(rule, where):
    """Shape, sign and finiteness are looked at, and a row without any weight is an error."""
    learner = NeighborsClassifier(k=3, weights=rule).fit(ROWS, CLASSES)
    with pytest.raises(RequestError, match="weights must turn an array of distances") as raised:
        learner.predict(ROWS)
    assert raised.value.where.startswith(where)


def test_a_singular_covariance_names_its_columns():
    """Constant columns and columns that others give are named, never papered over."""
    learner = NeighborsClassifier(k=2, metric="mahalanobis")
    constant = ROWS.copy()
    constant[:, 1] = 0.1
    assert refused(DataError, learner, constant).where == "column 'x1' is constant in 5 rows"
    dependent = np.column_stack([ROWS, 2 * ROWS[:, 0] - ROWS[:, 2] + 3])
    error = refused(DataError, learner, dependent)
    assert "singular" in error.what
    assert error.where == "column 'x3' is given by the columns before in 5 rows"
    few = refused(DataError, learner, ROWS[:3], CLASSES[:3])
    assert few.where == "column 'x2' is given by the columns before in 3 rows"
    assert "more rows than columns" in few.fix
    assert (
        "n_samples = 1"
        in refused(DataError, NeighborsClassifier(k=1, metric="mahalanobis"), ROWS[:1], [0]).what
    )
    # Columns of very different size are not singular.
    learner.fit(ROWS * [1e-12, 1.0, 1e12], CLASSES)


def test_weights_of_columns_mean_nothing_to_mahalanobis():
    """Its covariance would undo them."""
    error = refused(RequestError, NeighborsClassifier(metric="mahalanobis", feature_weights=[1, 2, 3]))
    assert "feature_weights have no meaning" in error.what


@pytest.mark.parametrize("metric", ["linf", "mahalanobis", "hamming", "gower"])
def test_sparse_rows_are_refused_where_a_metric_cannot_take_them(metric):
    """At fit and at prediction, with the metrics that can."""
    learner = NeighborsClassifier(k=2, metric=metric)
    assert "sparse" in refused(InputTypeError, learner, csr_array(ROWS)).what
    with pytest.raises(InputTypeError, match="sparse"):
        learner.fit(ROWS, CLASSES).predict(csr_array(ROWS))


@pytest.mark.parametrize("metric", ["gower", "hamming"])
def test_planes_need_points(metric):
    """A metric that compares words has no slopes."""
    assert (
        "points of numbers" in refused(RequestError, NeighborsRegressor(metric=metric, local="linear")).what
    )
    assert "sparse" in refused(InputTypeError, NeighborsRegressor(local="linear"), csr_array(ROWS)).what


def test_missing_values_are_for_gower():
    """Every other metric refuses them and says what to use, at fit and later."""
    gaps = ROWS.copy()
    gaps[3, 1] = np.nan
    for metric in ("l2", "mahalanobis", "cosine", "hamming"):
        error = refused(DataError, NeighborsClassifier(metric=metric), gaps)
        assert "NaN" in error.what
        assert "gower" in error.fix
    assert NeighborsClassifier(metric="gower", k=1).fit(gaps, CLASSES).predict(gaps).tolist() == CLASSES
    table = Table([category_column("color", ["red", None, "blue"])])
    error = refused(DataError, NeighborsClassifier(k=1, metric="hamming"), table, [0, 1, 1])
    assert error.where == "column 'color', 1 of 3 rows, first in row 2"
    assert "gower" in error.fix
    learner = NeighborsClassifier(k=1, metric="hamming").fit(table[[0, 2]], [0, 1])
    with pytest.raises(DataError, match="NaN"):
        learner.predict(table)


@pytest.mark.parametrize("metric", ["gower", "hamming"])
def test_words_in_an_array_need_a_table(metric):
    """An array has no kinds, and the error says what has."""
    words = np.array([["red", 1.0], ["blue", 2.0]], dtype=object)
    error = refused(DataError, NeighborsClassifier(k=1, metric=metric), words, [0, 1])
    assert error.fix == "hand over a Table or a frame, in which columns of words are categories"


def test_classes_of_several_types_are_refused():
    """They have no order in which to stand."""
    for mixed in ([0, "a", 1, "b", 1], ["a", 0, "b", 1, 1]):
        error = refused(InputTypeError, NeighborsClassifier(k=1), ROWS, np.array(mixed, dtype=object))
        assert error.where == "y has 'a' (str) and 0 (int)"


def test_words_are_for_gower_and_hamming():
    """Other metrics refuse a category and name the metric that takes it; text is refused by all."""
    table = Table([category_column("color", ["red", "blue"])])
    assert "gower" in refused(DataError, NeighborsClassifier(k=1), table, [0, 1]).fix
    text = Table([Column("note", "text", np.array(["good", "bad"], dtype=object))])
    for metric in ("l2", "gower", "hamming"):
        refused(DataError, NeighborsClassifier(k=1, metric=metric), text, [0, 1])
    assert (
        "a Table or a frame"
        in refused(DataError, NeighborsClassifier(k=1, metric="gower"), [["red"], ["blue"]], [0, 1]).fix
    )
    infinite = Table([Column("size", "number", np.array([1.0, np.inf]))])
    refused(DataError, NeighborsClassifier(k=1, metric="gower"), infinite, [0, 1])


def test_distances_beyond_numbers_are_refused():
    """Squares of very large numbers have no order any more."""
    learner = NeighborsClassifier(k=2).fit([[1e200], [-1e200]], [0, 1])
    with pytest.raises(DataError, match="so far apart that their distance is no number"):
        learner.predict([[0.0]])
    for metric in ("gower", "mahalanobis"):
        error = refused(DataError, NeighborsClassifier(k=1, metric=metric), [[1.5e308], [-1.5e308]], [0, 1])
        assert "so far apart" in error.what
    assert NeighborsClassifier(k=2, metric="l1").fit([[1e200], [-1e200]], [0, 1]).predict([[1.0]]) == [0]


def test_a_bandwidth_without_a_bell_gets_a_warning():
    """It would be without effect, which is worth a word."""
    with pytest.warns(UserWarning, match="bandwidth=2.0 has no effect"):
        NeighborsClassifier(bandwidth=2.0).fit(ROWS, CLASSES)


def test_one_row_and_one_class_are_enough():
    """k = 1 of one row answers its class; one class is the only answer."""
    assert NeighborsClassifier(k=1).fit([[1.0]], ["a"]).predict([[9.0]]).tolist() == ["a"]
    one = NeighborsClassifier(k=3).fit(ROWS, ["a"] * 5)
    assert one.predict_proba(ROWS).tolist() == [[1.0]] * 5
    with pytest.raises(DataError, match="0 sample"):
        NeighborsClassifier(metric="gower").fit(Table([category_column("color", [])]), [])


def test_columns_are_those_of_fit():
    """Another number of columns, and another kind, are refused after fit."""
    learner = NeighborsClassifier(k=2).fit(ROWS, CLASSES)
    with pytest.raises(ValueError, match="expecting 3 features"):
        learner.predict(ROWS[:, :2])
    table = Table([category_column("color", ["red", "blue"])])
    named = NeighborsClassifier(k=1, metric="gower").fit(table, [0, 1])
    with pytest.raises(DataError, match="column 'color' is a number now and was a category at fit"):
        named.predict(Table([Column("color", "number", np.array([1.0]))]))
