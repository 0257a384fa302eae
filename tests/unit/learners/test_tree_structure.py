"""The view over a grown tree."""

import numpy as np
import pytest

from heldout import TreeClassifier

X = np.array([[0.0, 1], [1, 0], [2, 1], [3, 0], [4, 1], [5, 0], [6, 1], [7, 0]])
y = np.array([0, 0, 1, 1, 0, 1, 1, 0])


@pytest.fixture(scope="module")
def tree():
    return TreeClassifier.cart().fit(X, y)


def test_children_stand_after_their_parent_and_know_it(tree):
    """Every node but the root is a child of exactly one node."""
    structure = tree.tree_
    children = [child for node in range(structure.n_nodes) for child in structure.children(node)]
    assert sorted(children) == list(range(1, structure.n_nodes))
    assert all(
        structure.grown.parent[child] == node
        for node in range(structure.n_nodes)
        for child in structure.children(node)
    )


def test_depth_and_leaves(tree):
    """Depth and number of leaves agree with the paths of the nodes."""
    structure = tree.tree_
    paths = [structure.path(node) for node in range(structure.n_nodes)]
    assert [len(path) - 1 for path in paths] == structure.depths.tolist()
    assert tree.depth_ == max(len(path) for path in paths) - 1
    assert tree.n_leaves_ == sum(not structure.children(node) for node in range(structure.n_nodes))
    assert structure.leaves_below[0] == tree.n_leaves_
    assert structure.heights[0] == tree.depth_


def test_importances_are_shares_of_the_weighted_gain(tree):
    """Importances sum to 1 and are the gains times weights, column by column."""
    grown = tree.tree_.grown
    by_hand = [
        sum(grown.gain[node] * grown.weight[node] for node in np.flatnonzero(grown.feature == column))
        for column in range(2)
    ]
    assert tree.feature_importances_ == pytest.approx(np.array(by_hand) / sum(by_hand))
    assert tree.feature_importances_.sum() == pytest.approx(1)


def test_a_tree_of_one_leaf_has_no_importances():
    """Where nothing is gained, no column is important."""
    tree = TreeClassifier().fit(X, np.zeros(8, dtype=int))
    assert tree.feature_importances_.tolist() == [0, 0]
    assert (tree.depth_, tree.n_leaves_) == (0, 1)


def test_decision_path_marks_the_way_to_the_leaf(tree):
    """Each row of the path holds the ancestors of the node that apply gives, in order."""
    marks = tree.decision_path(X)
    assert marks.shape == (8, tree.tree_.n_nodes)
    for row, node in enumerate(tree.apply(X)):
        assert marks.indices[marks.indptr[row] : marks.indptr[row + 1]].tolist() == tree.tree_.path(int(node))
    assert set(marks.data.tolist()) == {1}


def test_total_gain_is_the_impurity_removed(tree):
    """Weighted gains add up to the impurity of the root less that of the leaves."""
    grown = tree.tree_.grown
    is_leaf = tree.tree_.is_leaf
    removed = grown.impurity[0] - (grown.impurity * grown.weight)[is_leaf].sum() / grown.weight[0]
    assert (grown.gain * grown.weight).sum() / grown.weight[0] == pytest.approx(removed)
