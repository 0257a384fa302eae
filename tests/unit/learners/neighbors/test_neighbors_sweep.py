"""Sweeps of neighbors: every setting answers, to the bit, what fitting it by itself answers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.base import clone

from heldout import InputTypeError, NeighborsClassifier, NeighborsRegressor, RequestError
from heldout.learners.neighbors import neighbor_lists as neighbor_blocks
from heldout.learners.neighbors.learned_metric import LearnedMetric

from .neighbor_tables import WEIGHTINGS, answers_for, mixed_tables, number_rows

METRICS = st.sampled_from(["l2", "l1", "linf", "cosine", "hamming", "gower"])


def assert_equals_fits(learner, space, X, y, asked):
    """Answers, probabilities, and what each model has learned."""
    sweep = learner.sweep(X, y, space)
    fitted = [clone(learner).set_params(**setting).fit(X, y) for setting in sweep.settings]
    assert np.array_equal(sweep.predict(asked), [model.predict(asked) for model in fitted])
    if isinstance(learner, NeighborsClassifier):
        assert np.array_equal(sweep.predict_proba(asked), [model.predict_proba(asked) for model in fitted])
    for place, model in enumerate(fitted):
        ours = sweep.model(place)
        assert ours.get_params() == model.get_params()
        assert sorted(vars(ours)) == sorted(vars(model))
        assert np.array_equal(ours.predict(asked), model.predict(asked))
        assert ours.description_bits() == model.description_bits()


@settings(max_examples=40)
@given(st.data(), number_rows(least=4), st.booleans())
def test_settings_of_numbers_equal_separate_fits(data, X, is_regression):
    """k, weights, bandwidth, metric, feature weights and planes in one space."""
    y = data.draw(answers_for(len(X), is_regression))
    k = st.integers(1, len(X)) | st.just("all")
    columns = st.none() | st.just([2.0] * X.shape[1]) | st.just({"x0": 0.5})
    plain = st.fixed_dictionaries({"k": k}, optional={"metric": METRICS, "feature_weights": columns})
    setting = st.builds(lambda first, second: first | second, plain, WEIGHTINGS)
    space = data.draw(st.lists(setting, min_size=1, max_size=8))
    if is_regression:
        space += [{"k": 3, "local": "linear", **weighting} for weighting in ({}, {"weights": "inverse"})]
    learner = NeighborsRegressor() if is_regression else NeighborsClassifier()
    assert_equals_fits(learner, space, X, y, np.vstack([X, X + 0.25]))


@settings(max_examples=10)
@given(st.data(), mixed_tables(least=4), WEIGHTINGS)
def test_settings_of_tables_equal_separate_fits(data, table_and_rows, weighting):
    """Gower with and without weights of the columns, every k."""
    table, rows = table_and_rows
    y = data.draw(answers_for(len(rows), is_regression=False))
    space = {"k": range(1, len(rows) + 1), "feature_weights": [None, {"size": 2.0}]}
    assert_equals_fits(NeighborsClassifier(metric="gower", **weighting), space, table, y, table)


def test_mahalanobis_and_blocks_equal_separate_fits(monkeypatch):
    """A learned metric, on rows that come in many blocks."""
    monkeypatch.setattr(neighbor_blocks, "NEIGHBORS_AT_ONCE", 400)
    monkeypatch.setattr(neighbor_blocks, "NEIGHBORS_PER_BLOCK", 150)
    monkeypatch.setattr(neighbor_blocks, "ROWS_PER_BLOCK", 2)
    rng = np.random.default_rng(8)
    X, y = rng.normal(size=(50, 3)), rng.integers(0, 4, 50)
    space = {
        "metric": ["mahalanobis", "l2"],
        "k": [1, 4, 50, 7],
        "weights": ["uniform", "inverse", "gaussian"],
    }
    assert_equals_fits(NeighborsClassifier(), space, X, y, rng.normal(size=(33, 3)))


def test_planes_do_not_depend_on_company():
    """A plane fitted for one row, for few or for many: the same bits."""
    rng = np.random.default_rng(9)
    X, y = rng.normal(size=(200, 4)), rng.normal(size=200)
    learner = NeighborsRegressor(k=15, local="linear", weights="gaussian").fit(X, y)
    whole = learner.predict(X)
    assert np.array_equal(whole, [learner.predict(X[row : row + 1])[0] for row in range(200)])
    assert np.array_equal(whole, learner.sweep(X, y, {"k": [2, 15, 40]}).predict(X)[1])


def test_rows_are_searched_once_for_a_metric(monkeypatch):
    """Fifty k, three weightings and two bandwidths take one search, two metrics two."""
    searches = []
    nearest = LearnedMetric.nearest

    def counted(self, references, queries, k, **how):
        searches.append((self.name, k))
        return nearest(self, references, queries, k, **how)

    monkeypatch.setattr(LearnedMetric, "nearest", counted)
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 2)), rng.integers(0, 2, 80)
    space = {"k": range(1, 51), "weights": ["uniform", "inverse", "gaussian"], "bandwidth": [None, 0.3]}
    NeighborsClassifier().sweep(X, y, space).predict(X)
    assert searches == [("l2", 50)]
    searches.clear()
    NeighborsClassifier().sweep(X, y, {"metric": ["l1", "linf"], "k": [3, 9]}).predict(X)
    assert searches == [("l1", 9), ("linf", 9)]
    searches.clear()
    NeighborsRegressor().sweep(X, y, {"local": ["mean", "linear"], "k": [3, 9]}).predict(X)
    assert searches == [("l2", 9)]


def test_settings_of_a_metric_share_their_rows():
    """A model of the sweep holds the rows of the others, not copies of them."""
    X, y = np.arange(20.0).reshape(10, 2), np.arange(10) % 2
    sweep = NeighborsClassifier().sweep(X, y, {"k": [1, 2, 3]})
    assert all(sweep.model(place).numbers_ is sweep.model(0).numbers_ for place in range(3))


def test_what_no_setting_can_use_is_refused():
    """A bandwidth without a bell, k beyond the rows, planes of sparse rows, probabilities of numbers."""
    X, y = np.arange(20.0).reshape(10, 2), np.arange(10) % 2
    with pytest.raises(RequestError, match="no setting uses the bandwidth"):
        NeighborsClassifier().sweep(X, y, {"bandwidth": [1.0]})
    with pytest.raises(RequestError, match="k=11 neighbors are asked for where n_samples = 10"):
        NeighborsClassifier().sweep(X, y, {"k": [1, 11]})
    with pytest.raises(RequestError, match="metric must be"):
        NeighborsClassifier().sweep(X, y, {"metric": ["l3"]})
    with pytest.raises(InputTypeError, match="cannot take a sparse matrix"):
        NeighborsRegressor().sweep(csr_array(X), y, {"local": ["mean", "linear"]})
    with pytest.raises(RequestError, match="no probabilities"):
        NeighborsRegressor().sweep(X, y, {"k": [1]}).predict_proba(X)
