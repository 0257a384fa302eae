"""From a tree to a list of rules: each way to a leaf is pruned by itself, then all are put in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.inputs.input_schema import InputSchema
from heldout.learners.class_shares import shares_of, smoothed, unweighted
from heldout.learners.rules.condition import Condition
from heldout.learners.rules.path_conditions import ways_through
from heldout.learners.rules.rule import Rule
from heldout.learners.rules.rule_pruning import SLACK, Estimate, PrunedRule, prune_rule
from heldout.learners.rules.rule_rows import RuleRows, matching_rows
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
        prediction=classes.tolist()[code],
        prediction_text=shown_level(str(classes[code])),
        distribution=shares,
        n_rows=n_rows,
        weight=float(counts.sum()),
        right=float(counts[code]),
    )


@dataclass(frozen=True, eq=False)
class ListedRule:
    """A rule with its position in a list.

    pruned:   the rule
    covered: the training rows that it is the first to cover
    counts:   the weight of each class among them
    """

    pruned: PrunedRule
    covered: NDArray[np.intp]
    counts: NDArray[np.float64]

    @property
    def errors(self) -> float:
        return float(self.counts.sum() - self.counts[self.pruned.code])

    @property
    def is_majority(self) -> bool:
        """Whether the rule predicts the most common class, the first of equals."""
        return bool(self.counts.argmax() == self.pruned.code)

    def with_rows(self, rows: NDArray[np.intp], counts: NDArray[np.float64]) -> ListedRule:
        """The same rule with further rows to cover."""
        return replace(self, covered=np.concatenate([self.covered, rows]), counts=self.counts + counts)


@dataclass(frozen=True, eq=False)
class RuleOrder:
    """The rules in order, and the training rows that none of them covers.

    rules:     from the top
    left_rows: the rows that no rule covers
    left:      the weight of each class among them
    """

    rules: tuple[ListedRule, ...]
    left_rows: NDArray[np.intp]
    left: NDArray[np.float64]


def order_rules(pruned: Sequence[PrunedRule], rows: RuleRows) -> RuleOrder:
    """The rules without duplicates, best estimate first, as far as they are needed."""
    distinct: dict[tuple[object, ...], PrunedRule] = {}
    for rule in pruned:
        distinct.setdefault(rule.key, rule)
    ranked = sorted(distinct.values(), key=lambda rule: (-round(rule.estimate, 12), -rule.covered))
    kept: list[ListedRule] = []
    left_rows = np.arange(rows.n_rows)
    is_left = np.ones(rows.n_rows, dtype=np.bool_)
    for rule in ranked:
        covered, _ = matching_rows(rule.conditions, rows.values_of, left_rows)
        listed = ListedRule(rule, covered, rows.counts(covered))
        if len(covered) and listed.is_majority:
            kept.append(listed)
            is_left[covered] = False
            left_rows = left_rows[is_left[left_rows]]
    return _needed(kept, RuleOrder((), left_rows, rows.counts(left_rows)), rows)


def _needed(kept: list[ListedRule], end: RuleOrder, rows: RuleRows) -> RuleOrder:
    """Look at each rule from the bottom up, and drop it if what stands below does as well."""
    slack = SLACK * float(rows.weights.sum())
    for rule in reversed(kept):
        without = _handed_down(rule, end, rows, slack)
        end = replace(end, rules=(rule, *end.rules)) if without is None else without
    return end


def _handed_down(rule: ListedRule, end: RuleOrder, rows: RuleRows, slack: float) -> RuleOrder | None:
    """What stands below a rule, with the rule's rows to cover; None if that is worse."""
    waiting, errors, below = rule.covered, 0.0, list(end.rules)
    for index, lower in enumerate(end.rules):
        if not len(waiting) or errors > rule.errors + slack:
            break
        met, _ = matching_rows(lower.pruned.conditions, rows.values_of, waiting)
        if len(met):
            below[index] = lower.with_rows(met, rows.counts(met))
            errors += below[index].errors - lower.errors
            waiting = np.setdiff1d(waiting, met, assume_unique=True)
            if not below[index].is_majority:
                return None
    left = end.left + rows.counts(waiting)
    errors += float(left.sum() - left.max()) - float(end.left.sum() - end.left.max())
    if errors > rule.errors + slack:
        return None
    return RuleOrder(tuple(below), np.concatenate([end.left_rows, waiting]), left)
