"""Who stands where: contenders by score, and which of them is to be beaten."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from heldout.verdict.standing import Standing

if TYPE_CHECKING:
    from heldout.metrics.metric import Metric

NOBODY = "No contender is complete and has a score, so none can win."


def by_score(standings: Sequence[Standing], metric: Metric) -> list[Standing]:
    """Those that are complete and have a score, the best first; ties keep their order.

    >>> from heldout.stats.interval import Interval
    >>> from heldout.metrics.metric_registry import metric_named
    >>> scores = {"a": 0.2, "b": 0.1, "c": float("nan")}
    >>> standings = [Standing(name, "error", Interval("", s, s, s)) for name, s in scores.items()]
    >>> [each.name for each in by_score(standings, metric_named("error"))]
    ['b', 'a']
    """
    return sorted((each for each in standings if each.can_stand), key=lambda each: -metric.sign * each.score)


def to_beat(standings: Sequence[Standing], metric: Metric) -> str:
    """The name of the best baseline; empty where there is none.

    >>> to_beat([], None)
    ''
    """
    guessing = [each for each in standings if each.is_baseline]
    ranked = by_score(guessing, metric) if guessing else []
    return ranked[0].name if ranked else ""
