"""What ROC and precision-recall curves share: the same thresholds with the same counts."""

from __future__ import annotations

import bisect
import math
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from heldout.arrays import Floats
from heldout.errors import InputTypeError, RequestError
from heldout.metrics.curve_hull import lies_nowhere_below
from heldout.metrics.operating_point import OperatingPoint, chosen_index
from heldout.native.ranking import Steps
from heldout.stats.interval import Result
from heldout.text.numbers import number_text
from heldout.text.words import plural

Curve = TypeVar("Curve", bound="RankedCurve")


@dataclass(frozen=True, eq=False)
class RankedCurve(Result):
    """Counts at every threshold, from nothing to everything called positive.

    thresholds:      rows that score at least so much are called positive. One for each distinct score,
                     falling, and before them one that nothing reaches: infinity, or NaN where a score is
                     infinite itself
    true_positives:  positive rows, or their weight, that score at least so much
    false_positives: negative rows, or their weight, that score at least so much
    positive:        the positive class
    n_rows:          how many rows were judged
    is_hull:         whether only the corners of the convex hull are left, and lots are drawn between them
    """

    thresholds: Floats
    true_positives: Floats
    false_positives: Floats
    positive: Any = True
    n_rows: int = 0
    is_hull: bool = False

    @property
    def n_positives(self) -> float:
        """All positive rows, or their weight."""
        return float(self.true_positives[-1])

    @property
    def n_negatives(self) -> float:
        """All negative rows, or their weight."""
        return float(self.false_positives[-1])

    def at(self, threshold: float) -> OperatingPoint:
        """What happens if every row is called positive that scores at least the threshold.

        Parameters
        ----------
        threshold
            any number; of a hull, the threshold of a corner

        Examples
        --------
        >>> from heldout.metrics.roc import roc
        >>> point = roc([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4]).at(0.25)
        >>> point.tp, point.fp, point.fn, point.tn
        (1.0, 1.0, 1.0, 1.0)
        """
        try:
            wanted = float(threshold)
        except (TypeError, ValueError) as error:
            raise InputTypeError(
                "a threshold is a number", where=f"threshold={threshold!r:.60}", fix="give a score"
            ) from error
        index = bisect.bisect_right(self.thresholds, -wanted, lo=1, key=lambda each: -each) - 1
        self._check_known(wanted, index)
        return self.point(index, wanted)

    def threshold(
        self,
        *,
        recall: float | None = None,
        precision: float | None = None,
        cost: tuple[float, float] | None = None,
    ) -> OperatingPoint:
        """The point of the curve that serves best; exactly one thing is asked for.

        Parameters
        ----------
        recall
            at least so much; of the points that have it the one of the highest precision
        precision
            at least so much; of the points that have it the one of the highest recall
        cost
            of a false positive and of a false negative; the cheapest point, of equals the one that calls
            fewer rows positive

        Examples
        --------
        >>> from heldout.metrics.roc import roc
        >>> curve = roc([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4])
        >>> curve.threshold(recall=0.9).threshold, curve.threshold(cost=(3, 1)).threshold
        (0.2, 0.4)
        """
        index = chosen_index(self.true_positives, self.false_positives, recall, precision, cost)
        return self.point(index)

    def dominates(self: Curve, other: Curve) -> bool:
        """Whether this curve lies nowhere below the other; of equal curves each dominates the other.

        It is the same question for ROC and for precision-recall curves: whichever dominates in one of the two
        planes does so in the other.

        Parameters
        ----------
        other
            the curve of the same rows by other scores

        Examples
        --------
        >>> from heldout.metrics.roc import roc
        >>> roc([0, 0, 1], [1, 2, 3]).dominates(roc([0, 0, 1], [1, 2, 2]))
        True
        """
        if type(other) is not type(self):
            raise InputTypeError(
                f"a {type(self).__name__} is compared with another",
                where=f"{other!r:.60}",
                fix=f"give what {_MAKER.get(type(self).__name__, 'the same function')} gives",
            )
        here, there = (
            (self.false_positives, self.true_positives),
            (other.false_positives, other.true_positives),
        )
        return lies_nowhere_below(here, there)

    def to_dict(self) -> dict[str, Any]:
        """The fields as JSON can hold them."""
        found = super().to_dict()
        is_plain = self.positive is None or isinstance(self.positive, str | int | float | bool)
        return found | {"positive": found["positive"] if is_plain else str(self.positive)}

    def point(self, index: int, threshold: float | None = None) -> OperatingPoint:
        """The point at a place of the arrays.

        Parameters
        ----------
        threshold
            that leads there; left out, the one in the array

        Examples
        --------
        >>> from heldout.metrics.roc import roc
        >>> roc([0, 1], [0.1, 0.2]).point(1).recall
        1.0
        """
        threshold = float(self.thresholds[index]) if threshold is None else threshold
        hits, alarms = float(self.true_positives[index]), float(self.false_positives[index])
        return OperatingPoint(threshold, hits, alarms, self.n_positives - hits, self.n_negatives - alarms)

    def _check_known(self, wanted: float, index: int) -> None:
        if math.isnan(wanted):
            raise RequestError("NaN is no threshold", where="threshold=nan", fix="give a number")
        if np.isnan(self.thresholds[1:]).any():
            raise RequestError(
                "the thresholds of this curve are not known",
                where=f"{type(self).__name__} of counts",
                fix="give them with thresholds=…, or ask for a recall or a precision",
            )
        if self.is_hull and self.thresholds[index] != wanted:
            raise RequestError(
                "a hull knows only the thresholds of its corners",
                where=f"threshold={wanted:g}",
                fix="ask the curve itself, or the hull for a recall, a precision or costs",
            )


_MAKER = {"Roc": "roc", "PrecisionRecall": "precision_recall"}


def from_nothing(found: Steps) -> tuple[Floats, Floats, Floats]:
    """Thresholds and counts with the point before them at which nothing is called positive."""
    nothing = np.nan if len(found.thresholds) and found.thresholds[0] == np.inf else np.inf
    columns = ((nothing, found.thresholds), (0.0, found.positives), (0.0, found.negatives))
    made = []
    for start, column in columns:
        whole = np.empty(len(column) + 1)
        whole[0], whole[1:] = start, column
        made.append(frozen(whole))
    return made[0], made[1], made[2]


def frozen(column: Floats) -> Floats:
    """The same array, which cannot be written to any more."""
    column.flags.writeable = False
    return column


def shares(counts: Floats, total: float) -> Floats:
    """Counts as shares of a total; NaN if that is 0."""
    return np.asarray(counts / total) if total > 0 else np.full(len(counts), np.nan)


def class_sizes(curve: RankedCurve) -> str:
    """How many rows of each class, for a sentence."""
    totals = (curve.n_positives, curve.n_negatives)
    sizes = [f"{total:,.0f}" if total == math.floor(total) else f"{total:,.6g}" for total in totals]
    return f"{sizes[0]} positive ({curve.positive!r:.40}) and {sizes[1]} negative"


def hull_words(area: float, n_corners: int) -> str:
    """What can be said about a hull."""
    return (
        f"area {number_text(area)} with {plural(n_corners, 'corner')}. Points between two corners are"
        " reached by drawing lots between their thresholds. The corners were chosen by these rows;"
        " on others the curve"
        " rather lies lower."
    )
