"""`prune_alpha="cv"`: how much to prune, found by cross-validation and the rule of one standard error.

As in Breiman et al., chapter 3.4: the alphas tried are the geometric means between neighbours on the path
of the whole tree, each fold's tree is pruned by all of them, and of the alphas whose error is within one
standard error of the smallest the largest is taken.

The standard error is that between the folds: the deviation of their mean errors over the root of their
number. Breiman's is estimated from the single rows, as if each were right or wrong by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heldout import native
from heldout.learners.pruning.cost_complexity import TINY, critical_alphas, path_alphas, totals_at
from heldout.learners.pruning.node_losses import NodeLosses

MOST_FOLDS = 10
ROUNDING = 1e-12

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FoldTree:
    """A tree grown without one fold, and what its nodes get wrong there.

    tree:   the tree
    losses: on the rows of the fold
    weight: of those rows
    """

    tree: native.GrownTree
    losses: NodeLosses
    weight: float


def alpha_by_folds(tree: native.GrownTree, criticals: Floats, folds: Sequence[FoldTree]) -> float:
    """The alpha of the smallest tree whose error is within one standard error of the least.

    tree:      the tree of all rows
    criticals: its critical alphas
    folds:     its twins that each lack one fold; with fewer than two nothing is pruned
    """
    alphas = path_alphas(tree, criticals)
    if len(folds) < 2:
        return 0.0
    between = np.append(np.sqrt(alphas[:-1] * alphas[1:]), np.inf)
    losses = np.array([_losses_at(between, fold) for fold in folds])
    losses /= max(float(losses.max()), TINY)  # the squares of large losses would be no numbers
    weights = np.array([fold.weight for fold in folds])
    errors = losses.sum(axis=0) / weights.sum()
    spread = (losses / weights[:, None]).std(axis=0, ddof=1) / np.sqrt(len(folds))
    best = int(errors.argmin())
    is_good = errors <= errors[best] + spread[best] + ROUNDING * errors.max()
    return float(alphas[np.flatnonzero(is_good)[-1]])


def _losses_at(alphas: Floats, fold: FoldTree) -> Floats:
    criticals = critical_alphas(fold.tree)
    return totals_at(alphas, fold.tree, criticals, fold.losses.as_leaf, fold.losses.as_split)
