"""New rows on their way through a fitted tree: where they end, and what is predicted there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout import native
from heldout.arrays import Floats
from heldout.checks.warn import warn_user
from heldout.inputs.input_schema import InputSchema
from heldout.inputs.prediction_inputs import PredictionInputs, prediction_blocks
from heldout.learners.class_shares import first_largest, shares_of
from heldout.learners.trees.tree_structure import TreeStructure
from heldout.types import TableLike

if TYPE_CHECKING:
    from heldout.learners.forests.forest_base import ForestBase
    from heldout.learners.trees.tree_base import TreeBase


def walked_blocks(learner: TreeBase, X: TableLike, schema: InputSchema) -> Iterator[PredictionInputs]:
    """X as the core walks it down a tree, with a warning where values are filled otherwise than at fit."""
    n_filled = 0
    for inputs in prediction_blocks(learner, X, schema):
        n_filled += inputs.n_filled
        yield inputs
    if learner.missing == "class_mode":
        warn_of_filling(n_filled)


def warn_of_filling(n_filled: int) -> None:
    """Say that new rows are filled by column where fit filled by class; nothing if no value was filled."""
    if n_filled:
        values = "1 missing value was" if n_filled == 1 else f"{n_filled} missing values were"
        their = "its" if n_filled == 1 else "their"
        warn_user(
            f"{values} filled by the mode of {their} column: {their} mode in the class of the row, by which"
            ' missing="class_mode" fills at fit, is not known here',
        )


def ends_in(
    tree: native.GrownTree, schema: InputSchema, inputs: PredictionInputs, n_threads: int
) -> NDArray[np.int32]:
    """The node in which each row ends; a missing value follows the heaviest branch."""
    return native.apply_tree(tree, inputs.numbers, schema.number_of, inputs.levels, n_threads)


def unknown_columns(inputs: PredictionInputs, schema: InputSchema) -> NDArray[np.bool_]:
    """Which columns have a missing value in any of the rows."""
    # Levels stand behind the numbers, counted from the end: index -1 is the first of them.
    in_numbers = np.asarray(np.isnan(inputs.numbers).any(axis=0))
    in_levels = np.asarray((inputs.levels < 0).any(axis=0))
    return np.asarray(np.concatenate([in_numbers, in_levels[::-1]])[schema.number_of])


def split_rows(
    structure: TreeStructure,
    schema: InputSchema,
    inputs: PredictionInputs,
    n_threads: int,
    is_doubtful: NDArray[np.bool_] | None,
) -> NDArray[np.intp]:
    """The rows that may go down several branches: a column that the tree asks for is unknown.

    A row that ends as a whole in a doubtful node is not among them: the node predicts it by itself.

    is_doubtful: the nodes that predict otherwise by themselves than as a sum of parts, see
                 `near_ties`; None if there are none
    """
    if not structure.splits_unknown:
        return np.empty(0, dtype=np.intp)
    features = structure.grown.feature
    requested = np.unique(features[features >= 0])
    is_split = np.zeros(len(inputs.numbers), dtype=np.bool_)
    for index in schema.number_of[requested].tolist():
        is_split |= _is_unknown(inputs, index)
    rows = np.flatnonzero(is_split)
    if not len(rows) or is_doubtful is None or not is_doubtful.any():
        return rows
    ends = ends_in(structure.grown, schema, inputs.take(rows), n_threads)
    doubtful = np.flatnonzero(is_doubtful[ends])
    is_unknown = [
        _is_unknown(inputs, index)[rows[doubtful]] for index in schema.number_of[requested].tolist()
    ]
    is_whole = np.zeros(len(rows), dtype=np.bool_)
    is_whole[doubtful] = ~_is_split_above(structure, ends[doubtful], requested, np.array(is_unknown))
    return rows[~is_whole]


def _is_unknown(inputs: PredictionInputs, index: int) -> NDArray[np.bool_]:
    """Which rows have no value in the column at this index of `number_of`."""
    return np.asarray(np.isnan(inputs.numbers[:, index]) if index >= 0 else inputs.levels[:, -1 - index] < 0)


def _is_split_above(
    structure: TreeStructure,
    ends: NDArray[np.int32],
    requested: NDArray[np.int32],
    is_unknown: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Whether each row was asked, on its way to its end, for a value that is unknown.

    asked:      the columns that the tree asks for
    is_unknown: column of these × row
    """
    parents, features = structure.grown.parent, structure.grown.feature
    is_split = np.zeros(len(ends), dtype=np.bool_)
    waiting, nodes = np.arange(len(ends)), parents[ends]
    while len(waiting := waiting[(nodes[waiting] >= 0) & ~is_split[waiting]]):
        here = nodes[waiting]
        is_split[waiting] = is_unknown[np.searchsorted(requested, features[here]), waiting]
        nodes[waiting] = parents[here]
    return is_split


