"""How a contender stands after a plan has run: its scores, its predictions, its length, its cost."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.stats.interval import Interval, plain
from heldout.text.numbers import number_text
from heldout.verdict.predictions import Predictions

if TYPE_CHECKING:
    from heldout.metrics.metric import Metric

NO_ESTIMATE = Interval("score", math.nan, math.nan, math.nan, method="none", notes=("There are no scores.",))
# Arrays are kept in the ledger; a record of the standing leaves them out.
_LEFT_OUT = ("out_of_fold", "fold_scores", "settings", "choose")
_LONGER_THAN_ANY_CODE = 2.0**52  # whole bits can still be told apart


@dataclass(frozen=True, eq=False)
class Standing:
    """A contender as the verdict sees it.

    name:             of the contender
    metric:           what was measured, by name; the one that the plan chooses by
    estimate:         the score with its interval
    fold_scores:      repeats × folds; NaN where a fold has none
    out_of_fold:      its predictions for rows that it was not trained on; None where none were kept
    settings:         of a quick plan: those of every setting that it was tuned over; otherwise empty
    choose:           of a quick plan: how it takes one of them, "best" or "one_se"
    bits:             its description length, the median over folds; NaN where it is not known
    bits_are_foreign: whether that is the length of a compressed pickle, because there is no code for its kind
    seconds:          of tuning, fitting and predicting, all cells together
    is_baseline:      whether it only guesses
    is_complete:      whether all of its cells have scores
    problem:          why it is not complete
    contender, plan:  digests of the contender and of the plan that ran it; empty outside of a study
    is_new:           whether the newest of several plans of a race brought it
    """

    name: str
    metric: str
    estimate: Interval = NO_ESTIMATE
    fold_scores: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 0)))
    out_of_fold: Predictions | None = None
    settings: tuple[Predictions, ...] = ()
    choose: str = "best"
    bits: float = math.nan
    bits_are_foreign: bool = False
    seconds: float = math.nan
    is_baseline: bool = False
    is_complete: bool = True
    problem: str = ""
    contender: str = ""
    plan: str = ""
    is_new: bool = False

    @property
    def score(self) -> float:
        """The estimate; NaN where there is none."""
        return float(self.estimate.estimate)

    @property
    def compared_bits(self) -> float:
        """The length that judges simplicity: a pickle is longer than any code, an unknown one longest."""
        if math.isnan(self.bits):
            return math.inf
        return self.bits + (_LONGER_THAN_ANY_CODE if self.bits_are_foreign else 0.0)

    @property
    def can_stand(self) -> bool:
        """Whether it is complete and has a score, so that it can be compared."""
        return self.is_complete and not math.isnan(self.score)

    def __str__(self) -> str:
        if not self.is_complete:
            return f"{self.name}: incomplete: {self.problem or 'some cells have no scores'}"
        ends = self.estimate.low, self.estimate.high
        interval = "no interval" if math.isnan(sum(ends)) else " to ".join(map(number_text, ends))
        length = "length unknown" if math.isnan(self.bits) else f"{self.bits:,.0f} bits"
        foreign = " (compressed pickle)" if self.bits_are_foreign else ""
        return f"{self.name}: {self.metric} {number_text(self.score)}, {interval}, {length}{foreign}"

    def to_dict(self) -> dict[str, Any]:
        """Everything but the arrays, as JSON can hold it."""
        names = [each.name for each in dataclasses.fields(self) if each.name not in _LEFT_OUT]
        return {name: plain(getattr(self, name)) for name in names}


# Sums of the same losses may differ in the last bits by the order of adding; such rivals are tied.
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Rivals:
    """All that may be chosen.

    goodness:    resamples × rivals: the score, with its sign turned where smaller is better; NaN for none
    errors:      rivals × rivals: the corrected standard error of the difference of two; NaN for unknown
    bits:        of each; NaN counts as the longest
    is_baseline: which of them only guess
    metric:      what the scores are of, for rules with a margin; None for rules without
    reference:   the score of the baseline, or without one that of the best, in the metric's own units
    """

    goodness: Floats
    errors: Floats
    bits: Floats
    is_baseline: NDArray[np.bool_]
    metric: Metric | None = None
    reference: float = math.nan

    def best(self, can_win: NDArray[np.bool_] | None = None) -> NDArray[np.intp]:
        """The place of the best in each resample, the first of those that are tied; −1 for none.

        can_win: resamples × rivals; left out, all can
        """
        is_known = ~np.isnan(self.goodness)
        allowed = is_known if can_win is None else is_known & can_win
        goodness = np.where(allowed, self.goodness, -np.inf)
        top = goodness.max(axis=1, keepdims=True)
        with np.errstate(invalid="ignore"):
            is_top = allowed & (goodness >= top - ROUNDING * np.abs(top))
        return np.where(allowed.any(axis=1), np.argmax(is_top, axis=1), -1).astype(np.intp)
