"""How far behind the best a winner may lie, in the units of a metric and in words."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from heldout.stats.auc_interval import logit_ends
from heldout.stats.metric_families import RowRate
from heldout.text.numbers import number_text, percent_text

if TYPE_CHECKING:
    from heldout.metrics.metric import Metric


@dataclass(frozen=True)
class Margin:
    """A margin behind the best.

    amount: in the metric's own units; NaN for no margin
    words:  as they stand in a sentence, with the amount; empty for no margin
    """

    amount: float = math.nan
    words: str = ""


@dataclass(frozen=True)
class Bounds:
    """What a margin is a share of, and which.

    At an accuracy of 0.99 one point behind is twice as many errors, so the error of the best bounds it too.

    of_range: of the range of scores with one, of the baseline's loss for losses; None for no margin
    of_error: of what the best lacks to the best possible value, for scores with a range; None for no bound
    of_loss:  the same for losses of numbers and probabilities, and for R²; None for no bound
    """

    of_range: float | None
    of_error: float | None
    of_loss: float | None

    def of_best(self, metric: Metric) -> float | None:
        """The share of the best one's error; None where it has no best possible value, or no bound."""
        share = self.of_error if has_points(metric) else self.of_loss
        return share if math.isfinite(metric.best) else None

    def amounts(self, metric: Metric, reference: float, best: Any) -> tuple[float, Any]:
        """The margin by the range and by the error of the best, of one best score or of an array of them."""
        by_range = math.inf if self.of_range is None else self.of_range * margin_unit(metric, reference)
        share = self.of_best(metric)
        return by_range, math.inf if share is None else share * abs(metric.best - best)


def margin_behind(
    metric: Metric, bounds: Bounds, baseline: tuple[str, float] | None, best: tuple[str, float]
) -> Margin:
    """A share of the metric's range, or a share of the best one's error where that is less.

    metric:         the metric
    bounds:         the shares
    baseline, best: name and score; without a baseline the loss of the best stands for its
    """
    if bounds.of_range is None:
        return Margin()
    whose, reference = baseline or best
    amount, bound = bounds.amounts(metric, reference, best[1])
    if bound < amount:
        what = _loss_words(metric)
        return Margin(
            bound,
            f"{share_in_words(bounds.of_best(metric))} of the {what} of {best[0]} ({number_text(bound)})",
        )
    if has_points(metric):
        return Margin(amount, number_text(amount))
    share = percent_text(bounds.of_range)
    return Margin(amount, f"{share} of the {_loss_words(metric)} of {whose} ({number_text(amount)})")


def share_in_words(share: float | None) -> str:
    """A share as it is said."""
    return {0.25: "a quarter", 0.1: "a tenth"}.get(share or 0.0, percent_text(share or 0.0))


def _loss_words(metric: Metric) -> str:
    if metric.is_larger_better and isinstance(metric.family, RowRate):
        return "error"
    return metric.name if metric.best == 0 else f"distance to the best possible {metric.name}"


def margin_unit(metric: Metric, reference: float) -> float:
    """What a margin is a share of: the range of a metric that has one, otherwise the loss of the baseline.

    A rate from 0 to 1 has the range 1, so a margin of 0.01 is one point. A loss without an upper bound, such
    as a mean squared error, and a loss of probabilities is measured against that of the baseline; so is what
    is missing to the best value, such as 1 − R². Where the best value is infinite too, it is the size of the
    baseline's score.

    metric:    the metric
    reference: the score of the baseline, or without one that of the best contender
    """
    if has_points(metric):
        return metric.highest - metric.lowest
    if math.isfinite(metric.best):
        return abs(reference - metric.best)
    return abs(reference)


def has_points(metric: Metric) -> bool:
    """Is the margin a share of the range? Not for losses of probabilities, which use little of theirs."""
    is_loss = metric.needs == "probabilities" and not metric.is_larger_better
    return math.isfinite(metric.highest - metric.lowest) and not is_loss


def scale_of(metric: Metric) -> str:
    """Which scale that is: "logit", "log" or "plain"."""
    if math.isfinite(metric.lowest) and math.isfinite(metric.highest):
        return "logit"
    return "log" if math.isfinite(metric.lowest) or math.isfinite(metric.highest) else "plain"


def ends_on_scale(
    metric: Metric, estimate: float, half: float, confidence: float
) -> tuple[float, float] | None:
    """Where an interval of this half width on the plain scale ends; None at the edge of the range.

    half: the quantile times the standard error, corrected
    """
    from heldout.stats.checked_values import normal_z

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
    """
    estimate, low, high = known
    if number == estimate:
        return low, high
    indices = [_on_scale(metric, each) for each in (number, *known)]
    if all(map(math.isfinite, indices)):
        moved = indices[0] - indices[1]
        low, high = (_off_scale(metric, index + moved) for index in indices[2:])
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


def _off_scale(metric: Metric, index: float) -> float:
    """The score that lies there."""
    scale = scale_of(metric)
    if scale == "plain":
        return index
    distance = math.exp(max(min(index, 700.0), -700.0))
    if scale == "logit":
        return metric.lowest + (metric.highest - metric.lowest) * distance / (1 + distance)
    return metric.lowest + distance if math.isfinite(metric.lowest) else metric.highest - distance
