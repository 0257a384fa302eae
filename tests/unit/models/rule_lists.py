"""Random lists of rules: as they are learned, and with every condition that a tree can ask."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from hypothesis import strategies as st

import heldout as ho
from heldout.learners.rules.condition import Condition
from heldout.learners.rules.rule import Rule

from .mixed_problems import LABELS, Problem, calibrated, problems

SPLITS = st.sampled_from(["multiway", "subset", "one_vs_rest"])


@st.composite
def rule_lists(draw: st.DrawFn) -> tuple[Problem, ho.RuleClassifier]:
    """A list of rules whose columns have fills, or none, and rows for it."""
    problem = draw(problems())
    labels = LABELS[draw(st.sampled_from(list(LABELS)))]
    table, classes = problem.table(problem.rows), [labels[target] for target in problem.targets]
    tree = ho.TreeClassifier.cart(
        categorical_splits=draw(SPLITS),
        categorical=problem.as_categories(),
        missing=draw(st.sampled_from(["node_mode", "fractional", "column_mode"])),
        prune=None,
    ).fit(table, classes)
    rules = ho.RuleClassifier.from_tree(tree, table, classes, prune_confidence=0.5)
    if draw(st.booleans()):
        rules.rules_ = draw(st.permutations(_whole_rules(tree)))
    return _with_limits_asked(problem, rules), draw(calibrated(rules))


def _whole_rules(tree: ho.TreeClassifier) -> list[Rule]:
    """The rules of a tree with all of their conditions, which the unknown does not meet."""
    rules = [
        dataclasses.replace(rule, conditions=tuple(map(_of_known, rule.conditions)))
        for rule in tree.rules()
        if all(condition.allows_a_value for condition in rule.conditions)
    ]
    return [rule for rule in rules if rule.conditions]


def _of_known(condition: Condition) -> Condition:
    return dataclasses.replace(condition, unknown_share=0.0)


def _with_limits_asked(problem: Problem, rules: Any) -> Problem:
    """More questions: numbers that lie on a limit of a rule, and right beside it."""
    more = []
    for condition in [condition for rule in rules.rules_ for condition in rule.conditions][:4]:
        for cut in (condition.low, condition.high):
            if cut is not None and condition.column.kind == "number":
                near = (math.nextafter(cut.threshold, side) for side in (-math.inf, math.inf))
                values = [cut.threshold, *near]
                more += [{**problem.questions[0], condition.column.name: value} for value in values]
    return dataclasses.replace(problem, questions=[*problem.questions, *more])
