"""The one door to the compiled kernels: checks arrays, one function per kernel, one file per room."""

from heldout.native.codes import CodedColumnLike, rank_columns
from heldout.native.trees import (
    GrownTree,
    GrowOptions,
    apply_tree,
    cut_tree,
    grow_tree,
    grow_trees,
    node_losses,
    predict_tree,
    prune_pessimistic,
    reduced_error,
    weakest_links,
)

__all__ = [
    "CodedColumnLike",
    "GrowOptions",
    "GrownTree",
    "apply_tree",
    "cut_tree",
    "grow_tree",
    "grow_trees",
    "node_losses",
    "predict_tree",
    "prune_pessimistic",
    "rank_columns",
    "reduced_error",
    "weakest_links",
]
