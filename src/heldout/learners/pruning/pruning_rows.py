"""Rows that a tree is judged on while it is pruned: those set aside, or those given as `validation`."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from heldout import native
from heldout.errors import DataError
from heldout.inputs.input_schema import InputSchema
from heldout.inputs.prediction_inputs import PredictionInputs, fill_missing, prediction_blocks
from heldout.inputs.targets import checked_labels, numeric_targets
from heldout.inputs.training_inputs import TrainingRows
from heldout.learners.pruning.node_losses import NodeLosses, node_losses
from heldout.types import Estimator, Labels, TableLike


@dataclass(frozen=True, eq=False)
class PruningRows:
    """Rows as they fall down a tree, with their true classes or numbers.

    schema:  the columns as the tree knows them
    inputs:  the values
    classes: of a classification; else
    targets: of a regression
    weights: None means that every row counts once
    """

    schema: InputSchema
    inputs: PredictionInputs
    classes: NDArray[np.uint32] | None
    targets: NDArray[np.float64] | None
    weights: NDArray[np.float64] | None

    @property
    def n_rows(self) -> int:
        return len(self.inputs.numbers)

    @property
    def weight(self) -> float:
        return float(self.n_rows if self.weights is None else self.weights.sum())

    def losses(self, tree: native.GrownTree, splits_unknown: bool) -> NodeLosses:
        """What each node of the tree gets wrong."""
        losses = node_losses(
            tree,
            self.inputs,
            self.schema.number_of,
            splits_unknown,
            self.classes,
            self.targets,
            np.ones(self.n_rows) if self.weights is None else self.weights,
        )
        if not np.isfinite(losses.as_leaf).all():
            raise DataError(
                "the squared errors are too large to be numbers",
                where=f"{self.n_rows} rows to prune by",
                fix="multiply the target so that it is of ordinary size, or set prune=None",
            )
        return losses


def held_rows(held: TrainingRows, known: TrainingRows, schema: InputSchema) -> PruningRows:
    """Rows of the training table that were set aside.

    held:   the rows
    known:  the table as the growing rows know it: a level that none of them has is unknown
    schema: the same columns, with what fills a missing value
    """
    inputs = _walkable(replace(known, row_index=held.row_index), held.n_rows)
    return PruningRows(schema, fill_missing(inputs, schema), held.classes, held.targets, held.weights)


def validation_rows(
    learner: Estimator,
    X: TableLike,
    y: ArrayLike,
    schema: InputSchema,
    classes: Labels | None,
    name: str = "validation",
) -> PruningRows:
    """Rows from outside, as `validation=(X, y)`; those of a class that training has not are left out.

    Whatever the tree predicts, such a row is wrong, so it decides nothing.

    name: what the pair of X and y is called
    """
    blocks = list(prediction_blocks(learner, X, schema))
    numbers = np.concatenate([block.numbers for block in blocks])
    levels = np.concatenate([block.levels for block in blocks])
    if classes is None:
        targets = numeric_targets(learner, y)
        _check_lengths(name, len(numbers), len(targets))
        return PruningRows(schema, PredictionInputs(numbers, levels), None, targets, None)
    labels = checked_labels(learner, y)
    _check_lengths(name, len(numbers), len(labels))
    code_of = {label: code for code, label in enumerate(classes.tolist())}
    codes = np.array([code_of.get(label, -1) for label in labels.tolist()], dtype=np.int64)
    known = np.flatnonzero(codes >= 0)
    inputs = PredictionInputs(numbers[known], levels[known])
    return PruningRows(schema, inputs, codes[known].astype(np.uint32), None, None)


def _check_lengths(name: str, n_rows: int, n_targets: int) -> None:
    if n_rows != n_targets:
        raise DataError(
            f"X and y of {name} differ in length",
            where=f"{n_rows} rows in X, {n_targets} targets in y",
            fix="give one target for each row",
        )


def _walkable(rows: TrainingRows, n_rows: int) -> PredictionInputs:
    """These rows of the coded table as numbers with NaN and levels with -1 for unknown."""
    n_categories = rows.schema.n_categories
    numbers = np.empty((n_rows, len(rows.columns) - n_categories), order="F")
    levels = np.empty((n_rows, n_categories), dtype=np.int32, order="F")
    for coded, index in zip(rows.columns, rows.schema.number_of.tolist(), strict=True):
        if index >= 0 and coded.numbers is not None:
            numbers[:, index] = coded.numbers if rows.row_index is None else coded.numbers[rows.row_index]
            continue
        codes = rows.codes(coded)
        if index >= 0:
            numbers[:, index] = np.append(coded.distinct_numbers(), np.nan)[codes]
        else:
            levels[:, -1 - index] = np.append(np.arange(coded.n_codes), -1)[codes]
    return PredictionInputs(numbers, levels)
