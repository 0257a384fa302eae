"""Families of metrics: what each row adds to a score, and what is made of the sums.

The family of a metric decides everything that is done with it besides calling it: which interval it gets,
how rows are drawn for it, which constant prediction is best by it, and how many scores a look at held rows
can show. A metric gets its family where it is defined (`heldout.metrics.builtin_metrics`); nobody asks for
its name.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats

Options = Mapping[str, Any]

# The cells of a confusion matrix of one positive class, in the order in which `cell_sums` has them.
TP, FP, FN, TN = range(4)
# Differences of larger numbers may overflow; the metric itself knows what to do with them.
LARGEST = 1e300


@dataclass(frozen=True)
class Family:
    """Any metric: not known as a function of sums over rows."""

    # Options of a metric with which it still is of this family.
    options: ClassVar[frozenset[str]] = frozenset()
    # A mean over all rows: in a resample of rows no class has to keep its size.
    is_row_mean: ClassVar[bool] = False
    # Only whether labels are equal counts, so codes of labels give the same score.
    compares_labels: ClassVar[bool] = False

    @property
    def best_constant(self) -> Literal["mean", "median"]:
        """Which constant prediction of numbers is best by it."""
        return "mean"

    def row_sums(self, y: NDArray[Any], predictions: NDArray[Any], options: Options) -> Floats | None:
        """What each row adds: rows × parts; None where these predictions are not scored by sums."""
        return None

    def from_sums(self, sums: Floats) -> Floats:
        """The score that sums of the parts make: … × parts give … scores; 0/0 is 0 or NaN."""
        raise NotImplementedError(f"{type(self).__name__} has no sums")

    def settings_scores(self, y: NDArray[Any], predictions: NDArray[Any]) -> Floats | None:
        """The score of each line of predictions (settings × rows); None where the metric has to be called."""
        return None


OTHER = Family()


@dataclass(frozen=True)
class Rate(Family):
    """A share of hits among counted rows: which of the parts are hits, and which are counted."""

    hits: tuple[int, ...]
    counted: tuple[int, ...]

    def shares(self, sums: Floats) -> tuple[Floats, Floats]:
        """Hits and counted rows, from sums of the parts."""
        return _added(sums, self.hits), _added(sums, self.counted)

    def from_sums(self, sums: Floats) -> Floats:
        return share(*self.shares(sums))


@dataclass(frozen=True)
class RowRate(Rate):
    """The share of all rows whose label is predicted, or of those whose label is not."""

    is_row_mean: ClassVar[bool] = True
    compares_labels: ClassVar[bool] = True

    hits: tuple[int, ...] = (0,)
    counted: tuple[int, ...] = (1,)
    is_error: bool = False

    def row_sums(self, y: NDArray[Any], predictions: NDArray[Any], options: Options) -> Floats | None:
        return np.column_stack([self.is_hit(y, predictions), np.ones(len(y))])

    def is_hit(self, y: NDArray[Any], predictions: NDArray[Any]) -> Floats:
        """1 for each row that counts, 0 for others."""
        return np.asarray(y != predictions if self.is_error else y == predictions, dtype=np.float64)

    def from_sums(self, sums: Floats) -> Floats:
        return _mean_of_sums(sums)

    def settings_scores(self, y: NDArray[Any], predictions: NDArray[Any]) -> Floats | None:
        if not _are_comparable(y, predictions):
            return None
        is_hit = predictions != y if self.is_error else predictions == y
        return np.asarray(np.count_nonzero(is_hit, axis=1) / len(y))


@dataclass(frozen=True)
class CellRate(Rate):
    """A rate of the confusion matrix of a positive class, such as precision; parts are TP, FP, FN, TN."""

    options: ClassVar[frozenset[str]] = frozenset({"positive"})

    @property
    def counts_predicted(self) -> bool:
        """Whether rows count by what is predicted, so that their number is known without the labels."""
        return set(self.counted) in ({TP, FP}, {FN, TN})

    def row_sums(self, y: NDArray[Any], predictions: NDArray[Any], options: Options) -> Floats | None:
        return cell_sums(y, predictions, options.get("positive"))


PRECISION = CellRate((TP,), (TP, FP))
RECALL = CellRate((TP,), (TP, FN))
SPECIFICITY = CellRate((TN,), (TN, FP))
NPV = CellRate((TN,), (TN, FN))


@dataclass(frozen=True)
class FMeasure(Family):
    """F1 of a positive class: 2J / (1 + J), with Jaccard's J = TP / (TP + FP + FN)."""

    options: ClassVar[frozenset[str]] = frozenset({"positive"})
    jaccard: ClassVar[CellRate] = CellRate((TP,), (TP, FP, FN))

    def row_sums(self, y: NDArray[Any], predictions: NDArray[Any], options: Options) -> Floats | None:
        return cell_sums(y, predictions, options.get("positive"))

    def from_sums(self, sums: Floats) -> Floats:
        return share(*f_parts(sums[..., TP], sums[..., FP], sums[..., FN]))


