"""What a rule decided, in names and in sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from heldout.stats.comparison import Comparison
from heldout.stats.result import plain


@dataclass(frozen=True)
class Decision:
    """Which contender wins, and why.

    winner:         its name; empty where no contender could be judged
    best:           the contender with the best score of all that are complete
    baseline:       the baseline that the others had to beat; empty where there is none
    better_than_baseline: who is significantly better than the baseline
    against_baseline: the comparisons with the baseline, adjusted (Holm) among themselves, which say so
    detectable:     where nobody is better: the lead over the baseline that would have been found in 80% of
                    such studies, whichever model had it; NaN otherwise
    level:          at which
    equals:         who could have won as well: within the noise and the margin of the best that may win,
                    the shortest description first
    margin:         how far behind the best a winner may lie, in the metric's own units; NaN for no margin
    reasons:        sentences
    first_reasons:  how many of them a short account needs

    >>> Decision("tree", "forest", "baseline", ("tree", "forest"), ("tree", "forest")).is_best
    False
    """

    winner: str
    best: str
    baseline: str = ""
    better_than_baseline: tuple[str, ...] = ()
    equals: tuple[str, ...] = ()
    margin: float = float("nan")
    reasons: tuple[str, ...] = ()
    against_baseline: tuple[Comparison, ...] = ()
    detectable: float = float("nan")
    level: float = 0.05
    first_reasons: int = 1

    @property
    def is_best(self) -> bool:
        """Whether the winner is also the one with the best score."""
        return self.winner == self.best

    @property
    def is_baseline(self) -> bool:
        """Whether the baseline wins."""
        return bool(self.baseline) and self.winner == self.baseline

    def to_dict(self) -> dict[str, Any]:
        """The fields as JSON can hold them."""
        found: dict[str, Any] = plain(self)
        return found
