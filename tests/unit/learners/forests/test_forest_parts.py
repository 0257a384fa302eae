"""The small parts of a forest: how many columns and rows are drawn, and arrays of trees."""

import numpy as np
import pytest

from heldout import ForestClassifier, RequestError
from heldout.learners.forests.forest_arrays import first_trees, joined_forest, tree_of_forest
from heldout.learners.forests.forest_options import n_drawn_columns
from heldout.learners.trees.tree_structure import TreeStructure
from heldout.native import apply_tree

from ..random_tables import random_classes, random_rows
from .same_forest import differing_arrays


@pytest.mark.parametrize(
    ("max_features", "n_columns", "n_drawn"),
    [
        ("sqrt", 1, 1),
        ("sqrt", 3, 1),
        ("sqrt", 25, 5),
        ("log2", 1, 1),
        ("log2", 8, 3),
        (None, 7, 7),
        (1.0, 7, 7),
        (1, 7, 1),
        (np.int64(7), 7, 7),
        (0.01, 7, 1),
        (1 / 3, 6, 2),
        (np.float32(0.5), 9, 5),
        (1 / 3, 4, 2),
        (0.1, 30, 3),
    ],
)
def test_how_many_columns_are_drawn(max_features, n_columns, n_drawn):
    """Roots and logarithms are rounded down, shares up, and one column is the least."""
    assert n_drawn_columns(max_features, n_columns) == n_drawn


def test_more_columns_than_there_are_cannot_be_drawn():
    """The error says how many there are."""
    with pytest.raises(RequestError, match="more than there is") as refusal:
        n_drawn_columns(4, 3)
    assert refusal.value.where == "X has 3 columns"


def test_the_first_trees_and_the_rest_make_the_whole():
    """A forest that is cut in two and joined is the same, level sets included."""
    X, y = random_rows(1, 120), random_classes(1, 120)
    whole = ForestClassifier(9).fit(X, y).forest_
    first = first_trees(whole, 4)
    assert first.n_trees == 4
    assert differing_arrays(first, ForestClassifier(4).fit(X, y).forest_) == []
    assert first.threshold.base is None
    again = joined_forest(first_trees(whole, 9), first)
    assert again.n_trees == 13
    assert differing_arrays(first_trees(again, 9), whole) == []


def test_a_tree_of_the_forest_walks_as_a_tree():
    """Its arrays are those of a grown tree: rows end in the same nodes."""
    table, y = random_rows(1, 120), random_classes(1, 120)
    forest = ForestClassifier(3, categorical_splits="multiway").fit(table, y)
    ends = forest.apply(table)
    numbers = np.stack([table[name].values for name in ("size", "joined")], axis=1)
    levels = np.stack([table[name].values for name in ("town", "skin", "member")], axis=1).astype(np.int32)
    for number in range(3):
        tree = tree_of_forest(forest.forest_, number)
        number_of, codes = forest.inputs_.number_of, np.asfortranarray(levels)
        assert np.array_equal(apply_tree(tree, numbers, number_of, codes), ends[:, number])
        assert TreeStructure(tree).n_leaves == int((tree.feature < 0).sum())