@dataclass(frozen=True)
class MeanRecall(Family):
    """The mean of the recalls of the classes that occur; parts are the hits of each class, then its rows."""

    compares_labels: ClassVar[bool] = True

    def row_sums(self, y: NDArray[Any], predictions: NDArray[Any], options: Options) -> Floats | None:
        classes, codes = np.unique(y, return_inverse=True)
        is_of_class = np.eye(len(classes))[codes]
        return np.hstack([is_of_class * (y == predictions)[:, np.newaxis], is_of_class])

    def from_sums(self, sums: Floats) -> Floats:
        n_classes = sums.shape[-1] // 2
        counted = sums[..., n_classes:]
        recalls = share(sums[..., :n_classes], counted)
        return np.asarray(recalls.sum(axis=-1) / (counted > 0).sum(axis=-1))

    def settings_scores(self, y: NDArray[Any], predictions: NDArray[Any]) -> Floats | None:
        if not _are_comparable(y, predictions):
            return None
        classes, codes = np.unique(y, return_inverse=True)
        is_hit = (predictions == y).astype(np.float64)
        recalls = np.stack([np.bincount(codes, line, len(classes)) for line in is_hit]) / np.bincount(codes)
        # Summed setting by setting: a sum along an axis may add in another order.
        return np.array([recall.sum() / float(len(classes)) for recall in recalls])


@dataclass(frozen=True)
class MeanLoss(Family, ABC):
    """The mean of losses of 0 or more, or its root; parts are the loss, 1, and whether it is infinite."""

    is_row_mean: ClassVar[bool] = True

    is_root: bool = False

    @abstractmethod
    def losses(self, y: NDArray[Any], predictions: NDArray[Any], options: Options) -> Floats:
        """One number per row."""

    @property
    def was_simulated(self) -> bool:
        """Whether it was measured how often intervals of this loss hold the true value."""
        return False

    def row_sums(self, y: NDArray[Any], predictions: NDArray[Any], options: Options) -> Floats | None:
        losses = self.losses(y, predictions, options)
        is_infinite, ones = np.isinf(losses), np.ones(len(losses))
        if not is_infinite.any():
            return np.column_stack([losses, ones])
        # An infinite loss is counted by itself: times a weight of 0 it would be NaN.
        return np.column_stack([np.where(is_infinite, 0.0, losses), ones, is_infinite])

    def from_sums(self, sums: Floats) -> Floats:
        means = _mean_of_sums(sums)
        means = means if sums.shape[-1] == 2 else np.where(sums[..., 2] > 0, np.inf, means)
        return np.asarray(np.sqrt(means)) if self.is_root else means


@dataclass(frozen=True)
class ErrorMean(MeanLoss):
    """The mean of squared (exponent 2) or absolute (exponent 1) errors of numbers, or its root."""

    exponent: Literal[1, 2] = 2

    @property
    def best_constant(self) -> Literal["mean", "median"]:
        return "median" if self.exponent == 1 else "mean"

    @property
    def was_simulated(self) -> bool:
        return self.exponent == 2

    def sizes(self, differences: Floats) -> Floats:
        """The loss of each difference."""
        return np.abs(differences) if self.exponent == 1 else np.asarray(differences**2)

    def losses(self, y: NDArray[Any], predictions: NDArray[Any], options: Options) -> Floats:
        return self.sizes(np.asarray(y, dtype=np.float64) - np.asarray(predictions, dtype=np.float64))

    def enlarged(self, mean: float, power: int) -> float:
        """The score, from the mean loss of differences that were divided by 2 to the power."""
        return enlarged(math.sqrt(mean), power) if self.is_root else enlarged(mean, self.exponent * power)

    def settings_scores(self, y: NDArray[Any], predictions: NDArray[Any]) -> Floats | None:
        if y.dtype.kind not in "fiu" or predictions.dtype != np.float64:
            return None
        true = y.astype(np.float64, copy=False)
        # Written so that NaN is refused too.
        if not (np.abs(predictions).max() < LARGEST and np.abs(true).max() < LARGEST):
            return None
        differences = predictions - true
        powers = np.frexp(np.abs(differences).max(axis=1))[1]
        losses = self.sizes(np.ldexp(differences, -powers[:, np.newaxis]))
        # The same bits as `row.mean()`, which takes four times as long to begin.
        means = [np.add.reduce(line) / len(line) for line in losses]
        return np.array([self.enlarged(mean, int(power)) for mean, power in zip(means, powers, strict=True)])


MSE = ErrorMean()
RMSE = ErrorMean(is_root=True)
MAE = ErrorMean(exponent=1)


