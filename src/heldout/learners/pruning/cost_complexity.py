"""Cost-complexity pruning: the sequence of smaller and smaller trees of Breiman, Friedman, Olshen and Stone.

The cost of a leaf is its share of the root's impurity, so alpha is a share as well: a split stays while it
takes at least so much of the impurity away per leaf that it adds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heldout import native
from heldout.arrays import Floats
from heldout.errors import DataError
from heldout.learners.pruning.node_losses import NodeLosses

# Numbers below have fewer digits.
TINY = float(np.finfo(np.float64).tiny)


@dataclass(frozen=True, eq=False)
class CostComplexityPath:
    """The trees that pruning by cost and complexity can give, from the largest to the root.

    alphas:     from which `prune_alpha` on this is the tree, as shares of the root's impurity
    impurities: the impurity that is left in the leaves of each tree
    n_leaves:   how many leaves it has
    scale:      the impurity of the root: scikit-learn's `ccp_alpha` is alpha times this
    """

    alphas: Floats
    impurities: Floats
    n_leaves: NDArray[np.int64]
    scale: float


def critical_alphas(tree: native.GrownTree) -> Floats:
    """For each split the smallest alpha that makes it, or a split above it, a leaf; 0 for leaves."""
    return native.weakest_links(tree, leaf_costs(tree))


def leaf_costs(tree: native.GrownTree) -> Floats:
    """What each node costs as a leaf: its share of the root's impurity, by weight."""
    scale = float(tree.impurity[0])
    if len(tree.feature) == 1:
        return np.array([float(scale > 0)])
    check_impurity(tree)
    return np.asarray(tree.weight / tree.weight[0] * (tree.impurity / scale))


def check_impurity(tree: native.GrownTree) -> None:
    """Refuse a target of whose variance a split can take no part away."""
    scale = float(tree.impurity[0])
    if len(tree.feature) > 1 and not TINY < scale < np.inf:
        raise DataError(
            "the variance of the target is too large or too small to be a number",
            where=f"the variance of all rows comes out as {scale:g}",
            fix="multiply the target so that it is of ordinary size, or set prune=None",
        )


def path_alphas(tree: native.GrownTree, criticals: Floats) -> Floats:
    """The alphas at which the tree changes, from 0 on."""
    return np.unique(np.append(criticals[tree.feature >= 0], 0.0))


def path_of(tree: native.GrownTree) -> CostComplexityPath:
    """The whole path of a grown tree."""
    criticals = critical_alphas(tree)
    alphas = path_alphas(tree, criticals)
    none = np.zeros(len(criticals))
    costs = totals_at(alphas, tree, criticals, leaf_costs(tree), none)
    n_leaves = totals_at(alphas, tree, criticals, np.ones(len(criticals)), none)
    scale = float(tree.impurity[0])
    return CostComplexityPath(alphas, costs * scale, np.rint(n_leaves).astype(np.int64), scale)


def totals_at(
    alphas: Floats, tree: native.GrownTree, criticals: Floats, as_leaf: Floats, as_split: Floats
) -> Floats:
    """For each alpha the sum of `as_leaf` over its tree's leaves and of `as_split` over its splits.

    A node is a leaf from its own critical alpha on, up to that of its parent, and a split before.
    """
    from_here = np.searchsorted(alphas, criticals)
    until = np.append(len(alphas), from_here[tree.parent[1:]])
    is_split = tree.feature >= 0
    changes = np.bincount(from_here, as_leaf, len(alphas) + 1)
    changes -= np.bincount(until, as_leaf, len(alphas) + 1)
    changes[0] += as_split[is_split].sum()
    changes -= np.bincount(from_here[is_split], as_split[is_split], len(alphas) + 1)
    return np.asarray(np.cumsum(changes)[:-1])


MOST_FOLDS = 10
ROUNDING = 1e-12


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
