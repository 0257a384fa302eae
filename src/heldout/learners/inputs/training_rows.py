"""The rows that a tree learns from: inputs, answers, weights, and what keeps rows together."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from heldout.learners.inputs.training_inputs import TrainingInputs

LARGEST_COUNT = 2.0**53


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """What is known of each row.

    inputs:      the columns
    weights:     how much each row counts; None means once
    classes:     of a classification the position of each row's class
    n_classes:   how many classes there are; 0 for a regression
    targets:     of a regression the numbers to predict
    frequencies: how often each row was seen, where the weights given are whole numbers; None means once
    groups:      the number of each row's group; None where every row stands alone
    """

    inputs: TrainingInputs
    weights: NDArray[np.float64] | None = None
    classes: NDArray[np.uint32] | None = None
    n_classes: int = 0
    targets: NDArray[np.float64] | None = None
    frequencies: NDArray[np.int64] | None = None
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
            None if self.frequencies is None else self.frequencies[chosen],
            None if self.groups is None else self.groups[chosen],
        )

    def with_weight(self) -> TrainingRows:
        """Only the rows whose weight is above 0."""
        if self.weights is None or self.weights.all():
            return self
        return self.keep(np.flatnonzero(self.weights))

    def divided(self, held: NDArray[np.int64]) -> tuple[TrainingRows, TrainingRows]:
        """The rows that stay, and those set aside.

        held: how many copies of each row are set aside: at most its frequency
        """
        copies = np.ones(self.n_rows, dtype=np.int64) if self.frequencies is None else self.frequencies
        return self._part(copies - held), self._part(held)

    def _part(self, copies: NDArray[np.int64]) -> TrainingRows:
        chosen = np.flatnonzero(copies)
        part = self.keep(chosen)
        if part.weights is None or part.frequencies is None:
            return part
        weights = part.weights * copies[chosen] / part.frequencies
        return replace(part, weights=weights, frequencies=copies[chosen])


def row_frequencies(weights: NDArray[np.float64] | None) -> NDArray[np.int64] | None:
    """Weights that are whole numbers as counts; None where they are not, or where every row counts once.

    >>> row_frequencies(np.array([2.0, 0.0, 1.0])), row_frequencies(np.array([0.5, 1.0]))
    (array([2, 0, 1]), None)
    """
    if weights is None or weights.sum() > LARGEST_COUNT or (weights != np.floor(weights)).any():
        return None
    return weights.astype(np.int64)
