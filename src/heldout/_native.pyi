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

    def __init__(self, criterion: str, categorical_splits: str, average_gain: bool, max_depth: int, min_leaf: float, min_gain: float, max_leaves: int, cost_rule: str, cost_exponent: float, n_threads: int) -> None: ...

def grow_tree(codes: Sequence[Annotated[NDArray[Any], dict(shape=(None,), order='C', device='cpu', writable=False)]], n_codes: Sequence[int], numbers: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)] | None], distinct: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)] | None], rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, classes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_classes: int, targets: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, costs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, options: GrowOptions) -> dict[str, NDArray[Any]]:
    """Grows one exact tree and gives its nodes, breadth-first, as arrays."""

def apply_tree(feature: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], split_kind: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], threshold: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], first_child: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_children: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], default_child: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], branch_level: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], set_begin: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], set_end: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], set_levels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], numbers: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], number_of: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], levels: Annotated[NDArray[numpy.int32], dict(shape=(None, None), device='cpu', writable=False)], n_threads: int) -> NDArray[numpy.int32]:
    """The node in which each row ends."""
