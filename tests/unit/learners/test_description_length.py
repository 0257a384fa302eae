"""How many bits a model takes: held against a count by hand, and against a plain walk."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

import heldout as ho
from heldout.learners.description_length import cut_bits, mean_bits, number_bits, share_bits, subset_bits

from .random_tables import random_classes, random_rows


@pytest.fixture(scope="module")
def tennis() -> ho.Task:
    return ho.Task(ho.datasets.load("play_tennis"), "PlayTennis")


@pytest.fixture(scope="module")
def windy() -> ho.Task:
    return ho.Task(ho.datasets.load("play_tennis_wind"), "PlayTennis")


def ways(n_rows: int, n_classes: int = 2) -> int:
    """In how many ways as many steps as the root of the rows, rounded up, are divided among the classes."""
    n_steps = math.isqrt(max(n_rows, 1) - 1) + 1
    return math.comb(n_steps + n_classes - 1, n_classes - 1)


def test_shares_are_counted_as_ways_to_divide_steps() -> None:
    """Of one row the name of its class; of many rows and two classes half of log2 of them, nearly."""
    for n_classes in (1, 2, 3, 26):
        assert float(share_bits(1, n_classes)) == pytest.approx(math.log2(n_classes), abs=1e-12)
        for n_rows in (2, 9, 10, 150, 10**6):
            assert float(share_bits(n_rows, n_classes)) == pytest.approx(math.log2(ways(n_rows, n_classes)))
    assert float(mean_bits(10**6)) == pytest.approx(number_bits(10**6), abs=0.01)


def test_play_tennis_by_hand(tennis: ho.Task) -> None:
    """Eight nodes, three splits on one of four columns, five leaves of 2 to 4 rows, with two steps each."""
    tree = ho.TreeClassifier.id3().fit(tennis.X, tennis.y)
    assert (tree.tree_.n_nodes, tree.n_leaves_) == (8, 5)
    assert sorted(tree.tree_.grown.n_rows[tree.tree_.grown.split_kind == 0]) == [2, 2, 3, 3, 4]
    assert tree.description_bits() == pytest.approx(8 + 3 * 2 + 5 * math.log2(3), abs=1e-12)


def test_a_code_that_was_fixed_beforehand(tennis: ho.Task, windy: ho.Task) -> None:
    """Leaves name a class, cuts are those of the grid, a level that might come is a leaf; less is refused."""
    tree = ho.TreeClassifier.id3().fit(tennis.X, tennis.y)
    names = [column.name for column in tree.inputs_.columns]
    levels = {name: len(column.levels) for name, column in zip(names, tree.inputs_.columns, strict=True)}
    assert tree.fixed_code_bits([levels[name] for name in names]) == 8 + 3 * 2 + 5 * 1
    more = [levels[name] + (name == "Outlook") for name in names]  # at the root alone: one leaf more
    assert tree.fixed_code_bits(more) == 8 + 3 * 2 + 5 * 1 + 2
    windy_tree = ho.TreeClassifier.id3().fit(windy.X, windy.y)
    grid = [65 if name == "Wind" else levels[name] for name in names]
    assert windy_tree.fixed_code_bits(grid) == 8 + 3 * 2 + 5 * 1 + 6
    with pytest.raises(ho.RequestError, match="more values than the grid"):
        tree.fixed_code_bits(1)


def test_a_cut_of_a_number_by_hand(windy: ho.Task) -> None:
    """The wind has eight values, so its split tells one of seven cuts."""
    tree = ho.TreeClassifier.id3().fit(windy.X, windy.y)
    assert tree.description_bits() == pytest.approx(8 + 3 * 2 + 5 * math.log2(3) + math.log2(7), abs=1e-12)


def test_groups_of_levels_by_hand(tennis: ho.Task) -> None:
    """Of three levels there are three ways to make two groups, of two levels one."""
    tree = ho.TreeClassifier.cart(prune=None).fit(tennis.X, tennis.y)
    on_outlook = np.count_nonzero(tree.tree_.grown.feature == 0)
    n_splits = tree.tree_.n_nodes - tree.n_leaves_
    leaves = sum(math.log2(ways(int(n))) for n in tree.tree_.grown.n_rows[tree.tree_.grown.split_kind == 0])
    expected = tree.tree_.n_nodes + 2 * n_splits + on_outlook * math.log2(3) + leaves
    assert tree.description_bits() == pytest.approx(expected, abs=1e-12)
    assert (n_splits, on_outlook) == (6, 3)


def test_rules_by_hand(tennis: ho.Task, windy: ho.Task) -> None:
    """Three rules with four conditions, two on one of three levels and two on one of two levels or cuts."""
    rules = ho.RuleClassifier().fit(tennis.X, tennis.y)
    assert [len(rule.conditions) for rule in rules.rules_] == [1, 1, 2]
    covered = [rule.n_rows for rule in (*rules.rules_, rules.default_rule_)]
    ends, conditions = 3 + 3 + 1, 4 * (1 + 2 + 1)
    answers = 3 + sum(math.log2(ways(n_rows)) for n_rows in covered)  # a class for each rule, and shares
    expected = ends + answers + conditions + 2 * math.log2(3) + 2 * math.log2(2)
    assert rules.description_bits() == pytest.approx(expected, abs=1e-12)
    with_numbers = ho.RuleClassifier().fit(windy.X, windy.y)
    assert with_numbers.description_bits() == pytest.approx(expected - 1 + math.log2(7), abs=1e-12)


def test_several_levels_cost_a_bit_each() -> None:
    """A condition that names two of four levels tells for each level whether it is meant."""
    table = ho.read_table({"town": list("aabbccdd") * 3, "y": list("nnnnyyyy") * 3})
    task = ho.Task(table, "y")
    rules = ho.RuleClassifier(categorical_splits="subset").fit(task.X, task.y)
    assert [len(rule.conditions[0].levels) for rule in rules.rules_] == [2]
    shares = math.log2(ways(12)) + math.log2(ways(12))
    expected = 1 + (2 + 1) + (1 + 0 + 1 + 4) + shares
    assert rules.description_bits() == pytest.approx(expected, abs=1e-12)


def plain_bits(tree: Any) -> float:
    """The same length, node by node."""
    grown, columns = tree.tree_.grown, tree.inputs_.columns
    n_classes = len(tree.classes_) if hasattr(tree, "classes_") else 2
    total = 0.0
    for node in range(tree.tree_.n_nodes):
        children = tree.tree_.children(node)
        if not children:
            total += 1 + math.log2(ways(int(grown.n_rows[node]), n_classes))
            continue
        position = int(grown.feature[node])
        total += 1 + math.log2(len(columns))
        n_values = int(tree.n_values_[position])
        if grown.split_kind[node] == 1:
            total += math.log2(n_values - 1)
        elif grown.split_kind[node] == 2:  # which levels have a branch is seen in the rows
            continue
        elif tree.categorical_splits == "one_vs_rest":
            total += math.log2(n_values if n_values > 2 else 1)
        else:
            total += math.log2(2 ** (n_values - 1) - 1)
    return total


@pytest.mark.slow
@given(
    seed=st.integers(0, 10**6),
    n_rows=st.integers(2, 80),
    splits=st.sampled_from(["multiway", "subset", "one_vs_rest"]),
    missing=st.sampled_from(["fractional", "node_mode", "column_mode"]),
)
def test_random_trees_against_a_plain_walk(seed: int, n_rows: int, splits: str, missing: str) -> None:
    """All kinds of splits, classes and means, empty branches and missing values."""
    X, y = random_rows(seed, n_rows), random_classes(seed, n_rows)
    settings = {"categorical_splits": splits, "missing": missing, "prune": None, "min_leaf": 1}
    tree = ho.TreeClassifier(**settings).fit(X, y)
    assert tree.description_bits() == pytest.approx(plain_bits(tree), rel=1e-12)
    regressor = ho.TreeRegressor(**settings).fit(X, np.arange(n_rows) % 7.0)
    assert regressor.description_bits() == pytest.approx(plain_bits(regressor), rel=1e-12)


@pytest.mark.parametrize("prune", ["pessimistic", "cost_complexity", "reduced_error", "chi_square"])
def test_a_pruned_tree_is_shorter(prune: str) -> None:
    """Whatever prunes, the tree that is left takes fewer bits than the one that was grown."""
    X, y = random_rows(3, 300), random_classes(3, 300)
    judges = {"validation": (random_rows(4, 300), random_classes(4, 300))} if prune == "reduced_error" else {}
    whole = ho.TreeClassifier(prune=None).fit(X, y)
    pruned = ho.TreeClassifier(prune=prune).fit(X, y, **judges)
    assert pruned.n_leaves_ < whole.n_leaves_
    assert pruned.description_bits() < whole.description_bits()


def test_deeper_cuts_of_one_tree_take_more_bits() -> None:
    """Along the depths of a sweep the length never falls, and it is that of a separate fit."""
    X, y = random_rows(5, 120), random_classes(5, 120)
    learner = ho.TreeClassifier.id3()
    sweep = learner.sweep(X, y, {"max_depth": [0, 1, 2, 3, None]})
    lengths = [sweep.model(place).description_bits() for place in range(len(sweep))]
    assert lengths == sorted(lengths)
    assert lengths[0] == pytest.approx(1 + math.log2(ways(120, 3)), abs=1e-12)
    separate = ho.TreeClassifier.id3(max_depth=3).fit(X, y)
    assert sweep.model(3).description_bits() == separate.description_bits()


def test_a_fold_counts_its_own_values() -> None:
    """Rows of a larger table give the numbers of values, and the length, of a table of these rows alone."""
    table, classes = random_rows(8, 90), random_classes(8, 90)
    rows = np.arange(0, 90, 7)
    alone = table[rows]
    fold = ho.TreeClassifier.id3().fit(alone, classes[rows])
    numbers = {name: np.asarray(alone[name].values) for name in ("size", "joined")}
    for position, column in enumerate(fold.inputs_.columns):
        if column.is_category:
            assert fold.n_values_[position] == len(column.levels)
        else:
            known = numbers[column.name][~np.isnan(numbers[column.name])]
            assert fold.n_values_[position] == len(np.unique(known))


def test_rows_without_weight_do_not_count() -> None:
    """A row of weight 0 offers no cut."""
    X = [[1.0], [2.0], [3.0], [4.0]]
    tree = ho.TreeClassifier.cart(prune=None).fit(X, [0, 0, 1, 1], sample_weight=[1, 1, 1, 0])
    assert tree.n_values_.tolist() == [3]


def test_sparse_and_dense_columns_have_the_same_length() -> None:
    """Cells that are not stored are a value like any other."""
    draw = np.random.default_rng(2)
    X = draw.integers(0, 3, (60, 8)) * draw.integers(0, 2, (60, 8)).astype(float)
    y = draw.integers(0, 2, 60)
    dense = ho.TreeClassifier().fit(X, y)
    sparse = ho.TreeClassifier().fit(csr_array(X), y)
    assert sparse.description_bits() == dense.description_bits() > 0
    assert sparse.n_values_.tolist() == [len(np.unique(column)) for column in X.T]


def test_many_levels_have_a_finite_length() -> None:
    """The groups of thousands of levels are more than a number can count, and have a length."""
    assert subset_bits(np.array([3, 60, 5000])).tolist() == [math.log2(3), 59.0, 4999.0]
    assert cut_bits(np.array([0, 1, 2, 1025])).tolist() == [0.0, 0.0, 0.0, 10.0]
    assert number_bits(0) == 0.0
    names = [f"level {place}" for place in range(2000)]
    table = ho.read_table(
        {"town": names, "size": list(range(2000)), "y": ["a", "b"] * 1000}, kinds={"town": "category"}
    )
    task = ho.Task(table, "y")
    tree = ho.TreeClassifier.cart(prune=None).fit(task.X, task.y)
    assert 1999 < tree.description_bits() < 2100


def test_one_class_and_one_column_need_no_words() -> None:
    """A single leaf of the only class is one bit long."""
    assert ho.TreeClassifier().fit([[1.0], [2.0]], ["a", "a"]).description_bits() == 1.0
    assert ho.RuleClassifier().fit([[1.0], [2.0]], ["a", "a"]).description_bits() == 1.0


def test_rules_of_a_tree_know_its_columns(windy: ho.Task) -> None:
    """Rules that were made from a tree have the length that its columns give them."""
    tree = ho.TreeClassifier(prune=None).fit(windy.X, windy.y)
    rules = ho.RuleClassifier.from_tree(tree, windy.X, windy.y)
    assert rules.n_values_.tolist() == tree.n_values_.tolist()
    assert rules.description_bits() > 0


def test_rows_that_are_chosen_twice_count_once() -> None:
    """A selection may have a row several times; its values are no more for that."""
    table = ho.read_table({"size": [1.5, 2.5, 3.5, 4.5, 5.5], "rough": [1.0, 1.0, 2.0, 2.0, 3.0]})
    tree = ho.TreeClassifier.cart(prune=None).fit(table[[0, 0, 3, 3, 3]], list("aabbb"))
    assert tree.n_values_.tolist() == [2, 2]
