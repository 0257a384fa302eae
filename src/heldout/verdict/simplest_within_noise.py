"""The default rule: the simplest within one standard error and one point of the best."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import RequestError
from heldout.text.numbers import number_text, p_value_text, percent_text
from heldout.verdict.baseline_gate import BaselineGate, baseline_gate
from heldout.verdict.margin import Bounds, Margin, margin_behind, share_in_words
from heldout.verdict.paired_comparison import advantage_of
from heldout.verdict.rule import NOBODY, Decision, Rule, rank_standings
from heldout.verdict.standing import ROUNDING, Rivals, Standing

if TYPE_CHECKING:
    from heldout.metrics.metric import Metric
    from heldout.stats.comparison import Comparison


@dataclass(frozen=True)
class SimplestWithinNoise(Rule):
    """Of the contenders that beat the baseline and are as good as the best, the shortest description wins.

    As good as the best is a contender whose paired difference to it is at most `se` corrected standard errors
    and at most the margin. So is one that is no longer than a contender of this set, within `se` standard
    errors of that one and within the margin of the best: otherwise one with the same score would be left out
    because its difference to the best varies less. The best is that of the contenders that beat the
    baseline. Of equal lengths the better score wins, then the first. If none beats the baseline, the baseline
    wins. Without a baseline all may win.

    Parameters
    ----------
    se
        how many standard errors
    margin
        for rates and other scores with a range, a share of the range: 0.01 is one point; for losses of
        numbers or probabilities, a share of the baseline's loss. None for no margin
    level
        at which a contender has to be better than the baseline, p adjusted for all that have to be
    error_share
        for scores with a range the margin is never more than this share of the best one's error: at an
        accuracy of 0.99 one point would be twice the errors. None for no such bound
    loss_share
        the same for losses and R², whose noise no model can learn. None for no such bound

    Examples
    --------
    >>> print(SimplestWithinNoise())  # doctest: +NORMALIZE_WHITESPACE
    the simplest within 1 standard error and a margin of the best: 1%, or a quarter of its error (a tenth of a
    loss) if less
    """

    se: float = 1
    margin: float | None = 0.01
    level: float = 0.05
    error_share: float | None = 0.25
    loss_share: float | None = 0.1

    def __post_init__(self) -> None:
        _check("se", self.se, math.inf, "use 1")
        if self.margin is not None:
            _check("margin", self.margin, 1, "use 0.01 for one point, or None for no margin")
        _check("level", self.level, 1, "use 0.05")
        for name in ("error_share", "loss_share"):
            if getattr(self, name) is not None:
                _check(name, getattr(self, name), 1, "use 0.25, or None for a margin that ignores the error")

    @property
    def words(self) -> str:
        found = f"the simplest within {self._errors_in_words}"
        if self.margin is None:
            return f"{found} of the best"
        found += f" and a margin of the best: {percent_text(self.margin)}"
        if self.error_share is None:
            return found
        loss = "" if self.loss_share is None else f" ({share_in_words(self.loss_share)} of a loss)"
        return f"{found}, or {share_in_words(self.error_share)} of its error{loss} if less"

    @property
    def gate_level(self) -> float | None:
        return self.level

    @property
    def _bounds(self) -> Bounds:
        return Bounds(self.margin, self.error_share, self.loss_share)

    @property
    def _errors_in_words(self) -> str:
        return f"{self.se:g} standard error" + ("" if self.se == 1 else "s")

    def decide(
        self, standings: Sequence[Standing], comparisons: Sequence[Comparison], metric: Metric
    ) -> Decision:
        ranked = rank_standings(standings, metric)
        if not ranked:
            return Decision("", "", reasons=(NOBODY,))
        gate = baseline_gate(standings, comparisons, metric, self.level)
        baseline, best = gate.baseline, ranked[0].name
        known: dict[str, Any] = {
            "against_baseline": gate.comparisons,
            "detectable": gate.detectable,
            "level": self.level,
        }
        can_win = [each for each in ranked if each.name in gate.better] if baseline else ranked
        if not can_win:
            known["first_reasons"] = len(gate.messages)
            return Decision(baseline, best, baseline, (), (baseline,), reasons=gate.messages, **known)
        race = _Race(self, can_win, comparisons, metric, self._margin(ranked, can_win[0], baseline, metric))
        among = "" if can_win[0].name == best else f" of those that beat {baseline}"
        why, others = race.why(among, bool(baseline)), (race.pickled(), race.left_out(ranked, gate))
        first = [each for each in (*(why or gate.messages), *others) if each]
        names = tuple(each.name for each in race.equals)
        messages = tuple(dict.fromkeys([*first, *gate.messages]))
        known["first_reasons"] = len(first)
        return Decision(names[0], best, baseline, gate.better, names, race.margin.amount, messages, **known)

    def _margin(self, ranked: list[Standing], best: Standing, baseline: str, metric: Metric) -> Margin:
        guess = next(((each.name, each.score) for each in ranked if each.name == baseline), None)
        return margin_behind(metric, self._bounds, guess, (best.name, best.score))

    def indices(self, rivals: Rivals) -> NDArray[np.intp]:
        # Who does not beat the baseline has no number here: that was asked before.
        is_model = ~rivals.is_baseline if not rivals.is_baseline.all() else rivals.is_baseline
        can_win = ~np.isnan(rivals.goodness) & is_model
        best = rivals.best(can_win)
        lengths = np.where(np.isnan(rivals.bits), np.inf, rivals.bits)
        is_equal = self._are_equal(rivals, can_win, best, lengths)
        allowed = np.where(is_equal, lengths, np.inf)
        is_shortest = is_equal & (allowed == allowed.min(axis=1, keepdims=True))
        return np.where(best < 0, rivals.best(), rivals.best(is_shortest)).astype(np.intp)

    def _are_equal(
        self,
        rivals: Rivals,
        can_win: NDArray[np.bool_],
        best: NDArray[np.intp],
        lengths: NDArray[np.float64],
    ) -> NDArray[np.bool_]:
        """Resamples × rivals: who is as good as the best of the resample."""
        goodness, noise = rivals.goodness, self.se * np.nan_to_num(rivals.errors)
        with np.errstate(invalid="ignore"):
            top = goodness[np.arange(len(best)), best][:, np.newaxis]
            rounding = ROUNDING * np.abs(top)
            is_near = can_win & (top - goodness - rounding <= self._margins(rivals, top))
            is_equal = is_near & (top - goodness - rounding <= noise[best])
            n_before = -1
            while n_before != (n_before := int(is_equal.sum())):
                # From the longest to the shortest one round is enough, but for those of equal lengths.
                for member in np.argsort(-lengths, kind="stable"):
                    rows = np.flatnonzero(is_equal[:, member])
                    lag = goodness[rows, member][:, np.newaxis] - goodness[rows] - rounding[rows]
                    is_in = (lengths <= lengths[member]) & (lag <= noise[member])
                    is_equal[rows] |= is_near[rows] & is_in
        return is_equal

    def _margins(self, rivals: Rivals, top: NDArray[np.float64]) -> NDArray[np.float64]:
        if self.margin is None:
            return np.full(top.shape, np.inf)
        assert rivals.metric is not None
        by_range, by_error = self._bounds.amounts(rivals.metric, rivals.reference, rivals.metric.sign * top)
        return np.asarray(np.minimum(by_range, by_error))


class _Race:
    """Those that may win, the best first: who of them is as good as the best, and why the others are not."""

    def __init__(
        self,
        rule: SimplestWithinNoise,
        can_win: list[Standing],
        comparisons: Sequence[Comparison],
        metric: Metric,
        margin: Margin,
    ) -> None:
        self._rule, self._can_win, self._comparisons = rule, can_win, comparisons
        self._metric, self.margin = metric, margin
        self.best = can_win[0]
        self._rounding = ROUNDING * abs(self.best.score)
        equals = [each for each in can_win if self._is_near(each) and self._is_noise(self.best, each)]
        n_before = 0
        while n_before != (n_before := len(equals)):
            equals = [each for each in can_win if each in equals or self._link(equals, each)]
        self.equals = sorted(equals, key=_bits)  # of equal lengths the better score stays first
        self.winner = self.equals[0]

    def _lag(self, first: Standing, second: Standing) -> tuple[float, float]:
        """By how much the second is behind the first, and how much of that is taken for noise."""
        if first is second:
            return 0.0, 0.0
        better = self._metric.is_larger_better
        lag, error, _ = advantage_of(self._comparisons, first.name, second.name, better)
        # Where all differences are the same number there is no spread, and only no difference is noise.
        return lag, self._rule.se * (0.0 if math.isnan(error) else error)

    def _is_near(self, standing: Standing) -> bool:
        lag, _ = self._lag(self.best, standing)
        return lag - self._rounding <= (math.inf if math.isnan(self.margin.amount) else self.margin.amount)

    def _is_noise(self, first: Standing, second: Standing) -> bool:
        lag, noise = self._lag(first, second)
        return lag - self._rounding <= noise

    def _link(self, equals: list[Standing], standing: Standing) -> Standing | None:
        """One of these that is no shorter and that this one is within the noise of; None for none."""
        if not self._is_near(standing):
            return None
        return next(
            (each for each in equals if _bits(standing) <= _bits(each) and self._is_noise(each, standing)),
            None,
        )

    def why(self, among: str, has_baseline: bool) -> list[str]:
        """Why the winner wins; nothing where it is the only one that beats the baseline, as that is said."""
        best, winner, name = self.best, self.winner, self._metric.name
        if len(self._can_win) == 1:
            return [] if has_baseline else [f"{winner.name} is the only contender that could be judged."]
        near = f"within {self._rule._errors_in_words}" + (
            f" and {self.margin.words}" if self.margin.words else ""
        )
        if winner is best:
            is_shortest = all(_bits(each) >= _bits(best) for each in self._can_win)
            rest = "none is simpler" if is_shortest else f"no simpler model is {near} of it"
            return [f"{best.name} has the best {name}{among}, {number_text(best.score)}, and {rest}."]
        lengths = f"{_length(winner)} against {_length(best)}"
        if best.score == winner.score:
            return [f"{winner.name} scores as well as {best.name} and is simpler: {lengths}."]
        scores = f"{name} {number_text(best.score)} against {number_text(winner.score)}"
        if number_text(best.score) == number_text(winner.score):
            scores = f"{name} {number_text(best.score)} for both, rounded"
        if not self._is_noise(best, winner):
            near = self._near_by_another()
            return [
                f"{best.name} scores best{among} ({scores}), but {winner.name} is simpler, {lengths}, {near}."
            ]
        return [
            f"{best.name} scores best{among} ({scores}), but {winner.name} is {near} of it"
            f" and is simpler: {lengths}."
        ]

    def _near_by_another(self) -> str:
        """How one comes in that is not within the noise of the best."""
        link = self._link([each for each in self.equals if each is not self.winner], self.winner)
        assert link is not None
        margin = f"within {self.margin.words} of {self.best.name} and " if self.margin.words else ""
        return f"{margin}within {self._rule._errors_in_words} of {link.name}, which counts as equally good"

    def pickled(self) -> str:
        """That pickles count as longer than any code, where one was as good as the winner."""
        names = [each.name for each in self.equals if each.bits_are_foreign]
        if not names or self.winner.bits_are_foreign:
            return ""
        be, their = ("is", "its") if len(names) == 1 else ("are", "their")
        return (
            f"{' and '.join(names)} {be} counted as longer than any model with a code: {their} bits are those"
            " of a compressed pickle."
        )

    def left_out(self, ranked: list[Standing], gate: BaselineGate) -> str:
        """Every model that is simpler than the winner, with the number that kept it out."""
        simpler = [each for each in ranked if _bits(each) < _bits(self.winner) and not each.is_baseline]
        if not simpler:
            return ""
        reasons = [f"{each.name} ({_length(each)}) {self._why_not(each, gate)}" for each in simpler]
        return f"Simpler, but out: {'; '.join(reasons)}."

    def _why_not(self, standing: Standing, gate: BaselineGate) -> str:
        if gate.baseline and standing.name not in gate.better:
            *_, p_value = advantage_of(
                gate.comparisons, standing.name, gate.baseline, self._metric.is_larger_better
            )
            return f"was not shown to beat {gate.baseline} (adjusted {p_value_text(p_value)})"
        lag, _ = self._lag(self.best, standing)
        if math.isnan(lag):
            return f"could not be compared with {self.best.name}"
        if not self._is_near(standing):
            lag_shown, limit = _shown_apart(lag, self.margin.amount)
            return f"lags {self.best.name} by {lag_shown}, more than the margin ({limit})"
        messages = self._beyond_noise(self.best, standing)
        return (
            messages
            if self.winner is self.best
            else f"{messages}, and {self._beyond_noise(self.winner, standing)}"
        )

    def _beyond_noise(self, first: Standing, second: Standing) -> str:
        lag, noise = self._lag(first, second)
        if noise == 0:
            return f"lags {first.name} by {number_text(lag)} in every fold alike"
        lag_shown, limit = _shown_apart(lag, noise)
        return f"lags {first.name} by {lag_shown}, more than {self._rule._errors_in_words} ({limit})"


def _bits(standing: Standing) -> float:
    return standing.compared_bits


def _shown_apart(larger: float, smaller: float) -> tuple[str, str]:
    """Two numbers with as many digits as it takes to see that they differ."""
    pair = number_text(larger), number_text(smaller)
    for n_digits in range(4, 17):
        if pair[0] != pair[1]:
            break
        pair = (f"{larger:.{n_digits}g}", f"{smaller:.{n_digits}g}")
    return pair


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
