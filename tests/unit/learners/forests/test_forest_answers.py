"""What the kernels say that a forest answers, against rows that walk one by one and against scikit-learn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_classification, make_regression
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from heldout.native import forests
from heldout.native.forests import Bagging

from .plain_forest import (
    LEAF,
    LEVEL_SET,
    MULTIWAY,
    Rows,
    answer,
    end_of_way,
    ends,
    forest_of_sklearn,
    predicted,
    random_forest,
    random_rows,
)

SHAPES = {
    "thresholds": {"n_levels": 0, "kinds": [LEVEL_SET]},
    "fine_thresholds": {"n_levels": 0, "kinds": [LEVEL_SET], "coarse": False},
    "sets": {"n_levels": 2, "kinds": [LEVEL_SET]},
    "only_sets": {"n_numbers": 0, "n_levels": 3, "kinds": [LEVEL_SET]},
    "high_sets": {"n_levels": 3, "kinds": [LEVEL_SET], "highest": 40},
    "only_high_sets": {"n_numbers": 0, "n_levels": 2, "kinds": [LEVEL_SET], "highest": 70},
    "scattered_sets": {"n_levels": 2, "kinds": [LEVEL_SET], "highest": 4000},
    "branches": {"n_levels": 2, "kinds": [MULTIWAY]},
    "both": {"n_levels": 3, "kinds": [LEVEL_SET, MULTIWAY]},
}
ANSWERS = [(False, False), (True, False), (False, True)]


def random_case(seed, shape, n_rows, *, unknown=0.2, n_trees=5, n_outputs=3, n_splits=12):
    """A random forest and random rows for it; a few levels are higher than any the forest knows."""
    rng = np.random.default_rng(seed)
    highest = shape.get("highest", 5)
    rows = random_rows(
        rng, n_rows, shape.get("n_numbers", 3), shape["n_levels"], unknown=unknown, highest=highest + 2
    )
    forest = random_forest(
        rng,
        rows,
        n_trees,
        n_outputs,
        kinds=shape["kinds"],
        n_splits=n_splits,
        highest=highest,
        coarse=shape.get("coarse", True),
    )
    return forest, rows


def predict(forest, rows: Rows, prefixes, is_vote=False, is_regression=False, n_threads=1):
    return forests.predict_forest(forest, *rows.arrays(), prefixes, is_vote, is_regression, n_threads)


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
@given(st.integers(0, 2**20), st.sampled_from([1, 3, 40, 150]), st.sampled_from([0.0, 0.2]))
@settings(max_examples=25)
def test_every_row_ends_where_the_plain_walk_ends(shape, seed, n_rows, unknown):
    """Few rows or many, known or not: the kernels lead each row to the node of the walk by hand."""
    forest, rows = random_case(seed, SHAPES[shape], n_rows, unknown=unknown)
    assert np.array_equal(forests.apply_forest(forest, *rows.arrays()), ends(forest, rows))


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
@given(st.integers(0, 2**20), st.sampled_from([1, 60]), st.sampled_from(ANSWERS))
@settings(max_examples=15)
def test_answers_are_the_plain_sums_bit_for_bit(shape, seed, n_rows, kind):
    """Shares, votes and means of every prefix are those added up tree after tree."""
    is_vote, is_regression = kind
    n_outputs = 1 if is_regression else 2 + seed % 2
    forest, rows = random_case(seed, SHAPES[shape], n_rows, n_outputs=n_outputs)
    prefixes = [1, 3, 5]
    found = predict(forest, rows, prefixes, is_vote, is_regression)
    assert np.array_equal(found, predicted(forest, rows, prefixes, is_vote, is_regression))


@pytest.mark.parametrize("shape", ["thresholds", "both"])
def test_threads_blocks_and_orders_of_memory_change_no_bit(shape):
    """One thread or two, rows or columns side by side, few rows or several blocks: the bits are the same."""
    forest, rows = random_case(7, SHAPES[shape], 5000, n_trees=9, n_splits=40)
    once = predict(forest, rows, [4, 9])
    other = Rows(np.asfortranarray(rows.numbers), rows.number_of, np.asfortranarray(rows.levels))
    assert np.array_equal(once, predict(forest, rows, [4, 9], n_threads=2))
    assert np.array_equal(once, predict(forest, other, [4, 9], n_threads=2))
    assert np.array_equal(once[1:], predict(forest, rows, [9]))
    some = Rows(rows.numbers[100:103], rows.number_of, rows.levels[100:103])
    assert np.array_equal(once[:, 100:103], predict(forest, some, [4, 9]))


@pytest.mark.slow
@pytest.mark.parametrize("n_rows", [5, 3000])
@pytest.mark.parametrize("is_float", [True, False])
def test_classifiers_of_scikit_learn_answer_the_same(n_rows, is_float):
    """A converted forest has scikit-learn's probabilities, whose thresholds may or may not be floats."""
    X, y = make_classification(3000, 8, n_informative=5, n_classes=3, flip_y=0.2, random_state=3)
    model = RandomForestClassifier(20, min_samples_leaf=2, random_state=0).fit(X, y)
    X = X.astype(np.float32).astype(np.float64)[:n_rows]
    forest = forest_of_sklearn(model, 8)
    if is_float:  # scikit-learn compares floats, so that a threshold may be the float below
        below = forest.threshold.astype(np.float32)
        below = np.where(below > forest.threshold, np.nextafter(below, np.float32(-np.inf)), below)
        forest = type(forest)(**{**vars(forest), "threshold": below.astype(np.float64)})
    rows = Rows(X, np.arange(8, dtype=np.int32), np.empty((n_rows, 0), np.int32))
    reached, theirs = forests.apply_forest(forest, *rows.arrays()), model.apply(X)
    for tree, estimator in enumerate(model.estimators_):
        weights = estimator.tree_.weighted_n_node_samples[theirs[:, tree]]
        assert np.array_equal(forest.weight[forest.tree_begin[tree] + reached[:, tree]], weights)
    assert np.array_equal(predict(forest, rows, [20])[0], model.predict_proba(X))


