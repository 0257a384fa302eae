"""What each node of a tree gets wrong on rows that fall down it.

A row with a level that a multiway node has no branch for stops there. While the node is a split, what
is lost on such rows is lost neither in a leaf nor in a node below, so it is counted by itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from heldout import native
from heldout.arrays import Floats
from heldout.inputs.prediction_inputs import PredictionInputs
from heldout.learners.trees.tree_structure import MULTIWAY

ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class NodeLosses:
    """Per node the weight of the rows that it gets wrong, or the weighted squares of their distances.

    as_leaf:  over all rows that reach the node, if it were a leaf
    as_split: over the rows that stop there although it is a split
    """

    as_leaf: Floats
    as_split: Floats

    def charged(self, tree: native.GrownTree) -> Floats:
        """One number per node whose sum over the leaves of a pruned tree is the loss of that tree.

        What is lost at a split goes to its first child, and on to the leaf that predicts for that.
        """
        if not self.as_split.any():
            return self.as_leaf
        extra = np.zeros(len(self.as_leaf))
        for node in np.flatnonzero(tree.first_child >= 0).tolist():
            extra[tree.first_child[node]] = extra[node] + self.as_split[node]
        return np.asarray(self.as_leaf + extra)


def node_losses(
    tree: native.GrownTree,
    inputs: PredictionInputs,
    number_of: NDArray[np.int32],
    splits_unknown: bool,
    classes: NDArray[np.uint32] | None,
    targets: Floats | None,
    weights: Floats,
) -> NodeLosses:
    """The losses of a classification or a regression on these rows."""

    def losses(predicting: native.GrownTree) -> Floats:
        return native.node_losses(
            predicting, inputs.numbers, number_of, inputs.levels, splits_unknown, classes, targets, weights
        )

    as_leaf = losses(tree)
    if not (tree.split_kind == MULTIWAY).any():
        return NodeLosses(as_leaf, np.zeros(len(as_leaf)))
    # What rows that do reach a child would lose by the prediction of its parent is not lost on stopped ones.
    by_parent = losses(replace(tree, value=tree.value[np.maximum(tree.parent, 0)]))
    passed_on = np.bincount(tree.parent[1:], by_parent[1:], len(as_leaf))
    stopped = np.where(tree.split_kind == MULTIWAY, as_leaf - passed_on, 0.0)
    return NodeLosses(as_leaf, np.where(stopped > ROUNDING * as_leaf, stopped, 0.0))


def critical_significances(tree: native.GrownTree) -> Floats:
    """For each split the smallest significance at which it stays.

    A split can go only when those below are gone, so that is the smallest p-value of its own test and of
    theirs. Leaves have 1.
    """
    lowest = split_p_values(tree).tolist()
    parents = tree.parent.tolist()
    for node in range(len(parents) - 1, 0, -1):
        parent = parents[node]
        if lowest[node] < lowest[parent]:
            lowest[parent] = lowest[node]
    return np.array(lowest)


def split_p_values(tree: native.GrownTree) -> Floats:
    """Pearson's test of each split: do the class weights of its branches differ? 1 for leaves.

    There are (branches - 1) (classes present - 1) degrees of freedom.
    """
    from scipy.special import chdtrc  # takes 0.1 s

    splits = np.flatnonzero(tree.feature >= 0)
    p_values = np.ones(len(tree.feature))
    if not len(splits):
        return p_values
    observed = tree.value[1:]
    index = np.searchsorted(splits, tree.parent[1:])
    totals = np.zeros((len(splits), observed.shape[1]))
    np.add.at(totals, index, observed)
    shares = totals / totals.sum(axis=1, keepdims=True)
    expected = observed.sum(axis=1, keepdims=True) * shares[index]
    squares = np.divide((observed - expected) ** 2, expected, out=np.zeros_like(expected), where=expected > 0)
    statistics = np.bincount(index, squares.sum(axis=1), len(splits))
    freedom = (tree.n_children[splits] - 1) * ((totals > 0).sum(axis=1) - 1)
    p_values[splits] = np.where(freedom > 0, chdtrc(np.maximum(freedom, 1), statistics), 1.0)
    return p_values
