"""Pruning on tables some of whose labels are wrong."""

from __future__ import annotations

import numpy as np
import pytest

from .comparison import TEN_SETS, Comparison
from .noise import SHARES


@pytest.mark.parametrize("share", SHARES)
def test_pruning_shrinks_the_tree_and_loses_no_accuracy(share: float, comparison: Comparison) -> None:
    """With a share of labels flipped, pruned trees are smaller on each set and answer as well over all."""
    pruned, grown = (
        [comparison.noise[prune, share, name] for name in TEN_SETS] for prune in ("pruned", "grown")
    )
    assert all(p.n_leaves < g.n_leaves for p, g in zip(pruned, grown, strict=True))
    assert np.mean([p.accuracy for p in pruned]) >= np.mean([g.accuracy for g in grown])
