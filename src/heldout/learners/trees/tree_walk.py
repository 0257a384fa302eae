"""New rows on their way through a fitted tree: where they end, and what they are answered there."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout import native
from heldout.learners.inputs.input_schema import InputSchema
from heldout.learners.inputs.prediction_inputs import PredictionInputs, prediction_blocks
from heldout.learners.trees.tree_structure import TreeStructure

Floats = NDArray[np.float64]


def walked_blocks(learner: Any, X: Any, schema: InputSchema) -> Iterator[PredictionInputs]:
    """X as the core walks it down a tree, with a warning where values are filled otherwise than at fit."""
    for inputs in prediction_blocks(learner, X, schema):
        if inputs.n_filled and learner.missing == "class_mode":
            warnings.warn(
                f"{inputs.n_filled} unknown values were filled by the mode of their column: their mode in"
                ' the class of the row, by which missing="class_mode" fills at fit, is not known here',
                stacklevel=_level_outside(),
            )
        yield inputs


def ends_in(
    tree: native.GrownTree, schema: InputSchema, inputs: PredictionInputs, n_threads: int
) -> NDArray[np.int32]:
    """The node in which each row ends; an unknown value follows the heaviest branch."""
    return native.apply_tree(tree, inputs.numbers, schema.number_of, inputs.levels, n_threads)


def has_unknown(inputs: PredictionInputs) -> bool:
    """Whether any value is unknown."""
    return bool(np.isnan(inputs.numbers).any() or (inputs.levels < 0).any())


def split_rows(structure: TreeStructure, schema: InputSchema, inputs: PredictionInputs) -> NDArray[np.intp]:
    """The rows that may go down several branches: a column that the tree asks for is unknown."""
    if not structure.splits_unknown:
        return np.empty(0, dtype=np.intp)
    features = structure.grown.feature
    places = schema.number_of[np.unique(features[features >= 0])]
    is_split = np.zeros(len(inputs.numbers), dtype=np.bool_)
    for place in places.tolist():
        is_split |= np.isnan(inputs.numbers[:, place]) if place >= 0 else inputs.levels[:, -1 - place] < 0
    return np.flatnonzero(is_split)


def split_answers(
    structure: TreeStructure,
    schema: InputSchema,
    inputs: PredictionInputs,
    n_threads: int,
    is_regression: bool,
) -> Floats:
    """The shares of the classes, or the mean, summed over the parts of each row."""
    return native.predict_tree(
        structure.grown, inputs.numbers, schema.number_of, inputs.levels, True, n_threads, is_regression
    )


def answers(
    learner: Any, X: Any, at_node: NDArray[Any], of_parts: Callable[[Floats], NDArray[Any]]
) -> NDArray[Any]:
    """What each row is answered.

    at_node:  the answer of each node
    of_parts: the answers that go with what `split_answers` gives
    """
    structure, schema, n_threads = learner.tree_, learner.inputs_, learner._n_threads
    found = []
    for inputs in walked_blocks(learner, X, schema):
        answered = at_node.take(ends_in(structure.grown, schema, inputs, n_threads), axis=0)
        rows = split_rows(structure, schema, inputs)
        if len(rows):
            parts = split_answers(structure, schema, inputs.take(rows), n_threads, learner._is_regression)
            answered[rows] = of_parts(parts)
        found.append(answered)
    return joined(found)


def joined(blocks: list[NDArray[Any]], axis: int = 0) -> NDArray[Any]:
    """The blocks one after the other; a single one as it is."""
    return blocks[0] if len(blocks) == 1 else np.concatenate(blocks, axis=axis)


def _level_outside() -> int:
    """How many calls up the first line stands that is not the package's own."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("heldout."):
        level, frame = level + 1, frame.f_back
    return level
