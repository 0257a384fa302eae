"""The best gain of a column by plain NumPy, for nodes too large for the slow grower."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Node:
    """The rows of a node: sums has class weights per row, or weight and weighted target."""

    sums: Floats
    criterion: str
    splits: str
    min_leaf: float

    def weight(self, sums: Floats) -> Floats:
        return sums[..., 0] if self.criterion == "squared_error" else sums.sum(axis=-1)

    def quality(self, sums: Floats) -> Floats:
        """Additive over groups; the gain is what the children have more of than the node."""
        weight = self.weight(sums)
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.criterion == "squared_error":
                found = sums[..., 1] ** 2 / weight
            elif self.criterion == "gini":
                found = (sums**2).sum(axis=-1) / weight
            elif self.criterion == "error":
                found = sums.max(axis=-1)
            else:
                shares = sums / weight[..., None]
                found = (sums * np.log2(np.where(shares > 0, shares, 1.0))).sum(axis=-1)
        return np.where(weight > 0, found, 0.0)


def best_gain(node: Node, values: Floats, is_category: bool) -> float:
    """The largest gain of an admissible split on these values, NaN for unknown; -inf if there is none."""
    is_known = ~np.isnan(values)
    unknown = node.sums[~is_known].sum(axis=0)
    groups, group_of = np.unique(values[is_known], return_inverse=True)
    if len(groups) < 2:
        return -np.inf
    table = np.zeros((len(groups), node.sums.shape[1]))
    np.add.at(table, group_of, node.sums[is_known])
    if is_category and node.splits == "multiway":
        return _multiway_gain(node, table, unknown)
    if is_category and node.splits == "one_vs_rest":
        return _pair_gain(node, table, table.sum(axis=0) - table, unknown, np.ones(len(table), dtype=bool))
    order = np.arange(len(table))
    if is_category:
        order = np.argsort(table[:, 1] / node.weight(table), kind="stable")
    first = np.cumsum(table[order], axis=0)[:-1]
    has_lowest = np.cumsum(order == 0)[:-1] > 0
    return _pair_gain(node, first, table.sum(axis=0) - first, unknown, has_lowest)


def _pair_gain(
    node: Node, first: Floats, second: Floats, unknown: Floats, wins_ties: NDArray[np.bool_]
) -> float:
    known = node.weight(first), node.weight(second)
    goes_first = ((known[0] > known[1]) | ((known[0] == known[1]) & wins_ties))[:, None]
    first, second = first + goes_first * unknown, second + ~goes_first * unknown
    is_admissible = (node.weight(first) >= node.min_leaf) & (node.weight(second) >= node.min_leaf)
    found = _gains(node, node.quality(first) + node.quality(second))
    return float(np.where(is_admissible, found, -np.inf).max())


def _multiway_gain(node: Node, table: Floats, unknown: Floats) -> float:
    table = table.copy()
    table[node.weight(table).argmax()] += unknown
    if (node.weight(table) >= node.min_leaf).sum() < 2:
        return -np.inf
    return float(_gains(node, node.quality(table).sum()))


def _gains(node: Node, quality: Floats) -> Floats:
    whole = node.sums.sum(axis=0)
    return (quality - node.quality(whole)) / node.weight(whole)
