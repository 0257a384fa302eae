"""The rule that takes the best mean score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from heldout.verdict.baseline_gate import baseline_gate
from heldout.verdict.rule import NOBODY, Decision, Rule, rank_standings
from heldout.verdict.standing import Rivals, Standing

if TYPE_CHECKING:
    from heldout.metrics.metric import Metric
    from heldout.stats.comparison import Comparison


@dataclass(frozen=True)
class BestMean(Rule):
    """The best mean score wins, however long its description; a tie goes to the first.

    Examples
    --------
    >>> from heldout.stats.interval import Interval
    >>> from heldout.metrics.metric_registry import metric_named
    >>> scores = {"tree": 0.90, "forest": 0.91}
    >>> standings = [Standing(name, "accuracy", Interval("", s, s, s)) for name, s in scores.items()]
    >>> BestMean().decide(standings, [], metric_named("accuracy")).winner
    'forest'
    """

    @property
    def words(self) -> str:
        return "the best mean score"

    def decide(
        self, standings: Sequence[Standing], comparisons: Sequence[Comparison], metric: Metric
    ) -> Decision:
        ranked = rank_standings(standings, metric)
        if not ranked:
            return Decision("", "", reasons=(NOBODY,))
        best = ranked[0].name
        gate = baseline_gate(standings, comparisons, metric)
        reasons = (f"{best} has the best mean {metric.name}.", *gate.messages)
        return Decision(
            best,
            best,
            gate.baseline,
            gate.better,
            (best,),
            reasons=reasons,
            against_baseline=gate.comparisons,
            detectable=gate.detectable,
        )

    def indices(self, rivals: Rivals) -> NDArray[np.intp]:
        return rivals.best()


@dataclass(frozen=True)
class FirstWithinError(BestMean):
    """The first within one standard error of the best: how settings are chosen by `choose="one_se"`."""

    @property
    def words(self) -> str:
        return "the first within one standard error of the best"

    def indices(self, rivals: Rivals) -> NDArray[np.intp]:
        best = rivals.best()
        # How the mean of a setting varies over the resamples is the standard error of its mean.
        is_known = np.isfinite(rivals.goodness)
        n_known = np.maximum(is_known.sum(axis=0), 2)
        means = np.where(is_known, rivals.goodness, 0.0).sum(axis=0) / n_known
        squares = np.where(is_known, rivals.goodness - means, 0.0) ** 2
        errors = np.sqrt(squares.sum(axis=0) / (n_known - 1))
        top = rivals.goodness[np.arange(len(best)), best]
        with np.errstate(invalid="ignore"):
            is_within = rivals.goodness >= (top - errors[best])[:, np.newaxis]
        return np.where(best < 0, best, np.argmax(is_within, axis=1)).astype(np.intp)


def setting_rule(choose: str) -> Rule:
    """How a contender of a quick plan chooses its setting again in a resample.

    choose: "best" or "one_se", as for `Contender`
    """
    return FirstWithinError() if choose == "one_se" else BestMean()