def predict_parts(
    learner: TreeBase, structure: TreeStructure, schema: InputSchema, inputs: PredictionInputs, value: Floats
) -> Floats:
    """The shares of the classes, or the mean, summed over the parts of each row.

    value: what each node adds: weights or probabilities of the classes, whose shares are taken, or the mean
    """
    grown, is_regression = replace(structure.grown, value=value), learner._is_regression
    return native.predict_tree(
        grown, inputs.numbers, schema.number_of, inputs.levels, True, learner._n_threads, is_regression
    )


def near_ties(learner: TreeBase, structure: TreeStructure) -> NDArray[np.bool_] | None:
    """The nodes whose class is not the one that a sum of parts would give, were the whole row there.

    That is where classes are nearly tied: a node predicts the heaviest, a sum of parts with the first of
    those that differ by rounding alone. None for a regression.
    """
    if learner._is_regression:
        return None
    value = structure.grown.value
    return np.asarray(first_largest(shares_of(value)) != value.argmax(axis=1))


def predict_rows(
    learner: TreeBase,
    X: TableLike,
    at_node: NDArray[Any],
    in_parts: Floats,
    of_parts: Callable[[Floats], NDArray[Any]],
) -> NDArray[Any]:
    """What is predicted for each row.

    at_node:  the prediction of each node
    in_parts: what each node adds to the sum of a row in parts
    of_parts: the predictions that go with these sums
    """
    structure, schema, n_threads = learner.tree_, learner.inputs_, learner._n_threads
    found = []
    for inputs in walked_blocks(learner, X, schema):
        predicted = at_node.take(ends_in(structure.grown, schema, inputs, n_threads), axis=0)
        is_doubtful = near_ties(learner, structure) if structure.splits_unknown else None
        rows = split_rows(structure, schema, inputs, n_threads, is_doubtful)
        if len(rows):
            predicted[rows] = of_parts(predict_parts(learner, structure, schema, inputs.take(rows), in_parts))
        found.append(predicted)
    return join_blocks(found)


Predictor = Callable[[PredictionInputs], dict[int, NDArray[Any]]]


def predict_by_schema(
    learners: Sequence[TreeBase | ForestBase],
    schemas: Sequence[InputSchema],
    X: TableLike,
    predictor_of: Callable[[list[int]], Predictor],
) -> list[NDArray[Any]]:
    """What each learner of a sweep predicts; X is read once for all that share a schema.

    predictor_of: for the indices of such learners, what predicts for all of them the rows of a block
    """
    by_schema: dict[int, list[int]] = {}
    for index, schema in enumerate(schemas):
        by_schema.setdefault(id(schema), []).append(index)
    predictions: dict[int, NDArray[Any]] = {}
    most_filled = 0
    for indices in by_schema.values():
        learner, predict_block = learners[indices[0]], predictor_of(indices)
        blocks, n_filled = [], 0
        for inputs in prediction_blocks(learner, X, schemas[indices[0]]):
            blocks.append(predict_block(inputs))
            n_filled += inputs.n_filled
        predictions |= {index: join_blocks([block[index] for block in blocks]) for index in indices}
        if learner.missing == "class_mode":
            most_filled = max(most_filled, n_filled)
    warn_of_filling(most_filled)
    return [predictions[index] for index in range(len(learners))]


def join_blocks(blocks: list[NDArray[Any]], axis: int = 0) -> NDArray[Any]:
    """The blocks one after the other; a single one as it is."""
    return blocks[0] if len(blocks) == 1 else np.concatenate(blocks, axis=axis)
