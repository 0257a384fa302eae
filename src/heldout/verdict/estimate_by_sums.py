"""Intervals of metrics made of sums over rows: with weights, by hold-out, rates without one of their own."""

from __future__ import annotations

import math

import numpy as np

from heldout.metrics.metric import Metric
from heldout.stats.choices import normal_z
from heldout.stats.f1_interval import f1_of_jaccard
from heldout.stats.group_spread import few_groups_factor, ratio_variance
from heldout.stats.interval import Interval
from heldout.verdict.counted_rate import CountedRate, counted_rate, mapped, mean_of_rates
from heldout.verdict.estimate_words import estimand_of, splits_in_words
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.metric_answers import base_name, is_plain
from heldout.verdict.scored import Scored, SummedScore
from heldout.verdict.summed_parts import RATES

WEIGHTED = "Rows count by their weights; how they vary is seen between rows, however much each counts."
EVERY_CLASS = (
    "It is the mean of the recalls of the classes, each with a corrected Wilson interval of its own."
)


def estimate_by_sums(metric: Metric, scored: Scored, rows: JudgedRows, confidence: float) -> Interval | None:
    """The interval of a rate, a mean loss, F1 or a balanced accuracy; None for other metrics.

    >>> from heldout.metrics.metric_registry import metric_named
    >>> from heldout.verdict.answers import Answers
    >>> from heldout.verdict.scored_of import scored_of
    >>> rows = JudgedRows(np.arange(90.0), np.arange(90)[np.newaxis] % 3 - 1, test_share=2 / 3)
    >>> metric = metric_named("mae")
    >>> scored = scored_of(metric, Answers(values=np.zeros((1, 90))), rows)
    >>> print(str(estimate_by_sums(metric, scored, rows, 0.95))[:64])
    mae 45.0, 95% interval 34.9 to 58.1 (normal on the log scale, co
    """
    if not isinstance(scored, SummedScore):
        return None
    name = base_name(metric)
    if name in ("accuracy", "error"):
        found = counted_rate(scored, ((0,), (1,)), rows, confidence)
        return _interval(metric, found, "corrected Wilson", rows, confidence)
    if name in RATES and is_plain(metric) and scored.parts[0].shape[1] == 4:
        found = counted_rate(scored, RATES[name], rows, confidence)
        # Where nothing counts, the metric is 0 by its own rule.
        found = CountedRate(0.0, 0.0, 1.0) if math.isnan(found.share) else found
        return _interval(metric, found, "corrected Wilson among the rows that count", rows, confidence)
    if name == "f1" and is_plain(metric) and scored.parts[0].shape[1] == 4:
        found = counted_rate(scored, ((0,), (0, 1, 2)), rows, confidence)
        found = CountedRate(0.0, 0.0, 1.0) if math.isnan(found.share) else mapped(found, f1_of_jaccard)
        return _interval(metric, found, "corrected Wilson on TP / (TP + FP + FN)", rows, confidence)
    if name == "balanced_accuracy" and rows.unit == "row":
        return _balanced(metric, scored, rows, confidence)
    if name in ("mse", "rmse", "mae", "log_loss", "brier") and rows.n_units > 1:
        return _mean_loss(metric, scored, rows, confidence)
    return None


def _balanced(metric: Metric, scored: SummedScore, rows: JudgedRows, confidence: float) -> Interval:
    n_classes = scored.parts[0].shape[1] // 2
    rates = [
        counted_rate(scored, ((place,), (n_classes + place,)), rows, confidence) for place in range(n_classes)
    ]
    found = mean_of_rates([each for each in rates if not math.isnan(each.share)])
    made = "corrected Wilson of every class, put together"
    return _interval(metric, found, made, rows, confidence, (EVERY_CLASS,))


def _mean_loss(metric: Metric, scored: SummedScore, rows: JudgedRows, confidence: float) -> Interval:
    is_asked = rows.units >= 0
    losses = np.array([part[is_asked, 0] for part in scored.parts])
    counted = np.array([part[is_asked, 1] for part in scored.parts])
    # Squares of very small or large losses would leave the range of numbers; relative ones do not.
    scale = float(losses.max()) or 1.0
    mean = float((losses / scale).sum() / counted.sum())
    variance = ratio_variance(losses / scale, counted, rows.units[is_asked], rows.n_units)
    wide = few_groups_factor(rows.n_units, confidence) if rows.unit != "row" else 1.0
    half = normal_z(confidence) * wide * math.sqrt(variance * rows.factor)
    low = high = math.nan
    notes: tuple[str, ...] = ("All losses are equal, and nothing tells how far others may lie.",)
    if mean > 0 and half > 1e-12 * mean:
        factor = math.exp(min(half / mean, 700.0))
        low, high, notes = mean / factor, min(mean * factor, metric.highest / scale), ()
    ends = [scale * number for number in (mean, low, high)]
    if base_name(metric) == "rmse":
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
    said = notes if rows.weights is None else (*notes, WEIGHTED)
    return Interval(
        metric.name,
        found.share,
        found.low,
        found.high,
        confidence,
        f"{made}, {splits_in_words(rows)}",
        rows.n_units,
        rows.unit,
        notes=said,
        estimand=estimand_of(rows),
    )
