"""Reduced-error pruning: what is set aside, and cases that can be followed by hand."""

import numpy as np
import pytest

from heldout import DataError, InputTypeError, RequestError, TreeClassifier, TreeRegressor

from .same_tree import differing_fields
from .tables import as_pandas, as_table, mixed_answers, mixed_cells


def two_levels():
    """x0 is asked first, then x1 on the left; all four rows of each cell agree."""
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]).repeat(4, axis=0)
    return X, np.array([0] * 3 + [1] * 1 + [1] * 2 + [0] * 2 + [1] * 8)


def test_best_first_and_bottom_up_differ():
    """Best-first takes the root, which gains most at once; from below, two smaller gains leave it without.

    The four leaves lose 2 each. As leaves, both splits below the root lose 2, and the root loses 5: it
    gains 3 and they gain 2 each, but when they are gone the root loses 1.
    """
    cells = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    X, y = cells.repeat([4, 3, 4, 3], axis=0), np.repeat([0, 1, 1, 0], [4, 3, 4, 3])
    held = cells.repeat([2, 2, 3, 2], axis=0), np.array([1, 1, 0, 0, 0, 0, 1, 1, 1])
    found = [
        TreeClassifier.id3(prune="reduced_error", prune_order=order).fit(X, y, validation=held).n_leaves_
        for order in ("best_first", "bottom_up")
    ]
    assert TreeClassifier.id3().fit(X, y).n_leaves_ == 4
    assert found == [1, 2]


def test_ties_go_unless_they_are_kept():
    """A split that neither helps nor harms the validation rows goes by default."""
    X = np.array([[0.0], [0.0], [1.0], [1.0]] * 5)
    y = np.array([0, 0, 0, 1] * 5)
    validation = X, y
    assert TreeClassifier.id3(prune="reduced_error").fit(X, y, validation=validation).n_leaves_ == 1
    kept = TreeClassifier.id3(prune="reduced_error", prune_ties=False)
    assert kept.fit(X, y, validation=validation).n_leaves_ == 2


def test_what_harms_is_pruned_and_what_helps_is_kept():
    """The split on noise goes, the split on the signal stays, with the counts of all training rows."""
    X, y = two_levels()
    whole = TreeClassifier.id3(prune=None).fit(X, y)
    assert whole.n_leaves_ == 3
    held = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]] * 3)
    truth = np.array([0, 0, 1, 1] * 3)
    tree = TreeClassifier.id3(prune="reduced_error").fit(X, y, validation=(held, truth))
    assert str(tree) == "x0 <= 0.5: 0 (8/3)\nx0 > 0.5: 1 (8)"


def test_validation_rows_are_not_grown_from():
    """A quarter of each class is set aside, and the tree holds the other three quarters."""
    X, y = np.random.default_rng(0).normal(size=(400, 3)), np.repeat([0, 1], [300, 100])
    tree = TreeClassifier(prune="reduced_error", missing="node_mode").fit(X, y)
    assert tree.tree_.grown.value[0].tolist() == [225, 75]
    smaller = TreeClassifier(prune="reduced_error", validation_fraction=0.4).fit(X, y)
    assert smaller.tree_.grown.value[0].tolist() == [180, 60]


def test_given_rows_leave_all_others_to_grow_from():
    """With validation=(X, y) every row of X is learned from."""
    X, y = np.random.default_rng(0).normal(size=(100, 3)), np.repeat([0, 1], 50)
    tree = TreeClassifier(prune="reduced_error").fit(X, y, validation=(X[:10], y[:10]))
    assert tree.tree_.grown.weight[0] == 100


def test_every_form_of_validation_rows_is_taken():
    """A table and a frame to validate on give one tree."""
    cells, held = mixed_cells(80, 1), mixed_cells(40, 2)
    y, truth = mixed_answers(cells, 1), mixed_answers(held, 2)
    tree = TreeClassifier(prune="reduced_error", min_leaf=1)
    table = tree.fit(as_table(cells), y, validation=(as_table(held), truth)).tree_.grown
    frame = tree.fit(as_pandas(cells), y, validation=(as_pandas(held), truth)).tree_.grown
    assert differing_fields(table, frame) == []


def test_validation_never_gets_worse():
    """On the rows it is pruned by, the pruned tree is at least as good as the whole one."""
    draw = np.random.default_rng(1)
    X = draw.normal(size=(600, 4))
    y = (X[:, 0] + draw.normal(size=600) > 0).astype(int)
    given = X[400:], y[400:]
    whole = TreeClassifier.cart(prune=None).fit(X[:400], y[:400])
    for order in ("best_first", "bottom_up"):
        tree = TreeClassifier.cart(prune="reduced_error", prune_order=order)
        tree.fit(X[:400], y[:400], validation=given)
        assert tree.score(*given) > whole.score(*given)
        assert tree.n_leaves_ < whole.n_leaves_ / 2


def test_a_regression_is_pruned_by_its_squares():
    """The same for numbers: less error on the rows it is pruned by, from fewer leaves."""
    draw = np.random.default_rng(1)
    X = draw.normal(size=(600, 4))
    y = X[:, 0] + draw.normal(size=600)
    whole = TreeRegressor(prune=None, min_leaf=1).fit(X[:400], y[:400])
    tree = TreeRegressor(prune="reduced_error", min_leaf=1)
    tree.fit(X[:400], y[:400], validation=(X[400:], y[400:]))
    assert tree.score(X[400:], y[400:]) > whole.score(X[400:], y[400:])
    assert 1 < tree.n_leaves_ < whole.n_leaves_ / 4


def test_groups_are_set_aside_as_a_whole():
    """No group has rows on both sides."""
    draw = np.random.default_rng(2)
    X, y, groups = draw.normal(size=(200, 2)), draw.integers(0, 2, 200), np.arange(200) // 10
    tree = TreeClassifier(prune="reduced_error", missing="node_mode").fit(X, y, groups=groups)
    assert tree.tree_.grown.weight[0] == 150


@pytest.mark.parametrize("validation", [7, (1, 2, 3), np.zeros((3, 2))], ids=["number", "three", "array"])
def test_validation_must_be_a_pair(validation):
    """Anything but a pair of X and y is refused."""
    with pytest.raises(InputTypeError, match="a pair of X and y"):
        TreeClassifier(prune="reduced_error").fit(np.eye(4), [0, 1, 0, 1], validation=validation)


def test_validation_is_refused_where_nothing_uses_it():
    """Rows that would be ignored are not taken silently."""
    with pytest.raises(RequestError, match="nothing is pruned by it"):
        TreeClassifier().fit(np.eye(4), [0, 1, 0, 1], validation=(np.eye(4), [0, 1, 0, 1]))


@pytest.mark.parametrize("fraction", [0.01, 0.99])
def test_a_fraction_that_leaves_nothing_is_refused(fraction):
    """There must be rows to grow from and rows to prune by."""
    with pytest.raises(RequestError, match="no row is left to"):
        TreeClassifier(prune="reduced_error", validation_fraction=fraction).fit(np.eye(4), [0, 1, 0, 1])


@pytest.mark.parametrize("groups", [[1, 2], np.zeros((4, 2)), ["a", None, "b", "c"], [1.0, np.nan, 2.0, 3.0]])
def test_groups_must_fit_the_rows(groups):
    """One group per row, and none missing."""
    with pytest.raises(DataError, match="group"):
        TreeClassifier().fit(np.eye(4), [0, 1, 0, 1], groups=groups)
