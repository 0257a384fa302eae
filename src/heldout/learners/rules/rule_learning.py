"""From a tree to a list of rules: each way to a leaf is pruned by itself, then all are put in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.learners.class_shares import shares_of, smoothed, unweighted
from heldout.learners.inputs.input_schema import InputSchema
from heldout.learners.rules.condition import Condition
from heldout.learners.rules.path_conditions import ways_through
from heldout.learners.rules.rule import Rule
from heldout.learners.rules.rule_matching import matching_rows
from heldout.learners.rules.rule_order import order_rules
from heldout.learners.rules.rule_pruning import Estimate, prune_rule
from heldout.learners.rules.rule_rows import RuleRows
from heldout.learners.trees.tree_structure import TreeStructure
from heldout.learners.trees.tree_text import shown_level


@dataclass(frozen=True, eq=False)
class ClassWeighting:
    """What the classes weigh where rules are chosen, and how their probabilities are smoothed."""

    class_weights: NDArray[np.float64]
    smoothing: float

    def without(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """The rows behind counts that class weights have multiplied."""
        return unweighted(counts, self.class_weights)

    def probabilities(self, counts: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
        """The probabilities of the classes; `whole` are the counts of all training rows."""
        return smoothed(self.without(counts), shares_of(self.without(whole)), self.smoothing)


@dataclass(frozen=True, eq=False)
class LearnedRules:
    """The rules from the top, and the one for the rows that meet none of them."""

    rules: list[Rule]
    default: Rule


def learn_rules(
    structure: TreeStructure,
    schema: InputSchema,
    classes: NDArray[Any],
    training: RuleRows,
    judging: RuleRows,
    estimate: Estimate,
    weighting: ClassWeighting,
) -> LearnedRules:
    """The rules of a tree, pruned and ordered.

    structure, schema: the tree and its columns
    classes:           the names of the classes
    training:          the rows that made the tree; they decide which rules are needed
    judging:           the rows that the rules are pruned by; may be the same
    estimate:          the accuracy from the weights covered and right
    weighting:         what the classes weigh, and how probabilities are smoothed
    """
    pruned = [
        prune_rule(way.conditions, int(structure.grown.value[way.node].argmax()), judging, estimate)
        for way in ways_through(structure, schema)
        if not way.is_empty and all(condition.allows_a_value for condition in way.conditions)
    ]
    order = order_rules(pruned, training)
    everything = np.arange(training.n_rows)
    whole = training.counts(everything)
    rules = []
    for listed in order.rules:
        covered, _ = matching_rows(listed.pruned.conditions, training.values_of, everything)
        shares = weighting.probabilities(listed.counts, whole)
        counts = weighting.without(training.counts(covered))
        rule = _rule(listed.pruned.conditions, listed.pruned.code, classes, shares, len(covered), counts)
        rules.append(rule.estimated(listed.pruned.estimate))
    left = order.left if len(order.left_rows) else whole
    counts = weighting.without(training.counts(order.left_rows))
    shares = weighting.probabilities(left, whole)
    default = _rule((), int(left.argmax()), classes, shares, len(order.left_rows), counts)
    return LearnedRules(rules, default)


def _rule(
    conditions: tuple[Condition, ...],
    code: int,
    classes: NDArray[Any],
    shares: NDArray[np.float64],
    n_rows: int,
    counts: NDArray[np.float64],
) -> Rule:
    return Rule(
        conditions=conditions,
        answer=classes.tolist()[code],
        answer_text=shown_level(str(classes[code])),
        distribution=shares,
        n_rows=n_rows,
        weight=float(counts.sum()),
        right=float(counts[code]),
    )
