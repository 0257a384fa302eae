"""What happens at one threshold: four counts, and the rates that follow from them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from heldout.charts.confusion_picture import PictureMatrix, confusion_svg
from heldout.stats.result import Result, plain
from heldout.stats.shown_number import shown


@dataclass(frozen=True)
class OperatingPoint(Result):
    """Every row that scores at least the threshold is called positive.

    threshold: NaN where no number says so: nothing is called positive although a score is infinite, or the
               thresholds are not known
    tp, fp:    true and false positives, as rows or weights of rows
    fn, tn:    false and true negatives
    model:     whose scores they are, where there are several; empty else

    >>> point = OperatingPoint(0.65, tp=4, fp=1, fn=1, tn=4)
    >>> point.recall, point.precision, point.false_positive_rate, round(point.f1, 3)
    (0.8, 0.8, 0.2, 0.8)
    """

    threshold: float
    tp: float
    fp: float
    fn: float
    tn: float
    model: str = ""

    @property
    def recall(self) -> float:
        """Of the positive rows the share that is found; NaN if there are none."""
        return _share(self.tp, self.tp + self.fn)

    @property
    def precision(self) -> float:
        """Of the rows called positive the share that is; NaN if none is called so."""
        return _share(self.tp, self.tp + self.fp)

    @property
    def false_positive_rate(self) -> float:
        """Of the negative rows the share that is called positive; NaN if there are none."""
        return _share(self.fp, self.fp + self.tn)

    @property
    def specificity(self) -> float:
        """Of the negative rows the share that is not called positive; NaN if there are none."""
        return _share(self.tn, self.fp + self.tn)

    @property
    def accuracy(self) -> float:
        """Of all rows the share that is called what it is."""
        return _share(self.tp + self.tn, self.tp + self.fp + self.fn + self.tn)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; NaN if nothing is positive and nothing called so."""
        return _share(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    def cost(self, of_false_positive: float, of_false_negative: float) -> float:
        """What the mistakes cost together.

        of_false_positive: the cost of one false alarm
        of_false_negative: the cost of one positive row that is missed

        >>> OperatingPoint(0.65, tp=4, fp=1, fn=1, tn=4).cost(1, 10)
        11.0
        """
        return float(of_false_positive * self.fp + of_false_negative * self.fn)

    def to_dict(self) -> dict[str, Any]:
        """The fields and the rates."""
        rates = ("recall", "precision", "false_positive_rate", "specificity", "accuracy", "f1")
        found: dict[str, Any] = plain({name: getattr(self, name) for name in rates})
        return super().to_dict() | found

    def to_svg(self) -> str:
        """The four counts as a matrix."""
        counts = np.array([[self.tn, self.fp], [self.fn, self.tp]])
        counts = counts.astype(np.int64) if (counts == np.floor(counts)).all() else counts
        title = f"What happens at the threshold {_threshold(self.threshold)}"
        return confusion_svg(PictureMatrix(title, title, str(self), ("negative", "positive"), counts))

    def __str__(self) -> str:
        called = (
            f"Called positive is what {self.model} scores {_threshold(self.threshold)} or more"
            if self.model
            else f"Called positive is what scores {_threshold(self.threshold)} or more"
        )
        found = f"{_counted(self.tp)} of {_counted(self.tp + self.fn)} positive rows are found"
        alarms = f"{_counted(self.fp)} of {_counted(self.fp + self.tn)} negative ones called positive too"
        rates = (
            f"recall {shown(self.recall)}, precision {shown(self.precision)},"
            f" false positive rate {shown(self.false_positive_rate)}"
        )
        return (
            f"{called}: {found}, and {alarms} ({rates}). If the threshold was chosen by these rows,"
            " other rows will rather be served worse."
        )


def _share(part: float, whole: float) -> float:
    return float(part / whole) if whole > 0 else math.nan


def _threshold(value: float) -> str:
    return "a number that is not known" if math.isnan(value) else f"{value:.6g}"


def _counted(count: float) -> str:
    return f"{count:,.0f}" if count == math.floor(count) else f"{count:,.6g}"
