"""Rates on held rows where Clopper-Pearson alone does not do: rows in groups, and the mean of recalls."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.metrics.metric import Metric
from heldout.stats.after_looks import AfterLooks
from heldout.stats.checked_values import normal_z
from heldout.stats.group_spread import few_groups_factor
from heldout.stats.interval import Interval
from heldout.stats.looks import LOG2, Looks, auc_ends_at, level_after_bits, rate_ends_at
from heldout.stats.metric_families import RowRate
from heldout.stats.rate_interval import clopper_pearson_ends

Ends = Callable[[float], tuple[float, float]]
# Of 0, ½ and 1 the smallest with which intervals of 2 × 200 kinds of groups hold what they say.
MORE_GROUPS = 0.5


def grouped_rate_after_looks(held: HeldPredictions, earlier: Looks, confidence: float) -> AfterLooks:
    """An accuracy or error on rows that come in groups.

    While nothing was given away it is Clopper-Pearson's for as many independent rows as vary as much as these
    do between groups (Korn & Graubard 1998, with half a group more). That rests on a spread that was
    estimated, which says nothing about levels of 2^−bits; there each group counts as one draw, which holds
    for any correlation within it.
    """
    assert held.groups is not None
    codes = np.unique(held.groups, return_inverse=True)[1]
    n_groups = int(codes.max()) + 1
    rate = held.metric.family
    assert isinstance(rate, RowRate)
    is_hit = rate.is_hit(held.y, held.predictions).astype(np.bool_)
    share = float(is_hit.mean())
    shares = np.bincount(codes) / len(codes)
    n_typical = 1 / float((shares**2).sum())
    n_alike = _rows_alike(is_hit, codes, n_typical)
    safe = _unit_ends(share, shares)
    alpha, n_looks, bits = 1 - confidence, len(earlier) + 1, earlier.bits_of_any
    words = f"{n_groups:,} groups count as {n_alike:,} independent rows, by their design effect."
    units = "Each group counts as one draw, whatever the correlation within it."

    def spread_ends(level: float) -> tuple[float, float]:
        if n_groups < 2:
            return 0.0, 1.0
        n_sure = n_alike / few_groups_factor(max(n_typical, 2.0), 1 - level) ** 2
        return clopper_pearson_ends(share * n_sure, n_sure, alpha=level)  # type: ignore[arg-type]

    def interval(ends: tuple[float, float], method: str, note: str) -> Interval:
        return Interval(
            held.metric.name,
            share,
            *ends,
            confidence,
            method,
            n_groups,
            "group",
            reference=held.baseline,
            notes=(note,),
        )

    shared = f" at {alpha:.3g} / {n_looks:,}" if n_looks > 1 else ""
    by_spread = "Clopper-Pearson by Korn & Graubard"
    fixed = interval(spread_ends(alpha / n_looks), by_spread + shared, words)
    adaptive = interval(spread_ends(alpha), by_spread, words)
    if bits:
        method = f"Hoeffding, groups as units, at {alpha:.3g} · 2^-{bits:.3g}"
        adaptive = interval(safe(level_after_bits(confidence, bits)), method, units)
    must_beat = held.baseline if held.metric.is_larger_better else 1 - held.baseline
    budget = _unit_budget(shares, must_beat, alpha)
    return AfterLooks(held.metric.name, share, adaptive, fixed, n_looks, bits, budget, held.baseline, True)


def _rows_alike(is_hit: NDArray[np.bool_], codes: NDArray[np.intp], n_typical: float) -> int:
    """How many independent rows vary as much, whole, so that it is one of few possible answers.

    Few groups, or a rate near its end, often show too little spread: no group was drawn that differs. So it
    is reckoned as if half a group more had been seen, one that is right or wrong as a whole.

    n_typical: how many groups of equal size weigh as much
    """
    n_rows, size = len(codes), len(codes) / n_typical
    n_more = size * MORE_GROUPS
    share = (float(is_hit.sum()) + n_more / 2) / (n_rows + n_more)
    left = np.bincount(codes, is_hit) - share * np.bincount(codes)
    one_more = size**2 * ((1 - share) ** 2 + share**2) / 2
    n_groups = len(left) + MORE_GROUPS
    squares = (float(left @ left) + MORE_GROUPS * one_more) * n_groups / (n_groups - 1)
    n_alike = share * (1 - share) * (n_rows + n_more) * n_rows / squares
    return max(int(min(n_alike, n_rows)), 1)


def _is_even(shares: NDArray[np.float64]) -> bool:
    """Whether Chernoff's bound, which reckons with the largest group, is the better one."""
    return bool(1 / shares.max() >= 0.7 / (shares**2).sum())


