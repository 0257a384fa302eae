"""Rows that fall down a tree one by one, with their fragments, as judge of the fast walks."""

from __future__ import annotations

import numpy as np

from heldout.native import GrownTree

LEAF, THRESHOLD, MULTIWAY, LEVEL_SET = range(4)


def fragments(tree: GrownTree, row, splits_unknown: bool) -> list[tuple[int, float, bool]]:
    """The nodes that parts of a row come to, the size of the part, and whether it ends there.

    row: per column a number, a level, or None
    """
    found, waiting = [], [(0, 1.0)]
    while waiting:
        node, part = waiting.pop()
        kind = tree.split_kind[node]
        if kind == LEAF:
            found.append((node, part, True))
            continue
        first, n_children = int(tree.first_child[node]), int(tree.n_children[node])
        children = list(range(first, first + n_children))
        value = row[tree.feature[node]]
        if value is None:
            weights = tree.weight[children]
            parts = (
                list(zip(children, part * weights / weights.sum(), strict=True))
                if splits_unknown
                else [(int(tree.default_child[node]), part)]
            )
        elif kind == THRESHOLD:
            parts = [(first + int(value > tree.threshold[node]), part)]
        elif kind == LEVEL_SET:
            levels = tree.set_levels[tree.set_begin[node] : tree.set_end[node]]
            parts = [(first + int(value not in levels), part)]
        else:
            parts = [(child, part) for child in children if tree.branch_level[child] == value]
        found.append((node, part, not parts))
        waiting += parts
    return found


def plain_losses(tree: GrownTree, rows, answers, weights, splits_unknown, is_regression):
    """Per node what it loses as a leaf, and what is lost at it while it is a split."""
    as_leaf, as_split = np.zeros(len(tree.feature)), np.zeros(len(tree.feature))
    for row, answer, weight in zip(rows, answers, weights, strict=True):
        for node, part, is_end in fragments(tree, row, splits_unknown):
            value = tree.value[node]
            lost = (answer - value[0]) ** 2 if is_regression else float(value.argmax() != answer)
            as_leaf[node] += weight * part * lost
            if is_end and tree.split_kind[node] != LEAF:
                as_split[node] += weight * part * lost
    return as_leaf, as_split


def plain_answer(tree: GrownTree, row, splits_unknown, is_regression) -> np.ndarray:
    """The shares of the classes, or the mean."""
    answer = np.zeros(tree.value.shape[1])
    for node, part, is_end in fragments(tree, row, splits_unknown):
        if is_end:
            value = tree.value[node]
            answer += part * (value if is_regression else value / value.sum())
    return answer
