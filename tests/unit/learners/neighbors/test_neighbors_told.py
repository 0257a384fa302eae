"""What neighbors tell of themselves: explanations, lengths in bits, every form of table."""

import math
import pickle

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.exceptions import NotFittedError

from heldout import InputTypeError, NeighborsClassifier, NeighborsRegressor, RequestError, Table
from heldout.table.column import Column, category_column

from ..tables import as_arrow, as_pandas, as_polars, as_table, mixed_answers, mixed_cells

FLOWERS = Table(
    [
        Column("length", "number", np.array([1.4, 1.3, 4.7, 5.1])),
        category_column("color", ["white", None, "blue", "blue"]),
    ]
)


def test_a_vote_is_explained():
    """Who the neighbors are, how far away, how much each counts, and what follows."""
    learner = NeighborsClassifier(k=3, metric="gower", weights="inverse")
    learner.fit(FLOWERS, ["a", "a", "b", "b"])
    told = learner.explain({"length": 1.35, "color": "white"})
    assert str(told) == (
        "The 3 nearest of 4 training rows by gower:\n"
        "  row 1, 0.006579 away, counts 66%: a (length 1.4, color white)\n"
        "  row 2, 0.01316 away, counts 33%: a (length 1.3, color unknown)\n"
        "  row 3, 0.9408 away, counts <1%: b (length 4.7, color blue)\n"
        "So the prediction is a (a 96% and b 4%)."
    )
    assert told.prediction == "a"
    assert [each.position for each in told.neighbors] == [0, 1, 2]
    assert told.neighbors[1].values == {"length": 1.3, "color": None}
    asked = Table([Column("length", "number", np.array([1.35])), category_column("color", ["white"])])
    assert list(told.distribution.values()) == learner.predict_proba(asked)[0].tolist()
    assert sum(each.share for each in told.neighbors) == pytest.approx(1.0)