def _unit_ends(share: float, shares: NDArray[np.float64]) -> Ends:
    """Ends for a mean of groups of these shares, each anything from 0 to 1 (Hoeffding 1963)."""
    if _is_even(shares):
        n_units = max(int(1 / shares.max()), 1)
        return lambda log_alpha: auc_ends_at(share, n_units, n_units, log_alpha)
    squares = float((shares**2).sum())

    def ends(log_alpha: float) -> tuple[float, float]:
        half = math.sqrt((LOG2 - log_alpha) * squares / 2)
        return max(share - half, 0.0), min(share + half, 1.0)

    return ends


def _unit_budget(shares: NDArray[np.float64], must_beat: float, alpha: float) -> float:
    """With how many bits not even a perfect score lies above the baseline."""
    if must_beat <= 0:
        return math.inf
    if _is_even(shares):
        bits = -max(int(1 / shares.max()), 1) * math.log2(must_beat)
    else:
        bits = 2 * (1 - must_beat) ** 2 / (shares**2).sum() / LOG2
    return max(float(bits) + math.log2(alpha / 2), 0.0)


def balanced_after_looks(held: HeldPredictions, earlier: Looks, confidence: float) -> tuple[AfterLooks, int]:
    """The mean recall on held rows, and how many answers were possible.

    Each recall has its exact interval at α / classes; where all of these hold, the mean of the recalls lies
    between the mean of their lower and the mean of their upper ends.
    """
    hits, counts = np.split(held.sums().astype(np.intp), 2)
    n_classes = len(counts)
    estimate = float((hits / counts).mean())
    log_classes = math.log(n_classes)
    alpha, n_looks, bits = 1 - confidence, len(earlier) + 1, earlier.bits_of_any

    def ends(log_alpha: float, of: NDArray[np.intp] = hits) -> tuple[float, float]:
        found = [
            rate_ends_at(int(n_hits), int(n), log_alpha - log_classes)
            for n_hits, n in zip(of, counts, strict=True)
        ]
        low, high = np.mean(found, axis=0)
        return float(low), float(high)

    def interval(log_alpha: float, level: str) -> Interval:
        method = f"Clopper-Pearson of each recall at {level} / {n_classes}"
        return Interval(
            held.metric.name,
            estimate,
            *ends(log_alpha),
            confidence,
            method,
            held.n_rows,
            reference=held.baseline,
        )

    shared = f"{alpha:.3g} / {n_looks:,}" if n_looks > 1 else f"{alpha:.3g}"
    fixed = interval(math.log(alpha / n_looks), shared)
    level = f"{alpha:.3g} · 2^-{bits:.3g}" if bits else f"{alpha:.3g}"
    adaptive = interval(level_after_bits(confidence, bits), level)
    budget = _bits_until(lambda spent: ends(level_after_bits(confidence, spent), counts)[0] <= held.baseline)
    after = AfterLooks(held.metric.name, estimate, adaptive, fixed, n_looks, bits, budget, held.baseline)
    return after, _balanced_scores(held, [int(n) for n in counts])


def _balanced_scores(held: HeldPredictions, counts: list[int]) -> int:
    """How many pairs of hits and counts of every class are possible.

    With a stratified seal the counts follow from those of the open rows. Otherwise the answer may tell them
    too: of two classes the rows called by each tell the rest, of more any rows may lie in any class.
    """
    if held.is_stratified:
        return math.prod(n + 1 for n in counts)
    n_classes = max(held.n_classes, len(counts))
    if n_classes <= 2:
        return (held.n_rows + 2) ** 2 // 4
    return math.comb(held.n_rows + 2 * n_classes - 1, 2 * n_classes - 1)


def _bits_until(is_used_up: Callable[[float], bool], most: float = 1e6) -> float:
    """The fewest bits with which this holds, to a tenth of a bit; all there are if it never does."""
    if is_used_up(0.0):
        return 0.0
    low, high = 0.0, 1.0
    while not is_used_up(high):
        low, high = high, 2 * high
        if high > most:
            return math.inf
    while high - low > 0.1:
        middle = (low + high) / 2
        low, high = (low, middle) if is_used_up(middle) else (middle, high)
    return high


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

    def back(self, index: float) -> float:
        """The score at this place of the scale."""
        if self.kind == "log":
            return math.exp(min(index, 700.0))
        if self.kind == "logit":
            share = 1 / (1 + math.exp(-index)) if index > -700 else 0.0
            return self.low + share * (self.high - self.low)
        if self.kind == "one minus":
            return 1.0 - math.exp(min(-index, 700.0))
        return index


