"""How many bits it takes to write a model down: stated code lengths, by which models are compared.

The reader has the training rows without their targets: the values of every column, and so the cuts between
them, and which rows reach a leaf. A tree is written from its root, a node after the other. One bit says
whether a node is a leaf or a split. A split names its column, log2 of the number of columns, and one of the
cuts or groups of levels that this column offers. A leaf of m rows tells the shares of its classes, or its
mean, in steps of 1 / ceil(sqrt(m)). A level that no row of a node has gets no branch, which the reader sees.

A list of rules is written from the top. One bit says whether a rule follows, and in a rule one bit whether
a condition follows; then come its class and the shares of the rows it covers. A condition names its column
and, of a number, the cut and the side of it that is meant; of a category, whether one level is meant or
several, and which.

Lengths that depend on the rows compare models that were fitted to the same rows. They are no code that was
fixed before the rows were seen, which Occam's bound needs; `TreeClassifier.fixed_code_bits` is one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from heldout.arrays import Counts, Floats
from heldout.inputs.training_inputs import TrainingRows
from heldout.learners.trees.tree_structure import LEVEL_SET, MULTIWAY, THRESHOLD

if TYPE_CHECKING:
    from heldout.learners.rules.condition import Condition
    from heldout.learners.rules.rule import Rule


# From here on 2^n - 1 and 2^n are the same number.
_ALIKE = 60


def distinct_values(rows: TrainingRows) -> Counts:
    """How many distinct known values each column has among the rows that are meant.

    rows: after `compacted`, so that every level occurs
    """
    if rows.row_index is None:
        return np.array([coded.n_codes for coded in rows.columns], dtype=np.int64)
    row_index = _without_repeats(rows.row_index)
    counts = np.empty(len(rows.columns), dtype=np.int64)
    for position, coded in enumerate(rows.columns):
        if coded.n_codes == len(coded.codes):  # every row of the table has a value of its own
            counts[position] = len(row_index)
            continue
        is_present = np.zeros(coded.n_codes + 1, dtype=np.bool_)
        is_present[coded.codes.take(row_index)] = True
        counts[position] = np.count_nonzero(is_present[: coded.n_codes])
    return counts


def _without_repeats(rows: NDArray[np.uint32]) -> NDArray[np.intp]:
    """The rows that are meant, each once, in order."""
    is_meant = np.zeros(int(rows.max(initial=0)) + 1, dtype=np.bool_)
    is_meant[rows] = True
    return np.flatnonzero(is_meant)


def class_bits(n_classes: int) -> float:
    """One of the classes."""
    return math.log2(n_classes)


def number_bits(n_rows: int) -> float:
    """A coefficient that was estimated from so many rows, to the precision that they give it: ½ log2(n).

    This is an argument about precision and no code: the range of a coefficient is not known beforehand.
    """
    return 0.5 * math.log2(max(n_rows, 1))


def share_bits(n_rows: ArrayLike, n_classes: int) -> Floats:
    """The shares of classes among m rows, in steps of 1/s with s = ceil(sqrt(m)): log2 C(s + K - 1, K - 1).

    A share that is estimated from m rows is known to about 1/sqrt(m). There are C(s + K - 1, K - 1) ways to
    divide s steps among K classes; of a single row that is K ways, the name of its class.

    n_rows: how many rows, as a number or an array
    """
    steps = np.ceil(np.sqrt(np.maximum(np.asarray(n_rows, dtype=np.float64), 1.0)))
    bits = np.zeros(steps.shape)
    for each in range(1, n_classes):
        bits += np.log2((steps + each) / each)
    return bits


def mean_bits(n_rows: ArrayLike) -> Floats:
    """The mean of m rows on a grid of ceil(sqrt(m)) steps over the range of the targets.

    The range is told once for all models of a table and not counted.
    """
    return share_bits(n_rows, 2)


def cut_bits(n_values: Counts) -> Floats:
    """Which of the cuts between the distinct values of each column."""
    return np.log2(np.maximum(n_values - 1, 1).astype(np.float64))


def subset_bits(n_values: Counts, is_one_vs_rest: bool = False) -> Floats:
    """Which of the ways to part the levels of each column in two, or to part one of them from the rest."""
    n_others = np.maximum(n_values - 1, 1)
    if is_one_vs_rest:
        return np.log2(np.where(n_others == 1, 1, n_values).astype(np.float64))
    small = np.minimum(n_others, _ALIKE)
    return np.asarray(np.log2(np.exp2(small) - 1.0) + (n_others - small))


def split_bits(
    feature: NDArray[np.int32],
    split_kind: NDArray[np.uint8],
    n_values: Counts,
    is_one_vs_rest: bool = False,
) -> Floats:
    """For each node what its split tells: the column, and the cut or the levels; 0 for a leaf.

    feature, split_kind: of each node, as in a GrownTree or a GrownForest
    n_values:            of each column, as `distinct_values` gives them
    is_one_vs_rest:      whether levels were parted one from the rest
    """
    by_kind = np.zeros((4, max(len(n_values), 1)))
    by_kind[[THRESHOLD, MULTIWAY, LEVEL_SET]] = math.log2(max(len(n_values), 1))
    by_kind[THRESHOLD, : len(n_values)] += cut_bits(n_values)
    by_kind[LEVEL_SET, : len(n_values)] += subset_bits(n_values, is_one_vs_rest)
    return np.asarray(by_kind[split_kind, np.maximum(feature, 0)])


def tree_bits(
    feature: NDArray[np.int32],
    split_kind: NDArray[np.uint8],
    n_values: Counts,
    leaf_rows: NDArray[Any],
    n_classes: int | None,
    is_one_vs_rest: bool = False,
) -> float:
    """The length of a tree, or the sum of those of many trees that stand in the same arrays.

    feature, split_kind, n_values, is_one_vs_rest: as for `split_bits`
    leaf_rows: how many training rows each leaf has
    n_classes: whose shares the leaves tell; None where they tell means
    """
    # Equal terms are counted first: sums of equal terms do not depend on their order.
    sizes, n_leaves = np.unique(leaf_rows, return_counts=True)
    leaf_bits = mean_bits(sizes) if n_classes is None else share_bits(sizes, n_classes)
    n_columns = max(len(n_values), 1)
    indices = split_kind.astype(np.int64) * n_columns + np.maximum(feature, 0)
    counts = np.bincount(indices, minlength=4 * n_columns)
    kinds, columns = np.divmod(np.arange(4 * n_columns), n_columns)
    lengths = split_bits(columns.astype(np.int32), kinds.astype(np.uint8), n_values, is_one_vs_rest)
    return len(feature) + math.fsum([*(n_leaves * leaf_bits).tolist(), *(counts * lengths).tolist()])


def rules_bits(rules: Sequence[Rule], default: Rule, n_values: Counts, n_classes: int) -> float:
    """The length of a list of rules with a class and shares for each, and shares for rows that meet none.

    n_values: of each column, as `distinct_values` gives them
    """
    column_bits = math.log2(len(n_values))
    lengths = [1.0 + float(share_bits(default.n_rows, n_classes))]
    for rule in rules:
        lengths.append(2.0 + class_bits(n_classes) + float(share_bits(rule.n_rows, n_classes)))
        sides = [side for condition in rule.conditions for side in condition.sides]
        lengths += [1.0 + column_bits + _condition_bits(side, n_values) for side in sides]
    return math.fsum(lengths)


def _condition_bits(condition: Condition, n_values: Counts) -> float:
    """Which side of which cut, or which level or levels."""
    n_here = n_values[condition.position : condition.position + 1]
    if condition.levels is None:
        return 1.0 + float(cut_bits(n_here)[0])
    if len(condition.levels) == 1:
        return 1.0 + math.log2(max(int(n_here[0]), 1))
    # A set with or without each level.
    return 1.0 + float(n_here[0])
