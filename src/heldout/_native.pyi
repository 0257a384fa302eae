"""The compiled kernels. Use heldout.native, which checks what enters."""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy
from numpy.typing import NDArray


source_digest: str = ...

def rank_columns(X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], n_threads: int) -> list[tuple[NDArray[Any], int]]:
    """
    Dense ranks of every column and how many there are; NaN has the rank behind the last.
    """

class GrowOptions:
    """Everything that decides how a tree grows."""

    def __init__(self, criterion: str, categorical_splits: str, average_gain: bool, max_depth: int, min_leaf: float, min_gain: float, max_leaves: int, cost_rule: str, cost_exponent: float, missing: str, numeric_cuts: str, n_threads: int) -> None: ...

def grow_trees(columns: Sequence[tuple[Annotated[NDArray[Any], dict(shape=(None,), order='C', device='cpu', writable=False)], int, Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)] | None, Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)] | None]], rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, classes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_classes: int, targets: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, costs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, options: GrowOptions, min_leafs: Sequence[float]) -> list[dict[str, NDArray[Any]]]:
    """
    Grows an exact tree for each min_leaf and gives its nodes, breadth-first, as arrays.
    """

def apply_tree(tree: dict[str, NDArray[Any]], numbers: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], number_of: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], levels: Annotated[NDArray[numpy.int32], dict(shape=(None, None), device='cpu', writable=False)], n_threads: int) -> NDArray[numpy.int32]:
    """The node in which each row ends."""

def predict_tree(tree: dict[str, NDArray[Any]], numbers: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], number_of: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], levels: Annotated[NDArray[numpy.int32], dict(shape=(None, None), device='cpu', writable=False)], splits_unknown: bool, is_regression: bool, n_threads: int) -> NDArray[numpy.float64]:
    """
    What the tree answers for each row, rows with unknown values in fragments.
    """

def weakest_links(tree: dict[str, NDArray[Any]], costs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
    """
    For each split the smallest alpha at which cost-complexity pruning makes it a leaf.
    """

def reduced_error(tree: dict[str, NDArray[Any]], costs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], best_first: bool, prune_ties: bool) -> NDArray[numpy.uint8]:
    """Which splits become leaves, given what each node loses as a leaf."""

def cut_tree(tree: dict[str, NDArray[Any]], is_cut: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> dict[str, NDArray[Any]]:
    """The tree in which the marked nodes are leaves."""

def node_losses(tree: dict[str, NDArray[Any]], numbers: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], number_of: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], levels: Annotated[NDArray[numpy.int32], dict(shape=(None, None), device='cpu', writable=False)], splits_unknown: bool, classes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, targets: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None) -> NDArray[numpy.float64]:
    """What each node would lose as a leaf on the rows that come to it."""

def prune_pessimistic(columns: Sequence[tuple[Annotated[NDArray[Any], dict(shape=(None,), order='C', device='cpu', writable=False)], int, Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)] | None, Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)] | None]], rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, classes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_classes: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, tree: dict[str, NDArray[Any]], criterion: str, confidences: Sequence[float], deviates: Sequence[float], raise_subtrees: bool, splits_unknown: bool) -> list[dict[str, NDArray[Any]]]:
    """C4.5's pruning: collapse, replace by a leaf, raise a branch."""