@pytest.mark.slow
def test_regressors_of_scikit_learn_answer_the_same():
    """A converted forest of means answers what scikit-learn does."""
    X, y = make_regression(2000, 6, noise=3.0, random_state=3)
    X = X.astype(np.float32).astype(np.float64)
    model = RandomForestRegressor(15, random_state=0).fit(X, y)
    rows = Rows(X, np.arange(6, dtype=np.int32), np.empty((2000, 0), np.int32))
    found = predict(forest_of_sklearn(model, 6), rows, [15], is_regression=True)[0, :, 0]
    assert np.array_equal(found, model.predict(X))


@pytest.mark.parametrize("shape", ["thresholds", "fine_thresholds", "both"])
@given(st.integers(0, 2**20), st.sampled_from(ANSWERS))
@settings(max_examples=10)
def test_out_of_bag_sums_are_those_of_the_trees_that_did_not_see_a_row(shape, seed, kind):
    """Tree after tree, each row that is not in the bag gets what the plain walk says."""
    is_vote, is_regression = kind
    forest, rows = random_case(seed, SHAPES[shape], 60, n_outputs=1 if is_regression else 2)
    weights = np.random.default_rng(seed).integers(0, 3, 60).astype(float) if seed % 2 else None
    bagging = Bagging(seed, True, 50)
    sums, counts = np.zeros((60, forest.value.shape[1])), np.zeros(60, int)
    reached = ends(forest, rows)
    for tree in range(forest.n_trees):
        for row in np.flatnonzero(forests.in_bag_counts(bagging, tree, 60, weights) == 0):
            sums[row] += answer(forest, tree, int(reached[row, tree]), is_vote, is_regression)
            counts[row] += 1
    for n_threads in (1, 2):
        found, n_trees = forests.predict_out_of_bag(
            forest, *rows.arrays(), bagging, weights, is_vote, is_regression, n_threads
        )
        assert np.array_equal(found, sums)
        assert np.array_equal(n_trees, counts)


