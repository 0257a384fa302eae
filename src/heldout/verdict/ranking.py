"""Who stands where: contenders by score, and against the baseline."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from heldout.stats.comparison import Comparison
from heldout.verdict.paired_comparison import advantage_of
from heldout.verdict.standing import Standing
from heldout.verdict.words import listed

if TYPE_CHECKING:
    from heldout.metrics.metric import Metric

LEVEL = 0.05
NOBODY = "No contender is complete and has a score, so none can win."
NO_BASELINE = "There is no baseline, so it is not known whether anything beats guessing."


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


def beats(
    name: str, baseline: str, comparisons: Sequence[Comparison], metric: Metric, level: float = LEVEL
) -> bool:
    """Whether a contender is significantly better than the baseline: p, adjusted, is at most the level.

    >>> from heldout.stats.interval import Interval
    >>> from heldout.metrics.metric_registry import metric_named
    >>> found = Comparison("tree", "guess", Interval("", 0.2, 0.1, 0.3), 0.001)
    >>> beats("tree", "guess", [found], metric_named("accuracy"))
    True
    """
    advantage, _, p_value = advantage_of(comparisons, name, baseline, metric.is_larger_better)
    return advantage > 0 and p_value <= level * (1 + 1e-12)  # NaN is neither


def on_the_baseline(
    standings: Sequence[Standing], comparisons: Sequence[Comparison], metric: Metric, level: float = LEVEL
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who is significantly better than the baseline, and sentences about it.

    >>> on_the_baseline([], [], None)[1]
    ('There is no baseline, so it is not known whether anything beats guessing.',)
    """
    baseline = to_beat(standings, metric)
    if not baseline:
        return (), (NO_BASELINE,)
    others = [each.name for each in standings if each.can_stand and not each.is_baseline]
    better = tuple(name for name in others if beats(name, baseline, comparisons, metric, level))
    if not others:
        return (), (f"Only {baseline} could be judged, which guesses.",)
    if not better:
        return (), (_none_beats(baseline, others, comparisons),)
    rest = [name for name in others if name not in better]
    said = [f"Significantly better than {baseline}: {listed(better)}."]
    if rest:
        verb = "is" if len(rest) == 1 else "are"
        said.append(f"{listed(rest)} {verb} not shown to beat {baseline}.")
    return better, tuple(said)


def is_tested(baseline: str, others: Sequence[str], comparisons: Sequence[Comparison]) -> bool:
    """Whether a test had an answer for any of them against the baseline.

    >>> is_tested("guess", ["tree"], [])
    False
    """
    found = [advantage_of(comparisons, name, baseline, is_larger_better=True)[2] for name in others]
    return not all(math.isnan(p_value) for p_value in found)


def _none_beats(baseline: str, others: list[str], comparisons: Sequence[Comparison]) -> str:
    if not is_tested(baseline, others, comparisons):
        return f"Whether anything beats {baseline} could not be tested, so {baseline} stands."
    return f"No model beats guessing: none is significantly better than {baseline}."
