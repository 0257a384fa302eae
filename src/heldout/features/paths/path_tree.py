"""The tree whose branches are taken: the one that was asked for, unfitted, or one of our own."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from heldout.errors import KindError
from heldout.learners.inputs.input_schema import InputColumn
from heldout.learners.tree_classifier import TreeClassifier
from heldout.learners.tree_regressor import TreeRegressor
from heldout.learners.trees.tree_base import TreeBase
from heldout.table.column import NUMERIC_KINDS, Column

# With two branches at each node there are at most twice as many conjunctions as leaves.
MOST_LEAVES = 32
# A split with more branches than leaves are allowed would not be made at all.
MOST_BRANCHES = 10
_MOST_CLASSES_OF_A_NUMBER = 10


def path_tree(asked: Any, y: Any, columns: Sequence[InputColumn]) -> TreeBase:
    """An unfitted tree for these answers.

    asked:   a tree, of which a copy is taken; None for our own
    y:       one answer per row
    columns: those that the tree may ask for
    """
    if asked is None:
        return _own_tree(y, columns)
    if isinstance(asked, TreeClassifier | TreeRegressor):
        copied: TreeBase = clone(asked)
        return copied
    raise KindError(
        "tree must be None, a TreeClassifier or a TreeRegressor",
        where=f"TreePaths(tree={asked!r:.60})",
        fix="leave it out, or hand over a tree of Heldout's, such as ho.TreeClassifier(max_depth=3);"
        " it is copied and fitted anew",
    )


def _own_tree(y: Any, columns: Sequence[InputColumn]) -> TreeBase:
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


def has_means(y: Any) -> bool:
    """Whether the answers are amounts, of which a leaf tells the mean, and not classes.

    Words, booleans and integers are classes. Floating-point numbers are amounts, unless they are all whole
    and there are at most ten of them.

    >>> has_means(["no", "yes"]), has_means([0, 1, 2]), has_means([0.5, 1.25, 2.0]), has_means([0.0, 1.0])
    (False, False, True, False)
    """
    numbers = _floats(y)
    if numbers is None:
        return False
    distinct = np.unique(numbers[np.isfinite(numbers)])
    is_whole = bool(np.all(distinct == np.floor(distinct)))
    return not is_whole or len(distinct) > _MOST_CLASSES_OF_A_NUMBER


def _floats(y: Any) -> NDArray[np.float64] | None:
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
