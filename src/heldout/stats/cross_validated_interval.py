"""An interval around a cross-validated estimate, and what such intervals were seen to do."""

from __future__ import annotations

from dataclasses import dataclass

from heldout.stats.interval import Interval
from heldout.stats.shown_number import shown_percent


@dataclass(frozen=True)
class CrossValidatedInterval(Interval):
    """An estimate from out-of-fold predictions, with its interval.

    Out-of-fold losses are not independent, since every row also trained the models that judge the others. So
    no interval holds exactly what it says, and this one says what it was seen to hold.

    what … estimand: as of `Interval`
    n_folds:      into how many folds the rows were divided
    n_repeats:    how often
    held:         the least and the largest share of simulated data sets whose 95% interval held the true
                  value, over learners and populations (docs/methods/intervals.md); None where not measured

    >>> found = CrossValidatedInterval(
    ...     "error", 0.2, 0.1, 0.3, method="t over folds", n_rows=10, unit="fold", held=(0.63, 0.95)
    ... )
    >>> print(found)
    error 0.200, 95% interval 0.100 to 0.300 (t over folds, 10 folds). Of 95% intervals made this way \
between 63% and 95% held the true value in simulations, depending on learner and data; that is not \
the probability that this one does.
    """

    n_folds: int = 0
    n_repeats: int = 1
    held: tuple[float, float] | None = None

    def not_said(self) -> str:
        if self.held is None:
            return "How often intervals made this way hold the true value was not measured."
        low, high = map(shown_percent, self.held)
        return (
            f"Of 95% intervals made this way between {low} and {high} held the true value in simulations,"
            " depending on learner and data; that is not the probability that this one does."
        )