def weighted_loss(forest, tree, rows, classes, weights, out):
    """What a tree loses on some rows, by their weights."""
    nodes = [int(forest.tree_begin[tree]) + end_of_way(forest, tree, rows, int(row)) for row in out]
    return (forest.value[nodes].argmax(axis=1) != classes[out]) @ weights[out]


@pytest.mark.parametrize("shape", ["thresholds", "fine_thresholds", "both"])
@pytest.mark.parametrize("is_regression", [False, True])
def test_a_column_without_two_values_loses_nothing_when_it_is_shuffled(shape, is_regression):
    """Shuffling a constant column changes no loss, nor does one that a tree does not use."""
    forest, rows = random_case(5, SHAPES[shape], 80, n_trees=6, n_outputs=1 if is_regression else 2)
    rows.numbers[:, 0] = 0.5
    constant = int(np.flatnonzero(rows.number_of == 0)[0])
    classes = None if is_regression else np.arange(80, dtype=np.uint32) % 2
    targets = np.arange(80.0) if is_regression else None
    found = forests.permuted_losses(forest, *rows.arrays(), classes, targets, Bagging(3, True, 80), None)
    assert (found[:, constant] == 0).all()
    for tree in range(forest.n_trees):
        nodes = slice(int(forest.tree_begin[tree]), int(forest.tree_begin[tree + 1]))
        used = set(forest.feature[nodes][forest.split_kind[nodes] != LEAF].tolist())
        assert all(found[tree, column] == 0 for column in range(len(rows.number_of)) if column not in used)
    assert np.abs(found).max() > 0


def test_losses_of_shuffled_columns_have_the_mean_over_all_shuffles():
    """With two rows out of the bag a shuffle swaps them or not: the loss is one of two, and both occur."""
    rng = np.random.default_rng(0)
    rows = random_rows(rng, 30, 3, 0, mixed=False)
    forest = random_forest(rng, rows, 60, 2, kinds=[LEVEL_SET], n_splits=15)
    classes = rng.integers(0, 2, 30).astype(np.uint32)
    weights = rng.integers(1, 4, 30).astype(float)
    bagging = Bagging(11, False, 28)
    found = forests.permuted_losses(forest, *rows.arrays(), classes, None, bagging, weights)
    assert np.array_equal(
        found, forests.permuted_losses(forest, *rows.arrays(), classes, None, bagging, weights, n_threads=2)
    )
    seen = set()
    for tree in range(forest.n_trees):
        out = np.flatnonzero(forests.in_bag_counts(bagging, tree, 30, weights) == 0)
        assert len(out) == 2
        before = weighted_loss(forest, tree, rows, classes, weights, out)
        for column in range(3):
            swapped = rows.numbers.copy()
            swapped[out, column] = swapped[out[::-1], column]
            moved = Rows(swapped, rows.number_of, rows.levels)
            after = weighted_loss(forest, tree, moved, classes, weights, out)
            grown = (after - before) / weights[out].sum()
            assert found[tree, column] in (0.0, grown)
            seen.add((grown != 0, found[tree, column] != 0))
    assert seen == {(False, False), (True, False), (True, True)}


