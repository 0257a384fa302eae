"""Who beats the baseline: a family of comparisons of its own, and what is said of it."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from heldout.stats.comparison import Comparison
from heldout.stats.interval import Interval
from heldout.stats.shown_number import shown, shown_p, shown_percent
from heldout.table.describe import plural
from heldout.verdict.paired_comparison import advantage_of
from heldout.verdict.ranking import to_beat
from heldout.verdict.standing import Standing
from heldout.verdict.words import listed

if TYPE_CHECKING:
    from heldout.metrics.metric import Metric

LEVEL = 0.05
NO_BASELINE = "There is no baseline, so it is not known whether anything beats guessing."


@dataclass(frozen=True)
class BaselineGate:
    """What the comparisons with the baseline say.

    baseline:    the one to beat; empty where there is none
    comparisons: with it, adjusted (Holm) among themselves
    better:      who is significantly better
    near:        who is not, although 0 lies outside the interval of the difference
    said:        sentences

    >>> BaselineGate("guess").is_tested
    False
    """

    baseline: str
    comparisons: tuple[Comparison, ...] = ()
    better: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    said: tuple[str, ...] = ()

    @property
    def is_tested(self) -> bool:
        """Whether a test had an answer for any of them."""
        return not all(math.isnan(each.p_value) for each in self.comparisons)


def baseline_gate(
    standings: Sequence[Standing], comparisons: Sequence[Comparison], metric: Metric, level: float = LEVEL
) -> BaselineGate:
    """Who is significantly better than the baseline: p is at most the level, adjusted for all that are asked.

    Whether a model beats guessing is asked of each model once. How models compare with each other is another
    question, and its many pairs must not hide the answer to this one.

    comparisons: of all pairs; those with the baseline are adjusted anew, among themselves

    >>> from heldout.metrics.metric_registry import metric_named
    >>> names = {"guess": 0.5, "a": 0.7, "b": 0.7}
    >>> standings = [
    ...     Standing(name, "accuracy", Interval("", s, s, s), is_baseline=name == "guess")
    ...     for name, s in names.items()
    ... ]
    >>> pairs = [("a", "guess", 0.02), ("a", "b", 0.5), ("b", "guess", 0.04)]
    >>> made = [Comparison(one, other, Interval("", 0.2, 0.1, 0.3), p) for one, other, p in pairs]
    >>> found = baseline_gate(standings, made, metric_named("accuracy"))
    >>> found.better, [each.adjusted_p for each in found.comparisons]
    (('a', 'b'), [0.04, 0.04])
    """
    baseline = to_beat(standings, metric)
    if not baseline:
        return BaselineGate("", said=(NO_BASELINE,))
    others = [each.name for each in standings if each.can_stand and not each.is_baseline]
    if not others:
        return BaselineGate(baseline, said=(f"Only {baseline} could be judged, which guesses.",))
    wanted = [{baseline, name} for name in others]
    family = [each for each in comparisons if {each.name_a, each.name_b} in wanted]
    adjusted = Comparison.adjusted(family, "holm") if family else ()
    better, near = [], []
    for name in others:
        lead, _, p_value = advantage_of(adjusted, name, baseline, metric.is_larger_better)
        if lead > 0 and is_significant(p_value, level):
            better.append(name)
        elif lead > 0 and _is_apart(_with(name, adjusted).effect):
            near.append(name)
    found = BaselineGate(baseline, adjusted, tuple(better), tuple(near))
    said = (*_said(found, others), *(_taken_alone(_with(name, adjusted), name, found) for name in near))
    return dataclasses.replace(found, said=said)


def is_significant(p_value: float, level: float = LEVEL) -> bool:
    """Whether p is at most the level; an unknown p is not.

    >>> is_significant(0.05), is_significant(math.nan)
    (True, False)
    """
    return p_value <= level * (1 + 1e-12)


def _said(gate: BaselineGate, others: list[str]) -> list[str]:
    """Who is better and who is not."""
    baseline, better, n_made = gate.baseline, gate.better, len(gate.comparisons)
    if not gate.is_tested:
        return [f"Whether anything beats {baseline} could not be tested, so {baseline} stands."]
    family = "" if n_made < 2 else f" (Holm over the {n_made} comparisons with it)"
    rest = [name for name in others if name not in better]
    who = f"All {len(others)} models are" if len(others) > 2 else _are(better)
    if not better:
        who = f"{others[0]} is not" if len(others) == 1 else f"None of {len(others)} models is"
    elif rest:
        who = f"Only {better[0]} is" if len(better) == 1 else _are(better)
        family += f"; {_are(rest)} not shown to be"
    return [f"{who} significantly better than {baseline}{family}."]


def _are(names: Sequence[str]) -> str:
    return f"{listed(names)} {'is' if len(names) == 1 else 'are'}"


def _with(name: str, comparisons: Sequence[Comparison]) -> Comparison:
    return next(each for each in comparisons if name in (each.name_a, each.name_b))


def _is_apart(effect: Interval) -> bool:
    """Whether 0 lies outside; of an unknown interval it is not known."""
    return effect.low > 0 or effect.high < 0


def _taken_alone(found: Comparison, name: str, gate: BaselineGate) -> str:
    """An interval and a test that seem to disagree: the one is of one comparison, the other of several."""
    effect, baseline = found.effect, gate.baseline
    ends = f"{shown(effect.low)} to {shown(effect.high)}"
    interval = f"the {shown_percent(effect.confidence)} interval of their difference, {ends}, leaves out 0"
    assert found.adjusted_p is not None
    return (
        f"Taken alone, {name} would beat {baseline}: {interval}. Among"
        f" {plural(len(gate.comparisons), 'such comparison')} that can be luck: adjusted"
        f" {shown_p(found.adjusted_p)}."
    )
