"""The precision-recall curve: how many of those called positive are, for how many found."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from heldout.arrays import Floats
from heldout.charts.curve_picture import PictureCurve, curve_svg
from heldout.errors import RequestError
from heldout.metrics.curve_hull import area_below_precision, hull_corners, mean_precision
from heldout.metrics.curve_inputs import counted_steps, curve_steps
from heldout.metrics.curve_pictures import PRECISION_PLANE, picture_caption, precision_points
from heldout.metrics.operating_point import checked_rate
from heldout.metrics.ranked_curve import RankedCurve, class_sizes, from_nothing, frozen, hull_words, shares
from heldout.stats.interval import plain
from heldout.text.numbers import number_text
from heldout.text.words import plural


@dataclass(frozen=True, eq=False)
class PrecisionRecall(RankedCurve):
    """Precision over recall, interpolated by counts; see `RankedCurve` for the fields.

    Between two thresholds each further true positive brings the same number of false ones, which is what
    drawing lots between them gives. In this plane that is no straight line, but an arc below it.

    Examples
    --------
    >>> curve = precision_recall(["-", "+", "-", "+"], [0.1, 0.4, 0.6, 0.8], positive="+")
    >>> curve.recall.tolist(), curve.precision.round(3).tolist()
    ([0.0, 0.5, 0.5, 1.0, 1.0], [1.0, 1.0, 0.5, 0.667, 0.5])
    >>> round(curve.area, 4), round(curve.average_precision, 4), curve.at(0.5).recall
    (0.7973, 0.8333, 0.5)
    """

    @classmethod
    def of_counts(
        cls,
        true_positives: Any,
        false_positives: Any,
        n_positives: float,
        n_negatives: float,
        thresholds: Any = None,
    ) -> PrecisionRecall:
        """A curve through points that were counted elsewhere, from nothing to everything called positive.

        Parameters
        ----------
        true_positives, false_positives
            of each point, from the highest threshold down
        n_positives, n_negatives
            how many rows there are of each class
        thresholds
            of the points, falling, if they are known

        Examples
        --------
        >>> curve = PrecisionRecall.of_counts([5, 10], [5, 30], n_positives=20, n_negatives=2000)
        >>> [round(curve.precision_at(recall), 3) for recall in (0.25, 0.3, 0.35, 0.4, 0.45, 0.5)]
        [0.5, 0.375, 0.318, 0.286, 0.265, 0.25]
        """
        columns = counted_steps(true_positives, false_positives, n_positives, n_negatives, thresholds)
        known, hits, alarms = (frozen(column) for column in columns)
        return cls(known, hits, alarms, n_rows=round(n_positives + n_negatives))

    @property
    def recall(self) -> Floats:
        """Of the positive rows the share that is found, at each threshold."""
        return shares(self.true_positives, self.n_positives)

    @property
    def precision(self) -> Floats:
        """Of the rows called positive the share that is, at each threshold.

        Where nothing is called positive yet it is that of the first threshold, from where the curve comes.
        """
        called = self.true_positives + self.false_positives
        found = np.empty(len(called))
        np.divide(self.true_positives[1:], called[1:], out=found[1:])
        found[0] = found[1]
        return found

    @cached_property
    def area(self) -> float:
        """Below the curve, in closed form; NaN without positive rows."""
        if self.n_positives == 0:
            return math.nan
        return min(area_below_precision(self.true_positives, self.false_positives) / self.n_positives, 1.0)

    @cached_property
    def average_precision(self) -> float:
        """The precision of each threshold times the recall that it adds, summed; NaN without positive rows.

        It is the area below stairs through the points, where `area` has the arcs that can be reached.
        """
        return min(mean_precision(self.true_positives, self.false_positives), 1.0)

    @property
    def base_rate(self) -> float:
        """The share of positive rows: the precision, and the area, of guessing."""
        return self.n_positives / (self.n_positives + self.n_negatives)

    def precision_at(self, recall: float) -> float:
        """The precision at any recall, interpolated by counts; where the curve falls straight, its upper end.

        Parameters
        ----------
        recall
            between 0 and 1

        Examples
        --------
        >>> round(precision_recall([1, 0, 1], [3, 2, 1]).precision_at(0.75), 3)
        0.6
        """
        hits, alarms = self._before(checked_rate("recall", recall))
        return hits / (hits + alarms) if hits > 0 else float(self.precision[0])

    def area_between(self, low: float, high: float) -> float:
        """The area between two recalls.

        Parameters
        ----------
        low, high
            recalls between 0 and 1, low not above high

        Examples
        --------
        >>> curve = PrecisionRecall.of_counts([5, 10], [5, 30], n_positives=20, n_negatives=2000)
        >>> round(curve.area_between(0.25, 0.5), 5)
        0.08017
        """
        ends = checked_rate("recall", low), checked_rate("recall", high)
        if ends[0] > ends[1]:
            raise RequestError(
                "the lower recall comes first", where=f"low={low!r}, high={high!r}", fix="turn them round"
            )
        start, stop = self._after(ends[0]), self._before(ends[1])
        inner = (self.true_positives > start[0]) & (self.true_positives < stop[0])
        hits = np.concatenate([[start[0]], self.true_positives[inner], [stop[0]]])
        alarms = np.concatenate([[start[1]], self.false_positives[inner], [stop[1]]])
        return area_below_precision(hits, alarms) / self.n_positives

    def achievable(self) -> PrecisionRecall:
        """The best curve that these thresholds allow: the convex hull of the ROC curve, carried over.

        It dominates every other curve that can be made of the same points.

        Examples
        --------
        >>> curve = precision_recall([1, 0, 1], [3, 2, 1])
        >>> curve.achievable().dominates(curve), round(curve.achievable().area, 3)
        (True, 0.887)
        """
        corners = hull_corners(self.false_positives, self.true_positives)
        columns = (self.thresholds, self.true_positives, self.false_positives)
        thresholds, hits, alarms = (frozen(column[corners]) for column in columns)
        return PrecisionRecall(thresholds, hits, alarms, self.positive, self.n_rows, is_hull=True)

    def to_dict(self) -> dict[str, Any]:
        """The fields and both areas."""
        summary: dict[str, Any] = plain({"area": self.area, "average_precision": self.average_precision})
        return super().to_dict() | summary

    def to_svg(self, name: str = "curve", others: Mapping[str, PrecisionRecall] | None = None) -> str:
        """The curve with its arcs above the level of guessing, and the achievable one; or several curves.

        Parameters
        ----------
        name
            of this curve, for the legend
        others
            further curves by their names; with them no achievable curve is drawn

        Examples
        --------
        >>> precision_recall([0, 1], [0.1, 0.2]).to_svg().startswith("<svg")
        True
        """
        drawn = {name: self} | dict(others or {})
        curves = [
            PictureCurve(
                each, *precision_points(curve), index, remark=number_text(curve.area), title=str(curve)
            )
            for index, (each, curve) in enumerate(drawn.items())
        ]
        if not others and not self.is_hull and not math.isnan(self.area):
            best = self.achievable()
            points, remark = precision_points(best), number_text(best.area)
            curves.append(PictureCurve("achievable", *points, 1, remark, str(best), is_dashed=True))
        caption = picture_caption(self, self.area)
        return curve_svg(
            PRECISION_PLANE, curves, "Precision and recall", caption, str(self), level=self.base_rate
        )

    def __str__(self) -> str:
        of_what = "Achievable precision-recall curve" if self.is_hull else "Precision-recall curve"
        start = f"{of_what} of {plural(self.n_rows, 'row')}, {class_sizes(self)}"
        if math.isnan(self.area):
            return f"{start}: without positive rows it has no area."
        if self.is_hull:
            return f"{start}: {hull_words(self.area, len(self.thresholds))}"
        return (
            f"{start}: area {number_text(self.area)} with interpolation by counts (average precision"
            f" {number_text(self.average_precision)}); guessing has {number_text(self.base_rate)}."
            " Both areas depend on the share of positive rows, so they say nothing about rows with"
            " another share."
        )

    def _before(self, recall: float) -> tuple[float, float]:
        """Hits and alarms at a recall, before the alarms that bring no hit."""
        index = self._index(recall, "left")
        if self.true_positives[index] / self.n_positives == recall:
            return float(self.true_positives[index]), float(self.false_positives[index])
        return self._between(index - 1, recall)

    def _after(self, recall: float) -> tuple[float, float]:
        """Hits and alarms at a recall, after the alarms that bring no hit."""
        index = self._index(recall, "right") - 1
        if self.true_positives[index] / self.n_positives == recall:
            return float(self.true_positives[index]), float(self.false_positives[index])
        return self._between(index, recall)

    def _index(self, recall: float, side: Any) -> int:
        if self.n_positives == 0:
            raise RequestError(
                "there is no recall without positive rows",
                where=f"recall={recall:g}",
                fix="judge rows of both classes",
            )
        # Rates and not counts are compared: 0.55 · 20 is more than 11, but 11 / 20 is 0.55.
        return int(np.searchsorted(self.recall, recall, side))

    def _between(self, index: int, recall: float) -> tuple[float, float]:
        hits, alarms = self.true_positives[index : index + 2], self.false_positives[index : index + 2]
        wanted = recall * self.n_positives
        share = (wanted - hits[0]) / (hits[1] - hits[0])
        return wanted, float(alarms[0] + share * (alarms[1] - alarms[0]))


def precision_recall(y: Any, scores: Any, positive: Any = None, weights: Any = None) -> PrecisionRecall:
    """The precision-recall curve of scores, with a point for every distinct score.

    Parameters
    ----------
    y
        the true label of each row: a list, an array, a series or a Column
    scores
        one number per row, larger where the row is rather held for positive; only their order counts
    positive
        the positive class; left out, the last of two in sorted order. With more than two classes it has to
        be named, and all others are negative
    weights
        the sample weight of each row, at least 0 and not all 0

    Examples
    --------
    >>> print(precision_recall(["no", "yes", "no", "yes"], [0.1, 0.4, 0.6, 0.8]))
    Precision-recall curve of 4 rows, 2 positive ('yes') and 2 negative: area 0.797 with interpolation by \
counts (average precision 0.833); guessing has 0.500. Both areas depend on the share of positive rows, so \
they say nothing about rows with another share.
    """
    found, name, n_rows = curve_steps(y, scores, positive, weights)
    return PrecisionRecall(*from_nothing(found), name, n_rows)
