"""The share of each column in what the splits of a forest gained, from the nodes alone.

What a split gains is the spread of its node less that of its children: the weight times the impurity of the
classes, or the squared distances of the means. So no more has to be kept than the nodes, and a forest that
was cut or has grown further has its own importances.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.learners.forests.forest_arrays import parents
from heldout.learners.forests.size_exponent import size_exponent
from heldout.native.forests import GrownForest

Floats = NDArray[np.float64]


def gain_shares(forest: GrownForest, criterion: str) -> Floats:
    """Per column the mean over the trees of its share in the gain, summing to 1; 0 if nothing was gained."""
    n_columns = forest.importance.shape[1]
    is_split = forest.feature >= 0
    gains = np.where(is_split, np.maximum(_gains(forest, criterion), 0.0), 0.0)
    tree_of = np.repeat(np.arange(forest.n_trees), np.diff(forest.tree_begin))
    total = np.bincount(tree_of, weights=gains)[tree_of]
    shares = np.divide(gains, total, out=np.zeros(len(gains)), where=total > 0)
    by_column = np.bincount(forest.feature[is_split], weights=shares[is_split], minlength=n_columns)
    whole = by_column.sum()
    return np.asarray(by_column / whole if whole > 0 else by_column.astype(np.float64))


def _gains(forest: GrownForest, criterion: str) -> Floats:
    """What the split of each node gained, in weight and up to a common factor; of a leaf any number."""
    above = parents(forest)
    below = np.flatnonzero(above >= 0)
    above = above[below]
    n_nodes = len(forest.feature)
    if criterion == "squared_error":
        means = np.ldexp(forest.value[:, 0], -size_exponent(forest.value))
        moved = forest.weight[below] * (means[below] - means[above]) ** 2
        return np.asarray(np.bincount(above, weights=moved, minlength=n_nodes), dtype=np.float64)
    spread = _gini(forest) if criterion == "gini" else _entropy(forest)
    return spread - np.bincount(above, weights=spread[below], minlength=n_nodes)


def _gini(forest: GrownForest) -> Floats:
    return np.asarray(forest.weight - np.einsum("ij,ij->i", forest.value, forest.value) / forest.weight)


def _entropy(forest: GrownForest) -> Floats:
    logarithms = np.log2(forest.value, out=np.zeros(forest.value.shape), where=forest.value > 0)
    own = np.einsum("ij,ij->i", forest.value, logarithms)
    return np.asarray(forest.weight * np.log2(forest.weight) - own)
