"""Prunings straight from their definitions, slow and plain, as judges of the fast ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.stats import chi2_contingency

from heldout.native import GrownTree


def is_split(tree: GrownTree, node: int) -> bool:
    return tree.feature[node] >= 0


def children_of(tree: GrownTree, node: int) -> list[int]:
    if not is_split(tree, node):
        return []
    return list(range(tree.first_child[node], tree.first_child[node] + tree.n_children[node]))


def leaves_of(tree: GrownTree, cut: set[int], node: int = 0) -> list[int]:
    """The leaves below a node when these nodes are cut."""
    found, waiting = [], [node]
    while waiting:
        here = waiting.pop()
        if here in cut or not is_split(tree, here):
            found.append(here)
        else:
            waiting += children_of(tree, here)
    return found


def splits_of(tree: GrownTree, cut: set[int], node: int = 0) -> list[int]:
    """The splits from a node down when these nodes are cut."""
    found, waiting = [], [node]
    while waiting:
        here = waiting.pop()
        if here not in cut and is_split(tree, here):
            found.append(here)
            waiting += children_of(tree, here)
    return sorted(found)


def loss_of(tree: GrownTree, cut: set[int], as_leaf, as_split, node: int = 0) -> float:
    """What a node's subtree loses when these nodes are cut."""
    return sum(as_leaf[leaf] for leaf in leaves_of(tree, cut, node)) + sum(
        as_split[split] for split in splits_of(tree, cut, node)
    )


def plain_weakest_links(tree: GrownTree, costs) -> np.ndarray:
    """Again and again the split goes whose leaves save least per leaf; the alphas at which splits went."""
    alphas, cut, reached = np.zeros(len(costs)), set(), 0.0
    while splits := splits_of(tree, cut):
        gaps = {}
        for node in splits:
            leaves = leaves_of(tree, cut, node)
            gaps[node] = (costs[node] - sum(costs[leaf] for leaf in leaves)) / (len(leaves) - 1)
        weakest = min(splits, key=lambda node: gaps[node])
        reached = max(reached, gaps[weakest])
        alphas[splits_of(tree, cut, weakest)] = reached
        cut.add(weakest)
    return alphas


def plain_reduced_error(tree: GrownTree, as_leaf, as_split, best_first: bool, ties: bool) -> set[int]:
    """The splits that go, by the loss on validation rows."""
    cut: set[int] = set()

    def gain(node: int) -> float:
        return loss_of(tree, cut, as_leaf, as_split, node) - as_leaf[node]

    def is_wanted(gained: float) -> bool:
        return gained > -1e-9 if ties else gained > 1e-9

    if not best_first:
        for node in reversed(splits_of(tree, set())):
            if is_wanted(gain(node)):
                cut.add(node)
        return cut
    while splits := splits_of(tree, cut):
        best = max(splits, key=lambda node: (round(gain(node), 9), -node))
        if not is_wanted(gain(best)):
            break
        cut.add(best)
    return cut


def plain_chi_square(tree: GrownTree, significance: float) -> set[int]:
    """From below, a split of leaves goes whose branches do not differ in their classes."""
    cut: set[int] = set()
    for node in reversed(splits_of(tree, set())):
        children = children_of(tree, node)
        if all(child in cut or not is_split(tree, child) for child in children):
            table = tree.value[children]
            table = table[:, table.sum(axis=0) > 0]
            if table.shape[1] < 2 or chi2_contingency(table, correction=False).pvalue > significance:
                cut.add(node)
    return cut


def plain_cut(tree: GrownTree, cut: set[int]) -> GrownTree:
    """The tree whose cut nodes are leaves, numbered anew in the order of levels."""
    kept = [0]
    for node in kept:
        kept += [] if node in cut else children_of(tree, node)
    place = {node: new for new, node in enumerate(kept)}
    arrays = {name: values[kept].copy() for name, values in vars(tree).items() if name != "set_levels"}
    sets: list[int] = []
    for new, node in enumerate(kept):
        if new:
            arrays["parent"][new] = place[int(tree.parent[node])]
        if node in cut or not is_split(tree, node):
            for name, value in LEAF.items():
                arrays[name][new] = value
            continue
        arrays["first_child"][new] = place[int(tree.first_child[node])]
        arrays["default_child"][new] = place[int(tree.default_child[node])]
        levels = tree.set_levels[tree.set_begin[node] : tree.set_end[node]].tolist()
        arrays["set_begin"][new], arrays["set_end"][new] = len(sets), len(sets) + len(levels)
        sets += levels
    return replace(tree, **arrays, set_levels=np.array(sets, dtype=np.int32))


LEAF = {
    "feature": -1,
    "split_kind": 0,
    "threshold": np.nan,
    "gap_below": np.nan,
    "gap_above": np.nan,
    "first_child": -1,
    "n_children": 0,
    "default_child": -1,
    "set_begin": 0,
    "set_end": 0,
    "gain": 0.0,
}
