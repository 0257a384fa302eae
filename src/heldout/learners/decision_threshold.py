"""At which probability one of two classes is decided for, and how what is shown of a learner says so."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.learners.trees.tree_text import shown_level
from heldout.text.numbers import share_text

MOST_DECIMALS = 6


@dataclass(frozen=True)
class DecisionThreshold:
    """One of two classes is decided for from this probability on, else the other one.

    value: the probability
    code:  the position of the class in `classes_`
    label: the class as it is shown
    """

    value: float
    code: int
    label: str

    def codes(self, probabilities: Floats) -> NDArray[np.intp]:
        """The position of the class that is decided for; the classes run along the last axis."""
        is_reached = probabilities[..., self.code] >= self.value
        return np.where(is_reached, self.code, 1 - self.code)

    def share_words(self, probabilities: Floats) -> str:
        """The probability of the class in percents, with digits enough to see on which side it lies."""
        share = float(probabilities[self.code])
        return f"{_percents_beside(share, self.value)} {self.label}"

    @property
    def words(self) -> str:
        """From where on the class is decided for."""
        return f"{self.label} from a probability of {shown_threshold(self.value)} on"


class DecidesAtThreshold:
    """What can be shown with the classes that a threshold decides for, instead of the most likely ones.

    _decision: the threshold of a copy that is shown; no learner has one after `fit`
    """

    _decision: DecisionThreshold | None = None

    def _deciding_at(self, decision: DecisionThreshold) -> Self:
        """The same learner, which shows what is decided for."""
        decided = copy(self)
        decided._decision = decision
        return decided


def decision_threshold(value: float, classes: NDArray[np.generic], positive: object) -> DecisionThreshold:
    """The threshold of a classifier of these two classes."""
    code = classes.tolist().index(positive)
    return DecisionThreshold(float(value), code, shown_level(str(classes[code])))


def shown_threshold(value: float) -> str:
    """A probability in percents, with three digits that count."""
    return f"{float(f'{100 * value:.3g}'):.10g}%"


def _percents_beside(share: float, threshold: float) -> str:
    """Whole percents, or as many decimals as tell the share from the threshold as it is shown."""
    beside = float(shown_threshold(threshold).removesuffix("%"))
    if (0 < share < 0.005 and beside >= 1) or (0.995 <= share < 1 and beside <= 99):
        return share_text(share)
    for decimals in range(MOST_DECIMALS):
        shown = f"{100 * share:.{decimals}f}"
        is_shown = (float(shown) >= beside) == (share >= threshold)
        if is_shown and float(shown) not in ({0.0, 100.0} - {100 * share}):
            return f"{shown}%"
    return f"{100 * share:.{MOST_DECIMALS}f}%"
