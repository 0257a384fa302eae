"""The tree behind the paths: our own, or a copy of the one that was handed over."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from heldout import Column, ForestClassifier, InputTypeError, Table, TreeClassifier, TreePaths, TreeRegressor
from heldout.features.path_tree import MOST_BRANCHES, MOST_LEAVES, has_means
from heldout.table.column import category_column

XOR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])


@pytest.mark.parametrize(
    ("y", "expected"),
    [
        (["a", "b"], False),
        ([True, False], False),
        (np.arange(40), False),
        (np.arange(10.0), False),
        (np.arange(11.0), True),
        ([0.5, 1.5], True),
        (np.array([1, 2.5], dtype=object), True),
        (np.array([1, 2], dtype=object), False),
        (np.array(["a", 2.5], dtype=object), False),
        (np.array([True, False], dtype=object), False),
        (Column("y", "number", np.array([1.25, 2.0])), True),
        (Column("y", "number", np.array([1.0, 2.0])), False),
        (category_column("y", ["a", "b"]), False),
        ([1.0, np.nan, 2.0], False),
        ([[1.0], [2.0, 3.0]], False),
    ],
)
def test_amounts_are_told_from_classes(y, expected):
    """Floating-point numbers are amounts unless they are whole and few; all else are classes."""
    assert has_means(y) is expected


def test_our_own_tree_goes_with_the_answers():
    """Classes grow a classification tree, amounts a regression tree."""
    draw = np.random.default_rng(0)
    X = draw.random((60, 2))
    assert type(TreePaths().fit(X, X[:, 0] > 0.5).tree_) is TreeClassifier
    assert type(TreePaths().fit(X, X[:, 0] * X[:, 1]).tree_) is TreeRegressor


def test_our_own_tree_splits_where_nothing_is_gained():
    """XOR, on which no single split gains anything, gives the four corners, of classes and of amounts."""
    for answers in ([0, 1, 1, 0], [0.5, 1.5, 1.5, 0.5]):
        paths = TreePaths(keep=False).fit(XOR, answers)
        assert paths.transform(XOR).tolist() == np.eye(4).tolist()


def test_our_own_tree_stays_small():
    """Pure noise gives no more than 32 leaves, and fewer than two columns for each."""
    draw = np.random.default_rng(1)
    paths = TreePaths().fit(draw.random((2000, 5)), draw.integers(0, 2, 2000))
    assert paths.tree_.n_leaves_ == MOST_LEAVES
    assert len(paths.paths_) < 2 * MOST_LEAVES


@pytest.mark.parametrize("n_levels", [MOST_BRANCHES, MOST_BRANCHES + 1, 200])
def test_many_levels_do_not_keep_the_tree_from_splitting(n_levels):
    """A category of many levels is parted in two groups; one of few has a branch for each."""
    code = np.arange(400) % n_levels
    X = Table([category_column("code", [f"c{each}" for each in code.tolist()])])
    paths = TreePaths(length=1).fit(X, code % 2)
    assert paths.tree_.n_leaves_ == (n_levels if n_levels <= MOST_BRANCHES else 2)


def test_a_tree_that_is_handed_over_is_copied_and_fitted_anew():
    """A fitted tree is neither used nor changed: its copy learns from the rows of fit alone."""
    draw = np.random.default_rng(2)
    X, y = draw.random((80, 2)), draw.integers(0, 2, 80)
    given = TreeClassifier.id3(max_depth=2).fit(1000 + X, y)
    before = str(given)
    paths = TreePaths(tree=given).fit(X, y)
    assert str(given) == before
    assert str(paths.tree_) == str(TreeClassifier.id3(max_depth=2).fit(X, y)) != before
    assert paths.get_params()["tree__max_depth"] == 2


@pytest.mark.parametrize(
    "tree", [TreeClassifier, DecisionTreeClassifier(), ForestClassifier(3), "cart", 3, True], ids=repr
)
def test_what_is_no_tree_of_ours_is_refused(tree):
    """The error says what may be handed over."""
    with pytest.raises(
        InputTypeError, match="tree must be None, a TreeClassifier or a TreeRegressor"
    ) as caught:
        TreePaths(tree=tree).fit(XOR, [0, 1, 1, 0])
    assert "ho.TreeClassifier(" in caught.value.fix


def test_a_regression_tree_takes_classes_that_are_numbers():
    """Who hands over a regression tree has answers taken as amounts."""
    paths = TreePaths(tree=TreeRegressor(min_leaf=1, min_gain=None, prune=None), keep=False).fit(
        XOR, [0, 1, 1, 0]
    )
    assert len(paths.paths_) == 4
