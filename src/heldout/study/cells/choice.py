"""The choice of a setting by its scores on the inner folds."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Choice:
    """Which setting was chosen, and what all of them scored.

    place:       of the setting among the contender's settings
    setting:     the parameters
    scores:      of each setting the mean over the inner folds; NaN where one of them gave no score
    fold_scores: setting × inner fold
    n_fits:      how many settings were fitted on how many folds
    threshold:   at which the chosen setting decides; NaN for the usual decision
    seconds:     that it took

    >>> Choice(1, {"k": 3}, np.array([0.5, 0.75])).score
    0.75
    """

    place: int
    setting: dict[str, Any]
    scores: NDArray[np.float64]
    fold_scores: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 0)))
    n_fits: int = 0
    seconds: float = 0.0
    threshold: float = math.nan

    @property
    def score(self) -> float:
        """What the chosen setting scored."""
        return float(self.scores[self.place])


def mean_scores(fold_scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The plain mean of each setting over the inner folds; one fold without a score leaves it without one.

    >>> mean_scores(np.array([[0.5, 1.0], [0.5, np.nan]])).tolist()
    [0.75, nan]
    """
    with np.errstate(invalid="ignore"):
        return np.asarray(np.ascontiguousarray(fold_scores).mean(axis=1))


def only_setting(setting: dict[str, Any]) -> Choice:
    """The choice where there is only one setting: nothing was compared.

    >>> only_setting({"k": 3}).setting
    {'k': 3}
    """
    return Choice(0, dict(setting), np.array([math.nan]))