def scale_of(held: HeldPredictions) -> Scale:
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


def rounded_after_looks(held: HeldPredictions, earlier: Looks, confidence: float) -> tuple[AfterLooks, int]:
    """The rounded score with approximate intervals, and how many answers were possible."""
    scale = scale_of(held)
    score = scale.rounded(held.score())
    error, n_blocks, unit = _standard_error(held, scale)
    alpha, n_looks, bits = 1 - confidence, len(earlier) + 1, earlier.bits_of_any
    notes = _notes(held, scale, error)
    factor = few_groups_factor(n_blocks, confidence) if n_blocks > 1 else math.nan

    def interval(z: float, level: str) -> Interval:
        index, half = scale.to(score), z * factor * error
        # Where nothing varies, nothing tells how far others may lie.
        is_known = half > 0 and math.isfinite(index)
        ends = (scale.back(index - half), scale.back(index + half)) if is_known else None
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
    after = AfterLooks(held.metric.name, score, adaptive, fixed, n_looks, bits, budget, held.baseline, True)
    return after, scale.n_scores * N_ERRORS


def _standard_error(held: HeldPredictions, scale: Scale) -> tuple[float, int, str]:
    """Of the score on its scale, by leaving out blocks of rows or of groups; two digits of it."""
    unit = "row" if held.groups is None else "group"
    codes = np.arange(held.n_rows) if held.groups is None else np.unique(held.groups, return_inverse=True)[1]
    n_units = int(codes.max()) + 1
    n_blocks = min(n_units, MOST_BLOCKS)
    if n_blocks < 2:
        return math.nan, n_blocks, unit
    block = codes % n_blocks
    indices = np.array([scale.to(held.score(block != each)) for each in range(n_blocks)])
    if not np.isfinite(indices).all():
        return math.nan, n_blocks, unit
    spread = math.sqrt((n_blocks - 1) / n_blocks * float(((indices - indices.mean()) ** 2).sum()))
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


def _notes(held: HeldPredictions, scale: Scale, error: float) -> tuple[str, ...]:
    messages = ["The score was rounded before it was shown or kept, and the interval is approximate."]
    if held.groups is not None:
        messages.append("Whole groups were left out to see how much it varies.")
    if not error > 0:
        messages.append("How much it varies cannot be told from these rows.")
    return tuple(messages)


@dataclass(frozen=True, eq=False)
class HeldPredictions:
    """The held rows' truth beside what one model says of them; it never leaves the look that it was made for.

    metric:        the one that judges
    y:             what is true
    predictions:   labels, scores, probabilities or values, as the metric needs them
    options:       what else the metric is told: labels, positive
    baseline:      the score that has to be beaten, known from the open rows
    is_stratified: whether the seal kept the shares of the classes, so that their counts were known before
    n_classes:     0 for regression
    weights:       the sample weight of each row
    groups:        rows of one group are not independent
    time:          the held rows are the latest
    """

    metric: Metric
    y: NDArray[Any]
    predictions: NDArray[Any]
    options: Mapping[str, Any] = field(default_factory=dict)
    baseline: float = 0.5
    is_stratified: bool = True
    n_classes: int = 2
    weights: NDArray[np.float64] | None = None
    groups: NDArray[Any] | None = None
    time: NDArray[np.float64] | None = None

    @property
    def n_rows(self) -> int:
        return len(self.y)

    @property
    def positive(self) -> Any:
        """The positive class; None where there is none."""
        return self.metric.positive_class(self.options)

    @property
    def has_both_classes(self) -> bool:
        """Whether some rows are of the positive class, and others are not."""
        return 0 < int((self.y == self.positive).sum()) < self.n_rows

    def sums(self) -> NDArray[np.float64]:
        """What the metric is made of, summed over the rows; for families that are."""
        parts = self.metric.row_sums(self.y, self.predictions, **self.options)
        assert parts is not None
        return np.asarray(parts.sum(axis=0))

    def score(self, rows: NDArray[Any] | slice = slice(None)) -> float:
        """The metric of these rows; NaN where it has none, or fails.

        What an error or a warning of a metric says may be the labels themselves, and nobody counted it.

        rows: positions or a mask; left out, all of them
        """
        weights = None if self.weights is None else self.weights[rows]
        weighed = {"weights": weights} if weights is not None and self.metric.takes("weights") else {}
        try:
            with warnings.catch_warnings(action="ignore"):
                return self.metric(self.y[rows], self.predictions[rows], **weighed, **self.options)
        except Exception:
            return math.nan
