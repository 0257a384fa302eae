"""What a tree's predictions cost, where it costs something to know a column.

A row pays for every column that the tree asks on its way, once for each column, also where the value is
"unknown". A row that is split pays for all columns that its parts are asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from heldout.inputs.input_schema import InputSchema
from heldout.inputs.prediction_inputs import PredictionInputs, prediction_blocks
from heldout.learners.rules.condition import is_unknown
from heldout.learners.rules.rule_rows import column_values
from heldout.learners.trees.tree_structure import LEVEL_SET, MULTIWAY, THRESHOLD, TreeStructure
from heldout.types import TableLike

if TYPE_CHECKING:
    from heldout.learners.trees.tree_base import TreeBase


def is_first_question(structure: TreeStructure) -> NDArray[np.bool_]:
    """Which nodes ask for a column that no node above them has asked for."""
    features = structure.grown.feature.tolist()
    is_first = np.zeros(structure.n_nodes, dtype=np.bool_)
    n_requested = [0] * (max(features) + 1)
    waiting = [0]
    while waiting:
        node = waiting.pop()
        if node < 0:
            n_requested[features[~node]] -= 1
        elif features[node] >= 0:
            is_first[node] = n_requested[features[node]] == 0
            n_requested[features[node]] += 1
            # Below zero stands a node that is left again, when all that is below it has been seen.
            waiting.append(~node)
            waiting += structure.children(node)
    return is_first


def expected_cost(structure: TreeStructure, costs: NDArray[np.float64]) -> float:
    """The mean cost over the training rows, by their weight; a part of a split row pays its part."""
    is_first, weight = is_first_question(structure), structure.grown.weight
    paid = costs[structure.grown.feature[is_first]] * weight[is_first]
    return float(paid.sum() / weight[0])


def costs_of_ends(structure: TreeStructure, costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """What a row has paid that ends in each node; one that stops at a split was asked for its column."""
    is_first, grown = is_first_question(structure), structure.grown
    paid = np.where(is_first, costs[grown.feature], 0.0).tolist()
    parents = grown.parent.tolist()
    for node in range(1, structure.n_nodes):
        paid[node] += paid[parents[node]]
    return np.array(paid)


def row_costs(tree: TreeBase, X: TableLike) -> NDArray[np.float64]:
    """What a fitted tree's prediction costs for each row."""
    structure: TreeStructure = tree.tree_
    if not structure.splits_unknown:
        return np.asarray(costs_of_ends(structure, tree.feature_costs_)[tree.apply(X)])
    blocks = prediction_blocks(tree, X, tree.inputs_)
    paid = [costs_of_split_rows(structure, tree.inputs_, inputs, tree.feature_costs_) for inputs in blocks]
    return np.concatenate(paid)


def costs_of_split_rows(
    structure: TreeStructure, schema: InputSchema, inputs: PredictionInputs, costs: NDArray[np.float64]
) -> NDArray[np.float64]:
    """What rows pay whose parts may go down several branches."""
    n_rows = len(inputs.numbers)
    is_requested = np.zeros((n_rows, len(costs)), dtype=np.bool_)
    waiting = [(0, np.arange(n_rows))]
    while waiting:
        node, rows = waiting.pop()
        if len(rows) and structure.grown.feature[node] >= 0:
            is_requested[rows, structure.grown.feature[node]] = True
            waiting += _branches(structure, schema, inputs, node, rows)
    return np.asarray(is_requested @ costs)


def _branches(
    structure: TreeStructure,
    schema: InputSchema,
    inputs: PredictionInputs,
    node: int,
    rows: NDArray[np.intp],
) -> list[tuple[int, NDArray[np.intp]]]:
    """The children, each with those of the rows of which a part goes there."""
    grown, children = structure.grown, structure.children(node)
    values = column_values(inputs, schema, int(grown.feature[node]))[rows]
    goes_everywhere = is_unknown(values)
    kind = grown.split_kind[node]
    if kind == MULTIWAY:
        return [(child, rows[goes_everywhere | (values == grown.branch_level[child])]) for child in children]
    if kind == THRESHOLD:
        goes_first = values <= grown.threshold[node]
    else:
        assert kind == LEVEL_SET
        goes_first = np.isin(values, structure.levels_in_set(node))
    return [
        (children[0], rows[goes_everywhere | goes_first]),
        (children[1], rows[goes_everywhere | ~goes_first]),
    ]
