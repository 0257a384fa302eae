"""The rows on which rules are judged: values by column, classes and weights."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from heldout.errors import DataError
from heldout.inputs.input_schema import InputSchema
from heldout.inputs.prediction_inputs import PredictionInputs, prediction_blocks
from heldout.inputs.targets import checked_labels, class_weighted, row_weights, weight_per_class
from heldout.learners.pruning.pruning_rows import PruningRows, validation_rows
from heldout.learners.rules.condition import Condition
from heldout.types import PerRow, TableLike

if TYPE_CHECKING:
    from heldout.learners.rule_classifier import RuleClassifier


@dataclass(frozen=True, eq=False)
class RuleRows:
    """Rows on which rules are judged.

    values_of: gives the values of a column, by its position
    classes:   the position of each row's class
    weights:   how much each row counts, more than 0
    n_classes: how many classes there are
    """

    values_of: ValuesOf
    classes: NDArray[np.uint32]
    weights: NDArray[np.float64]
    n_classes: int

    @property
    def n_rows(self) -> int:
        return len(self.classes)

    def counts(self, rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """The weight of each class among these rows."""
        return sums_by(self.classes[rows], self.weights[rows], self.n_classes)


def rule_rows(judged: PruningRows, n_classes: int, weights: NDArray[np.float64] | None = None) -> RuleRows:
    """Rows that a tree is judged on, for rules.

    weights: how much each row counts, if not as the rows say; those of weight 0 are left out
    """
    assert judged.classes is not None
    inputs, classes = judged.inputs, judged.classes
    weights = judged.weights if weights is None else weights
    if weights is not None and not weights.all():
        chosen = np.flatnonzero(weights)
        inputs, classes, weights = inputs.take(chosen), classes[chosen], weights[chosen]
    known = np.ones(len(classes)) if weights is None else weights
    return RuleRows(values_by_column(inputs, judged.schema), classes, known, n_classes)


def seen_rows(learner: RuleClassifier, X: TableLike, y: ArrayLike, sample_weight: PerRow) -> RuleRows:
    """The rows that a tree was fitted on; all of their classes are known to it.

    learner: has the columns and the classes of the tree, and says what a class weighs, which it is told
    """
    rows = validation_rows(learner, X, y, learner.inputs_, learner.classes_, "from_tree")
    n_rows = len(checked_labels(learner, y))
    assert rows.classes is not None
    if len(rows.classes) != n_rows:
        raise DataError(
            "y has classes that the tree does not know",
            where=f"{n_rows - len(rows.classes)} of {n_rows} rows",
            fix="hand over the rows that the tree was fitted on",
        )
    weights = row_weights(sample_weight, n_rows)
    learner.class_weights_ = weight_per_class(learner.class_weight, learner.classes_, rows.classes)
    weights = class_weighted(learner.class_weights_, rows.classes, weights)
    return rule_rows(rows, learner.n_classes_, weights)


def sums_by(codes: NDArray[Any], weights: NDArray[np.float64], n_codes: int) -> NDArray[np.float64]:
    """The sum of the weights for each code."""
    return np.bincount(codes, weights, n_codes).astype(np.float64, copy=False)


Values = NDArray[np.float64] | NDArray[np.int32]
ValuesOf = Callable[[int], Values]


def column_values(inputs: PredictionInputs, schema: InputSchema, position: int) -> Values:
    """The numbers of a column, or the positions of its levels."""
    index = int(schema.number_of[position])
    return inputs.numbers[:, index] if index >= 0 else inputs.levels[:, -1 - index]


def values_by_column(inputs: PredictionInputs, schema: InputSchema) -> ValuesOf:
    """What gives the values of a column by its position."""
    return partial(column_values, inputs, schema)


def chosen_columns(
    learner: RuleClassifier, X: TableLike, schema: InputSchema, positions: Iterable[int]
) -> ValuesOf:
    """The same for some columns of X, of which a sparse matrix gives no others."""
    wanted = list(positions)
    blocks = [
        {position: column_values(inputs, schema, position) for position in wanted}
        for inputs in prediction_blocks(learner, X, schema)
    ]
    if len(blocks) == 1:
        return blocks[0].__getitem__
    return {
        position: np.concatenate([block[position] for block in blocks]) for position in wanted
    }.__getitem__


def matching_rows(
    conditions: Iterable[Condition], values_of: ValuesOf, rows: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Those of the rows that meet all conditions, and the part of each that does."""
    shares = np.ones(len(rows))
    for condition in conditions:
        if not len(rows):
            break
        values = values_of(condition.position)[rows]
        if condition.unknown_share == 0:
            is_met = condition.is_met(values)
            rows, shares = rows[is_met], shares[is_met]
        else:
            part = condition.shares(values)
            is_met = part > 0
            rows, shares = rows[is_met], shares[is_met] * part[is_met]
    return rows, shares
