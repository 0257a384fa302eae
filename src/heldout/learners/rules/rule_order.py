"""From pruned rules to a list that is read from the top: the first rule that a row meets answers.

Rules stand in the order of their estimates. One that answers no training row, or whose class is not the
most common among those it answers, is left out. Then, from the bottom up, so is every rule without which
the rest and the default class get no more training rows wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from heldout.learners.rules.rule_matching import matching_rows
from heldout.learners.rules.rule_pruning import SLACK, PrunedRule
from heldout.learners.rules.rule_rows import RuleRows


@dataclass(frozen=True, eq=False)
class ListedRule:
    """A rule with its place in a list.

    pruned:   the rule
    answered: the training rows that it is the first to cover
    counts:   the weight of each class among them
    """

    pruned: PrunedRule
    answered: NDArray[np.intp]
    counts: NDArray[np.float64]

    @property
    def errors(self) -> float:
        return float(self.counts.sum() - self.counts[self.pruned.code])

    @property
    def is_majority(self) -> bool:
        """Whether the rule answers with the most common class, the first of equals."""
        return bool(self.counts.argmax() == self.pruned.code)

    def joined(self, rows: NDArray[np.intp], counts: NDArray[np.float64]) -> ListedRule:
        """The same rule with further rows to answer."""
        return replace(self, answered=np.concatenate([self.answered, rows]), counts=self.counts + counts)


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
        answered, _ = matching_rows(rule.conditions, rows.values_of, left_rows)
        listed = ListedRule(rule, answered, rows.counts(answered))
        if len(answered) and listed.is_majority:
            kept.append(listed)
            is_left[answered] = False
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
    """What stands below a rule, with the rule's rows to answer; None if that is worse."""
    waiting, errors, below = rule.answered, 0.0, list(end.rules)
    for place, lower in enumerate(end.rules):
        if not len(waiting) or errors > rule.errors + slack:
            break
        met, _ = matching_rows(lower.pruned.conditions, rows.values_of, waiting)
        if len(met):
            below[place] = lower.joined(met, rows.counts(met))
            errors += below[place].errors - lower.errors
            waiting = np.setdiff1d(waiting, met, assume_unique=True)
            if not below[place].is_majority:
                return None
    left = end.left + rows.counts(waiting)
    errors += float(left.sum() - left.max()) - float(end.left.sum() - end.left.max())
    if errors > rule.errors + slack:
        return None
    return RuleOrder(tuple(below), np.concatenate([end.left_rows, waiting]), left)
