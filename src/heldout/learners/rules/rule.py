"""A rule: if its conditions hold, this is the prediction; with how many rows it covers, and has wrong."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.learners.rules.condition import Condition
from heldout.learners.trees.tree_text import MOST_LEVELS, shown_rows
from heldout.text.numbers import share_text


@dataclass(frozen=True, eq=False)
class Rule:
    """Conditions, a prediction, and what is known of it from the training rows.

    The training rows made the rule, so what it has wrong among them is a count and no estimate: judge it by
    other rows.

    conditions:   all must hold; at most one for each column
    prediction: the class, or the mean of a regression
    prediction_text: the prediction as it is shown
    distribution: the probabilities of the classes, in the order of `classes_`; for a regression the mean
    n_rows:       how many training rows the rule covers
    weight:       their weight, without those of classes
    right:        the weight of those that have the prediction as their class; NaN for a regression
    estimate:     the accuracy by which a rule list was pruned and ordered; NaN where there is none
    decided_by:   where a threshold decides, the probability that is compared with it, in words; else ""
    """

    conditions: tuple[Condition, ...]
    prediction: Any
    prediction_text: str
    distribution: NDArray[np.float64]
    n_rows: int
    weight: float
    right: float = math.nan
    estimate: float = math.nan
    decided_by: str = ""

    def __str__(self) -> str:
        return self.to_text()

    @property
    def accuracy(self) -> float:
        """The share of the covered training weight that has the prediction as its class."""
        return self.right / self.weight if self.weight > 0 else math.nan

    def estimated(self, estimate: float) -> Rule:
        """The same rule with this estimate of its accuracy."""
        return replace(self, estimate=estimate)

    def decided(self, prediction: object, prediction_text: str, decided_by: str) -> Rule:
        """The same rule with the class of two that a threshold decides for."""
        right = self.right if prediction == self.prediction else self.weight - self.right
        return replace(
            self, prediction=prediction, prediction_text=prediction_text, right=right, decided_by=decided_by
        )

    def to_text(self, most_levels: int | None = MOST_LEVELS) -> str:
        """The rule as a sentence.

        most_levels: how many levels of a condition are named; None names all
        """
        wanted = ", and ".join(condition.words(most_levels) for condition in self.conditions)
        return f"{f'If {wanted}' if wanted else 'Always'}: {self.outcome()}"

    def outcome(self) -> str:
        """The prediction, how many training rows it is given to, and how many of them have another class."""
        return f"{self.prediction_text} ({self._evidence()})"

    def formula(self) -> str:
        """The conditions joined by ∧."""
        return " ∧ ".join(condition.formula() for condition in self.conditions)

    @property
    def wrong_words(self) -> str:
        """What it has wrong among the training rows, as it stands in a sentence; nothing for a regression."""
        return f"{self.wrong_text} wrong" if self.wrong_text else ""

    @property
    def wrong_text(self) -> str:
        """How many of the training rows it has wrong, or how much by weight; nothing for a regression."""
        if math.isnan(self.right) or not self.n_rows:
            return ""
        wrong = self.weight - self.right
        if self.weight == self.n_rows and wrong == round(wrong):
            return f"{round(wrong):,}" if wrong else "none"
        return f"{share_text(wrong / self.weight)} of the weight" if wrong > 0 else "none"

    def _evidence(self) -> str:
        rows = shown_rows(self.n_rows, self.weight) if self.n_rows else "no training rows"
        counted = ", ".join(each for each in (rows, self.wrong_words) if each)
        return f"{counted}; {self.decided_by}" if self.decided_by else counted
