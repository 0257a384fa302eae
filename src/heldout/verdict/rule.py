"""A rule: how a winner is chosen among contenders, stated before anything runs."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.stats.comparison import Comparison
from heldout.stats.interval import plain
from heldout.verdict.standing import Standing

if TYPE_CHECKING:
    from heldout.metrics.metric import Metric
    from heldout.verdict.standing import Rivals


class Rule(ABC):
    """How a winner is chosen. Subclasses are frozen dataclasses whose fields are plain numbers."""

    @property
    @abstractmethod
    def words(self) -> str:
        """The rule in a few words, such as "the best mean score"."""

    @property
    def gate_level(self) -> float | None:
        """The level at which a winner has to beat the baseline; None where the rule does not ask for it."""
        return None

    @abstractmethod
    def decide(
        self, standings: Sequence[Standing], comparisons: Sequence[Comparison], metric: Metric
    ) -> Decision:
        """The winner and the reasons.

        Parameters
        ----------
        standings
            of all contenders of the plan, in its order
        comparisons
            of all pairs of contenders that are complete, adjusted
        metric
            by which the plan chooses
        """

    @abstractmethod
    def indices(self, rivals: Rivals) -> NDArray[np.intp]:
        """Whom the rule would take in each of many resamples, so that the choosing can be repeated.

        Where models have to beat a baseline, they are taken to have done so.

        Parameters
        ----------
        rivals
            their scores in each resample, and what else the rule looks at
        """

    def to_dict(self) -> dict[str, Any]:
        """The name of the rule and its settings, as JSON can hold them."""
        assert dataclasses.is_dataclass(self)
        return {"rule": type(self).__name__, **dataclasses.asdict(self)}

    def __str__(self) -> str:
        return self.words


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


NOBODY = "No contender is complete and has a score, so none can win."


def rank_standings(standings: Sequence[Standing], metric: Metric) -> list[Standing]:
    """Those that are complete and have a score, the best first; ties keep their order."""
    return sorted((each for each in standings if each.can_stand), key=lambda each: -metric.sign * each.score)


def baseline_to_beat(standings: Sequence[Standing], metric: Metric) -> str:
    """The name of the best baseline; empty where there is none."""
    guessing = [each for each in standings if each.is_baseline]
    ranked = rank_standings(guessing, metric) if guessing else []
    return ranked[0].name if ranked else ""
