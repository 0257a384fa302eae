"""How many rows would be outside if test rows came from where training rows come from.

The p-values of test rows share the training rows they are ranked among, so they rise and fall together, and
their count varies more than a binomial one. For distances that are independent the share of the
distribution beyond the j-th largest of n is Beta(j, n + 1 − j), so the count is beta-binomial. Distances
to neighbors are not quite independent; the decision "a forest tells two samples apart" has the
simulations.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

RARE = 0.05


@dataclass(frozen=True)
class CountByChance:
    """A count beside what chance gives.

    count:    how many rows are outside
    expected: how many would be on average
    tail:     in what share of samples as many or more would be
    """

    count: int
    expected: float
    tail: float

    @property
    def is_rare(self) -> bool:
        return self.tail < RARE

    def __str__(self) -> str:
        expected = f"about {self.expected:.2g}" if self.expected < 10 else f"about {self.expected:,.0f}"
        start = f"Of rows from where training comes from {expected} would be expected"
        if not self.count:
            return f"{start}."
        often = f"{self.tail:.1%}" if self.tail >= 0.001 else "less than 0.1%"
        return f"{start}, {self.count:,} or more in {often} of samples."


def count_by_chance(count: int, n_test: int, n_train: int, level: float) -> CountByChance:
    """What chance gives at this level.

    >>> print(count_by_chance(3, 120, 999, 0.01))
    Of rows from where training comes from about 1.2 would be expected, 3 or more in 12.9% of samples.
    """
    from scipy.stats import betabinom  # takes 0.5 s

    # Adding a little keeps 0.01 · 100 from being counted as 0.
    n_below = math.floor(level * (n_train + 1) + 1e-9)
    expected = n_test * n_below / (n_train + 1)
    tail = float(betabinom.sf(count - 1, n_test, n_below, n_train + 1 - n_below)) if count else 1.0
    return CountByChance(count, expected, min(max(tail, 0.0), 1.0))
