"""Scores of held rows that are no counts: rounded before anyone sees them, with an approximate interval.

A mean squared error may be any number, and its digits could spell out the labels. So the score keeps three
digits and its standard error two, within stated ranges, and all that is shown is made of these two.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from heldout.stats.after_looks import AfterLooks
from heldout.stats.choices import normal_z
from heldout.stats.group_spread import few_groups_factor
from heldout.stats.interval import Interval
from heldout.stats.log_levels import LOG2, level_after_bits
from heldout.stats.looks import Looks
from heldout.study.seal.held_answers import HeldAnswers

# A score lies so many powers of ten around that of the baseline; beyond it is shown as the end.
DECADES = 6
# Of 100 blocks the jackknife's standard error is itself known to 7%.
MOST_BLOCKS = 200
# The standard error keeps two digits from 1e-6 to 1e3: 9 powers of ten with 90 numbers each, 0, above, none.
N_ERRORS = 9 * 90 + 3
USELESS = math.log(10.0)


@dataclass(frozen=True)
class Scale:
    """On which scale a score is judged: where its range ends, the numbers are spread out.

    kind:         "log", "logit", "one minus" (the logarithm of 1 − score) or "as it is"
    low, high:    the range
    reference:    a power of ten near the baseline's score

    >>> scale = Scale("log", 0.0, math.inf, 10.0)
    >>> scale.rounded(12345.6), scale.n_scores, round(scale.back(scale.to(3.0)), 9)
    (12300.0, 10803, 3.0)
    """

    kind: str
    low: float
    high: float
    reference: float = 1.0

    @property
    def n_scores(self) -> int:
        """How many rounded scores there are, none among them."""
        if self.kind == "logit":
            return 1000 + 2
        if self.kind == "one minus":
            return 2000 + 3
        n_of_a_sign = 2 * DECADES * 900
        return n_of_a_sign + 3 if self.kind == "log" else 2 * n_of_a_sign + 4

    def rounded(self, score: float) -> float:
        """Three digits of it, within the stated range."""
        if math.isnan(score):
            return score
        # A metric of one's own may leave the range that it names, and digits out there would not be counted.
        score = min(max(score, self.low), self.high)
        if self.kind == "logit":
            step = (self.high - self.low) / 1000
            return float(f"{self.low + round((score - self.low) / step) * step:.12g}")
        if self.kind == "one minus":
            return max(round(score, 3), -1.0)
        most, least = self.reference * 10.0**DECADES, self.reference * 10.0**-DECADES
        size = min(abs(score), most)
        return math.copysign(float(f"{size:.2e}"), score) if size >= least else 0.0

    def to(self, score: float) -> float:
        """The score on this scale; not finite at the ends of the range."""
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.kind == "log":
                return float(np.log(score))
            if self.kind == "logit":
                return float(np.log(np.float64(score - self.low) / (self.high - score)))
            if self.kind == "one minus":
                return float(-np.log(1.0 - score))
        return score

    def back(self, place: float) -> float:
        """The score at this place of the scale."""
        if self.kind == "log":
            return math.exp(min(place, 700.0))
        if self.kind == "logit":
            share = 1 / (1 + math.exp(-place)) if place > -700 else 0.0
            return self.low + share * (self.high - self.low)
        if self.kind == "one minus":
            return 1.0 - math.exp(min(-place, 700.0))
        return place


def scale_of(held: HeldAnswers) -> Scale:
    """The scale for the range of the metric."""
    metric = held.metric
    size = abs(held.baseline) if math.isfinite(held.baseline) and held.baseline else 1.0
    reference = 10.0 ** round(math.log10(size))
    if math.isfinite(metric.lowest) and math.isfinite(metric.highest):
        return Scale("logit", metric.lowest, metric.highest)
    if metric.lowest == 0:
        return Scale("log", 0.0, math.inf, reference)
    if metric.highest == 1:
        return Scale("one minus", -math.inf, 1.0)
    return Scale("as it is", -math.inf, math.inf, reference)


def rounded_after_looks(held: HeldAnswers, earlier: Looks, confidence: float) -> tuple[AfterLooks, int]:
    """The rounded score with approximate intervals, and how many answers were possible."""
    scale = scale_of(held)
    score = scale.rounded(held.score())
    error, n_blocks, unit = _standard_error(held, scale)
    alpha, n_looks, bits = 1 - confidence, len(earlier) + 1, earlier.bits_of_any
    notes = _notes(held, scale, error)
    factor = few_groups_factor(n_blocks, confidence) if n_blocks > 1 else math.nan

    def interval(z: float, level: str) -> Interval:
        place, half = scale.to(score), z * factor * error
        # Where nothing varies, nothing tells how far others may lie.
        is_known = half > 0 and math.isfinite(place)
        ends = (scale.back(place - half), scale.back(place + half)) if is_known else None
        low, high = sorted(ends) if ends else (math.nan, math.nan)
        return Interval(
            held.metric.name,
            score,
            low,
            high,
            confidence,
            f"normal on the {scale.kind} scale, jackknife{level}",
            held.n_rows if unit == "row" else n_blocks,
            unit,
            reference=held.baseline,
            notes=notes,
        )

    shared = f", at {alpha:.3g} / {n_looks:,}" if n_looks > 1 else ""
    fixed = interval(normal_z(confidence, alpha / n_looks), shared)
    spent = f", at {alpha:.3g} · 2^-{bits:.3g}" if bits else ""
    adaptive = interval(_far_z(confidence, bits), spent)
    budget = _budget(error * factor, alpha)
    after = AfterLooks(held.metric.name, score, adaptive, fixed, n_looks, bits, budget, held.baseline)
    return after, scale.n_scores * N_ERRORS


def _standard_error(held: HeldAnswers, scale: Scale) -> tuple[float, int, str]:
    """Of the score on its scale, by leaving out blocks of rows or of groups; two digits of it."""
    unit = "row" if held.groups is None else "group"
    codes = np.arange(held.n_rows) if held.groups is None else np.unique(held.groups, return_inverse=True)[1]
    n_units = int(codes.max()) + 1
    n_blocks = min(n_units, MOST_BLOCKS)
    if n_blocks < 2:
        return math.nan, n_blocks, unit
    block = codes % n_blocks
    places = np.array([scale.to(held.score(block != each)) for each in range(n_blocks)])
    if not np.isfinite(places).all():
        return math.nan, n_blocks, unit
    spread = math.sqrt((n_blocks - 1) / n_blocks * float(((places - places.mean()) ** 2).sum()))
    return (float(f"{min(spread, 1e3):.1e}") if spread >= 1e-6 else 0.0), n_blocks, unit


def _far_z(confidence: float, bits: float) -> float:
    """The normal quantile at α · 2^−bits, however small that is."""
    from scipy.special import ndtri_exp

    return float(-ndtri_exp(level_after_bits(confidence, bits) - LOG2))


def _budget(error: float, alpha: float) -> float:
    """With how many bits the interval reaches tenfold; infinitely many where nothing varies."""
    from scipy.special import log_ndtr

    if not error > 0:
        return math.inf
    return max((math.log(alpha / 2) - float(log_ndtr(-USELESS / error))) / LOG2, 0.0)


def _notes(held: HeldAnswers, scale: Scale, error: float) -> tuple[str, ...]:
    said = ["The score was rounded before it was shown or kept, and the interval is approximate."]
    if held.groups is not None:
        said.append("Whole groups were left out to see how much it varies.")
    if not error > 0:
        said.append("How much it varies cannot be told from these rows.")
    return tuple(said)
