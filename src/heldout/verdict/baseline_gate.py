"""Who beats the baseline: a family of comparisons of its own, and what is said of it."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scipy.special import stdtr

from heldout.stats.comparison import Comparison
from heldout.text.numbers import number_text
from heldout.text.words import join_names
from heldout.verdict.paired_comparison import PairedComparison, advantage_of
from heldout.verdict.rule import baseline_to_beat
from heldout.verdict.standing import Standing

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
    closest:     where nobody is better: who leads the baseline most, or is least behind
    detectable:  the lead that would have been found in four of five studies like this, whichever model had
                 it: that of the pair that varies most; NaN for unknown
    said:        sentences
    """

    baseline: str
    comparisons: tuple[Comparison, ...] = ()
    better: tuple[str, ...] = ()
    closest: str = ""
    detectable: float = math.nan
    messages: tuple[str, ...] = ()

    @property
    def is_tested(self) -> bool:
        """Whether a test had an answer for any of them."""
        return not all(math.isnan(each.p_value) for each in self.comparisons)


def baseline_gate(
    standings: Sequence[Standing], comparisons: Sequence[Comparison], metric: Metric, level: float = LEVEL
) -> BaselineGate:
    """Who is significantly better than the baseline: p is at most the level, adjusted for all that are asked.

    The tests are one-sided: what is asked is whether a model beats guessing.

    Whether a model beats guessing is asked of each model once. How models compare with each other is another
    question, and its many pairs must not hide the answer to this one.

    comparisons: of all pairs; those with the baseline are adjusted anew, among themselves
    """
    baseline = baseline_to_beat(standings, metric)
    if not baseline:
        return BaselineGate("", messages=(NO_BASELINE,))
    others = [each.name for each in standings if each.can_stand and not each.is_baseline]
    if not others:
        return BaselineGate(baseline, messages=(f"Only {baseline} could be judged, which guesses.",))
    wanted = [{baseline, name} for name in others]
    family = [each for each in comparisons if {each.name_a, each.name_b} in wanted]
    one_sided = [_one_sided(each, baseline, metric.is_larger_better) for each in family]
    adjusted = Comparison.adjusted(one_sided, "holm") if family else ()
    leads, better = {}, []
    for name in others:
        lead, _, p_value = advantage_of(adjusted, name, baseline, metric.is_larger_better)
        if not math.isnan(lead):
            leads[name] = lead
        if lead > 0 and is_significant(p_value, level):
            better.append(name)
    found = BaselineGate(baseline, adjusted, tuple(better))
    if better or not leads:
        return dataclasses.replace(found, messages=tuple(_messages(found, others)))
    closest = max(leads, key=lambda name: leads[name])
    pairs = [each for each in adjusted if isinstance(each, PairedComparison)]
    # A model that predicts nearly as the baseline does hardly varies beside it, and would flatter the power.
    seen = [each.detectable(2 * level / len(adjusted)) for each in pairs if each.standard_error > 0]
    found = dataclasses.replace(found, closest=closest, detectable=max(seen, default=math.nan))
    guessed = next(each.score for each in standings if each.name == baseline)
    messages = [*_messages(found, others), *_power(found, leads[closest], guessed, metric)]
    return dataclasses.replace(found, messages=tuple(messages))


def _one_sided(comparison: Comparison, baseline: str, is_larger_better: bool) -> Comparison:
    """The comparison with the p of a test whose only alternative is that the model beats the baseline.

    Guessing is never taken because it is significantly better, so only one side counts. The interval is that
    of twice the level, whose lower end says the same. The spread of folds is known from the differences of
    all repeats, so that many degrees of freedom are counted; with those of one repeat real models were called
    guesses twice as often, and noise no less often a model (docs/methods/verdicts.md).
    """
    both, effect = comparison.p_value, comparison.effect
    if (
        isinstance(comparison, PairedComparison)
        and comparison.standard_error > 0
        and effect.unit == "fold"
        and effect.n_rows > 1
    ):
        comparison = dataclasses.replace(comparison, degrees_of_freedom=effect.n_rows - 1.0)
        size = abs(effect.estimate) / comparison.standard_error
        both = 2 * float(stdtr(comparison.degrees_of_freedom, -size))
    lead, *_ = advantage_of([comparison], baseline, _other(comparison, baseline), is_larger_better)
    p_value = 1 - both / 2 if lead > 0 else both / 2
    confidence = 1 - 2 * (1 - effect.confidence)
    ends = comparison.ends_at(confidence)
    if ends is not None:
        effect = dataclasses.replace(effect, low=ends[0], high=ends[1], confidence=confidence)
    return dataclasses.replace(comparison, p_value=p_value, effect=effect, is_one_sided=True)


def _other(comparison: Comparison, baseline: str) -> str:
    return comparison.name_b if comparison.name_a == baseline else comparison.name_a


def is_significant(p_value: float, level: float = LEVEL) -> bool:
    """Whether p is at most the level; an unknown p is not."""
    return p_value <= level * (1 + 1e-12)


def _messages(gate: BaselineGate, others: list[str]) -> list[str]:
    """Who is better and who is not."""
    baseline, better, n_made = gate.baseline, gate.better, len(gate.comparisons)
    if not gate.is_tested:
        return [f"Whether anything beats {baseline} could not be tested, so {baseline} stands."]
    family = "" if n_made < 2 else f" (one-sided, Holm over the {n_made} comparisons with it)"
    rest = [name for name in others if name not in better]
    who = f"All {len(others)} models are" if len(others) > 2 else _are(better)
    if not better:
        who = f"{others[0]} is not" if len(others) == 1 else f"None of {len(others)} models is"
    elif rest:
        who = f"Only {better[0]} is" if len(better) == 1 else _are(better)
        family += f"; {_are(rest)} not shown to be"
    return [f"{who} significantly better than {baseline}{family}."]


def _are(names: Sequence[str]) -> str:
    return f"{join_names(names)} {'is' if len(names) == 1 else 'are'}"


def _power(gate: BaselineGate, lead: float, guessed: float, metric: Metric) -> list[str]:
    """What could have been seen: without it "not significant" would be taken for "not there".

    lead:    of the closest
    guessed: the score of the baseline, from which the best possible score is not always far enough
    """
    if not gate.detectable > 0:
        return []
    seen = f"The largest lead is that of {gate.closest}, {number_text(lead)}"
    if lead <= 0:
        seen = f"None scores better; the least behind is {gate.closest}, by {number_text(-lead)}"
    most = abs(metric.best - guessed)
    if gate.detectable > most:
        return [
            f"{seen}. These rows are too few to show that anything beats {gate.baseline}: even a lead of"
            f" {number_text(most)}, the largest possible, would be found in fewer than 80% of such studies."
        ]
    return [
        f"{seen}. With these rows a true lead of {number_text(gate.detectable)} in {metric.name} would be"
        " found in 80% of such studies, whichever model had it; a smaller one less often."
    ]
