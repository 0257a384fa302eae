"""The one door to the compiled kernels: shapes and checks arrays, one function per kernel."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from heldout import _native

IntArray = NDArray[np.int32]
FloatArray = NDArray[np.float64]


class CodedColumnLike(Protocol):
    """What the core needs of a column: its codes, how many there are, and the numbers that were coded.

    Either the numbers of all rows, or the distinct ones that the codes stand for; a category has neither.
    """

    @property
    def codes(self) -> NDArray[Any]: ...
    @property
    def n_codes(self) -> int: ...
    @property
    def numbers(self) -> FloatArray | None: ...
    @property
    def distinct(self) -> FloatArray | None: ...


@dataclass(frozen=True)
class GrowOptions:
    """Everything that decides how a tree grows.

    `max_depth` and `max_leaves` are -1 for no limit; a split is made only if its gain is larger than
    `min_gain`, and whatever its gain if that is minus infinity.
    """

    criterion: str
    categorical_splits: str = "multiway"
    average_gain: bool = False
    max_depth: int = -1
    min_leaf: float = 1.0
    min_gain: float = -math.inf
    max_leaves: int = -1
    costs: FloatArray | None = None
    cost_rule: str = "none"
    cost_exponent: float = 1.0
    n_threads: int = 1


@dataclass(frozen=True)
class GrownTree:
    """A tree as arrays, one entry per node, breadth-first: children are contiguous and follow their parent.

    `split_kind` is 0 in a leaf, 1 for a threshold (x <= threshold goes to the first child; `gap_below` and
    `gap_above` are the node's values on both sides of it), 2 for one child
    per level present in the node (`branch_level` of the child), 3 for a set of levels that go to the first
    child (`set_levels[set_begin:set_end]`). Unknown values go to `default_child`. `value` holds class
    weights, or the mean.
    """

    feature: IntArray
    split_kind: NDArray[np.uint8]
    threshold: FloatArray
    gap_below: FloatArray
    gap_above: FloatArray
    first_child: IntArray
    n_children: IntArray
    default_child: IntArray
    branch_level: IntArray
    set_begin: IntArray
    set_end: IntArray
    set_levels: IntArray
    parent: IntArray
    n_rows: NDArray[np.int64]
    weight: FloatArray
    impurity: FloatArray
    gain: FloatArray
    value: FloatArray


_APPLY_FIELDS = tuple(
    field.name
    for field in fields(GrownTree)
    if field.name not in {"gap_below", "gap_above", "parent", "n_rows", "weight", "impurity", "gain", "value"}
)


def rank_columns(X: FloatArray, n_threads: int = 1) -> list[tuple[NDArray[Any], int]]:
    """Dense ranks of every column, and how many distinct ones there are.

    NaN gets the rank behind the last, and the ranks come in the narrowest unsigned type that holds it.

    >>> [(codes, n_codes)] = rank_columns(np.array([[2.5], [np.nan], [-1.0], [2.5]]))
    >>> codes.tolist(), n_codes, codes.dtype.name
    ([1, 2, 0, 1], 2, 'uint8')
    """
    return _native.rank_columns(X, n_threads)


def grow_tree(
    columns: Sequence[CodedColumnLike],
    rows: NDArray[np.uint32] | None,
    classes: NDArray[np.uint32] | None,
    n_classes: int,
    targets: FloatArray | None,
    weights: FloatArray | None,
    options: GrowOptions,
) -> GrownTree:
    """Grow one exact tree from coded columns.

    Classes, targets and weights go with `rows` (positions in the columns, None for all of them), not with
    the columns; weights are larger than zero, and every level of a category occurs among the rows.
    """
    arrays = _native.grow_tree(
        codes=[column.codes for column in columns],
        n_codes=[column.n_codes for column in columns],
        numbers=[column.numbers for column in columns],
        distinct=[column.distinct for column in columns],
        rows=rows,
        classes=classes,
        n_classes=n_classes,
        targets=targets,
        weights=weights,
        costs=options.costs,
        options=_native.GrowOptions(
            criterion=options.criterion,
            categorical_splits=options.categorical_splits,
            average_gain=options.average_gain,
            max_depth=options.max_depth,
            min_leaf=options.min_leaf,
            min_gain=options.min_gain,
            max_leaves=options.max_leaves,
            cost_rule=options.cost_rule,
            cost_exponent=options.cost_exponent,
            n_threads=options.n_threads,
        ),
    )
    return GrownTree(**arrays)


def apply_tree(
    tree: GrownTree, numbers: FloatArray, number_of: IntArray, levels: IntArray, n_threads: int = 1
) -> IntArray:
    """The node in which each row ends.

    A feature's entry in `number_of` is its column in `numbers` or, counted from -1 down, in `levels`. NaN
    and negative levels are unknown.
    """
    return _native.apply_tree(
        **{name: getattr(tree, name) for name in _APPLY_FIELDS},
        numbers=numbers,
        number_of=number_of,
        levels=levels,
        n_threads=n_threads,
    )
