"""Intervals of metrics made of sums over rows: with weights, by hold-out, rates without one of their own."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from heldout.arrays import Floats
from heldout.metrics.metric import Metric
from heldout.stats.checked_values import normal_z
from heldout.stats.f1_interval import f1_of_jaccard
from heldout.stats.group_spread import few_groups_factor, independent_rows, ratio_variance
from heldout.stats.interval import Interval
from heldout.stats.metric_families import FMeasure, MeanLoss, MeanRecall, Rate, RowRate
from heldout.stats.out_of_fold import estimand, folds_in_words
from heldout.stats.rate_interval import wilson_ends
from heldout.text.words import plural
from heldout.verdict.judged_rows import FEWEST_BLOCKS, JudgedRows
from heldout.verdict.margin import ends_on_scale, scale_of
from heldout.verdict.paired_comparison import MOST_PARTS, jackknife_variance, left_out_counts
from heldout.verdict.weighted_score import SummedScore, WeightedScore

WEIGHTED = "Rows count by their weights; how they vary is seen between rows, however much each counts."
EVERY_CLASS = (
    "It is the mean of the recalls of the classes, each with a corrected Wilson interval of its own."
)


def estimate_by_sums(
    metric: Metric, scored: WeightedScore, rows: JudgedRows, confidence: float
) -> Interval | None:
    """The interval of a rate, a mean loss, F1 or a balanced accuracy; None for other metrics."""
    if not isinstance(scored, SummedScore):
        return None
    match scored.family:
        case RowRate() as rate:
            share, made = counted_rate(scored, rate, rows, confidence), "corrected Wilson"
        case Rate() as rate:
            share = _zero_of_nothing(counted_rate(scored, rate, rows, confidence))
            made = "corrected Wilson among the rows that count"
        case FMeasure(jaccard=jaccard):
            share = mapped(_zero_of_nothing(counted_rate(scored, jaccard, rows, confidence)), f1_of_jaccard)
            made = "corrected Wilson on TP / (TP + FP + FN)"
        case MeanRecall() if rows.unit == "row":
            return _balanced(metric, scored, rows, confidence)
        case MeanLoss(is_root=is_root) if rows.n_units > 1:
            return _mean_loss(metric, scored, is_root, rows, confidence)
        case _:
            return None
    return _interval(metric, share, made, rows, confidence)


def _zero_of_nothing(rate: CountedRate) -> CountedRate:
    """Where nothing counts, such a metric is 0 by its own rule."""
    return CountedRate(0.0, 0.0, 1.0) if math.isnan(rate.share) else rate


def _balanced(metric: Metric, scored: SummedScore, rows: JudgedRows, confidence: float) -> Interval:
    n_classes = scored.parts[0].shape[1] // 2
    rates = [
        counted_rate(scored, Rate((code,), (n_classes + code,)), rows, confidence)
        for code in range(n_classes)
    ]
    found = mean_of_rates([each for each in rates if not math.isnan(each.share)])
    made = "corrected Wilson of every class, put together"
    return _interval(metric, found, made, rows, confidence, (EVERY_CLASS,))


def _mean_loss(
    metric: Metric, scored: SummedScore, is_root: bool, rows: JudgedRows, confidence: float
) -> Interval:
    is_tested = rows.units >= 0
    losses = np.array([part[is_tested, 0] for part in scored.parts])
    counted = np.array([part[is_tested, 1] for part in scored.parts])
    # Squares of very small or large losses would leave the range of numbers; relative ones do not.
    scale = float(losses.max()) or 1.0
    mean = float((losses / scale).sum() / counted.sum())
    variance = ratio_variance(losses / scale, counted, rows.units[is_tested], rows.n_units)
    wide = few_groups_factor(rows.n_units, confidence) if rows.unit != "row" else 1.0
    half = normal_z(confidence) * wide * math.sqrt(variance * rows.factor)
    low = high = math.nan
    notes: tuple[str, ...] = ("All losses are equal, and nothing tells how far others may lie.",)
    if mean > 0 and half > 1e-12 * mean:
        factor = math.exp(min(half / mean, 700.0))
        low, high, notes = mean / factor, min(mean * factor, metric.highest / scale), ()
    ends = [scale * number for number in (mean, low, high)]
    if is_root:
        ends = [math.sqrt(number) for number in ends]
    return _interval(
        metric, CountedRate(*ends), "normal on the log scale, corrected", rows, confidence, notes
    )


def _interval(
    metric: Metric,
    found: CountedRate,
    made: str,
    rows: JudgedRows,
    confidence: float,
    notes: tuple[str, ...] = (),
) -> Interval:
    messages = notes if rows.weights is None else (*notes, WEIGHTED)
    return Interval(
        metric.name,
        found.share,
        found.low,
        found.high,
        confidence,
        f"{made}, {splits_text(rows)}",
        rows.n_units,
        rows.unit,
        notes=messages,
        estimand=estimand_text(rows),
    )


@dataclass(frozen=True)
class CountedRate:
    """A rate and the ends of its corrected Wilson interval."""

    share: float
    low: float
    high: float


def counted_rate(scored: SummedScore, rate: Rate, rows: JudgedRows, confidence: float) -> CountedRate:
    """Wilson's interval for so many rows as count and are independent, divided by the factor of the splits.

    scored: what each row adds
    rate:   which of it are hits, and which are counted
    """
    is_tested = rows.units >= 0
    hits, counted = map(np.array, zip(*(rate.shares(part[is_tested]) for part in scored.parts), strict=True))
    total = float(counted.sum())
    if total == 0:
        return CountedRate(float("nan"), 0.0, 1.0)
    share = float(hits.sum()) / total
    n_rows = total / len(counted)
    if rows.unit != "row" or rows.weights is not None:
        if rows.n_units < 2:
            return CountedRate(share, float("nan"), float("nan"))
        n_rows = independent_rows(hits, counted, rows.units[is_tested], rows.n_units, confidence)
    if rows.weights is not None:
        n_rows = min(n_rows, _equal_rows(counted))
    return CountedRate(share, *wilson_ends(share, n_rows / rows.factor, confidence))


def _equal_rows(weights: Floats) -> float:
    """How many rows of equal weight vary as much (Kish): a heavy row that is right hides its risk."""
    return float(np.mean(weights.sum(axis=1) ** 2 / (weights**2).sum(axis=1)))


def mapped(rate: CountedRate, value: Callable[[float], float]) -> CountedRate:
    """The rate and its ends carried over to another scale."""
    return CountedRate(value(rate.share), value(rate.low), value(rate.high))


def mean_of_rates(rates: list[CountedRate]) -> CountedRate:
    """The mean of independent rates, with ends put together from theirs (Zou and Donner's MOVER, 2008)."""
    n_rates = len(rates)
    share = sum(each.share for each in rates) / n_rates
    down = sum((each.share - each.low) ** 2 for each in rates) ** 0.5 / n_rates
    up = sum((each.high - each.share) ** 2 for each in rates) ** 0.5 / n_rates
    return CountedRate(share, share - down, share + up)


NO_SPREAD = "Leaving out rows does not change it, and nothing tells how far others may lie."
NO_SCORE = "Without some parts of the rows there is no such score, so how it varies is not known."
AT_THE_EDGE = "It lies at the edge of its range, and how far others may lie is taken from a rate."


def estimate_by_parts(
    metric: Metric, scored: WeightedScore, score: float, rows: JudgedRows, confidence: float
) -> Interval:
    """The score with the interval of the jackknife of parts, times √ the factor of the splits.

    score: on all rows that were tested
    """
    n_parts = min(rows.n_units, MOST_PARTS)
    variance = jackknife_variance(scored.values(left_out_counts(rows))) if n_parts > 1 else math.nan
    ends, notes = _ends(metric, score, variance, rows, confidence)
    scale = "" if scale_of(metric) == "plain" else f" on the {scale_of(metric)} scale"
    parts = f", {plural(n_parts, 'part')}" if n_parts < rows.n_units else ""
    return Interval(
        metric.name,
        score,
        *ends,
        confidence,
        f"left-out {rows.unit}s{scale}{parts}, corrected, {splits_text(rows)}",
        rows.n_units,
        rows.unit,
        notes=tuple(notes),
        estimand=estimand_text(rows),
    )


def _ends(
    metric: Metric, score: float, variance: float, rows: JudgedRows, confidence: float
) -> tuple[tuple[float, float], tuple[str, ...]]:
    nothing = (math.nan, math.nan)
    if math.isnan(variance):
        return nothing, (NO_SCORE,)
    n_parts = min(rows.n_units, MOST_PARTS)
    quantile = normal_z(confidence) * few_groups_factor(n_parts, confidence)
    half = quantile * math.sqrt(variance * rows.factor)
    found = ends_on_scale(metric, score, half, confidence) if half > 1e-12 * abs(score) else None
    if found is not None:
        return found, ()
    if scale_of(metric) == "logit":
        width = metric.highest - metric.lowest
        low, high = wilson_ends((score - metric.lowest) / width, rows.n_units / rows.factor, confidence)
        return (metric.lowest + width * low, metric.lowest + width * high), (AT_THE_EDGE,)
    return nothing, (NO_SPREAD,)


NOT_SPLIT = "One split: how much other training rows would change the score is not seen."
INFINITE = "A probability of 0 was given to something that happened, so the score is infinite."


def estimand_text(rows: JudgedRows) -> str:
    """What the mean over these splits estimates."""
    if rows.is_in_time:
        return (
            "Expected score in blocks of time like these, each predicted from what lies before it; what"
            " changes from then on is not in it."
        )
    if rows.test_share is None and rows.n_folds > 1:
        return estimand(rows.n_units, rows.n_folds, rows.unit)
    share = 1 - rows.held_share
    n_all = rows.n_units if rows.groups is not None else rows.n_rows
    return (
        f"Expected score when trained on {100 * share:.0f}% of these {rows.unit}s, about"
        f" {round(share * n_all):,}; one fitted model may do better or worse."
    )


def splits_text(rows: JudgedRows) -> str:
    """The splits as they stand behind the name of a method."""
    if rows.is_in_time:
        return plural(rows.n_units, "block") + " of time"
    if rows.test_share is None and rows.n_folds > 1:
        return folds_in_words(rows.n_repeats, rows.n_folds)
    return plural(rows.n_repeats, "hold-out")


def too_few_blocks(rows: JudgedRows) -> str:
    """Why there is no interval, where blocks of time are too few to show how they differ."""
    if not rows.is_in_time or rows.n_units >= FEWEST_BLOCKS:
        return ""
    few = "one block of time is" if rows.n_units == 1 else f"{rows.n_units} blocks of time are"
    return (
        f"There is no interval: {few} too few to show how blocks differ;"
        f" with {FEWEST_BLOCKS} or more there is one."
    )
