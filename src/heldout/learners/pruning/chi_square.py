"""Chi-square pruning: a split goes if the classes of its branches differ no more than chance makes them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout import native

Floats = NDArray[np.float64]


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
    place = np.searchsorted(splits, tree.parent[1:])
    totals = np.zeros((len(splits), observed.shape[1]))
    np.add.at(totals, place, observed)
    shares = totals / totals.sum(axis=1, keepdims=True)
    expected = observed.sum(axis=1, keepdims=True) * shares[place]
    squares = np.divide((observed - expected) ** 2, expected, out=np.zeros_like(expected), where=expected > 0)
    statistics = np.bincount(place, squares.sum(axis=1), len(splits))
    freedom = (tree.n_children[splits] - 1) * ((totals > 0).sum(axis=1) - 1)
    p_values[splits] = np.where(freedom > 0, chdtrc(np.maximum(freedom, 1), statistics), 1.0)
    return p_values