def test_a_shuffle_keeps_the_values_of_a_column():
    """With one tree that copies a column, the sum over the rows of what it answers is that of the column."""
    n_rows, levels = 64, np.empty((64, 0), np.int32)
    numbers = np.arange(n_rows, dtype=float)[:, None]
    nodes = RandomForestRegressor(1, bootstrap=False).fit(numbers, numbers[:, 0])
    forest = forest_of_sklearn(nodes, 1)
    rows = Rows(numbers, np.zeros(1, np.int32), levels)
    bagging = Bagging(1, False, 14)
    out = np.flatnonzero(forests.in_bag_counts(bagging, 0, n_rows, None) == 0)
    found = forests.permuted_losses(forest, *rows.arrays(), None, numbers[:, 0], bagging, None)
    # The mean squared distance of a random shuffle to the identity is twice the variance.
    assert 0.5 * 2 * out.var() < found[0, 0] < 1.5 * 2 * out.var()
    away = forests.permuted_losses(forest, *rows.arrays(), None, numbers[:, 0] * 0, bagging, None)
    assert away[0, 0] == 0  # the same values in another order have the same squares


@pytest.mark.parametrize("shape", SHAPES)
@given(st.integers(0, 2**20), st.integers(-1, 6))
@settings(max_examples=15)
def test_a_cut_forest_ends_a_row_at_the_depth_of_the_cut(shape, seed, max_depth):
    """A row ends in the cut forest where it would be after so many steps, with the values of that node."""
    forest, rows = random_case(seed, SHAPES[shape], 20)
    cut = forests.cut_forest(forest, max_depth)
    whole, short = ends(forest, rows), ends(cut, rows)
    for tree in range(forest.n_trees):
        first, begin = int(forest.tree_begin[tree]), int(cut.tree_begin[tree])
        n_nodes = int(cut.tree_begin[tree + 1]) - begin
        parent = {0: -1}
        for node in range(int(forest.tree_begin[tree + 1]) - first):
            for child in range(int(forest.n_children[first + node])):
                parent[int(forest.first_child[first + node]) + child] = node
        for row in range(rows.n_rows):
            way = [int(whole[row, tree])]
            while way[0] != 0:
                way.insert(0, parent[way[0]])
            assert short[row, tree] == way[min(len(way) - 1, max_depth if max_depth >= 0 else len(way))]
        assert np.array_equal(cut.value[begin : begin + n_nodes], forest.value[first : first + n_nodes])
    if cut.tree_begin[-1] < forest.tree_begin[-1]:
        assert cut.importance.shape == (0, len(rows.number_of))
        return
    for name in set(vars(forest)) - {"set_begin", "set_end"}:
        assert np.array_equal(vars(cut)[name], vars(forest)[name], equal_nan=True), name


@pytest.mark.parametrize("n_rows", [1, 500])
@pytest.mark.parametrize(
    ("name", "wrong"),
    [("first_child", 2**31 - 1), ("first_child", -7), ("feature", 99), ("split_kind", 9), ("tree_begin", 5)],
)
def test_a_damaged_forest_is_refused(name, wrong, n_rows):
    """A root that leads nowhere, as in a damaged model file, is an error and not a crash."""
    forest, rows = random_case(1, SHAPES["thresholds"], n_rows, n_splits=30)
    assert forest.split_kind[0] != LEAF
    damaged = type(forest)(**{**vars(forest), name: vars(forest)[name].copy()})
    vars(damaged)[name][0] = wrong
    with pytest.raises(ValueError, match=r"children|feature|kind|nodes"):
        predict(damaged, rows, [1])


def test_requests_that_make_no_sense_are_refused():
    """Prefixes beyond the forest or not ascending, and rows without the columns of the forest."""
    forest, rows = random_case(1, SHAPES["thresholds"], 3)
    for prefixes in ([0], [6], [3, 2]):
        with pytest.raises(ValueError, match="prefix"):
            predict(forest, rows, prefixes)
    with pytest.raises(ValueError, match="differ in columns"):
        predict(forest, Rows(rows.numbers, rows.number_of[:2], rows.levels), [1])
    with pytest.raises(ValueError, match="one output"):
        predict(forest, rows, [1], is_regression=True)
    assert predict(forest, rows, []).shape == (0, 3, 3)
    nobody = Rows(rows.numbers[:0], rows.number_of, rows.levels[:0])
    assert predict(forest, nobody, [1]).shape == (1, 0, 3)
