"""Out of the bag: what trees say of rows that they have not seen."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import accuracy_score, r2_score

from heldout import ForestClassifier, ForestRegressor, RequestError
from heldout.native import forests

from ..random_tables import random_classes, random_rows
from .same_forest import blobs, slopes


def by_hand(forest, X, weights, tree_answers):
    """The mean answer of the trees whose bag does not hold the row, tree by tree."""
    grown, ends = forest.forest_, forest.apply(X)
    total, n_trees = np.zeros((len(ends), grown.value.shape[1])), np.zeros(len(ends))
    for tree in range(grown.n_trees):
        is_out = forests.in_bag_counts(forest._bagging, tree, len(ends), weights) == 0
        value = tree_answers(grown.value[grown.tree_begin[tree] : grown.tree_begin[tree + 1]])
        total[is_out] += value[ends[is_out, tree]]
        n_trees += is_out
    with np.errstate(invalid="ignore"):
        return total / n_trees[:, np.newaxis]


def shares(value):
    return value / value.sum(axis=1, keepdims=True)


def votes(value):
    return np.eye(value.shape[1])[value.argmax(axis=1)]


@pytest.mark.parametrize("combine", ["average", "vote"])
@pytest.mark.parametrize("changes", [{}, {"bootstrap": False, "sample_fraction": 0.6}])
def test_answers_and_score_by_hand(combine, changes):
    """Each row is answered by the trees that have not seen it, and scored by its weight."""
    X, y = random_rows(4, 120), random_classes(4, 120)
    weights = np.random.default_rng(4).choice([0.5, 1.0, 2.0], 120)
    forest = ForestClassifier(60, combine=combine, oob_score=True, **changes).fit(X, y, weights)
    wanted = by_hand(forest, X, weights, shares if combine == "average" else votes)
    np.testing.assert_allclose(forest.oob_decision_function_, wanted, rtol=1e-12)
    labels = forest.classes_[(wanted + 1e-12 >= wanted.max(axis=1, keepdims=True)).argmax(axis=1)]
    assert forest.oob_score_ == pytest.approx(accuracy_score(y, labels, sample_weight=weights))


def test_a_regression_is_scored_by_the_part_of_the_variance():
    """R² of the out-of-bag answers, as scikit-learn counts it."""
    X, y = slopes(150)
    weights = np.random.default_rng(0).choice([0.5, 1.0, 2.0], 150)
    forest = ForestRegressor(60, oob_score=True).fit(X, y, weights)
    wanted = by_hand(forest, X, weights, np.asarray)[:, 0]
    np.testing.assert_allclose(forest.oob_prediction_, wanted, rtol=1e-12)
    assert forest.oob_score_ == pytest.approx(r2_score(y, wanted, sample_weight=weights))


def n_trees_out_of_bag(forest, n_rows):
    """As a column: how many trees have not seen each row."""
    bags = [
        forests.in_bag_counts(forest._bagging, tree, n_rows, None) for tree in range(forest.forest_.n_trees)
    ]
    return (np.array(bags) == 0).sum(axis=0)[:, np.newaxis]


def test_class_weights_do_not_count_in_the_score():
    """They decide; the score is the accuracy that `score` would give."""
    X, y = blobs(200, n_classes=2)
    forest = ForestClassifier(60, class_weight={0: 0.2, 1: 1}, oob_score=True).fit(X, y)
    balanced = ForestClassifier(60, class_weight="balanced", oob_score=True).fit(X, y)
    for fitted in (forest, balanced):
        # The rows out of the bag are decided as new ones are: with smoothing, and by the weights.
        n_trees = n_trees_out_of_bag(fitted, len(X))
        smoothed = fitted.oob_decision_function_ * n_trees + fitted.class_shares_
        decided = (smoothed * fitted.class_weights_).argmax(axis=1)
        assert fitted.oob_score_ == pytest.approx(np.mean(decided == y))
    assert np.array_equal(forest.oob_decision_function_, balanced.oob_decision_function_)


def test_it_is_near_what_held_rows_tell():
    """Rows without any pattern are guessed out of the bag, where training rows are all right."""
    draw = np.random.default_rng(0)
    X, y = draw.normal(size=(400, 5)), draw.integers(0, 2, 400)
    forest = ForestClassifier(100, oob_score=True).fit(X, y)
    assert abs(forest.oob_score_ - 0.5) < 0.1
    assert forest.score(X, y) == 1.0


def test_rows_that_every_tree_has_seen_have_no_answer():
    """NaN, and a warning that counts them; the score is that of the others."""
    X, y = blobs(40)
    with pytest.warns(UserWarning, match=r"\d+ rows have no out-of-bag prediction, of 40") as caught:
        forest = ForestClassifier(2, oob_score=True).fit(X, y)
    is_unknown = np.isnan(forest.oob_decision_function_).any(axis=1)
    assert str(caught[0].message).startswith(f"{is_unknown.sum()} rows")
    assert caught[0].filename == __file__
    assert 0 < is_unknown.sum() < 40
    known = forest.oob_decision_function_[~is_unknown].argmax(axis=1)
    assert forest.oob_score_ == pytest.approx(np.mean(known == y[~is_unknown]))


@pytest.mark.parametrize("learner", [ForestClassifier(2, oob_score=True), ForestRegressor(2, oob_score=True)])
def test_one_row_has_no_answer_at_all(learner):
    """Every bag has it, so the score is refused, and more trees are not asked for."""
    with pytest.raises(RequestError, match="no row is out of the bag") as refusal:
        learner.fit([[1.0]], [1])
    assert "only one row" in refusal.value.where


def test_rows_of_weight_0_are_not_answered():
    """They are left out; the others have the answers that they have without them."""
    X, y = blobs(100)
    weights = np.where(np.arange(100) % 4 == 0, 0.0, 1.0)
    forest = ForestClassifier(60, oob_score=True).fit(X, y, weights)
    without = ForestClassifier(60, oob_score=True).fit(X[weights > 0], y[weights > 0])
    assert np.isnan(forest.oob_decision_function_[weights == 0]).all()
    assert np.array_equal(forest.oob_decision_function_[weights > 0], without.oob_decision_function_)
    assert forest.oob_score_ == without.oob_score_


@pytest.mark.parametrize("combine", ["average", "vote"])
def test_a_sparse_matrix_gives_the_same(combine):
    """A sparse matrix is walked in blocks of rows, to the same bits."""
    draw = np.random.default_rng(0)
    X = draw.poisson(0.3, (150, 20)).astype(float)
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    weights = draw.choice([0.0, 1.0, 2.0], 150)
    dense, given = (
        ForestClassifier(60, combine=combine, oob_score=True).fit(form, y, weights)
        for form in (X, sparse.csr_array(X))
    )
    assert np.array_equal(dense.oob_decision_function_, given.oob_decision_function_, equal_nan=True)
    assert dense.oob_score_ == given.oob_score_


def test_a_fit_without_it_forgets_an_earlier_score():
    """What is not asked for is not there."""
    X, y = blobs()
    forest = ForestClassifier(60, oob_score=True).fit(X, y)
    forest.set_params(oob_score=False).fit(X, y)
    assert not hasattr(forest, "oob_score_")
    assert not hasattr(forest, "oob_decision_function_")


def test_full_bags_are_refused():
    """Where every tree sees every row there is nothing out of the bag."""
    X, y = blobs()
    with pytest.raises(RequestError, match="no row is out of the bag, so there is no out-of-bag score"):
        ForestClassifier(3, bootstrap=False, oob_score=True).fit(X, y)
    with pytest.raises(RequestError, match="no row is out of the bag"):
        ForestClassifier(3, oob_score=True).sweep(X, y, {"bootstrap": [True, False]})
