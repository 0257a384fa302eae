"""The tree whose branches are taken: the one that was asked for, unfitted, or one of our own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from heldout.errors import InputTypeError
from heldout.inputs.input_schema import InputColumn, InputSchema
from heldout.learners.rules.condition import Condition
from heldout.learners.rules.path_conditions import branch_condition
from heldout.learners.tree_classifier import TreeClassifier
from heldout.learners.tree_regressor import TreeRegressor
from heldout.learners.trees.tree_base import TreeBase
from heldout.learners.trees.tree_structure import TreeStructure
from heldout.table.column import NUMERIC_KINDS, Column
from heldout.types import PerRow

# With two branches at each node there are at most twice as many conjunctions as leaves.
MOST_LEAVES = 32
# A split with more branches than leaves are allowed would not be made at all.
MOST_BRANCHES = 10
_MOST_CLASSES_OF_A_NUMBER = 10


def path_tree(requested: object, y: PerRow, columns: Sequence[InputColumn]) -> TreeBase:
    """An unfitted tree for these answers.

    requested: a tree, of which a copy is taken; None for our own
    y:       one answer per row
    columns: those that the tree may ask for
    """
    if requested is None:
        return _own_tree(y, columns)
    if isinstance(requested, TreeClassifier | TreeRegressor):
        copied: TreeBase = clone(requested)
        return copied
    raise InputTypeError(
        "tree must be None, a TreeClassifier or a TreeRegressor",
        where=f"TreePaths(tree={requested!r:.60})",
        fix="leave it out, or hand over a tree of Heldout's, such as ho.TreeClassifier(max_depth=3);"
        " it is copied and fitted anew",
    )


def _own_tree(y: PerRow, columns: Sequence[InputColumn]) -> TreeBase:
    """A tree that splits though nothing be gained, as nothing is by a single split of XOR."""
    grown: dict[str, Any] = {
        "missing": "fractional",
        "min_leaf": 1,
        "min_gain": None,
        "max_leaves": MOST_LEAVES,
        "prune": None,
    }
    if has_means(y):
        return TreeRegressor(**grown)
    is_wide = any(len(column.levels) > MOST_BRANCHES for column in columns)
    splits = "subset" if is_wide else "multiway"
    return TreeClassifier(criterion="entropy", numeric_cuts="plain", categorical_splits=splits, **grown)


def has_means(y: PerRow) -> bool:
    """Whether the answers are amounts, of which a leaf tells the mean, and not classes.

    Words, booleans and integers are classes. Floating-point numbers are amounts, unless they are all whole
    and there are at most ten of them.
    """
    numbers = _floats(y)
    if numbers is None:
        return False
    distinct = np.unique(numbers[np.isfinite(numbers)])
    is_whole = bool(np.all(distinct == np.floor(distinct)))
    return not is_whole or len(distinct) > _MOST_CLASSES_OF_A_NUMBER


def _floats(y: PerRow) -> NDArray[np.float64] | None:
    """The answers as floating-point numbers, if that is what they are."""
    if isinstance(y, Column):
        return np.asarray(y.values) if y.kind in NUMERIC_KINDS else None
    try:
        values = np.asarray(y)
    except ValueError:
        return None  # rows of different lengths, which the tree refuses
    if values.dtype.kind == "O":
        listed = values.ravel().tolist()
        is_number = all(isinstance(value, Real) and not isinstance(value, bool) for value in listed)
        if not is_number or all(isinstance(value, int | np.integer) for value in listed):
            return None
        values = values.astype(np.float64)
    return values.astype(np.float64) if values.dtype.kind == "f" else None


Path = tuple[Condition, ...]


def branch_runs(structure: TreeStructure, schema: InputSchema, length: int | None) -> tuple[Path, ...]:
    """Every run of so many branches that follow each other, in the order in which the tree is printed.

    A run may start at any node. A way from the root to a leaf that is shorter gives all of its conditions.
    What a run asks of one column is one condition. A conjunction that the tree has in several places comes
    once, and does with a missing value what the first of them does.

    length: how many branches make a run; None takes the whole way to each leaf
    """
    found: dict[tuple[object, ...], Path] = {}
    for nodes in _runs(structure, length):
        path = _merged([branch_condition(structure, schema, node) for node in nodes])
        if all(condition.allows_a_value for condition in path):
            found.setdefault(tuple(condition.key for condition in sorted(path, key=_index)), path)
    return tuple(found.values())


def _runs(structure: TreeStructure, length: int | None) -> Iterator[list[int]]:
    """The nodes to which the branches of each run lead, ordered by the last of them."""
    depths = structure.depths
    waiting = [0]
    while waiting:
        node = waiting.pop()
        children = structure.children(node)
        waiting += reversed(children)
        depth = int(depths[node])
        if depth == 0:
            continue
        if not children and (length is None or depth < length):
            yield structure.path(node)[1:]
        elif length is not None and depth >= length:
            yield _last(structure, node, length)


def _last(structure: TreeStructure, node: int, length: int) -> list[int]:
    """This node and those above it, so many in all, from above; no way to the root, which may be far."""
    nodes = [node]
    while len(nodes) < length:
        nodes.append(int(structure.grown.parent[nodes[-1]]))
    return nodes[::-1]


def _merged(conditions: list[Condition]) -> Path:
    """One condition for each column, in the order in which the columns are first asked for."""
    by_column: dict[int, Condition] = {}
    for each in conditions:
        known = by_column.get(each.position)
        by_column[each.position] = (
            each if known is None else known.narrowed(each.low, each.high, each.levels, each.unknown_share)
        )
    return tuple(by_column.values())


def _index(condition: Condition) -> int:
    return condition.position
