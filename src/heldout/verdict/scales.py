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


def moved_on_scale(metric: Metric, known: tuple[float, float, float], number: float) -> tuple[float, float]:
    """The ends of an interval when its estimate is moved to another number, by as much on the metric's scale.

    So they stay within the range, and reach its edge only where the estimate itself stood there. The estimate
    stays inside.

    known: the estimate and its ends

    >>> from heldout.metrics.metric_registry import metric_named
    >>> accuracy = metric_named("accuracy")
    >>> [round(end, 3) for end in moved_on_scale(accuracy, (0.97, 0.91, 0.99), 0.95)]
    [0.856, 0.983]
    >>> moved_on_scale(accuracy, (1.0, 0.9, 1.0), 1.0)
    (0.9, 1.0)
    """
    estimate, low, high = known
    if number == estimate:
        return low, high
    places = [_on_scale(metric, each) for each in (number, *known)]
    if all(map(math.isfinite, places)):
        moved = places[0] - places[1]
        low, high = (_off_scale(metric, place + moved) for place in places[2:])
        low, high = min(low, high), max(low, high)
    else:  # the estimate stands at an edge, where the scale has no number for it
        low, high = (each + number - estimate for each in (low, high))
    low, high = min(low, estimate, number), max(high, estimate, number)
    return max(low, metric.lowest), min(high, metric.highest)


def _on_scale(metric: Metric, value: float) -> float:
    """Where a score lies on the scale of its metric; NaN at an edge."""
    scale = scale_of(metric)
    if scale == "plain":
        return value
    below, above = value - metric.lowest, metric.highest - value
    if min(below, above) <= 0:
        return math.nan
    if scale == "logit":
        return math.log(below / above)
    return math.log(below if math.isfinite(metric.lowest) else above)


def _off_scale(metric: Metric, place: float) -> float:
    """The score that lies there."""
    scale = scale_of(metric)
    if scale == "plain":
        return place
    distance = math.exp(max(min(place, 700.0), -700.0))
    if scale == "logit":
        return metric.lowest + (metric.highest - metric.lowest) * distance / (1 + distance)
    return metric.lowest + distance if math.isfinite(metric.lowest) else metric.highest - distance
