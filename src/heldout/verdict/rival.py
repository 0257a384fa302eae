"""Who could have been chosen in a race, as the choosing is repeated."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from heldout.stats.comparison import Comparison
from heldout.verdict.metric_answers import Answers
from heldout.verdict.paired_comparison import PairedComparison
from heldout.verdict.standing import Standing


@dataclass(frozen=True, eq=False)
class Rival:
    """One that could have been chosen in a race.

    name:        of the contender; with its setting where settings were chosen among without an outer loop
    answers:     out of fold
    bits:        its description length, as `Standing.compared_bits` has it
    is_baseline: whether it only guesses
    contender:   whose setting this is; left out, it is the contender itself
    is_kept_out: whether it was not shown to beat the baseline, so that the rule cannot take it
    gate_error:  the standard error of its lead over the baseline by which the gate judged it; NaN for unknown
    gate_freedom: the degrees of freedom that go with it
    """

    name: str
    answers: Answers
    bits: float = math.nan
    is_baseline: bool = False
    contender: str = ""
    is_kept_out: bool = False
    gate_error: float = math.nan
    gate_freedom: float = math.inf

    @property
    def whose(self) -> str:
        """The name of the contender."""
        return self.contender or self.name


def rivals_of(
    standings: Sequence[Standing], kept_out: Collection[str] = (), against: Sequence[Comparison] = ()
) -> tuple[Rival, ...]:
    """All that could have been chosen in a race: its contenders, or in quick plans each with every setting.

    kept_out: names of those that the rule cannot take
    against:  the comparisons with the baseline that decided it
    """
    found: list[Rival] = []
    for each in standings:
        if not each.is_complete:
            continue
        answered = {f"{each.name}, setting {place + 1}": one for place, one in enumerate(each.settings)}
        if not answered and each.out_of_fold is not None:
            answered = {each.name: each.out_of_fold}
        error, freedom = _gate_of(each.name, against)
        known = (each.compared_bits, each.is_baseline, each.name, each.name in kept_out, error, freedom)
        found += [Rival(name, answers, *known) for name, answers in answered.items()]
    return tuple(found)


def _gate_of(name: str, against: Sequence[Comparison]) -> tuple[float, float]:
    """Standard error and degrees of freedom of the comparison with the baseline."""
    for each in against:
        if isinstance(each, PairedComparison) and name in (each.name_a, each.name_b):
            return each.standard_error, each.degrees_of_freedom
    return math.nan, math.inf
