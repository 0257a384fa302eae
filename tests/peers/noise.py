"""C4.5 trees of tables some of whose labels are wrong, pruned and not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import heldout as ho

from .data_sets import N_FOLDS, DataSet

SHARES = (0.05, 0.10, 0.20)
SEED = 1


@dataclass(frozen=True)
class NoisyStanding:
    """Accuracy on the true labels of the rows left out in ten folds, and the mean of leaves."""

    accuracy: float
    n_leaves: float


def noisy_standing(data: DataSet, learner: ho.TreeClassifier, share: float) -> NoisyStanding:
    """How a learner stands when that share of the labels it learns from is wrong."""
    noisy, fold_of_row = flipped(data, share), data.folds(SEED)
    n_right, leaves = 0, []
    for fold in range(N_FOLDS):
        train, test = np.flatnonzero(fold_of_row != fold), np.flatnonzero(fold_of_row == fold)
        tree = learner.fit(data.X.take(train), noisy[train])
        n_right += int(np.count_nonzero(tree.predict(data.X.take(test)) == data.y[test]))
        leaves.append(tree.n_leaves_)
    return NoisyStanding(n_right / len(data.y), float(np.mean(leaves)))


def flipped(data: DataSet, share: float) -> np.ndarray:
    """The labels, that share of them, chosen at random, changed to any other class."""
    generator = np.random.default_rng(SEED)
    classes, codes = np.unique(data.y, return_inverse=True)
    chosen = generator.choice(len(codes), round(share * len(codes)), replace=False)
    codes[chosen] = (codes[chosen] + generator.integers(1, len(classes), len(chosen))) % len(classes)
    return classes[codes]