def test_an_explanation_agrees_with_the_prediction():
    """The same neighbors, shares and answers as predict gives, for classes and numbers."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), rng.normal(size=60)
    for learner in (
        NeighborsClassifier(k=7, weights="inverse").fit(X, y > 0),
        NeighborsRegressor(k=7, weights="gaussian").fit(X, y),
        NeighborsRegressor(k=7, local="linear").fit(X, y),
    ):
        for row in X[:5] + 0.1:
            told = learner.explain(row)
            assert told.prediction == learner.predict([row])[0]
            assert [each.distance for each in told.neighbors] == learner.kneighbors([row])[0][0].tolist()


def test_long_explanations_are_cut():
    """Ten neighbors and six columns are shown; of sparse rows what is not zero."""
    rng = np.random.default_rng(0)
    X = rng.integers(1, 5, (30, 8)) * 1.0
    text = str(NeighborsRegressor(k="all").fit(X, X[:, 0]).explain(X[0]))
    assert text.splitlines()[11] == "  … and 20 more"
    assert "x5 " in text
    assert "x6 " not in text
    sparse = NeighborsRegressor(k=1).fit(csr_array(np.diag([1.0, 2.0, 3.0])), [1.0, 2.0, 3.0])
    assert sparse.explain(csr_array([[0.0, 2.0, 0.0]])).neighbors[0].values == {"x1": 2.0}
    assert str(sparse.explain(np.array([0.0, 2.0, 0.0]))) == (
        "The nearest of 3 training rows by l2:\n  row 2, 0 away, counts 100%: 2 (x1 2)\n"
        "So the prediction is 2."
    )
    empty = NeighborsRegressor(k=1).fit(csr_array((2, 3)), [1.0, 2.0])
    assert "counts 100%: 1 (0 in every column)" in str(empty.explain(np.zeros(3)))


@pytest.mark.parametrize(
    ("changes", "ending"),
    [
        ({}, "So the prediction is 1.5, their mean."),
        ({"weights": "inverse"}, "So the prediction is 1.25, their weighted mean."),
        ({"local": "linear"}, "So the prediction is 1.25, which the plane through them says here."),
    ],
)
def test_it_is_told_how_numbers_answer(changes, ending):
    """A mean, a weighted mean, or a plane."""
    learner = NeighborsRegressor(k=2, **changes).fit([[1.0], [2.0], [9.0]], [1.0, 2.0, 9.0])
    assert str(learner.explain([1.25])).endswith(ending)


def test_booleans_are_told_in_their_words():
    """A metric of numbers takes them as 0 and 1, and tells them as they were read."""
    paid = Column("paid", "boolean", np.array([0, 1, 0], dtype=np.int32), ("yes", "no"))
    told = NeighborsClassifier(k=1).fit(Table([paid]), [0, 1, 2]).explain({"paid": "no"})
    assert told.neighbors[0].values == {"paid": "no"}
    assert "row 2, 0 away, counts 100%: 1 (paid no)" in str(told)


def test_parameters_that_were_changed_after_fit_are_checked():
    """A rule that does not exist explains nothing, and planes need points as they do at fit."""
    learner = NeighborsClassifier(k=2).fit([[1.0], [2.0], [9.0]], [0, 1, 1])
    with pytest.raises(RequestError, match="weights must be"):
        learner.set_params(weights="heavy").explain([1.0])
    gaps = NeighborsRegressor(k=2, metric="gower").fit([[1.0], [np.nan], [9.0]], [0.0, 1.0, 1.0])
    sparse = NeighborsRegressor(k=2).fit(csr_array(np.eye(3)), [0.0, 1.0, 1.0])
    for fitted, row, error in ((gaps, [[1.0]], RequestError), (sparse, np.eye(3), InputTypeError)):
        fitted.set_params(local="linear")
        with pytest.raises(error, match='local="linear"'):
            fitted.predict(row)


def test_the_length_is_that_of_the_stored_rows():
    """n · log2(distinct values) per column, and n · log2(classes or distinct targets)."""
    rows = np.array([[1.0, 7.0], [2.0, 7.0], [3.0, 7.0], [4.0, 7.0], [4.0, 7.0]])
    votes = NeighborsClassifier(k=1).fit(rows, [0, 1, 2, 3, 0])
    assert votes.description_bits() == 5 * math.log2(4) + 5 * math.log2(4)
    means = NeighborsRegressor(k=1).fit(rows, [1.5, 1.5, 2.0, 2.0, 2.0])
    assert means.description_bits() == 5 * math.log2(4) + 5
    gaps = NeighborsClassifier(k=1, metric="gower").fit(FLOWERS, ["a", "a", "b", "b"])
    assert gaps.description_bits() == pytest.approx(4 * 2 + 4 * math.log2(3) + 4)
    sparse = NeighborsClassifier(k=1).fit(csr_array(rows), [0, 1, 2, 3, 0])
    assert sparse.description_bits() == votes.description_bits()


@pytest.mark.parametrize("form", [as_pandas, as_polars, as_arrow])
def test_frames_are_the_tables_that_they_hold(form):
    """The same answers from a Table and from every frame, with categories, dates, booleans and gaps."""
    cells = mixed_cells()
    y, table = mixed_answers(cells), as_table(cells)
    learner = NeighborsClassifier(k=4, metric="gower", weights="inverse")
    wanted = learner.fit(table, y).predict_proba(table)
    frame = form(cells)
    framed = NeighborsClassifier(k=4, metric="gower", weights="inverse").fit(frame, y)
    assert np.array_equal(framed.predict_proba(frame), wanted)
    assert framed.feature_names_in_.tolist() == ["age", "town", "member", "joined"]


@pytest.mark.parametrize("learner", [NeighborsClassifier, NeighborsRegressor])
def test_no_rows_have_no_answers(learner):
    """A table without rows is answered by nothing, for every metric and for sweeps."""
    cells = mixed_cells()
    table, y = as_table(cells), np.arange(60)
    numbers, none = table[["age"]], np.arange(0)
    known = [row for row, value in enumerate(cells["age"]) if value is not None]
    for metric, X in [("gower", table), ("l2", numbers[known]), ("mahalanobis", numbers[known])]:
        fitted = learner(metric=metric, weights="inverse").fit(X, y[: X.n_rows])
        assert fitted.predict(X[none]).shape == (0,)
        assert fitted.kneighbors(X[none])[1].shape == (0, 5)
        space = {"k": [1, 3], "weights": ["uniform", "gaussian"]}
        assert fitted.sweep(X, y[: X.n_rows], space).predict(X[none]).shape == (4, 0)
    plane = NeighborsRegressor(local="linear").fit(numbers[known], y[: len(known)])
    assert plane.predict(numbers[none]).shape == (0,)


def test_many_classes_are_answered_in_small_blocks():
    """As many classes as rows: shares are made for few rows at a time, and each row finds itself."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(3000, 2))
    learner = NeighborsClassifier(k=3, weights="inverse").fit(X, np.arange(3000))
    assert np.array_equal(learner.predict(X), np.arange(3000))
    assert max(block.part.stop - block.part.start for block in learner._blocks(learner._kept, 3)) <= 512


def test_nothing_is_asked_before_fit():
    """Every question to an unfitted learner is refused in scikit-learn's words."""
    learner = NeighborsClassifier()
    for ask in (learner.predict, learner.kneighbors, learner.explain, learner.predict_proba):
        with pytest.raises(NotFittedError, match="is not fitted yet"):
            ask([[1.0]])
    with pytest.raises(NotFittedError):
        learner.description_bits()


def test_a_pickle_answers_alike():
    """Also where what can be made again was left behind."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 2, 40)
    learner = NeighborsClassifier(metric="mahalanobis").fit(X, y)
    again = pickle.loads(pickle.dumps(learner))
    del again._points
    assert np.array_equal(again.predict_proba(X), learner.predict_proba(X))


def test_a_second_fit_forgets_the_first():
    """What one metric has learned is not left to the next."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 2, 40)
    learner = NeighborsClassifier(metric="mahalanobis").fit(X, y)
    learner.set_params(metric="l2").fit(X, y)
    assert not hasattr(learner, "factor_")
    assert np.array_equal(learner.predict_proba(X), NeighborsClassifier().fit(X, y).predict_proba(X))


@pytest.mark.parametrize("metric", ["l2", "mahalanobis", "gower"])
def test_threads_change_nothing(metric):
    """One thread or two: the same bits."""
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(500, 4)), rng.integers(0, 3, 500)
    one = NeighborsClassifier(metric=metric, weights="inverse").fit(X, y).predict_proba(X)
    two = NeighborsClassifier(metric=metric, weights="inverse", n_jobs=2).fit(X, y).predict_proba(X)
    assert np.array_equal(one, two)
