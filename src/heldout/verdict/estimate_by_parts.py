"""The interval of any metric: how it varies is measured by leaving out parts of the rows."""

from __future__ import annotations

import math

from heldout.metrics.metric import Metric
from heldout.stats.choices import normal_z
from heldout.stats.group_spread import few_groups_factor
from heldout.stats.interval import Interval
from heldout.stats.rate_ends import wilson_ends
from heldout.table.describe import plural
from heldout.verdict.estimate_words import estimand_of, splits_in_words
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.left_out_parts import MOST_PARTS, jackknife_variance, left_out_counts
from heldout.verdict.scales import ends_on_scale, scale_of
from heldout.verdict.scored import Scored

NO_SPREAD = "Leaving out rows does not change it, and nothing tells how far others may lie."
NO_ANSWER = "Without some parts of the rows there is no such score, so how it varies is not known."
AT_THE_EDGE = "It lies at the edge of its range, and how far others may lie is taken from a rate."


def estimate_by_parts(
    metric: Metric, scored: Scored, score: float, rows: JudgedRows, confidence: float
) -> Interval:
    """The score with the interval of the jackknife of parts, times √ the factor of the splits.

    score: on all rows that were tested

    >>> import numpy as np
    >>> from heldout.metrics.metric_registry import metric_named
    >>> from heldout.verdict.answers import Answers
    >>> from heldout.verdict.scored_of import scored_of
    >>> y = np.arange(50.0)
    >>> rows = JudgedRows(y, np.arange(50)[np.newaxis] % 5)
    >>> metric = metric_named("r2")
    >>> scored = scored_of(metric, Answers(values=(y + 5 * np.sin(y))[np.newaxis]), rows)
    >>> print(str(estimate_by_parts(metric, scored, 0.94, rows, 0.95))[:61])
    r2 0.940, 95% interval 0.901 to 0.964 (left-out rows on the l
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
        f"left-out {rows.unit}s{scale}{parts}, corrected, {splits_in_words(rows)}",
        rows.n_units,
        rows.unit,
        notes=tuple(notes),
        estimand=estimand_of(rows),
    )


def _ends(
    metric: Metric, score: float, variance: float, rows: JudgedRows, confidence: float
) -> tuple[tuple[float, float], tuple[str, ...]]:
    nothing = (math.nan, math.nan)
    if math.isnan(variance):
        return nothing, (NO_ANSWER,)
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
