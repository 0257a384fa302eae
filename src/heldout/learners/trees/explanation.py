"""Why a tree predicts what it does for a row: every question on its way, in words.

A row with missing values may be split, so its way may branch: each step says how often the row has been
split above it, and which part of the row is there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from heldout.inputs.input_schema import InputColumn, InputSchema
from heldout.inputs.one_row import given_words, one_row
from heldout.inputs.prediction_inputs import prediction_blocks
from heldout.learners.class_shares import at_most_one
from heldout.learners.rules.condition import is_unknown, spoken_level
from heldout.learners.rules.rule_rows import column_values
from heldout.learners.trees.tree_structure import MULTIWAY, THRESHOLD, TreeStructure
from heldout.learners.trees.tree_text import MOST_LEVELS, branch_text, shown_label
from heldout.table.column import date_label, number_label
from heldout.text.numbers import share_text
from heldout.text.words import join_names

if TYPE_CHECKING:
    from heldout.learners.trees.tree_base import TreeBase

MARGIN = "    "


@dataclass(frozen=True)
class Step:
    """One node on the way of a row.

    node:    its number in `tree_`
    depth:   how often the row had been split above it
    share:   the part of the row that came here
    column:  the column that is asked for, "" in a leaf
    value:   what the row has there, a number or a level, also one that training never saw; None if it is
             missing
    is_end:  whether this part of the row ends here: in a leaf, or where no branch has its level
    arrival: how a part of a split row came here, else ""
    words:   what happens here
    """

    node: int
    depth: int
    share: float
    column: str
    value: float | str | None
    is_end: bool
    arrival: str
    words: str

    def __str__(self) -> str:
        here = MARGIN * self.depth + self.words
        return f"{MARGIN * (self.depth - 1)}  {self.arrival}\n{here}" if self.arrival else here


@dataclass(frozen=True, eq=False)
class Explanation:
    """The way of a row through a tree, and the prediction at its end.

    steps:        the nodes on its way; where the row was split, all of one branch before the next
    shares:       the part of the row that ends in each node where some of it ends, by the node's number
    prediction: the class or the number that is predicted
    prediction_text: the same as it is shown
    distribution: the probabilities of the classes, by class; empty for a regression
    decided:      where a threshold decides, from where on which class is predicted; else ""
    """

    steps: tuple[Step, ...]
    shares: dict[int, float]
    prediction: Any
    prediction_text: str
    distribution: dict[Any, float]
    decided: str = ""

    def __str__(self) -> str:
        shares = [
            f"{spoken_level(str(label))} {share_text(share)}"
            for label, share in sorted(self.distribution.items(), key=lambda item: -item[1])
            if share > 0
        ]
        end = f" ({join_names(shares, 'and', most=None)})" if len(shares) > 1 else ""
        decided = f" It predicts {self.decided}." if self.decided else ""
        return "\n".join(
            [*map(str, self.steps), f"So the prediction is {self.prediction_text}{end}.{decided}"]
        )


def explain_row(tree: TreeBase, row: object) -> Explanation:
    """How a fitted tree predicts this row."""
    structure: TreeStructure = tree.tree_
    steps = _Walk(tree, *_values(tree, row)).steps()
    shares = {step.node: step.share for step in steps if step.is_end}
    parts, values, ends = np.array(list(shares.values())), structure.grown.value, list(shares)
    if not hasattr(tree, "classes_"):
        mean = float(parts @ values[ends, 0])
        return Explanation(steps, shares, mean, f"{mean:.{structure.n_value_digits}g}", {})
    classes = tree.classes_.tolist()
    distribution = at_most_one(parts @ tree._probabilities(values)[ends])
    of_parts = tree._codes_of_parts(parts[np.newaxis] @ tree._in_parts(values)[ends])[0]
    index = tree._code(values[ends[0]]) if len(ends) == 1 else int(of_parts)
    return Explanation(
        steps,
        shares,
        prediction=classes[index],
        prediction_text=spoken_level(str(tree.classes_[index])),
        distribution=dict(zip(classes, distribution.tolist(), strict=True)),
        decided="" if tree._decision is None else tree._decision.words,
    )


def _values(tree: TreeBase, row: object) -> tuple[list[float | int], list[str | None]]:
    """The row's number or level in each column, before anything is filled in, and its words for them."""
    columns = tuple(replace(column, fill=None) for column in tree.inputs_.columns)
    unfilled = InputSchema(columns)
    X = one_row(tree, row, unfilled)
    (inputs,) = prediction_blocks(tree, X, unfilled)
    values = [column_values(inputs, unfilled, position).item(0) for position in range(len(columns))]
    return values, given_words(X)


