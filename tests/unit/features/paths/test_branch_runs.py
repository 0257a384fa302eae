"""Which runs of conditions are taken from a tree."""

import numpy as np
import pytest

from heldout import Column, Table, TreeClassifier, TreePaths
from heldout.features.path_tree import branch_runs
from heldout.table.column import category_column


def chain(n_rows: int) -> TreeClassifier:
    """A tree in which every cut parts the lowest row from the others: as deep as can be."""
    X = np.arange(n_rows, dtype=float)[:, np.newaxis]
    return TreeClassifier.id3(min_gain=None).fit(X, np.arange(n_rows) % 2)


def names_of(tree: TreeClassifier, length: int | None) -> list[str]:
    found = branch_runs(tree.tree_, tree.inputs_, length)
    return [" ∧ ".join(condition.formula() for condition in path) for path in found]


def stairs() -> TreeClassifier:
    """Three cuts of two columns, one below the other."""
    X = np.array([[1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [4.0, 0.0], [4.0, 9.0], [2.0, 9.0]])
    y = [0, 0, 0, 1, 0, 0]
    return TreeClassifier.id3().fit(X, y)


def test_runs_start_anywhere_and_come_in_the_order_of_the_tree():
    """A run ends at each node deep enough; a leaf above that depth gives its whole branch."""
    tree = stairs()
    assert str(tree).splitlines() == [
        "x0 <= 3.5: 0 (4)",
        "x0 > 3.5",
        "|   x1 <= 4.5: 1 (1)",
        "|   x1 > 4.5: 0 (1)",
    ]
    assert names_of(tree, 1) == ["x0 ≤ 3.5", "x0 > 3.5", "x1 ≤ 4.5", "x1 > 4.5"]
    assert names_of(tree, 2) == ["x0 ≤ 3.5", "x0 > 3.5 ∧ x1 ≤ 4.5", "x0 > 3.5 ∧ x1 > 4.5"]
    assert names_of(tree, None) == names_of(tree, 2) == names_of(tree, 99)


def test_what_a_run_asks_of_one_column_is_one_condition():
    """Two cuts of a column are a range, or the narrower of both, and no conjunction comes twice."""
    tree = TreeClassifier.id3().fit(np.array([[1.0], [2.0], [3.0], [4.0]]), [0, 1, 1, 0])
    assert names_of(tree, None) == ["x0 ≤ 1.5", "1.5 < x0 ≤ 3.5", "x0 > 3.5"]
    deep = names_of(chain(8), 3)
    assert len(set(deep)) == len(deep)
    assert all(name.count("x0") == 1 for name in deep)


def test_the_same_conjunction_in_two_places_comes_once():
    """Branches of two subtrees that ask the same are one column, also if they ask in another order."""
    up = np.repeat([0.0, 1.0], 4)
    low, side = np.tile([0.0, 0.0, 1.0, 1.0], 2), np.tile([0.0, 1.0], 4)
    X = np.column_stack([up, low, side])
    y = (low.astype(int) ^ side.astype(int) ^ up.astype(int)).tolist()
    tree = TreeClassifier.id3(min_gain=None).fit(X, y)
    runs = names_of(tree, 2)
    assert tree.n_leaves_ == 8
    assert sum("x1" in name and "x2" in name for name in runs) == 4
    assert len(names_of(tree, 1)) == 6


def test_the_first_place_says_what_an_unknown_value_gets():
    """The same condition with different shares in two places has that of the place which is printed first."""
    town = ["a"] * 6 + ["b"] * 6
    wet = ["no"] * 4 + ["yes"] * 2 + ["no"] * 2 + ["yes"] * 4
    y = [0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0]
    X = Table([category_column("town", town), category_column("wet", wet)])
    tree = TreeClassifier(min_leaf=1, prune=None, criterion="entropy", min_gain=None).fit(X, y)
    assert str(tree).splitlines()[0] == "town = a"
    paths = TreePaths(length=1, tree=tree, keep=False).fit(X, y)
    unknown = Table([category_column("town", ["a"]), category_column("wet", [None])])
    made = {column.name: column.values[0] for column in paths.transform(unknown).columns}
    assert made == pytest.approx({"town = a": 1.0, "town = b": 0.0, "wet = no": 4 / 6, "wet = yes": 2 / 6})


def test_a_tree_that_is_one_leaf_has_no_runs():
    """Without a split there is nothing to take, whatever the length."""
    tree = TreeClassifier().fit(np.zeros((4, 1)), [0, 0, 1, 1])
    assert [names_of(tree, length) for length in (1, 2, None)] == [[], [], []]


def test_a_very_deep_tree_is_walked():
    """A chain of thousands of splits gives its runs, and no walk calls itself."""
    n_rows = 3000
    X = np.arange(n_rows, dtype=float)[:, np.newaxis]
    tree = TreeClassifier.id3(min_gain=None).fit(X, np.arange(n_rows) % 2)
    assert len(branch_runs(tree.tree_, tree.inputs_, 2)) > n_rows


def test_a_raised_branch_asks_nothing_impossible():
    """Runs that no known value can meet, as pruning by raising leaves them, are left out."""
    for seed in range(30):
        draw = np.random.default_rng(seed)
        X = Table([Column(name, "number", draw.integers(0, 6, 60).astype(float)) for name in "ab"])
        y = (X["a"].values > 2).astype(int) ^ (draw.random(60) < 0.3)
        paths = TreePaths(length=None, tree=TreeClassifier(numeric_cuts="plain", prune_confidence=0.5)).fit(
            X, y
        )
        assert all(condition.allows_a_value for path in paths.paths_ for condition in path)
