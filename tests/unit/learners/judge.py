"""The core's tree held against the slow grower's definitions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from heldout.native import GrownTree, GrowOptions, grow_tree, rank_columns
from heldout.table.codes import CodedColumn

from .reference_tree import (
    LEVEL_SET,
    MULTIWAY,
    THRESHOLD,
    ReferenceNode,
    ReferenceProblem,
    ReferenceSplit,
    candidate_splits,
    chosen_split,
    class_weights,
    gain_of,
    impurity,
    mean,
    score_of,
)

CLOSE = 1e-9


@dataclass(frozen=True)
class Case:
    """A small table: per column whether it is a category and its values, None for unknown."""

    columns: list[tuple[bool, list[Any]]]
    answers: list[Any]
    n_classes: int
    weights: list[float] | None

    def coded(self) -> list[CodedColumn]:
        coded = []
        for is_category, values in self.columns:
            floats = np.array([[np.nan if value is None else value] for value in values], dtype=np.float64)
            ((codes, n_codes),) = rank_columns(floats)
            coded.append(CodedColumn(codes, n_codes, None if is_category else floats[:, 0]))
        return coded

    def grow(self, options: GrowOptions) -> GrownTree:
        weights = None if self.weights is None else np.array(self.weights)
        if self.n_classes:
            classes = np.array(self.answers, dtype=np.uint32)
            return grow_tree(self.coded(), None, classes, self.n_classes, None, weights, options)
        return grow_tree(self.coded(), None, None, 0, np.array(self.answers), weights, options)


def reference_problem(case: Case, options: GrowOptions) -> ReferenceProblem:
    """The same table for the slow grower; levels are numbered as the core sees them."""
    columns = []
    for is_category, values in case.columns:
        code_of = {level: code for code, level in enumerate(sorted({v for v in values if v is not None}))}
        columns.append([None if v is None else code_of[v] if is_category else float(v) for v in values])
    weights = [Fraction(1)] * len(case.answers) if case.weights is None else list(map(Fraction, case.weights))
    kinds = [is_category for is_category, _ in case.columns]
    return ReferenceProblem(columns, kinds, case.answers, case.n_classes, weights, options)


def split_of(problem: ReferenceProblem, grown: GrownTree, node: int, rows: list[int]) -> ReferenceSplit:
    """The split that the core made in a node, applied to these rows."""
    feature, kind = int(grown.feature[node]), int(grown.split_kind[node])
    children: list[list[int]] = [[] for _ in range(int(grown.n_children[node]))]
    first = int(grown.first_child[node])
    default = int(grown.default_child[node]) - first
    level_set = grown.set_levels[grown.set_begin[node] : grown.set_end[node]].tolist()
    branches = grown.branch_level[first : first + len(children)].tolist()
    for row in rows:
        value = problem.columns[feature][row]
        if value is None:
            place = default
        elif kind == THRESHOLD:
            place = 0 if value <= grown.threshold[node] else 1
        elif kind == MULTIWAY:
            place = branches.index(value)
        else:
            place = 0 if value in level_set else 1
        children[place].append(row)
    split = ReferenceSplit(feature, kind, children, float(grown.threshold[node]), default=default)
    split.branch_levels = branches if kind == MULTIWAY else []
    split.level_set = level_set if kind == LEVEL_SET else []
    split.gain = gain_of(problem, rows, children)
    return split


def is_best_everywhere(problem: ReferenceProblem, grown: GrownTree) -> str:
    """What is wrong with the tree, or nothing."""
    rows_of = {0: list(range(len(problem.answers)))}
    for node in range(len(grown.feature)):
        rows = rows_of[node]
        complaint = _wrong_numbers(problem, grown, node, rows)
        if complaint:
            return complaint
        best, is_unique = (
            (None, True) if _must_be_leaf(problem, grown, node, rows) else chosen_split(problem, rows)
        )
        if grown.feature[node] < 0:
            if best is not None and float(best.gain) > problem.options.min_gain + CLOSE:
                return f"node {node} is a leaf, but {best} gains {float(best.gain)}"
            continue
        split = split_of(problem, grown, node, rows)
        rows_of |= {int(grown.first_child[node]) + place: child for place, child in enumerate(split.children)}
        complaint = _worse(problem, grown, node, rows, split, best, is_unique)
        if complaint:
            return complaint
    return ""


def agrees_with(nodes: list[ReferenceNode], problem: ReferenceProblem, grown: GrownTree) -> str:
    """The first difference between the slow grower's nodes and the core's, or nothing."""
    if len(nodes) != len(grown.feature):
        return f"{len(grown.feature)} nodes where {len(nodes)} are right"
    for place, node in enumerate(nodes):
        complaint = _wrong_numbers(problem, grown, place, node.rows)
        found = (int(grown.parent[place]), int(grown.branch_level[place]), int(grown.feature[place]))
        right = (node.parent, node.branch_level, -1 if node.split is None else node.split.feature)
        if complaint or found != right:
            return complaint or f"node {place}: {found} where {right} is right"
        if node.split is not None:
            made = split_of(problem, grown, place, node.rows)
            told = (made.kind, list(map(sorted, made.children)), made.level_set, made.default)
            wanted = (
                node.split.kind,
                list(map(sorted, node.split.children)),
                node.split.level_set,
                node.split.default,
            )
            if told != wanted or (made.kind == THRESHOLD and made.threshold != node.split.threshold):
                return f"node {place}: {made} where {node.split} is right"
    return ""


def _must_be_leaf(problem: ReferenceProblem, grown: GrownTree, node: int, rows: list[int]) -> bool:
    depth, above = 0, node
    while above > 0:
        depth, above = depth + 1, int(grown.parent[above])
    return len({problem.answers[row] for row in rows}) == 1 or 0 <= problem.options.max_depth <= depth


def _wrong_numbers(problem: ReferenceProblem, grown: GrownTree, node: int, rows: list[int]) -> str:
    value = class_weights(problem, rows) if problem.n_classes else [mean(problem, rows)]
    told = [grown.n_rows[node], grown.weight[node], grown.impurity[node], *grown.value[node]]
    right = [len(rows), float(problem.weight(rows)), float(impurity(problem, rows)), *map(float, value)]
    return "" if np.allclose(told, right, rtol=1e-9, atol=1e-9) else f"node {node}: {told}, right is {right}"


def _worse(
    problem: ReferenceProblem,
    grown: GrownTree,
    node: int,
    rows: list[int],
    split: ReferenceSplit,
    best: ReferenceSplit | None,
    is_unique: bool,
) -> str:
    if best is None:
        return f"node {node} was split, though it should be a leaf"
    if abs(float(split.gain) - grown.gain[node]) > CLOSE:
        return f"node {node} tells gain {grown.gain[node]}, right is {float(split.gain)}"
    of_column = max(float(other.gain) for other in candidate_splits(problem, rows, split.feature))
    if float(split.gain) < of_column - CLOSE:
        return f"node {node} gains {float(split.gain)}, its column could gain {of_column}"
    # Where cuts of one column tie, their gain ratios may differ: only a unique best can be asked for.
    if problem.options.criterion != "gain_ratio" or is_unique:
        score = float(score_of(problem, split))
        if score < float(best.score) - CLOSE:
            return f"node {node} scores {score}, {best} scores {float(best.score)}"
    return ""