@dataclass(frozen=True)
class _Arrival:
    node: int
    depth: int = 0
    share: float = 1.0
    words: str = ""


@dataclass(frozen=True, eq=False)
class _Walk:
    """One row's way down.

    values: its numbers and levels, one per column
    words:  the same as they came, None where there was nothing
    """

    tree: Any
    values: list[float | int]
    words: list[str | None]

    def steps(self) -> tuple[Step, ...]:
        steps: list[Step] = []
        waiting = [_Arrival(0)]
        while waiting:
            step, ways = self._step(waiting.pop())
            steps.append(step)
            waiting += reversed(ways)
        return tuple(steps)

    @property
    def _structure(self) -> TreeStructure:
        structure: TreeStructure = self.tree.tree_
        return structure

    def _step(self, here: _Arrival) -> tuple[Step, list[_Arrival]]:
        structure, node = self._structure, here.node
        if not structure.children(node):
            return self._ending(here, "", None, f"This ends at {self.tree._leaf_text(node)}"), []
        position = int(structure.grown.feature[node])
        column: InputColumn = self.tree.inputs_.columns[position]
        value = self.values[position]
        start, shown = f"{shown_label(column.name)} is {_shown(column, value)}", _plain(column, value)
        if shown is None:
            start, shown = self._unknown(position), self.words[position]
            joint = " and" if shown is None else ", and"
            if column.fill is None and structure.splits_unknown:
                words = f"{start}, so the row is split"
                return self._passing(here, column, shown, words), self._parts(here)
            if column.fill is None:
                child = int(structure.grown.default_child[node])
                words = f"{start}{joint} goes where most rows went ({self._branch(child)})"
                return self._passing(here, column, shown, words), [replace(here, node=child, words="")]
            value = column.fill
            start += f"{joint} counts as {_shown(column, value)}"
        child = self._child(node, value)
        if child < 0:
            words = f"{start}, as in no training row here: this ends at {self.tree._leaf_text(node)}"
            return self._ending(here, column.name, shown, words), []
        is_plain = structure.grown.split_kind[node] == MULTIWAY
        words = start if is_plain else f"{start} ({self._branch(child)})"
        return self._passing(here, column, shown, words), [replace(here, node=child, words="")]

    def _unknown(self, position: int) -> str:
        """That a value is missing, or that it is there and training has not seen it."""
        name, word = shown_label(self.tree.inputs_.columns[position].name), self.words[position]
        return (
            f"{name} is unknown"
            if word is None
            else f"{name} is {spoken_level(word)}, which training never saw"
        )

    def _parts(self, here: _Arrival) -> list[_Arrival]:
        shares = self._structure.shares
        parts = {child: here.share * float(shares[child]) for child in self._structure.children(here.node)}
        return [
            _Arrival(child, here.depth + 1, part, f"{share_text(part)} goes on with {self._branch(child)}")
            for child, part in parts.items()
        ]

    def _child(self, node: int, value: float | int) -> int:
        """Where a known value leads; -1 if no branch has it."""
        structure, children = self._structure, self._structure.children(node)
        kind = structure.grown.split_kind[node]
        if kind == MULTIWAY:
            levels = structure.grown.branch_level
            return next((child for child in children if levels[child] == value), -1)
        if kind == THRESHOLD:
            return children[0] if value <= structure.grown.threshold[node] else children[1]
        return children[0] if value in structure.levels_in_set(node) else children[1]

    def _branch(self, child: int) -> str:
        return branch_text(self._structure, self.tree.inputs_, child, MOST_LEVELS)

    def _passing(self, here: _Arrival, column: InputColumn, value: float | str | None, words: str) -> Step:
        return Step(here.node, here.depth, here.share, column.name, value, False, here.words, words)

    def _ending(self, here: _Arrival, column: str, value: float | str | None, words: str) -> Step:
        return Step(here.node, here.depth, here.share, column, value, True, here.words, words)


def _plain(column: InputColumn, value: float | int) -> float | str | None:
    """A number or a level; None for what is unknown."""
    if is_unknown(np.array(value)):
        return None
    return column.levels[int(value)] if column.is_category else float(value)


def _shown(column: InputColumn, value: float | int) -> str:
    plain = _plain(column, value)
    if plain is None:
        return "unknown"
    if isinstance(plain, str):
        return spoken_level(plain)
    return date_label(plain) if column.kind == "date" else number_label(plain)
