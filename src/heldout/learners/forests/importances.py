"""What a forest loses when a column is shuffled among the rows that its trees have not seen."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.errors import DataError
from heldout.inputs.array_checks import is_sparse
from heldout.inputs.input_schema import InputSchema
from heldout.inputs.prediction_inputs import PredictionInputs, prediction_blocks
from heldout.learners.forests.forest_arrays import parents
from heldout.learners.forests.forest_options import size_exponent
from heldout.learners.forests.forest_rows import ForestRows
from heldout.learners.forests.out_of_bag import refuse_full_bags
from heldout.learners.trees.tree_text import shown_label
from heldout.native import forests
from heldout.native.forests import GrownForest
from heldout.types import TableLike

if TYPE_CHECKING:
    from heldout.learners.forests.forest_base import ForestBase

# A sparse matrix is made dense in the columns that the forest asks for: 1.6 GB.
MOST_CELLS = 200_000_000
SHOWN_COLUMNS = 30


@dataclass(frozen=True, eq=False)
class PermutationImportances:
    """By how much the loss on rows out of the bag grows when a column is shuffled.

    names:          the columns
    mean:           of each column, over the trees that have rows out of their bag
    standard_error: of that mean, over the trees: how much it would still move with other trees
    loss:           what grows: "share of wrong classes" or "mean squared error"
    n_trees:        how many trees have rows out of their bag
    """

    names: tuple[str, ...]
    mean: NDArray[np.float64]
    standard_error: NDArray[np.float64]
    loss: str
    n_trees: int

    def __str__(self) -> str:
        order = np.argsort(-self.mean, kind="stable")
        shown = [(shown_label(self.names[index]), index) for index in order[:SHOWN_COLUMNS].tolist()]
        width = max(len("column"), *(len(name) for name, _ in shown))
        digits = _shown_digits(float(np.abs(self.mean).max()))
        lines = [
            f"{name:{width}}  {self.mean[index]:>10.{digits}f}  {self.standard_error[index]:>10.{digits}f}"
            for name, index in shown
        ]
        if len(self.names) > len(shown):
            lines.append(f"… ({len(self.names) - len(shown):,} more columns)")
        title = f"{'column':{width}}  {'growth':>10}  {'std. error':>10}"
        return "\n".join([f"growth of the {self.loss} out of the bag, {self.n_trees} trees", title, *lines])


def _shown_digits(largest: float) -> int:
    """How many digits behind the point show four of the largest number."""
    return min(10, max(0, 3 - math.floor(math.log10(largest)))) if 0 < largest < math.inf else 4


def permutation_importances(
    learner: ForestBase, X: TableLike, training: ForestRows
) -> PermutationImportances:
    """The importances of a fitted forest, from the rows it was fitted on."""
    if training.mark != learner.data_mark_:
        raise DataError(
            "these are not the rows that the forest was fitted on",
            where=training.difference(learner),
            fix="hand over the X, y, sample_weight and groups of fit, in the same order; for other rows use"
            " sklearn.inspection.permutation_importance",
        )
    rows, bagging = training.rows, training.bagging_of(learner)
    refuse_full_bags(learner, bagging, rows.n_rows, "importance by permutation")
    inputs, number_of = _whole_inputs(learner, X)
    inputs = inputs if training.kept is None else inputs.take(training.kept)
    losses = forests.permuted_losses(
        learner.forest_,
        inputs.numbers,
        number_of,
        inputs.levels,
        rows.classes,
        rows.targets,
        bagging,
        rows.weights,
        learner._n_threads,
    )
    is_judged = [
        not forests.in_bag_counts(bagging, tree, rows.n_rows, rows.weights).all()
        for tree in range(learner.forest_.n_trees)
    ]
    return _over_trees(losses[is_judged], learner.inputs_, learner._is_regression)


def _over_trees(
    losses: NDArray[np.float64], schema: InputSchema, is_regression: bool
) -> PermutationImportances:
    n_trees = len(losses)
    unknown = np.full(losses.shape[1], np.nan)
    return PermutationImportances(
        names=tuple(schema.names),
        mean=losses.mean(axis=0) if n_trees else unknown,
        standard_error=losses.std(axis=0, ddof=1) / np.sqrt(n_trees) if n_trees > 1 else unknown,
        loss="mean squared error" if is_regression else "share of wrong classes",
        n_trees=n_trees,
    )


def _whole_inputs(learner: ForestBase, X: TableLike) -> tuple[PredictionInputs, NDArray[np.int32]]:
    """All rows at once, and where each column stands; of a sparse X only the columns that are asked for."""
    schema: InputSchema = learner.inputs_
    if not is_sparse(X):
        [inputs] = prediction_blocks(learner, X, schema)
        return inputs, schema.number_of
    features = learner.forest_.feature
    requested = schema.number_of[np.unique(features[features >= 0])]
    # The first stands for all columns that no tree asks for.
    indices = np.union1d(requested[requested >= 0], schema.number_of[schema.number_of == 0])
    if X.shape[0] * len(indices) > MOST_CELLS:
        raise DataError(
            "the columns that the forest asks for are too many to be shuffled",
            where=f"{X.shape[0]:,} rows × {len(indices):,} columns, where {MOST_CELLS:,} cells are the most",
            fix="grow fewer or smaller trees, or drop columns",
        )
    blocks = [(inputs.numbers[:, indices], inputs.levels) for inputs in prediction_blocks(learner, X, schema)]
    numbers, levels = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
    new_index = np.zeros(len(schema.columns), dtype=np.int32)
    new_index[indices] = np.arange(len(indices))
    number_of = np.where(schema.number_of >= 0, new_index[schema.number_of], schema.number_of)
    return PredictionInputs(numbers, np.asfortranarray(levels)), number_of


def gain_shares(forest: GrownForest, criterion: str) -> Floats:
    """Per column the mean over the trees of its share in the gain, summing to 1; 0 if nothing was gained."""
    n_columns = forest.importance.shape[1]
    is_split = forest.feature >= 0
    gains = np.where(is_split, np.maximum(_gains(forest, criterion), 0.0), 0.0)
    tree_of = np.repeat(np.arange(forest.n_trees), np.diff(forest.tree_begin))
    total = np.bincount(tree_of, weights=gains)[tree_of]
    shares = np.divide(gains, total, out=np.zeros(len(gains)), where=total > 0)
    by_column = np.bincount(forest.feature[is_split], weights=shares[is_split], minlength=n_columns)
    whole = by_column.sum()
    return np.asarray(by_column / whole if whole > 0 else by_column.astype(np.float64))


def _gains(forest: GrownForest, criterion: str) -> Floats:
    """What the split of each node gained, in weight and up to a common factor; of a leaf any number."""
    above = parents(forest)
    below = np.flatnonzero(above >= 0)
    above = above[below]
    n_nodes = len(forest.feature)
    if criterion == "squared_error":
        means = np.ldexp(forest.value[:, 0], -size_exponent(forest.value))
        moved = forest.weight[below] * (means[below] - means[above]) ** 2
        return np.asarray(np.bincount(above, weights=moved, minlength=n_nodes), dtype=np.float64)
    spread = _gini(forest) if criterion == "gini" else _entropy(forest)
    return spread - np.bincount(above, weights=spread[below], minlength=n_nodes)


def _gini(forest: GrownForest) -> Floats:
    return np.asarray(forest.weight - np.einsum("ij,ij->i", forest.value, forest.value) / forest.weight)


def _entropy(forest: GrownForest) -> Floats:
    logarithms = np.log2(forest.value, out=np.zeros(forest.value.shape), where=forest.value > 0)
    own = np.einsum("ij,ij->i", forest.value, logarithms)
    return np.asarray(forest.weight * np.log2(forest.weight) - own)
