"""The ends of an interval on the scale that fits the range of a metric, so that it never leaves the range."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from heldout.stats.delong import logit_ends

if TYPE_CHECKING:
    from heldout.metrics.metric import Metric


def scale_of(metric: Metric) -> str:
    """Which scale that is: "logit", "log" or "plain".

    >>> from heldout.metrics.metric_registry import metric_named
    >>> [scale_of(metric_named(name)) for name in ("auc", "mse", "r2")]
    ['logit', 'log', 'log']
    """
    if math.isfinite(metric.lowest) and math.isfinite(metric.highest):
        return "logit"
    return "log" if math.isfinite(metric.lowest) or math.isfinite(metric.highest) else "plain"


def ends_on_scale(
    metric: Metric, estimate: float, half: float, confidence: float
) -> tuple[float, float] | None:
    """Where an interval of this half width on the plain scale ends; None at the edge of the range.

    half: the quantile times the standard error, corrected

    >>> from heldout.metrics.metric_registry import metric_named
    >>> [round(end, 3) for end in ends_on_scale(metric_named("r2"), 0.5, 0.2, 0.95)]
    [0.254, 0.665]
    """
    from heldout.stats.choices import normal_z

    lowest, highest = metric.lowest, metric.highest
    scale = scale_of(metric)
    if scale == "plain":
        return estimate - half, estimate + half
    if scale == "logit":
        width = highest - lowest
        share = (estimate - lowest) / width
        if not 0 < share < 1:
            return None
        low, high = logit_ends(share, half / width / normal_z(confidence), confidence)
        return lowest + width * low, lowest + width * high
    edge, sign = (lowest, 1.0) if math.isfinite(lowest) else (highest, -1.0)
    distance = sign * (estimate - edge)
    if distance <= 0:
        return None
    # Beyond this a factor says no more than that nothing is known.
    factor = math.exp(min(half / distance, 700.0))
    ends = edge + sign * distance / factor, edge + sign * distance * factor
    return min(ends), max(ends)
