"""How much a margin is in the units of a metric."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from heldout.stats.shown_number import shown, shown_percent

if TYPE_CHECKING:
    from heldout.metrics.metric import Metric


def margin_unit(metric: Metric, reference: float) -> float:
    """What a margin is a share of: the range of a metric that has one, otherwise the loss of the baseline.

    A rate from 0 to 1 has the range 1, so a margin of 0.01 is one point. A loss without an upper bound, such
    as a mean squared error, and a loss of probabilities is measured against that of the baseline; so is what
    is missing to the best value, such as 1 − R². Where the best value is infinite too, it is the size of the
    baseline's score.

    metric:    the metric
    reference: the score of the baseline, or without one that of the best contender

    >>> from heldout.metrics.metric_registry import metric_named
    >>> margin_unit(metric_named("accuracy"), 0.6), margin_unit(metric_named("mse"), 250.0)
    (1.0, 250.0)
    >>> margin_unit(metric_named("r2"), -0.02)
    1.02
    """
    if has_points(metric):
        return metric.highest - metric.lowest
    if math.isfinite(metric.best):
        return abs(reference - metric.best)
    return abs(reference)


def has_points(metric: Metric) -> bool:
    """Whether a margin is a share of the range: not for losses of probabilities, which use little of theirs.

    >>> from heldout.metrics.metric_registry import metric_named
    >>> has_points(metric_named("auc")), has_points(metric_named("brier"))
    (True, False)
    """
    is_loss = metric.needs == "probabilities" and not metric.is_larger_better
    return math.isfinite(metric.highest - metric.lowest) and not is_loss


def margin_in_words(metric: Metric, margin: float, amount: float, baseline: str) -> str:
    """The margin as it stands in a sentence.

    margin: as a share
    amount: in the metric's own units

    >>> from heldout.metrics.metric_registry import metric_named
    >>> margin_in_words(metric_named("accuracy"), 0.01, 0.01, "baseline")
    '0.010'
    >>> margin_in_words(metric_named("mse"), 0.01, 2.5, "baseline")
    "1% of baseline's mse (2.500)"
    """
    if has_points(metric):
        return shown(amount)
    whose = baseline or "the best"
    what = metric.name if metric.best == 0 else f"distance to the best possible {metric.name}"
    return f"{shown_percent(margin)} of {whose}'s {what} ({shown(amount)})"
