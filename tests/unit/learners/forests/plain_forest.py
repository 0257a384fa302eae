"""Forests made by hand or by scikit-learn, and rows that walk down them one by one, as judge of kernels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from heldout.native.forests import GrownForest

LEAF, THRESHOLD, MULTIWAY, LEVEL_SET = range(4)


@dataclass
class Rows:
    """Rows as the kernels take them: numbers, levels, and where each column is."""

    numbers: np.ndarray
    number_of: np.ndarray
    levels: np.ndarray

    @property
    def n_rows(self) -> int:
        return len(self.numbers)

    def value(self, row: int, column: int) -> float | int | None:
        """What a row has in a column; None where that is unknown."""
        place = int(self.number_of[column])
        if place >= 0:
            number = float(self.numbers[row, place])
            return None if math.isnan(number) else number
        level = int(self.levels[row, -1 - place])
        return None if level < 0 else level

    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return self.numbers, self.number_of, self.levels


def random_rows(rng, n_rows, n_numbers, n_levels, *, unknown=0.0, highest=5, mixed=True) -> Rows:
    """Rows with coarse and fine numbers, some of them thresholds of `random_forest`, and levels."""
    numbers = rng.integers(-6, 7, (n_rows, n_numbers)) / 2 + rng.choice([0, 0, 1e-9], (n_rows, n_numbers))
    numbers = np.where(rng.random(numbers.shape) < 0.3, rng.normal(size=numbers.shape), numbers)
    numbers[rng.random(numbers.shape) < 0.02] = np.inf
    numbers[rng.random(numbers.shape) < 0.02] = -1e300
    numbers[rng.random(numbers.shape) < unknown] = np.nan
    levels = rng.integers(0, highest + 1, (n_rows, n_levels)).astype(np.int32)
    levels[rng.random(levels.shape) < unknown] = -1
    number_of = np.array([*range(n_numbers), *(-1 - i for i in range(n_levels))], np.int32)
    return Rows(numbers, rng.permutation(number_of) if mixed else number_of, levels)


def random_forest(rng, rows: Rows, n_trees, n_outputs, *, kinds, n_splits=12, highest=5, coarse=True):
    """A forest of random shape over the columns of the rows, with splits on levels of the given kinds."""
    trees = [
        random_tree(rng, rows, n_outputs, int(rng.integers(0, n_splits + 1)), kinds, highest, coarse)
        for _ in range(n_trees)
    ]
    return joined(trees, n_outputs, len(rows.number_of))


def random_tree(rng, rows: Rows, n_outputs, n_splits, kinds, highest, coarse) -> list[dict[str, Any]]:
    """The nodes of a tree, breadth-first."""
    nodes: list[dict[str, Any]] = [leaf(-1)]
    place = 0
    while place < len(nodes) and n_splits > 0:
        if place == len(nodes) - 1 or rng.random() < 0.7:
            split(rng, rows, nodes, place, kinds, highest, coarse)
            n_splits -= 1
        place += 1
    for node in nodes:
        node["value"] = rng.integers(0, 4, n_outputs) + (0.25 if rng.random() < 0.3 else 0)
        node["value"][rng.integers(n_outputs)] += 1
    return nodes


def leaf(branch_level: int) -> dict[str, Any]:
    return {
        "feature": -1,
        "split_kind": LEAF,
        "threshold": np.nan,
        "first_child": -1,
        "n_children": 0,
        "default_child": -1,
        "branch_level": branch_level,
        "set": [],
        "weight": 1.0,
    }


def split(rng, rows: Rows, nodes, place, kinds, highest, coarse) -> None:
    """Make a leaf a split on a random column."""
    feature = int(rng.integers(len(rows.number_of)))
    node = nodes[place]
    kind = THRESHOLD if rows.number_of[feature] >= 0 else int(rng.choice(kinds))
    branches = [-1, -1]
    if kind == THRESHOLD:
        threshold = rng.integers(-6, 7) / 2 if rng.random() < 0.7 else rng.normal()
        node["threshold"] = float(np.float32(threshold)) if coarse else threshold + 1e-9
    else:
        top = highest if rows.number_of[feature] != -1 else min(highest, 5)
        chosen = rng.permutation(top + 1)[: rng.integers(2, top + 1)]
        branches = sorted(chosen.tolist()) if kind == MULTIWAY else branches
        node["set"] = sorted(chosen.tolist()) if kind == LEVEL_SET else []
    node.update(feature=feature, split_kind=kind, first_child=len(nodes), n_children=len(branches))
    node["default_child"] = int(rng.integers(len(branches)))
    nodes.extend(leaf(level) for level in branches)


def joined(trees: list[list[dict[str, Any]]], n_outputs: int, n_columns: int) -> GrownForest:
    """The arrays of the trees."""
    nodes = [node for tree in trees for node in tree]

    def column(name: str, dtype: type) -> np.ndarray:
        return np.array([node[name] for node in nodes], dtype)

    ends = np.cumsum([0, *(len(node["set"]) for node in nodes)]).astype(np.int32)
    return GrownForest(
        tree_begin=np.cumsum([0, *(len(tree) for tree in trees)]).astype(np.int64),
        feature=column("feature", np.int32),
        split_kind=column("split_kind", np.uint8),
        threshold=column("threshold", np.float64),
        first_child=column("first_child", np.int32),
        n_children=column("n_children", np.int32),
        default_child=column("default_child", np.int32),
        branch_level=column("branch_level", np.int32),
        set_begin=ends[:-1].copy(),
        set_end=ends[1:].copy(),
        set_levels=np.array([level for node in nodes for level in node["set"]], np.int32),
        weight=column("weight", np.float64),
        value=column("value", np.float64).reshape(len(nodes), n_outputs),
        importance=np.zeros((len(trees), n_columns)),
    )


def end_of_way(forest: GrownForest, tree: int, rows: Rows, row: int) -> int:
    """The node in which a row ends, counted from the tree's first."""
    first, node = int(forest.tree_begin[tree]), 0
    while forest.split_kind[first + node] != LEAF:
        at = first + node
        value, child = rows.value(row, int(forest.feature[at])), int(forest.first_child[at])
        if value is None:
            node = child + int(forest.default_child[at])
        elif forest.split_kind[at] == THRESHOLD:
            node = child + int(value > forest.threshold[at])
        elif forest.split_kind[at] == LEVEL_SET:
            levels = forest.set_levels[forest.set_begin[at] : forest.set_end[at]]
            node = child + int(value not in levels)
        else:
            branches = forest.branch_level[first + child : first + child + int(forest.n_children[at])]
            if value not in branches:
                return node
            node = child + int(np.flatnonzero(branches == value)[0])
    return node


