"""Which rows meet each conjunction of a tree: 1, 0, or for unknown values what the tree makes of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.features.paths.branch_runs import Path
from heldout.learners.rules.rule_matching import column_values, matching_rows
from heldout.learners.trees.tree_base import TreeBase
from heldout.learners.trees.tree_walk import walked_blocks


def path_shares(
    tree: TreeBase, X: Any, paths: Sequence[Path], places: Mapping[int, int]
) -> Iterator[NDArray[np.float64]]:
    """Rows × conjunctions; a sparse X comes in several blocks of rows.

    tree:   fitted; it says what an unknown value counts as
    X:      the columns that the tree was fitted on
    places: where the columns that the conditions ask for stand among those of the tree
    """
    schema = tree.inputs_
    for inputs in walked_blocks(tree, X, schema):
        everything = np.arange(len(inputs.numbers))
        asked = {condition.position for path in paths for condition in path}
        values = {position: column_values(inputs, schema, places[position]) for position in asked}
        shares = np.zeros((len(everything), len(paths)), order="F")
        for place, path in enumerate(paths):
            rows, parts = matching_rows(path, values.__getitem__, everything)
            shares[rows, place] = parts
        yield shares
