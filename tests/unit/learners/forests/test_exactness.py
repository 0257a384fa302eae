"""One tree from all rows and all columns is the exact tree of `TreeClassifier` and `TreeRegressor`."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heldout import Column, ForestClassifier, ForestRegressor, Table, TreeClassifier, TreeRegressor
from heldout.table.column import category_column

TOWNS = ("Aachen", "Bonn", "Köln", "Trier", "Ulm")


def table_of(seed: int, n_rows: int, gaps: float) -> Table:
    """Numbers and categories with gaps; hardly any two splits are equally good."""
    draw = np.random.default_rng(seed)

    def numbers():
        return np.where(draw.random(n_rows) < gaps, np.nan, draw.normal(size=n_rows))

    def words(levels):
        return [None if draw.random() < gaps else str(draw.choice(levels)) for _ in range(n_rows)]

    return Table(
        [
            Column("size", "number", numbers()),
            category_column("town", words(TOWNS)),
            Column("weight", "number", numbers()),
            category_column("skin", words(("dry", "wet", "oily"))),
            Column("age", "number", np.round(numbers() * 4)),
        ]
    )


def spread(value, weight, criterion):
    """The weight times the impurity of a node; of means what is missing to the sum of squares."""
    if criterion == "squared_error":
        return -weight * value[0] ** 2
    shares = value[value > 0] / weight
    return weight * (1 - (shares**2).sum() if criterion == "gini" else -(shares * np.log2(shares)).sum())


def gain_of(grown, node, criterion):
    """What the split of a node gains, in weight."""
    inside = range(grown.first_child[node], grown.first_child[node] + grown.n_children[node])
    below = sum(spread(grown.value[child], grown.weight[child], criterion) for child in inside)
    return spread(grown.value[node], grown.weight[node], criterion) - below


def n_tied_splits(mine, yours, criterion):
    """How many nodes are split in two equally good ways; all others must be split in the same way.

    Equal gains may differ in their last bits, so either may be taken, and what is below is not compared.
    """
    n_tied, waiting = 0, [(0, 0)]
    while waiting:
        here, there = waiting.pop()
        np.testing.assert_allclose(mine.value[here], yours.value[there], rtol=1e-12, atol=1e-12)
        assert (mine.feature[here] < 0) == (yours.feature[there] < 0)
        if mine.feature[here] < 0:
            continue
        n_children = mine.n_children[here]
        children = mine.first_child[here] + np.arange(n_children)
        others = yours.first_child[there] + np.arange(yours.n_children[there])
        is_same = mine.feature[here] == yours.feature[there] and len(children) == len(others)
        if is_same and np.allclose(mine.value[children], yours.value[others], rtol=1e-12, atol=1e-12):
            waiting += zip(children.tolist(), others.tolist(), strict=True)
            continue
        n_tied += 1
        gains = gain_of(mine, here, criterion), gain_of(yours, there, criterion)
        assert gains[0] == pytest.approx(gains[1], rel=1e-9, abs=1e-9)
    return n_tied


def assert_same_tree(forest, tree, criterion, X):
    """Every split is the same, or as good; without such ties the leaves and the answers are the same."""
    if n_tied_splits(forest.forest_, tree.tree_.grown, criterion):
        return
    ends, wanted = forest.apply(X)[:, 0], tree.apply(X)
    pairs = {(int(mine), int(yours)) for mine, yours in zip(ends, wanted, strict=True)}
    assert len(pairs) == len({mine for mine, _ in pairs}) == len({yours for _, yours in pairs})
    assert forest.n_leaves_ == tree.n_leaves_
    answer = "predict_proba" if hasattr(forest, "predict_proba") else "predict"
    np.testing.assert_allclose(getattr(forest, answer)(X), getattr(tree, answer)(X), rtol=1e-12)


@pytest.mark.slow
@given(
    seed=st.integers(0, 10_000),
    criterion=st.sampled_from(["gini", "entropy"]),
    categorical_splits=st.sampled_from(["subset", "multiway", "one_vs_rest"]),
    n_classes=st.sampled_from([2, 3, 5]),
    gaps=st.sampled_from([0.0, 0.15]),
    min_leaf=st.sampled_from([1, 3]),
    is_weighted=st.booleans(),
)
@settings(max_examples=60)
def test_a_tree_of_classes(seed, criterion, categorical_splits, n_classes, gaps, min_leaf, is_weighted):
    """Leaf for leaf and share for share, with categories, gaps and weights."""
    draw = np.random.default_rng(seed)
    X, y = table_of(seed, 90, gaps), draw.integers(0, n_classes, 90)
    weights = draw.choice([0.7, 1.3, 2.9, 5.1], 90) if is_weighted else None
    shared = {"criterion": criterion, "categorical_splits": categorical_splits, "min_leaf": min_leaf}
    forest = ForestClassifier(1, bootstrap=False, max_features=None, smoothing=0, **shared).fit(X, y, weights)
    tree = TreeClassifier(
        smoothing=0,
        prune=None,
        min_gain=None,
        missing="node_mode",
        numeric_cuts="plain",
        average_gain=False,
        **shared,
    ).fit(X, y, weights)
    assert_same_tree(forest, tree, criterion, X)


def test_ties_are_rare():
    """Most of the tables above have no tie that rounding decides, so that their answers are compared."""
    n_tied = 0
    for seed in range(40):
        X, y = table_of(seed, 90, 0.1), np.random.default_rng(seed).integers(0, 3, 90)
        forest = ForestClassifier(1, bootstrap=False, max_features=None, smoothing=0).fit(X, y)
        tree = TreeClassifier.cart(prune=None, min_gain=None, smoothing=0).fit(X, y)
        n_tied += n_tied_splits(forest.forest_, tree.tree_.grown, "gini") > 0
    assert n_tied <= 8


@pytest.mark.slow
@given(
    seed=st.integers(0, 10_000),
    categorical_splits=st.sampled_from(["subset", "multiway", "one_vs_rest"]),
    gaps=st.sampled_from([0.0, 0.15]),
    min_leaf=st.sampled_from([1, 4]),
)
@settings(max_examples=40)
def test_a_tree_of_means(seed, categorical_splits, gaps, min_leaf):
    """Leaf for leaf and mean for mean."""
    X, y = table_of(seed, 90, gaps), np.random.default_rng(seed).normal(size=90)
    shared = {"categorical_splits": categorical_splits, "min_leaf": min_leaf}
    forest = ForestRegressor(1, bootstrap=False, max_features=None, **shared).fit(X, y)
    tree = TreeRegressor(prune=None, min_gain=None, missing="node_mode", **shared).fit(X, y)
    assert_same_tree(forest, tree, "squared_error", X)


def test_a_large_table():
    """Nodes that are large and small take different ways in the core, to the same tree."""
    draw, n_rows = np.random.default_rng(0), 3000
    X = draw.normal(size=(n_rows, 8))
    y = (X[:, 0] + X[:, 1] ** 2 + draw.normal(size=n_rows) > 1).astype(int)
    forest = ForestClassifier(1, bootstrap=False, max_features=None, smoothing=0).fit(X, y)
    tree = TreeClassifier(
        smoothing=0,
        criterion="gini",
        prune=None,
        min_gain=None,
        min_leaf=1,
        missing="node_mode",
        numeric_cuts="plain",
    ).fit(X, y)
    assert_same_tree(forest, tree, "gini", X)
    assert np.array_equal(forest.predict(X), y)
