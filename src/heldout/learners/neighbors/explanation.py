"""Why neighbors predict what they do for a row: who they are, how far away, and how much each counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from heldout.inputs.input_schema import InputColumn
from heldout.inputs.numeric_inputs import boolean_numbers
from heldout.inputs.one_row import one_row
from heldout.learners.neighbors.parameter_checks import check_k
from heldout.learners.neighbors.row_inputs import rows_later
from heldout.learners.neighbors.stored_rows import StoredRows
from heldout.learners.rules.condition import spoken_level
from heldout.learners.trees.tree_text import shown_label
from heldout.table.column import date_label, number_label
from heldout.text.numbers import share_text
from heldout.text.words import join_names, plural

if TYPE_CHECKING:
    from heldout.learners.neighbors.neighbors_base import NeighborsBase

MOST_NEIGHBORS = 10
MOST_COLUMNS = 6


@dataclass(frozen=True, eq=False)
class Neighbor:
    """One training row that votes on another row.

    position: its index among the training rows, from 0 on
    distance: how far away it is
    share:    its part of the weight of all neighbors
    target:   its class or number
    values:   its columns by name: a number, a level, or None where it is unknown; of a sparse row those that
              are not 0
    words:    the same as text
    """

    position: int
    distance: float
    share: float
    target: Any
    values: dict[str, float | str | None]
    words: str

    def __str__(self) -> str:
        target = f"{self.target:.6g}" if isinstance(self.target, float) else spoken_level(str(self.target))
        away = f"row {self.position + 1}, {self.distance:.4g} away, counts {share_text(self.share)}"
        return f"  {away}: {target} ({self.words})"


@dataclass(frozen=True, eq=False)
class NeighborsExplanation:
    """The neighbors of a row, the nearest first, and the prediction that they give.

    neighbors:    those that count
    prediction: the class or the number that is predicted
    distribution: the probabilities of the classes, by class; empty for a regression
    heading:      what was compared, in words
    ending:       how the prediction comes about, in words
    """

    neighbors: tuple[Neighbor, ...]
    prediction: Any
    distribution: dict[Any, float]
    heading: str
    ending: str

    def __str__(self) -> str:
        shown = [str(neighbor) for neighbor in self.neighbors[:MOST_NEIGHBORS]]
        n_more = len(self.neighbors) - len(shown)
        more = [f"  … and {n_more} more"] if n_more else []
        return "\n".join([self.heading, *shown, *more, self.ending])


def explain_row(learner: NeighborsBase, row: object) -> NeighborsExplanation:
    """How a fitted learner predicts this row."""
    kept: StoredRows = learner._kept
    queries = rows_later(learner, one_row(learner, row, learner.inputs_))
    k = check_k(learner, learner.k, kept.n_rows)
    (block,) = learner._blocks(queries, k)
    weights = learner._weighting.weights(block.distances)
    shares = np.full(k, 1.0 / k) if weights is None else weights[0] / weights[0].sum()
    found = zip(block.positions[0].tolist(), block.distances[0].tolist(), shares.tolist(), strict=True)
    neighbors = tuple(_neighbor(learner, kept, *each) for each in found)
    (predictions,) = learner._steps(block, queries, [k])
    nearest = "nearest" if k == 1 else f"{k:,} nearest"
    heading = f"The {nearest} of {plural(kept.n_rows, 'training row')} by {learner.metric_}:"
    if learner._is_regression:
        prediction = float(predictions[0])
        ending = f"So the prediction is {prediction:.6g}{_how_targets_combine(learner, k)}."
        return NeighborsExplanation(neighbors, prediction, {}, heading, ending)
    classes = learner.classes_.tolist()
    probabilities, at = learner._probabilities(predictions)[0], learner._decision
    index = int(predictions[0].argmax() if at is None else at.codes(probabilities))
    decided = "" if at is None else f" It predicts {at.words}."
    parts = _parts(classes, probabilities.tolist())
    ending = f"So the prediction is {spoken_level(str(classes[index]))}{parts}.{decided}"
    distribution = dict(zip(classes, probabilities.tolist(), strict=True))
    return NeighborsExplanation(neighbors, classes[index], distribution, heading, ending)


def _how_targets_combine(learner: NeighborsBase, k: int) -> str:
    if k == 1:
        return ""
    if learner._is_linear:
        return ", which the plane through them says here"
    return f", their {'mean' if learner._weighting.is_uniform else 'weighted mean'}"


def _parts(classes: list[Any], shares: list[float]) -> str:
    """The shares of the classes in words, the largest first, where there is more than one."""
    order = sorted(zip(classes, shares, strict=True), key=lambda item: -item[1])
    words = [f"{spoken_level(str(label))} {share_text(share)}" for label, share in order if share > 0]
    return f" ({join_names(words, 'and', most=None)})" if len(words) > 1 else ""


def _neighbor(
    learner: NeighborsBase, kept: StoredRows, position: int, distance: float, share: float
) -> Neighbor:
    values = _values(learner, kept, position)
    columns = {column.name: column for column in learner.inputs_.columns}
    words = [f"{shown_label(name)} {_shown(columns[name], value)}" for name, value in values.items()]
    words = words or ["0 in every column"]
    text = ", ".join(words[:MOST_COLUMNS]) + (", …" if len(words) > MOST_COLUMNS else "")
    return Neighbor(position, distance, share, learner._target_of(position), values, text)


def _values(learner: NeighborsBase, kept: StoredRows, position: int) -> dict[str, float | str | None]:
    columns = learner.inputs_.columns
    if kept.is_sparse:
        row = kept.numbers[position : position + 1]
        stored = zip(row.indices.tolist(), row.data.tolist(), strict=True)
        return {columns[index].name: value for index, value in stored if value != 0}
    is_joined = kept.numbers.shape[1] == len(columns)  # booleans may stand among the numbers
    values: dict[str, float | str | None] = {}
    for nth, (column, index) in enumerate(zip(columns, learner.inputs_.number_of.tolist(), strict=True)):
        if index >= 0 or is_joined:
            number = float(kept.numbers[position, nth if is_joined else index])
            values[column.name] = None if np.isnan(number) else _word_of(column, number)
        else:
            code = int(kept.levels[position, -1 - index])
            values[column.name] = None if code < 0 else column.levels[code]
    return values


def _word_of(column: InputColumn, number: float) -> float | str:
    """The number itself, or the word of a boolean for which it stands."""
    if column.kind != "boolean":
        return number
    words = {stands_for: level for level, stands_for in boolean_numbers(column.levels).items()}
    return words.get(number, number)


def _shown(column: InputColumn, value: float | str | None) -> str:
    if value is None:
        return "unknown"
    if isinstance(value, str):
        return spoken_level(value)
    return (
        date_label(value) if column.kind == "date" else f"{value:.6g}" if value % 1 else number_label(value)
    )
