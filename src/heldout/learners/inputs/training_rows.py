"""The rows that a tree learns from: inputs, answers, weights, and what keeps rows together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heldout.learners.inputs.training_inputs import TrainingInputs


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """What is known of each row.

    inputs:    the columns
    weights:   how much each row counts; None means once
    classes:   of a classification the position of each row's class
    n_classes: how many classes there are; 0 for a regression
    targets:   of a regression the numbers to predict
    groups:    the number of each row's group; None where every row stands alone
    """

    inputs: TrainingInputs
    weights: NDArray[np.float64] | None = None
    classes: NDArray[np.uint32] | None = None
    n_classes: int = 0
    targets: NDArray[np.float64] | None = None
    groups: NDArray[np.intp] | None = None

    @property
    def n_rows(self) -> int:
        return self.inputs.n_rows

    def keep(self, chosen: NDArray[np.intp]) -> TrainingRows:
        """Only these of the rows."""
        return TrainingRows(
            self.inputs.keep(chosen),
            None if self.weights is None else self.weights[chosen],
            None if self.classes is None else self.classes[chosen],
            self.n_classes,
            None if self.targets is None else self.targets[chosen],
            None if self.groups is None else self.groups[chosen],
        )

    def with_weight(self) -> TrainingRows:
        """Only the rows whose weight is above 0."""
        if self.weights is None or self.weights.all():
            return self
        return self.keep(np.flatnonzero(self.weights))

    def divided(self, is_held: NDArray[np.bool_]) -> tuple[TrainingRows, TrainingRows]:
        """The rows that stay, and those set aside."""
        return self.keep(np.flatnonzero(~is_held)), self.keep(np.flatnonzero(is_held))
