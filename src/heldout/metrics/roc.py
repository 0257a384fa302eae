"""The ROC curve: how many positive rows are found for how many false alarms, at every threshold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from heldout.arrays import Floats
from heldout.charts.curve_picture import PictureCurve, curve_svg
from heldout.metrics.curve_hull import area_below_roc, hull_corners
from heldout.metrics.curve_inputs import counted_steps, curve_steps
from heldout.metrics.curve_pictures import ROC_PLANE, corner_dots, picture_caption, roc_points
from heldout.metrics.ranked_curve import RankedCurve, class_sizes, from_nothing, frozen, hull_words, shares
from heldout.text.numbers import number_text
from heldout.text.words import plural


@dataclass(frozen=True, eq=False)
class Roc(RankedCurve):
    """The rate of true positives over the rate of false ones; see `RankedCurve` for the other fields.

    Attributes
    ----------
    area
        below the curve: the share of pairs of a positive and a negative row in which the positive one has
        the higher score, ties counting half (Wilcoxon, Mann and Whitney); NaN without rows of both
        classes

    Examples
    --------
    >>> curve = roc(["-", "+", "-", "+"], [0.1, 0.4, 0.4, 0.8], positive="+")
    >>> curve.thresholds.tolist(), curve.true_positive_rates.tolist(), curve.false_positive_rates.tolist()
    ([inf, 0.8, 0.4, 0.1], [0.0, 0.5, 1.0, 1.0], [0.0, 0.0, 0.5, 1.0])
    >>> curve.area, curve.at(0.5).precision, curve.threshold(recall=0.9).threshold
    (0.875, 1.0, 0.4)
    """

    area: float = math.nan

    @classmethod
    def of_counts(
        cls,
        true_positives: Any,
        false_positives: Any,
        n_positives: float,
        n_negatives: float,
        thresholds: Any = None,
    ) -> Roc:
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
        >>> Roc.of_counts([4], [1], n_positives=5, n_negatives=5).area
        0.8
        """
        columns = counted_steps(true_positives, false_positives, n_positives, n_negatives, thresholds)
        known, hits, alarms = (frozen(column) for column in columns)
        n_rows = round(n_positives + n_negatives)
        return cls(known, hits, alarms, n_rows=n_rows, area=area_below_roc(hits, alarms))

    @property
    def true_positive_rates(self) -> Floats:
        """Of the positive rows the share that is found, at each threshold."""
        return shares(self.true_positives, self.n_positives)

    @property
    def false_positive_rates(self) -> Floats:
        """Of the negative rows the share that is called positive, at each threshold."""
        return shares(self.false_positives, self.n_negatives)

    def hull(self) -> Roc:
        """The upper convex hull: the best that these thresholds allow.

        Only its corners are kept, each with its threshold. A point between two corners is reached by drawing
        lots between their thresholds. For any costs the cheapest threshold is a corner.

        Examples
        --------
        >>> roc([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4]).hull().thresholds.tolist()
        [inf, 0.4, 0.2, 0.1]
        """
        corners = hull_corners(self.false_positives, self.true_positives)
        hits, alarms = self.true_positives[corners], self.false_positives[corners]
        return Roc(
            frozen(self.thresholds[corners]),
            frozen(hits),
            frozen(alarms),
            self.positive,
            self.n_rows,
            is_hull=True,
            area=area_below_roc(hits, alarms),
        )

    def to_svg(self, name: str = "curve", others: Mapping[str, Roc] | None = None) -> str:
        """The curve above the diagonal of guessing, with its hull; or several curves.

        Parameters
        ----------
        name
            of this curve, for the legend
        others
            further curves by their names; with them no hull is drawn

        Examples
        --------
        >>> roc([0, 1], [0.1, 0.2]).to_svg().startswith("<svg")
        True
        """
        drawn = {name: self} | dict(others or {})
        curves = [
            PictureCurve(each, *roc_points(curve), index, remark=number_text(curve.area), title=str(curve))
            for index, (each, curve) in enumerate(drawn.items())
        ]
        if not others and not self.is_hull and not math.isnan(self.area):
            hull = self.hull()
            points, dots, remark = roc_points(hull), corner_dots(hull), number_text(hull.area)
            curves.append(PictureCurve("hull", *points, 1, remark, str(hull), is_dashed=True, dots=dots))
        caption = picture_caption(self, self.area)
        return curve_svg(ROC_PLANE, curves, "ROC", caption, str(self))

    def __str__(self) -> str:
        of_what = "Convex hull of the ROC curve" if self.is_hull else "ROC curve"
        start = f"{of_what} of {plural(self.n_rows, 'row')}, {class_sizes(self)}"
        if math.isnan(self.area):
            return f"{start}: without rows of both classes it has no area."
        if self.is_hull:
            return f"{start}: {hull_words(self.area, len(self.thresholds))}"
        return (
            f"{start}: area {number_text(self.area)}, the share of pairs of a positive and a negative row in"
            " which the positive one has the higher score, ties counting half. It says nothing about which"
            " threshold to use, whether scores are good probabilities, or, where positive rows are rare, how"
            " many of the rows called positive are."
        )


def roc(y: Any, scores: Any, positive: Any = None, weights: Any = None) -> Roc:
    """The ROC curve of scores, with a point for every distinct score.

    Parameters
    ----------
    y
        the true label of each row: a list, an array, a series or a Column
    scores
        one number per row, larger where the row is rather held for positive: a probability, a distance, a
        count of votes. Only their order counts; infinities have one, NaN has none. Rows of equal score
        are one step
    positive
        the positive class; left out, the last of two in sorted order. With more than two classes it has to
        be named, and all others are negative
    weights
        the sample weight of each row, at least 0 and not all 0

    Examples
    --------
    >>> print(roc(["no", "yes", "no", "yes"], [0.1, 0.4, 0.4, 0.8]))
    ROC curve of 4 rows, 2 positive ('yes') and 2 negative: area 0.875, the share of pairs of a positive and \
a negative row in which the positive one has the higher score, ties counting half. It says nothing about \
which threshold to use, whether scores are good probabilities, or, where positive rows are rare, how many of \
the rows called positive are.
    """
    found, name, n_rows = curve_steps(y, scores, positive, weights)
    return Roc(*from_nothing(found), name, n_rows, area=found.area)
