"""A view over a grown tree: depths, leaves, paths, importances.

Every walk is a loop, because a degenerate tree may be 100,000 levels deep.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.native import GrownTree

LEAF, THRESHOLD, MULTIWAY, LEVEL_SET = range(4)


@dataclass(frozen=True, eq=False)
class TreeStructure:
    """A grown tree and what can be told from its arrays.

    grown:          the core's arrays, one entry per node, children after their parent
    splits_unknown: whether a row with a missing value goes down every branch with a share of its weight;
                    else it goes to the default child
    """

    grown: GrownTree
    splits_unknown: bool = False

    @property
    def n_nodes(self) -> int:
        return len(self.grown.feature)

    @property
    def is_leaf(self) -> NDArray[np.bool_]:
        return np.asarray(self.grown.split_kind == LEAF)

    @property
    def n_leaves(self) -> int:
        return int(np.count_nonzero(self.grown.split_kind == LEAF))

    @cached_property
    def depths(self) -> NDArray[np.int64]:
        """How many splits stand above each node."""
        sizes = [level.stop - level.start for level in self.levels]
        return np.repeat(np.arange(len(sizes)), sizes)

    @cached_property
    def levels(self) -> list[slice]:
        """The nodes of each depth, from the root on."""
        return levels_of(self.grown.parent)

    @property
    def depth(self) -> int:
        return int(self.depths.max())

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """The part of its parent's weight that went to each node; 1 for the root."""
        weights, parents = self.grown.weight, self.grown.parent
        totals = np.bincount(parents[1:], weights=weights[1:], minlength=self.n_nodes)
        shares = np.ones(self.n_nodes)
        shares[1:] = weights[1:] / totals[parents[1:]]
        return shares

    @cached_property
    def heights(self) -> NDArray[np.int64]:
        """How many splits the longest way down from each node has."""
        parents = self.grown.parent.tolist()
        heights = [0] * len(parents)
        for node in range(len(parents) - 1, 0, -1):
            parent = parents[node]
            heights[parent] = max(heights[parent], heights[node] + 1)
        return np.array(heights, dtype=np.int64)

    @cached_property
    def leaves_below(self) -> NDArray[np.int64]:
        """How many leaves each node ends in; a leaf has itself."""
        parents = self.grown.parent.tolist()
        leaves: list[int] = self.is_leaf.astype(int).tolist()
        for node in range(len(parents) - 1, 0, -1):
            leaves[parents[node]] += leaves[node]
        return np.array(leaves, dtype=np.int64)

    @cached_property
    def n_value_digits(self) -> int:
        """How many digits of the leaves' values to show: six, or as many as show four of their spread."""
        values = self.grown.value[self.is_leaf]
        largest, spread = float(np.abs(values).max()), float(np.ptp(values))
        if not 0 < spread < math.inf:
            return 6
        return min(17, max(6, 4 + math.floor(math.log10(largest)) - math.floor(math.log10(spread))))

    def children(self, node: int) -> range:
        """The children of a node, in the order of its branches."""
        first = int(self.grown.first_child[node])
        return range(first, first + int(self.grown.n_children[node])) if first >= 0 else range(0)

    def path(self, node: int) -> list[int]:
        """The nodes from the root to this one."""
        parents = self.grown.parent
        nodes = [node]
        while nodes[-1] > 0:
            nodes.append(int(parents[nodes[-1]]))
        return nodes[::-1]

    def levels_in_set(self, node: int) -> list[int]:
        """The levels that lead from a level-set node to its first child."""
        begin, end = self.grown.set_begin[node], self.grown.set_end[node]
        return [int(level) for level in self.grown.set_levels[begin:end]]

    def importances(self, n_features: int) -> NDArray[np.float64]:
        """Total weighted gain per column, summing to 1; all 0 if nothing was gained."""
        is_split = self.grown.feature >= 0
        gained = np.maximum(self.grown.gain[is_split], 0.0) * self.grown.weight[is_split]
        totals = np.bincount(self.grown.feature[is_split], weights=gained, minlength=n_features)
        total = totals.sum()
        return totals / total if total > 0 else totals.astype(np.float64)

    def paths(self, nodes: NDArray[np.int32]) -> Any:
        """A sparse table of rows × nodes that marks the nodes on each row's way."""
        from scipy.sparse import csr_matrix  # takes 0.1 s

        lengths = self.depths[nodes] + 1
        ends = np.cumsum(lengths)
        indices = np.empty(int(ends[-1]) if len(ends) else 0, dtype=np.int64)
        here, index = nodes.astype(np.int64), ends - 1
        while len(here):
            indices[index] = here
            is_below_root = here > 0
            here = self.grown.parent[here[is_below_root]].astype(np.int64)
            index = index[is_below_root] - 1
        marks = np.ones(len(indices), dtype=np.int64)
        return csr_matrix((marks, indices, np.append(0, ends)), shape=(len(nodes), self.n_nodes))


def levels_of(parents: NDArray[np.int32]) -> list[slice]:
    """The nodes of each depth, from the root on; nodes stand in the order of their depth.

    parents: of each node, −1 for the root; never falling, since children of earlier nodes stand earlier
    """
    levels, begin, end = [], 0, 1
    while begin < len(parents):
        levels.append(slice(begin, end))
        begin, end = end, int(parents.searchsorted(np.int32(end)))
    return levels
