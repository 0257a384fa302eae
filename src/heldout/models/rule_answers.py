"""What every export needs of a list of rules: its columns, its conditions, and what each rule answers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from heldout.inputs.input_schema import InputSchema
from heldout.learners.rule_classifier import RuleClassifier
from heldout.learners.rules.condition import Condition
from heldout.learners.rules.rule import Rule
from heldout.models.tree_answers import Label, plain_labels


@dataclass(frozen=True, eq=False)
class RuleAnswers:
    """A fitted list of rules, and its classes as plain values.

    learner: the name of the learner's class
    rules:   from the top; the last one is for the rows that meet none of the others
    schema:  the columns
    labels:  the classes as str, int, float or bool
    """

    learner: str
    rules: tuple[Rule, ...]
    schema: InputSchema
    labels: tuple[Label, ...]

    @property
    def conditions(self) -> list[tuple[Condition, ...]]:
        """What each rule asks, but for the last one, which asks nothing."""
        return [rule.conditions for rule in self.rules[:-1]]

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """Per rule the shares of the classes."""
        return np.stack([rule.distribution for rule in self.rules])

    @cached_property
    def best(self) -> list[int]:
        """Per rule the position of the class that it answers."""
        return [self.labels.index(rule.answer) for rule in self.rules]

    @cached_property
    def used(self) -> list[int]:
        """The positions of the columns that some rule asks for."""
        return sorted({condition.position for rule in self.rules for condition in rule.conditions})


def rule_answers(model: RuleClassifier, caller: str) -> RuleAnswers:
    """What a fitted list of rules answers.

    caller: what was called, for the error
    """
    return RuleAnswers(
        learner=type(model).__name__,
        rules=(*model.rules_, model.default_rule_),
        schema=model.inputs_,
        labels=plain_labels(model.classes_, caller),
    )
