"""The rules that say exactly what a tree says: one for each way that a row can take through it."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from heldout.errors import RequestError
from heldout.inputs.prediction_inputs import PredictionInputs, prediction_blocks
from heldout.learners.class_shares import at_most_one, unweighted
from heldout.learners.rules.path_conditions import Way, ways_through
from heldout.learners.rules.rule import Rule
from heldout.learners.rules.rule_rows import matching_rows, values_by_column
from heldout.learners.trees.tree_structure import TreeStructure
from heldout.learners.trees.tree_text import MOST_LEVELS, shown_level
from heldout.text.words import first_few
from heldout.types import TableLike

if TYPE_CHECKING:
    from heldout.learners.trees.tree_base import TreeBase


@dataclass(frozen=True, eq=False)
class TreeRules:
    """Rules of which every row meets one, and gets the prediction that the tree gives it.

    A row whose value is unknown meets the rule that says "or unknown". Where the tree splits such a row,
    it meets several rules, each with a share (`Condition.unknown_share`), and their distributions are
    added up by these shares.

    rules:  in the order in which the tree is printed
    tree:   the learner they were made from, as it was then
    shares: rule × class: what decides on a row in parts; for a regression the means
    """

    rules: tuple[Rule, ...]
    tree: Any
    shares: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    @overload
    def __getitem__(self, index: int) -> Rule: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Rule, ...]: ...
    def __getitem__(self, index: int | slice) -> Rule | tuple[Rule, ...]:
        return self.rules[index]

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self, most_levels: int | None = MOST_LEVELS) -> str:
        """One line per rule, and a last one where a threshold decides.

        most_levels: how many levels of a condition are named; None names all
        """
        decision = getattr(self.tree, "_decision", None)
        last = [] if decision is None else [f"It predicts {decision.words}."]
        return "\n".join([*(rule.to_text(most_levels) for rule in self.rules), *last])

    def predict(self, X: TableLike) -> NDArray[Any]:
        """The prediction of the rule that each row meets; what the tree predicts."""
        predictions = [
            self._predict_block(inputs) for inputs in prediction_blocks(self.tree, X, self.tree.inputs_)
        ]
        return np.concatenate(predictions)

    def predict_proba(self, X: TableLike) -> NDArray[np.float64]:
        """The shares of the classes in the rule that each row meets; what the tree gives."""
        self._classes("predict_proba")
        blocks = prediction_blocks(self.tree, X, self.tree.inputs_)
        probabilities = np.array([rule.distribution for rule in self.rules])
        return np.concatenate([at_most_one(self._totals(inputs, probabilities)[0]) for inputs in blocks])

    def to_dnf(self, class_: object) -> str:
        """When a row of known values is given this class, in disjunctive normal form."""
        classes = self._classes("to_dnf").tolist()
        if class_ not in classes:
            shown = first_few([*map(repr, classes)], 6)
            raise RequestError(
                f"there is no class {class_!r}",
                where=f"the tree has {len(classes)}: {shown}",
                fix="use one of classes_",
            )
        rules = [
            rule
            for rule in self.rules
            if rule.prediction == class_ and all(condition.allows_a_value for condition in rule.conditions)
        ]
        if any(not rule.conditions for rule in rules):
            return "true"
        return " ∨ ".join(f"({rule.formula()})" for rule in rules) or "false"

    def _classes(self, caller: str) -> NDArray[Any]:
        classes: NDArray[Any] | None = getattr(self.tree, "classes_", None)
        if classes is None:
            raise RequestError(
                "a regression tree has no classes",
                where=f"{caller} of the rules of a {type(self.tree).__name__}",
                fix="ask for predict, or for the rules themselves",
            )
        return classes

    def _predict_block(self, inputs: PredictionInputs) -> NDArray[Any]:
        totals, met_wholly = self._totals(inputs, self.shares)
        if not hasattr(self.tree, "classes_"):
            return totals[:, 0]
        classes = self.tree.classes_
        code_of = {label: code for code, label in enumerate(classes.tolist())}
        code_of_rule = np.array([code_of[rule.prediction] for rule in self.rules])
        codes = np.where(met_wholly >= 0, code_of_rule[met_wholly], self.tree._codes_of_parts(totals))
        return np.asarray(classes[codes])

    def _totals(
        self, inputs: PredictionInputs, stated: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """What the rules tell, added up by the parts of a row, and the rule that a whole row meets or -1."""
        n_rows = len(inputs.numbers)
        totals = np.zeros((n_rows, stated.shape[1]))
        met_wholly = np.full(n_rows, -1, dtype=np.intp)
        everything, values_of = np.arange(n_rows), values_by_column(inputs, self.tree.inputs_)
        for index, rule in enumerate(self.rules):
            rows, shares = matching_rows(rule.conditions, values_of, everything)
            totals[rows] += shares[:, np.newaxis] * stated[index]
            met_wholly[rows[shares == 1]] = index
        return totals, met_wholly


def tree_rules(tree: TreeBase) -> TreeRules:
    """The rules of a fitted tree."""
    structure: TreeStructure = tree.tree_
    classes = getattr(tree, "classes_", None)
    value, ways = structure.grown.value, list(ways_through(structure, tree.inputs_))
    nodes = [way.node for way in ways]
    if classes is None:
        return TreeRules(tuple(_mean_rule(structure, way) for way in ways), copy(tree), value[nodes])
    probabilities = tree._probabilities(value)
    rules = tuple(_class_rule(tree, way, probabilities) for way in ways)
    return TreeRules(rules, copy(tree), tree._in_parts(value)[nodes])


def _class_rule(tree: TreeBase, way: Way, probabilities: NDArray[np.float64]) -> Rule:
    grown = tree.tree_.grown
    index = tree._code(grown.value[way.node])
    counts, prediction = unweighted(grown.value[way.node], tree.class_weights_), tree.classes_[index]
    return Rule(
        conditions=way.conditions,
        prediction=prediction.item() if isinstance(prediction, np.generic) else prediction,
        prediction_text=shown_level(str(prediction)),
        distribution=probabilities[way.node],
        n_rows=0 if way.is_empty else int(grown.n_rows[way.node]),
        weight=0.0 if way.is_empty else float(counts.sum()),
        right=0.0 if way.is_empty else float(counts[index]),
        decided_by="" if tree._decision is None else tree._decision.share_words(probabilities[way.node]),
    )


def _mean_rule(structure: TreeStructure, way: Way) -> Rule:
    mean = float(structure.grown.value[way.node, 0])
    return Rule(
        conditions=way.conditions,
        prediction=mean,
        prediction_text=f"{mean:.{structure.n_value_digits}g}",
        distribution=structure.grown.value[way.node].copy(),
        n_rows=0 if way.is_empty else int(structure.grown.n_rows[way.node]),
        weight=0.0 if way.is_empty else float(structure.grown.weight[way.node]),
    )
