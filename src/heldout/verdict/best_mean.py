"""The rule that takes the best mean score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from heldout.verdict.baseline_gate import baseline_gate
from heldout.verdict.decision import Decision
from heldout.verdict.ranking import NOBODY, by_score
from heldout.verdict.rivals import Rivals
from heldout.verdict.rule import Rule
from heldout.verdict.standing import Standing

if TYPE_CHECKING:
    from heldout.metrics.metric import Metric
    from heldout.stats.comparison import Comparison


@dataclass(frozen=True)
class BestMean(Rule):
    """The best mean score wins, however long its description; a tie goes to the first.

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
        ranked = by_score(standings, metric)
        if not ranked:
            return Decision("", "", reasons=(NOBODY,))
        best = ranked[0].name
        gate = baseline_gate(standings, comparisons, metric)
        reasons = (f"{best} has the best mean {metric.name}.", *gate.said)
        return Decision(
            best,
            best,
            gate.baseline,
            gate.better,
            (best,),
            reasons=reasons,
            against_baseline=gate.comparisons,
            near_baseline=gate.near,
        )

    def places(self, rivals: Rivals) -> NDArray[np.intp]:
        return rivals.best()
