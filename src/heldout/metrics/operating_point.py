"""What happens at one threshold: four counts, and the rates that follow from them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.charts.confusion_picture import PictureMatrix, confusion_svg
from heldout.errors import RequestError
from heldout.metrics.metric import Metric
from heldout.stats.interval import Result, plain
from heldout.text.numbers import number_text


@dataclass(frozen=True)
class OperatingPoint(Result):
    """Every row that scores at least the threshold is called positive.

    Attributes
    ----------
    threshold
        NaN where no number says so: nothing is called positive although a score is infinite, or the
        thresholds are not known
    tp, fp
        true and false positives, as rows or weights of rows
    fn, tn
        false and true negatives
    model
        whose scores they are, where there are several; empty else

    Examples
    --------
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

        Parameters
        ----------
        of_false_positive
            the cost of one false alarm
        of_false_negative
            the cost of one positive row that is missed

        Examples
        --------
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
            f"recall {number_text(self.recall)}, precision {number_text(self.precision)},"
            f" false positive rate {number_text(self.false_positive_rate)}"
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


def best_index(scores: NDArray[np.float64], metric: Metric) -> int:
    """Where the best score stands, the first of equals; one without a score only if none has any."""
    best = 0
    for index, score in enumerate(scores.tolist()):
        if metric.is_better(score, float(scores[best])):
            best = index
    return best


def setting_index(fold_scores: NDArray[np.float64], metric: Metric, choose: str = "best") -> int:
    """Which setting is chosen: the best mean, or the first within one standard error of it.

    fold_scores: setting × fold, the simplest setting first; the mean over folds counts
    choose:      "best"; or "one_se": Breiman's rule, with the standard error of the best one's mean over the
                 folds. One fold has no standard error, and the best is taken
    """
    with np.errstate(invalid="ignore"):
        means = np.ascontiguousarray(fold_scores).mean(axis=1)
    best = best_index(means, metric)
    n_folds = fold_scores.shape[1]
    if choose == "best" or n_folds < 2 or not math.isfinite(means[best]):
        return best
    error = float(np.std(fold_scores[best], ddof=1)) / math.sqrt(n_folds)
    is_within = metric.sign * (means - means[best]) >= -error
    return int(np.flatnonzero(is_within)[0])


def chosen_index(
    true_positives: Floats, false_positives: Floats, recall: Any, precision: Any, cost: Any
) -> int:
    """The place of the point that serves best; exactly one of the three is asked for.

    recall:    at least so much; of the points that have it the one of the highest precision
    precision: at least so much; of the points that have it the one of the highest recall
    cost:      of a false positive and of a false negative; the cheapest point, of equals the first
    """
    requested = {"recall": recall, "precision": precision, "cost": cost}
    given = [name for name, value in requested.items() if value is not None]
    if len(given) != 1:
        raise RequestError(
            "one thing has to be asked for: a recall, a precision or costs",
            where=f"asked for: {', '.join(given) or 'nothing'}",
            fix="say recall=0.9, precision=0.9 or cost=(of a false positive, of a false negative)",
        )
    if recall is not None:
        return _for_recall(true_positives, false_positives, checked_rate("recall", recall))
    if precision is not None:
        return _for_precision(true_positives, false_positives, checked_rate("precision", precision))
    return _for_cost(true_positives, false_positives, *_checked_costs(cost))


def _for_recall(true_positives: Floats, false_positives: Floats, wanted: float) -> int:
    if true_positives[-1] == 0:
        raise RequestError(
            "there is no recall without positive rows",
            where=f"recall={wanted:g}",
            fix="ask for costs, or judge rows of both classes",
        )
    # Rates and not counts are compared: 0.55 · 20 is more than 11, but 11 / 20 is 0.55.
    first = max(int(np.argmax(true_positives / true_positives[-1] >= wanted)), 1)
    rates = _precision(true_positives[first:], false_positives[first:])
    return first + int(np.flatnonzero(rates == rates.max())[-1])


def _for_precision(true_positives: Floats, false_positives: Floats, wanted: float) -> int:
    rates = _precision(true_positives[1:], false_positives[1:])
    reached = np.flatnonzero(rates >= wanted)
    if not len(reached):
        raise RequestError(
            f"no threshold has a precision of {wanted:g} on these rows",
            where=f"precision={wanted:g}; the highest is {rates.max():.6g}",
            fix=f"ask for at most {math.floor(rates.max() * 1e6) / 1e6:g}",
        )
    return 1 + int(reached[np.argmax(true_positives[1:][reached])])


def _for_cost(true_positives: Floats, false_positives: Floats, of_alarm: float, of_miss: float) -> int:
    costs = of_alarm * false_positives + of_miss * (true_positives[-1] - true_positives)
    return int(np.argmin(costs))


def _precision(true_positives: Floats, false_positives: Floats) -> Floats:
    return np.asarray(true_positives / (true_positives + false_positives))


def checked_rate(name: str, value: Any) -> float:
    """A rate as a float between 0 and 1."""
    if isinstance(value, Real) and not isinstance(value, bool) and 0 <= float(value) <= 1:
        return float(value)
    raise RequestError(
        f"a {name} lies between 0 and 1", where=f"{name}={value!r:.60}", fix=f"say {name}=0.9 for 90%"
    )


def _checked_costs(cost: Any) -> tuple[float, float]:
    """The two costs, the larger of them 1: only their ratio counts."""
    if isinstance(cost, tuple | list) and len(cost) == 2 and all(isinstance(each, Real) for each in cost):
        costs = [float(each) for each in cost]
        if all(0 <= each < math.inf for each in costs) and max(costs) > 0:
            return costs[0] / max(costs), costs[1] / max(costs)
    raise RequestError(
        "costs are two finite numbers of at least 0, not both 0",
        where=f"cost={cost!r:.60}",
        fix="say cost=(1, 5) if a positive row that is missed costs five times a false alarm",
    )
