"""The default rule: the simplest model that the data cannot tell from the best."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import RequestError
from heldout.stats.shown_number import shown
from heldout.verdict.baseline_gate import baseline_gate
from heldout.verdict.decision import Decision
from heldout.verdict.margin import margin_in_words, margin_unit
from heldout.verdict.paired_comparison import advantage_of
from heldout.verdict.ranking import NOBODY, by_score
from heldout.verdict.rivals import ROUNDING, Rivals
from heldout.verdict.rule import Rule
from heldout.verdict.standing import Standing

if TYPE_CHECKING:
    from heldout.metrics.metric import Metric
    from heldout.stats.comparison import Comparison


@dataclass(frozen=True)
class SimplestWithinNoise(Rule):
    """Of the contenders that beat the baseline and are as good as the best, the shortest description wins.

    As good as the best is a contender whose paired difference to it is at most `se` corrected standard errors
    and at most the margin. The best is that of the contenders that beat the baseline. Of equal lengths the
    better score wins, then the first. If none beats the baseline, the baseline wins. Without a baseline all
    may win.

    se:     how many standard errors
    margin: for rates and other scores with a range, a share of the range: 0.01 is one point; for losses of
            numbers or probabilities, a share of the baseline's loss. None for no margin
    level:  at which a contender has to be better than the baseline, p adjusted for all that have to be

    >>> print(SimplestWithinNoise())
    the simplest within 1 standard error and a margin of 1% of the best
    """

    se: float = 1
    margin: float | None = 0.01
    level: float = 0.05

    def __post_init__(self) -> None:
        _check("se", self.se, math.inf, "use 1")
        if self.margin is not None:
            _check("margin", self.margin, 1, "use 0.01 for one point, or None for no margin")
        _check("level", self.level, 1, "use 0.05")

    @property
    def words(self) -> str:
        errors = f"{self.se:g} standard error" + ("" if self.se == 1 else "s")
        margin = "" if self.margin is None else f" and a margin of {100 * self.margin:g}%"
        return f"the simplest within {errors}{margin} of the best"

    def decide(
        self, standings: Sequence[Standing], comparisons: Sequence[Comparison], metric: Metric
    ) -> Decision:
        ranked = by_score(standings, metric)
        if not ranked:
            return Decision("", "", reasons=(NOBODY,))
        gate = baseline_gate(standings, comparisons, metric, self.level)
        baseline, best = gate.baseline, ranked[0].name
        known: dict[str, Any] = {
            "against_baseline": gate.comparisons,
            "near_baseline": gate.near,
            "level": self.level,
        }
        can_win = [each for each in ranked if each.name in gate.better] if baseline else ranked
        if not can_win:
            return Decision(baseline, best, baseline, (), (baseline,), reasons=gate.said, **known)
        scores = {each.name: each.score for each in ranked}
        unit = margin_unit(metric, scores.get(baseline, can_win[0].score))
        amount = math.nan if self.margin is None else self.margin * unit
        equals = self._equals(can_win, comparisons, metric, amount)
        among = "" if can_win[0].name == best else f" of those that beat {baseline}"
        reasons = (*self._reasons(can_win, equals, metric, amount, baseline, among), *gate.said)
        names = tuple(each.name for each in equals)
        return Decision(names[0], best, baseline, gate.better, names, amount, reasons, **known)

    def _equals(
        self, can_win: list[Standing], comparisons: Sequence[Comparison], metric: Metric, amount: float
    ) -> list[Standing]:
        """The best and those as good, the shortest first; unknown lengths are the longest."""
        best = can_win[0]
        found = [best]
        for each in can_win[1:]:
            lag, error, _ = advantage_of(comparisons, best.name, each.name, metric.is_larger_better)
            if self._is_within(lag, error, amount, ROUNDING * abs(best.score)):
                found.append(each)
        return sorted(found, key=lambda each: math.inf if math.isnan(each.bits) else each.bits)

    def _is_within(self, lag: float, error: float, amount: float, rounding: float) -> bool:
        # Where all differences are the same number there is no spread, and only no difference is noise.
        noise = self.se * (0.0 if math.isnan(error) else error)
        return lag - rounding <= (noise if math.isnan(amount) else min(noise, amount))

    def _reasons(
        self,
        can_win: list[Standing],
        equals: list[Standing],
        metric: Metric,
        amount: float,
        baseline: str,
        among: str,
    ) -> list[str]:
        best, winner = can_win[0], equals[0]
        errors = f"{self.se:g} corrected standard error" + ("" if self.se == 1 else "s")
        margin = ""
        if self.margin is not None:
            margin = f" and {margin_in_words(metric, self.margin, amount, baseline)}"
        if len(can_win) == 1:
            return [] if baseline else [f"{winner.name} is the only contender that could be judged."]
        if len(equals) == 1:
            return [
                f"{winner.name} has the best {metric.name}{among}, {shown(winner.score)}, and no other lies"
                f" within {errors}{margin} of it."
            ]
        if winner.name == best.name:
            return [
                f"{winner.name} has the best {metric.name}{among}, {shown(winner.score)}, and is also the"
                f" simplest of {len(equals)} within {errors}{margin} of it."
            ]
        lengths = f"{_length(winner)} against {_length(best)}"
        scores = f"{metric.name} {shown(best.score)} against {shown(winner.score)}"
        if shown(best.score) == shown(winner.score):
            scores = f"{metric.name} {shown(best.score)} for both, rounded"
        if best.score == winner.score:
            return [f"{winner.name} scores as well as {best.name} and is simpler: {lengths}."]
        return [
            f"{best.name} scores best{among} ({scores}), but {winner.name} lies within {errors}{margin} of it"
            f" and is simpler: {lengths}."
        ]

    def places(self, rivals: Rivals) -> NDArray[np.intp]:
        # Whether models beat the baseline was decided on all rows, and is not asked again.
        is_model = ~rivals.is_baseline if not rivals.is_baseline.all() else rivals.is_baseline
        can_win = ~np.isnan(rivals.goodness) & is_model
        best = rivals.best(can_win)
        rows = np.arange(len(best))
        with np.errstate(invalid="ignore"):
            top = rivals.goodness[rows, best][:, np.newaxis]
            lag = top - rivals.goodness
            noise = self.se * np.nan_to_num(rivals.errors[best])
            limit = noise if self.margin is None else np.minimum(noise, self.margin * rivals.unit)
            is_equal = can_win & (lag - ROUNDING * np.abs(top) <= limit)
        lengths = np.where(is_equal, np.where(np.isnan(rivals.bits), np.inf, rivals.bits), np.inf)
        is_shortest = is_equal & (lengths == lengths.min(axis=1, keepdims=True))
        return np.where(best < 0, rivals.best(), rivals.best(is_shortest)).astype(np.intp)


def _length(standing: Standing) -> str:
    if math.isnan(standing.bits):
        return "an unknown length"
    foreign = " of a compressed pickle" if standing.bits_are_foreign else ""
    return f"{standing.bits:,.0f} bits{foreign}"


def _check(name: str, value: float, highest: float, fix: str) -> None:
    if isinstance(value, Real) and not isinstance(value, bool) and 0 <= float(value) <= highest:
        return
    upper = "" if math.isinf(highest) else f" and at most {highest:g}"
    raise RequestError(
        f"{name} must be a number of at least 0{upper}", where=f"{name}={value!r:.60}", fix=fix
    )
