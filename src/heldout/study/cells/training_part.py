"""Rows that something is fitted on: inputs, answers, and what else `fit` may take of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.features.class_balance import resample_rows


@dataclass(frozen=True, eq=False)
class TrainingPart:
    """Inputs and answers of some rows.

    X:       a Table, or what a preparation made of one
    y:       one answer per row
    weights: the sample weight of each row; None where every row counts once
    groups:  the group of each row; None where every row stands alone
    codes:   the place of each answer among the sorted classes of the task; None for numbers
    """

    X: Any
    y: NDArray[Any]
    weights: NDArray[np.float64] | None = None
    groups: NDArray[Any] | None = None
    codes: NDArray[np.int64] | None = None

    def take(self, rows: NDArray[np.intp]) -> TrainingPart:
        """The part at these rows."""
        return TrainingPart(
            self.X.take(rows),
            self.y[rows],
            None if self.weights is None else self.weights[rows],
            None if self.groups is None else self.groups[rows],
            None if self.codes is None else self.codes[rows],
        )

    def resampled(self, how: str | None, seed: int) -> TrainingPart:
        """The part with classes of equal size, or itself where nothing was asked for."""
        return self if how is None else self.take(resample_rows(self.y, how, seed))

    def coded(self) -> TrainingPart:
        """The part with codes for answers: to a learner that only counts them, they are the same."""
        return self if self.codes is None else replace(self, y=self.codes)
