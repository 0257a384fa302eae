"""What a contender answered for rows while it was not trained on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Answers:
    """Out-of-fold answers, one line per repeat; what a row was not asked is −1 or NaN.

    labels:        repeats × rows of class codes (places in the task's classes)
    values:        repeats × rows of predicted numbers
    probabilities: repeats × rows × classes
    scores:        repeats × rows, larger where the row is rather held for the positive class

    >>> import numpy as np
    >>> Answers(labels=np.array([[0, 1, 1]])).n_repeats
    1
    """

    labels: NDArray[Any] | None = None
    values: NDArray[Any] | None = None
    probabilities: NDArray[Any] | None = None
    scores: NDArray[Any] | None = None

    @property
    def n_repeats(self) -> int:
        """How often each row was asked; 0 without answers."""
        given = (self.labels, self.values, self.probabilities, self.scores)
        return next((len(each) for each in given if each is not None), 0)
