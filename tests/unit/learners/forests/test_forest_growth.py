"""Every split of a grown forest is the best that its columns offer, whichever way it was found."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout.native.codes import rank_columns
from heldout.native.forests import (
    Bagging,
    ForestOptions,
    GrownForest,
    grow_forests,
    in_bag_counts,
)
from heldout.table.codes import CodedColumn

from .judged_forest import Rows, best_gain, gain_of, parts_of

CLOSE = 1e-9


def coded(rows: Rows) -> list[CodedColumn]:
    """The columns as the core takes them; every level of a category occurs."""
    columns = []
    for position, is_category in enumerate(rows.is_category):
        values = rows.X[:, position]
        if is_category:
            n_levels = int(values.max()) + 1
            codes = np.where(values < 0, n_levels, values).astype(np.min_scalar_type(n_levels))
            columns.append(CodedColumn(codes, n_levels))
        else:
            [(codes, n_codes)] = rank_columns(np.ascontiguousarray(values[:, None]))
            columns.append(CodedColumn(codes, n_codes, values.copy()))
    return columns


def grown(rows: Rows, criterion: str, bagging: Bagging, n_trees: int = 2, **options) -> GrownForest:
    min_leaf = options.pop("min_leaf", 1.0)
    return grown_together(rows, criterion, bagging, [min_leaf], n_trees, **options)[0]


def grown_together(
    rows: Rows, criterion: str, bagging: Bagging, min_leafs: list[float], n_trees: int = 2, **options
) -> list[GrownForest]:
    is_regression = criterion == "squared_error"
    options.setdefault("max_features", rows.X.shape[1])
    return grow_forests(
        coded(rows),
        None,
        None if is_regression else rows.y.astype(np.uint32),
        0 if is_regression else rows.n_classes,
        rows.y if is_regression else None,
        None if (rows.weights == 1).all() else rows.weights,
        ForestOptions(criterion=criterion, bagging=bagging, **options),
        0,
        n_trees,
        min_leafs,
    )


def check_forest(rows: Rows, forest: GrownForest, criterion: str, bagging: Bagging, **options) -> None:
    """Every split gains as much as the best of all, every leaf has no split that would be made."""
    for tree in range(forest.n_trees):
        weights = None if (rows.weights == 1).all() else rows.weights
        counts = in_bag_counts(bagging, tree, len(rows.y), weights if bagging.is_bootstrap else None)
        own = counts * (1.0 if bagging.is_bootstrap else rows.weights)
        bag = Rows(rows.X, rows.is_category, rows.y, own, rows.n_classes).take(np.flatnonzero(counts))
        check_tree(bag, forest, tree, criterion, **options)


def check_tree(bag: Rows, forest: GrownForest, tree: int, criterion: str, **options) -> None:
    splits, min_leaf = options.get("categorical_splits", "subset"), options.get("min_leaf", 1.0)
    is_partial = options.get("max_features", bag.X.shape[1]) < bag.X.shape[1]
    begin = int(forest.tree_begin[tree])
    open_nodes = [(0, bag)]
    while open_nodes:
        node, rows = open_nodes.pop()
        value = forest.value[begin + node]
        if criterion == "squared_error":
            assert value[0] == pytest.approx(np.average(rows.y, weights=rows.weights), abs=1e-9)
        else:
            assert value == pytest.approx(np.bincount(rows.y.astype(int), rows.weights, rows.n_classes))
        assert forest.weight[begin + node] == pytest.approx(rows.weights.sum())
        column = int(forest.feature[begin + node])
        best = [best_gain(rows, c, criterion, splits, min_leaf) for c in range(rows.X.shape[1])]
        if column < 0:
            is_pure = impure(rows, criterion) <= CLOSE
            assert is_pure or max(best) == -np.inf
            continue
        parts = parts_of(rows, forest, tree, node)
        assert all(len(part) for part in parts)
        gain = gain_of(rows, parts, criterion)
        wanted = best[column] if is_partial else max(best)
        assert gain == pytest.approx(wanted, abs=CLOSE * max(1.0, rows.weights.sum()))
        first = int(forest.first_child[begin + node])
        open_nodes += [(first + child, rows.take(part)) for child, part in enumerate(parts)]


def impure(rows: Rows, criterion: str) -> float:
    return float(np.ptp(rows.y)) if criterion == "squared_error" else float(len(np.unique(rows.y)) - 1)


def random_rows(seed: int, n: int, kinds: str, n_classes: int, has_unknown: bool, has_ties: bool) -> Rows:
    """kinds: n for a number, c for a category; 0 classes for a regression."""
    generator = np.random.default_rng(seed)
    X = np.empty((n, len(kinds)))
    for position, kind in enumerate(kinds):
        if kind == "c":
            X[:, position] = generator.integers(0, 4, n)
            X[:4, position] = np.arange(4)[: len(X[:4])]
        elif has_ties:
            X[:, position] = generator.integers(-3, 4, n)
        else:
            X[:, position] = generator.standard_normal(n)
    if has_unknown:
        lost = generator.random(X.shape) < 0.2
        lost[:4] = False
        X = np.where(lost, np.where([kind == "c" for kind in kinds], -1.0, np.nan), X)
    score = np.nan_to_num(X[:, 0]) + generator.standard_normal(n)
    y = np.argsort(np.argsort(score)) * n_classes // n if n_classes else score
    return Rows(X, tuple(kind == "c" for kind in kinds), y.astype(float), np.ones(n), n_classes)


@pytest.mark.slow
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(4, 60),
    kinds=st.sampled_from(["n", "nn", "cn", "nnc"]),
    n_classes=st.sampled_from([0, 2, 3]),
    has_unknown=st.booleans(),
    has_ties=st.booleans(),
    is_bootstrap=st.booleans(),
    min_leaf=st.sampled_from([1.0, 2.0, 5.0]),
    splits=st.sampled_from(["multiway", "one_vs_rest"]),
)
def test_every_split_is_the_best_of_all(
    seed, n, kinds, n_classes, has_unknown, has_ties, is_bootstrap, min_leaf, splits
):
    """Small tables with categories, gaps and ties: brute force over all splits finds none that gains more."""
    rows = random_rows(seed, n, kinds, n_classes, has_unknown, has_ties)
    criteria = ["gini", "entropy"] if n_classes else ["squared_error"]
    bagging = Bagging(seed, is_bootstrap, n if is_bootstrap else max(1, n - 3))
    options = {"min_leaf": min_leaf, "categorical_splits": splits}
    for criterion in criteria:
        forest = grown(rows, criterion, bagging, **options)
        check_forest(rows, forest, criterion, bagging, **options)


@pytest.mark.parametrize("n_classes", [0, 2])
def test_subsets_of_levels_are_the_best(n_classes):
    """With all values known the best of all subsets is found, for two classes and for targets."""
    rows = random_rows(5, 60, "cn", n_classes, has_unknown=False, has_ties=False)
    criterion = "gini" if n_classes else "squared_error"
    bagging = Bagging(1, True, 60)
    forest = grown(rows, criterion, bagging)
    check_forest(rows, forest, criterion, bagging)


@pytest.mark.slow
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("n_classes", [2, 3, 7])
@pytest.mark.parametrize("n_distinct", [0, 40, 400])
def test_large_nodes_are_exact(criterion, n_classes, n_distinct):
    """Nodes that count bins find what a sort would find: their cuts gain as much as the best of all."""
    rows = random_rows(n_classes, 1500, "nn", n_classes, has_unknown=False, has_ties=False)
    X = np.round(rows.X * n_distinct / 6) if n_distinct else rows.X
    rows = Rows(X, rows.is_category, rows.y, rows.weights, n_classes)
    bagging = Bagging(3, True, 1500)
    forest = grown(rows, criterion, bagging, n_trees=1, max_depth=2)
    begin = int(forest.tree_begin[0])
    counts = in_bag_counts(bagging, 0, 1500, None)
    bag = Rows(X, rows.is_category, rows.y, counts.astype(float), n_classes).take(np.flatnonzero(counts))
    assert forest.feature[begin] >= 0
    parts = parts_of(bag, forest, 0, 0)
    for node, inside in [(0, bag), *((k + 1, bag.take(part)) for k, part in enumerate(parts))]:
        best = max(best_gain(inside, column, criterion, "subset", 1.0) for column in range(2))
        gain = gain_of(inside, parts_of(inside, forest, 0, node), criterion)
        assert gain == pytest.approx(best, abs=1e-8 * 1500)


@pytest.mark.slow
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(40, 600),
    n_classes=st.sampled_from([2, 3]),
    n_distinct=st.sampled_from([0, 20, 90]),
    share=st.floats(0.01, 0.5),
    is_pure_at_the_ends=st.booleans(),
)
def test_large_nodes_are_exact_where_branches_may_not_be_small(
    seed, n, n_classes, n_distinct, share, is_pure_at_the_ends
):
    """A cut that stands next to one that is not allowed is found, in bins of one class too."""
    rows = random_rows(seed, n, "n", n_classes, has_unknown=False, has_ties=False)
    X = np.round(rows.X * n_distinct / 6) if n_distinct else rows.X
    if is_pure_at_the_ends:
        rows = replace(rows, y=np.clip(np.argsort(np.argsort(X[:, 0])) - (n - 10), 0, 1).astype(float))
    rows = replace(rows, X=X)
    min_leaf = max(1.0, np.floor(share * n))
    for criterion in ("gini", "entropy"):
        bagging = Bagging(seed, False, n)
        forest = grown(rows, criterion, bagging, n_trees=1, max_depth=1, min_leaf=min_leaf)
        best = best_gain(rows, 0, criterion, "subset", min_leaf)
        if forest.feature[0] < 0:
            assert best == -np.inf or len(np.unique(rows.y)) == 1
            continue
        gain = gain_of(rows, parts_of(rows, forest, 0, 0), criterion)
        assert gain == pytest.approx(best, abs=CLOSE * n)
        assert min(forest.weight[1:3]) >= min_leaf


@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_weights_count_as_they_are_without_replacement(n_classes):
    """Rows that count with weights are split as brute force splits them."""
    rows = random_rows(9, 40, "nc", n_classes, has_unknown=True, has_ties=True)
    weights = np.random.default_rng(1).uniform(0.2, 3, 40)
    rows = Rows(rows.X, rows.is_category, rows.y, weights, n_classes)
    criterion = "gini" if n_classes else "squared_error"
    bagging = Bagging(2, False, 40)
    options = {"min_leaf": 1.5, "categorical_splits": "multiway"}
    forest = grown(rows, criterion, bagging, **options)
    check_forest(rows, forest, criterion, bagging, **options)


@pytest.mark.slow
def test_few_columns_are_drawn_for_each_node():
    """With max_features=1 a node takes the best cut of the one column it drew, and all columns are drawn."""
    rows = random_rows(11, 50, "nnnn", 2, has_unknown=False, has_ties=False)
    bagging = Bagging(4, True, 50)
    forest = grown(rows, "gini", bagging, n_trees=20, max_features=1)
    check_forest(rows, forest, "gini", bagging, max_features=1)
    assert set(forest.feature[forest.feature >= 0].tolist()) == {0, 1, 2, 3}
    roots = forest.feature[forest.tree_begin[:-1]]
    assert len(set(roots.tolist())) > 1


def test_a_column_without_a_cut_does_not_end_a_node():
    """Further columns are drawn until one can split."""
    generator = np.random.default_rng(0)
    X = np.zeros((30, 5))
    X[:, 3] = generator.standard_normal(30)
    rows = Rows(X, (False,) * 5, (X[:, 3] > 0).astype(float), np.ones(30), 2)
    forest = grown(rows, "gini", Bagging(0, True, 30), n_trees=10, max_features=1)
    assert (forest.feature[forest.tree_begin[:-1]] == 3).all()


def digest(forest: GrownForest) -> str:
    return hashlib.sha256(
        b"".join(np.ascontiguousarray(a).tobytes() for a in vars(forest).values())
    ).hexdigest()


def forests_of_all_kinds(n_threads: int = 1) -> list[GrownForest]:
    return [
        grown(
            random_rows(7, n, kinds, n_classes, has_unknown, has_ties),
            criterion,
            Bagging(5, True, n),
            n_trees=5,
            max_features=2,
            min_leaf=min_leaf,
            n_threads=n_threads,
        )
        for min_leaf in (1.0, 30.0)
        for n, kinds, n_classes, has_unknown, has_ties, criterion in (
            (3000, "nnn", 2, False, False, "gini"),
            (3000, "nnn", 2, False, True, "gini"),
            (3000, "nnn", 2, False, False, "entropy"),
            (3000, "nnn", 4, False, False, "gini"),
            (600, "nnc", 3, True, False, "entropy"),
            (600, "nnc", 0, True, False, "squared_error"),
        )
    ]


def test_any_number_of_threads_grows_the_same_forest():
    """One, two and three threads give the same bits."""
    alone = [digest(forest) for forest in forests_of_all_kinds()]
    assert [digest(forest) for forest in forests_of_all_kinds(2)] == alone
    assert [digest(forest) for forest in forests_of_all_kinds(3)] == alone


@pytest.mark.slow
def test_plain_and_wide_vectors_grow_the_same_forest():
    """A process that is kept from wide vectors grows the same bits."""
    code = (
        "from tests.unit.learners.forests.test_forest_growth import digest, forests_of_all_kinds\n"
        "print(*[digest(forest) for forest in forests_of_all_kinds()])"
    )
    plain = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "HELDOUT_PLAIN": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert plain.stdout.split() == [digest(forest) for forest in forests_of_all_kinds()]


@given(
    seed=st.integers(0, 10_000),
    n=st.integers(4, 120),
    kinds=st.sampled_from(["n", "nnn", "cn", "nnc"]),
    n_classes=st.sampled_from([0, 2, 3]),
    has_unknown=st.booleans(),
    is_bootstrap=st.booleans(),
    min_gain=st.sampled_from([-np.inf, 0.0, 0.05]),
    splits=st.sampled_from(["multiway", "one_vs_rest", "subset"]),
)
def test_forests_of_several_min_leafs_are_those_grown_alone(
    seed, n, kinds, n_classes, has_unknown, is_bootstrap, min_gain, splits
):
    """Grown together or one by one, the forests of all min_leafs have the same bits."""
    rows = random_rows(seed, n, kinds, n_classes, has_unknown, has_ties=seed % 2 == 0)
    min_leafs = [5.0, 1.0, 2.0, 12.0, 2.0]
    shared = {"min_gain": min_gain, "categorical_splits": splits, "max_features": 1}
    criterion = "gini" if n_classes else "squared_error"
    bagging = Bagging(seed, is_bootstrap, n)
    together = grown_together(rows, criterion, bagging, min_leafs, **shared)
    alone = [grown(rows, criterion, bagging, min_leaf=min_leaf, **shared) for min_leaf in min_leafs]
    assert [digest(forest) for forest in together] == [digest(forest) for forest in alone]


def test_gains_that_differ_by_rounding_are_compared_in_one_order():
    """A smaller min_leaf does not lead a larger one to another cut by a chain of near ties."""
    steps = np.array([0, 0.7e-12, 1.4e-12, 0, 0, 0, 0, 0])
    rows = random_rows(3, 8, "n", 0, has_unknown=False, has_ties=False)
    rows = replace(rows, X=np.arange(8.0)[:, None], y=np.array([1.0, 0, 0, 1, 0, 1, 0, 1]) + steps)
    bagging = Bagging(0, False, 8)
    together = grown_together(rows, "squared_error", bagging, [1.0, 2.0, 3.0], n_trees=1)
    alone = [grown(rows, "squared_error", bagging, n_trees=1, min_leaf=leaf) for leaf in (1.0, 2.0, 3.0)]
    assert [digest(forest) for forest in together] == [digest(forest) for forest in alone]


def test_a_row_that_weighs_next_to_nothing_has_a_weight():
    """Weights of any size give a forest of numbers."""
    rows = random_rows(3, 8, "n", 0, has_unknown=False, has_ties=False)
    rows = replace(rows, weights=np.array([1e-308] + [1e300] * 7))
    forest = grown(rows, "squared_error", Bagging(0, False, 8), n_trees=1, min_leaf=1e290)
    assert np.isfinite(forest.value).all()


def test_trees_depend_on_their_number_alone():
    """Trees 2 and 3 are the same whether grown first or after others, and others differ."""
    rows = random_rows(3, 80, "nn", 2, has_unknown=False, has_ties=False)
    bagging = Bagging(8, True, 80)
    options = ForestOptions(criterion="gini", bagging=bagging, max_features=1)
    args = coded(rows), None, rows.y.astype(np.uint32), 2, None, None, options
    [four], [last] = grow_forests(*args, 0, 4, [1.0]), grow_forests(*args, 2, 2, [1.0])
    begin = int(four.tree_begin[2])
    assert four.threshold[begin:].tobytes() == last.threshold.tobytes()
    assert four.value[begin:].tobytes() == last.value.tobytes()
    assert four.feature[:begin].tobytes() != last.feature[: len(four.feature[:begin])].tobytes()


def test_bags_are_drawn_as_asked():
    """With replacement so many draws, in proportion to weights; without, rows at most once."""
    counts = in_bag_counts(Bagging(1, True, 500), 0, 1000, None)
    assert counts.sum() == 500
    assert counts.max() > 1
    once = in_bag_counts(Bagging(1, False, 500), 0, 1000, None)
    assert once.sum() == 500
    assert once.max() == 1
    weights = np.array([0.0, 1.0, 3.0])
    drawn = in_bag_counts(Bagging(1, True, 40_000), 0, 3, weights)
    assert drawn[0] == 0
    assert drawn[2] / drawn[1] == pytest.approx(3, rel=0.05)
    assert (in_bag_counts(Bagging(1, True, 500), 1, 1000, None) != counts).any()


@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
def test_trees_of_drawn_groups_count_rows_with_their_weights(criterion):
    """A tree from whole groups is the one that brute force grows from their rows and weights."""
    n_classes = 0 if criterion == "squared_error" else 2
    rows = random_rows(13, 40, "nn", n_classes, has_unknown=False, has_ties=False)
    groups = (np.arange(40) // 4).astype(np.uint32)
    for weights in (np.ones(40), np.random.default_rng(3).uniform(0.5, 2, 40)):
        rows = Rows(rows.X, rows.is_category, rows.y, weights, n_classes)
        bagging = Bagging(6, True, 10, groups)
        forest = grown(rows, criterion, bagging)
        for tree in range(2):
            counts = in_bag_counts(bagging, tree, 40, None)
            assert (counts.reshape(10, 4) == counts[::4, None]).all()
            bag = Rows(rows.X, rows.is_category, rows.y, counts * weights, n_classes)
            check_tree(bag.take(np.flatnonzero(counts)), forest, tree, criterion)


def test_thresholds_are_short_where_they_separate():
    """A threshold fits single precision unless no such number lies between the two values."""
    X = np.array([[1.0], [2.0], [1e9 + 1], [1e9 + 2]])
    rows = Rows(X, (False,), np.array([0.0, 1.0, 0.0, 1.0]), np.ones(4), 2)
    forest = grown(rows, "gini", Bagging(0, False, 4), n_trees=1)
    cuts = np.sort(forest.threshold[forest.feature >= 0])
    assert cuts[0] == 1.5
    assert 1e9 + 1 <= cuts[-1] < 1e9 + 2
    assert np.float64(np.float32(cuts[0])) == cuts[0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"max_features": 0}, "max_features"),
        ({"max_features": 9}, "max_features"),
        ({"bagging": Bagging(0, True, 0)}, "bag"),
        ({"criterion": "error"}, "forest grows by"),
    ],
)
def test_the_core_refuses_what_does_not_fit(change, message):
    """Options that make no sense are refused before anything is grown."""
    rows = random_rows(1, 10, "nn", 2, has_unknown=False, has_ties=False)
    settings = {"criterion": "gini", "bagging": Bagging(0, True, 10), "max_features": 1, **change}
    with pytest.raises(ValueError, match=message):
        grow_forests(
            coded(rows), None, rows.y.astype(np.uint32), 2, None, None, ForestOptions(**settings), 0, 1, [1.0]
        )