@dataclass(frozen=True)
class LogLoss(MeanLoss):
    """−ln of the probability of the class that a row has; `labels` are the columns."""

    options: ClassVar[frozenset[str]] = frozenset({"labels", "positive", "clip"})

    def losses(self, y: NDArray[Any], predictions: NDArray[Any], options: Options) -> Floats:
        codes = _codes(y, options.get("labels", ()))
        return surprises(np.asarray(predictions, dtype=np.float64), codes, float(options.get("clip", 0.0)))


@dataclass(frozen=True)
class BrierLoss(MeanLoss):
    """Squared errors of probabilities: of two classes those of one of them, of several the sum over all."""

    options: ClassVar[frozenset[str]] = frozenset({"labels", "positive"})

    def losses(self, y: NDArray[Any], predictions: NDArray[Any], options: Options) -> Floats:
        table = np.asarray(predictions, dtype=np.float64)
        happened = np.eye(table.shape[1])[_codes(y, options.get("labels", ()))]
        n_columns = 1 if table.shape[1] == 2 else table.shape[1]
        return probability_squares(table[:, :n_columns], happened[:, :n_columns])


@dataclass(frozen=True)
class ExplainedVariance(Family):
    """R²; parts are the squared error, the distance of y from a middle, its square, and 1."""

    def row_sums(self, y: NDArray[Any], predictions: NDArray[Any], options: Options) -> Floats | None:
        numbers = np.asarray(y, dtype=np.float64)
        # Sums of squares around a middle keep their digits.
        around = numbers - numbers.mean()
        squares = (numbers - np.asarray(predictions, dtype=np.float64)) ** 2
        return np.column_stack([squares, around, around**2, np.ones(len(numbers))])

    def from_sums(self, sums: Floats) -> Floats:
        whole = sums[..., 2] - sums[..., 1] ** 2 / sums[..., 3]
        return np.where(whole > 0, 1 - sums[..., 0] / whole, np.nan)


@dataclass(frozen=True)
class Ranking(Family):
    """The area below a ROC curve: it compares pairs of rows, so rows have no sums."""

    options: ClassVar[frozenset[str]] = frozenset({"labels", "positive"})


def share(part: Floats, whole: Floats) -> Floats:
    """part / whole, and 0 where the whole is 0."""
    return np.divide(part, whole, out=np.zeros(np.broadcast(part, whole).shape), where=whole > 0)


def cell_sums(y: NDArray[Any], predictions: NDArray[Any], positive: Any) -> Floats | None:
    """Rows × TP, FP, FN, TN, of which one is 1; None where no class is the positive one."""
    if positive is None:
        return None
    is_positive, is_called = y == positive, predictions == positive
    cells = (
        is_positive & is_called,
        ~is_positive & is_called,
        is_positive & ~is_called,
        ~is_positive & ~is_called,
    )
    return np.column_stack(cells).astype(np.float64)


def f_parts(hits: Floats, alarms: Floats, misses: Floats, beta: float = 1.0) -> tuple[Floats, Floats]:
    """Numerator and denominator of F: β = 0 leaves precision, β → ∞ recall."""
    weight = 1.0 / (1.0 + beta * beta) if beta < 1e150 else 0.0
    return hits, hits + weight * alarms + (1.0 - weight) * misses


def surprises(table: Floats, codes: NDArray[np.integer[Any]], clip: float) -> Floats:
    """−ln of the probability of what happened: rows × classes of probabilities, and the class of each row."""
    with np.errstate(divide="ignore"):
        return np.asarray(-np.log(np.clip(table[np.arange(len(table)), codes], clip, 1.0 - clip)))


def probability_squares(table: Floats, happened: Floats) -> Floats:
    """The squared distances of probabilities from what happened (0 or 1), summed over the columns."""
    return np.asarray(((table - happened) ** 2).sum(axis=1))


def enlarged(number: float, power: int) -> float:
    """The number times 2 to the power; infinity where that is too large."""
    try:
        return math.ldexp(float(number), power)
    except OverflowError:
        return math.inf


def _added(sums: Floats, parts: tuple[int, ...]) -> Floats:
    first, *others = parts
    total = sums[..., first]
    for part in others:
        total = total + sums[..., part]
    return np.asarray(total)


def _mean_of_sums(sums: Floats) -> Floats:
    return np.asarray(sums[..., 0] / sums[..., 1])


def _codes(y: NDArray[Any], labels: Any) -> NDArray[np.intp]:
    names = np.asarray(list(labels))
    order = np.argsort(names, kind="stable")
    return np.asarray(order[np.searchsorted(names[order], y)], dtype=np.intp)


def _are_comparable(y: NDArray[Any], predictions: NDArray[Any]) -> bool:
    """Whether equality of the arrays is equality of the labels."""
    return y.dtype.kind == predictions.dtype.kind and y.dtype.kind in "iubU"