def ends(forest: GrownForest, rows: Rows) -> np.ndarray:
    """Row × tree: where each row ends."""
    return np.array(
        [[end_of_way(forest, t, rows, row) for t in range(forest.n_trees)] for row in range(rows.n_rows)],
        dtype=np.int32,
    ).reshape(rows.n_rows, forest.n_trees)


def answer(forest: GrownForest, tree: int, node: int, is_vote: bool, is_regression: bool) -> np.ndarray:
    """What a tree answers a row that ends in a node."""
    value = forest.value[int(forest.tree_begin[tree]) + node]
    if is_regression:
        return value
    total = 0.0
    for weight in value:
        total += weight
    shares = value / total
    return np.eye(len(value))[np.argmax(shares)] if is_vote else shares


def predicted(forest: GrownForest, rows: Rows, prefixes, is_vote: bool, is_regression: bool) -> np.ndarray:
    """Prefix × row × output, added up tree after tree."""
    reached, n_outputs = ends(forest, rows), forest.value.shape[1]
    answers = np.zeros((len(prefixes), rows.n_rows, n_outputs))
    for row in range(rows.n_rows):
        total = np.zeros(n_outputs)
        for tree in range(forest.n_trees):
            total = total + answer(forest, tree, int(reached[row, tree]), is_vote, is_regression)
            for i, prefix in enumerate(prefixes):
                if prefix == tree + 1:
                    answers[i, row] = total / prefix
    return answers


def forest_of_sklearn(model, n_columns: int) -> GrownForest:
    """The trees of a scikit-learn forest, their nodes put breadth-first."""
    trees, is_classifier = [], hasattr(model, "classes_")
    for estimator in model.estimators_:
        grown = estimator.tree_
        order, place = [0], 0
        nodes: list[dict[str, Any]] = []
        while place < len(order):
            old = order[place]
            node = leaf(-1)
            node["weight"] = float(grown.weighted_n_node_samples[old])
            shares = grown.value[old, 0]
            node["value"] = np.round(shares * node["weight"]) if is_classifier else shares
            if grown.children_left[old] >= 0:
                node.update(feature=int(grown.feature[old]), split_kind=THRESHOLD, first_child=len(order))
                node.update(n_children=2, default_child=0, threshold=float(grown.threshold[old]))
                order += [int(grown.children_left[old]), int(grown.children_right[old])]
            nodes.append(node)
            place += 1
        trees.append(nodes)
    return joined(trees, trees[0][0]["value"].shape[0], n_columns)
