"""Which rows meet a rule, and with which share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.learners.inputs.input_schema import InputSchema
from heldout.learners.inputs.prediction_inputs import PredictionInputs, prediction_blocks
from heldout.learners.rules.condition import Condition

Values = NDArray[np.float64] | NDArray[np.int32]
ValuesOf = Callable[[int], Values]


def column_values(inputs: PredictionInputs, schema: InputSchema, position: int) -> Values:
    """The numbers of a column, or the positions of its levels."""
    place = int(schema.number_of[position])
    return inputs.numbers[:, place] if place >= 0 else inputs.levels[:, -1 - place]


def values_by_column(inputs: PredictionInputs, schema: InputSchema) -> ValuesOf:
    """What gives the values of a column by its position."""
    return partial(column_values, inputs, schema)


def chosen_columns(learner: Any, X: Any, schema: InputSchema, positions: Iterable[int]) -> ValuesOf:
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
