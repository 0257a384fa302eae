"""How near two rows are to a forest: the share of its trees in which both end in the same leaf."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import RequestError

# The result is a table of float64: 800 MB.
MOST_PAIRS = 100_000_000
PAIRS_AT_ONCE = 4_000_000

Ends = NDArray[np.int32]


def proximities(ends: Ends, others: Ends, tree_begin: NDArray[np.int64]) -> NDArray[np.float64]:
    """Row × other row: in which share of the trees both end in the same node.

    ends, others: row × tree, where each row ends, counted from the first node of the tree
    tree_begin:   the first node of each tree, and the end of the last
    """
    n_pairs = len(ends) * len(others)
    if n_pairs > MOST_PAIRS:
        raise RequestError(
            f"the proximities of {n_pairs:,} pairs of rows do not fit into memory",
            where=f"{len(ends):,} × {len(others):,} rows, where {MOST_PAIRS:,} pairs are the most",
            fix="ask for fewer rows at a time: proximity(X[:1000], X)",
        )
    found = np.empty((len(ends), len(others)))
    marks = _marks(others, tree_begin).T.tocsr()
    n_at_once = max(1, PAIRS_AT_ONCE // max(1, len(others)))
    for begin in range(0, len(ends), n_at_once):
        part = slice(begin, begin + n_at_once)
        # Whole numbers are added up, so the order of adding makes no difference.
        found[part] = (_marks(ends[part], tree_begin) @ marks).toarray()
    found /= ends.shape[1]
    return found


def _marks(ends: Ends, tree_begin: NDArray[np.int64]) -> Any:
    """A sparse table of rows × nodes that marks where each row ends."""
    from scipy.sparse import csr_array  # takes 0.1 s

    n_rows, n_trees = ends.shape
    nodes = (ends + tree_begin[:-1]).ravel()
    indices = np.arange(0, n_rows * n_trees + 1, n_trees)
    marks = np.ones(len(nodes), dtype=np.int32)
    return csr_array((marks, nodes, indices), shape=(n_rows, int(tree_begin[-1])))
