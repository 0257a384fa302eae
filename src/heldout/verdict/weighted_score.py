"""A contender's score when rows count differently: drawn several times, or left out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.errors import HeldoutError
from heldout.metrics.metric import Metric
from heldout.stats.metric_families import OTHER, Family, Ranking
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.predictions import MetricInput, Predictions, metric_input


class WeightedScore(ABC):
    """The predictions of a contender, ready to be scored under any counts of rows."""

    n_repeats: int

    @abstractmethod
    def values(self, counts: Floats) -> Floats:
        """The score of each repeat under each line of counts: lines × repeats; NaN where there is none.

        counts: lines × rows
        """

    def means(self, counts: Floats) -> Floats:
        """The mean over the repeats that have a score; NaN where none has.

        counts: lines × rows
        """
        return mean_of_repeats(self.values(counts))

    @property
    def cost(self) -> float:
        """How many numbers are touched for one line of counts, roughly."""
        return float("inf")


@dataclass(frozen=True, eq=False)
class SummedScore(WeightedScore):
    """A score that is a function of sums over rows, such as hits and rows, or squared errors.

    parts: for each repeat rows × sums, weighted; 0 where the row was not tested
    value: of sums, … × sums; gives … numbers
    """

    parts: tuple[Floats, ...]
    value: Callable[[Floats], Floats]
    family: Family = OTHER

    @property
    def n_repeats(self) -> int:  # type: ignore[override]
        return len(self.parts)

    @property
    def cost(self) -> float:
        # Sums are products of matrices, which take a tenth of what other passes take.
        return 0.1 * float(sum(each.size for each in self.parts))

    def values(self, counts: Floats) -> Floats:
        return np.column_stack([self.valued(counts @ each) for each in self.parts])

    def valued(self, sums: Floats) -> Floats:
        """What is made of the sums; 0/0 is NaN."""
        with np.errstate(all="ignore"):
            return self.value(sums)


def mean_of_repeats(values: Floats) -> Floats:
    """The mean over the repeats that have a score; NaN where none has.

    values: lines × repeats
    """
    if values.shape[1] == 1:
        return values[:, 0]
    is_known = ~np.isnan(values)
    n_known = is_known.sum(axis=1)
    sums = np.where(is_known, values, 0.0).sum(axis=1)
    means: Floats = np.divide(sums, n_known, out=np.full(len(values), np.nan), where=n_known > 0)
    return means


def weighted_score(metric: Metric, predictions: Predictions, rows: JudgedRows) -> WeightedScore:
    """The quickest way to score these predictions.

    metric:  of rows, not of a model
    predictions: out of fold
    rows:    that are judged, with the folds that tested them
    """
    given = tuple(metric_input(metric, predictions, rows, repeat) for repeat in range(rows.n_repeats))
    if isinstance(metric.family, Ranking) and given[0].predictions.ndim == 1:
        return _ranked(metric, given, rows)
    parts = [metric.row_sums(rows.y, each.predictions, rows.row_weights, **each.options) for each in given]
    known = tuple(
        _tested(part, rows.is_tested[repeat]) for repeat, part in enumerate(parts) if part is not None
    )
    if len(known) == len(parts):
        return SummedScore(known, metric.family.from_sums, metric.family)
    return _label_cells(metric, given, rows) or CalledScore(metric, rows, given)


def _tested(parts: Floats, is_tested: NDArray[np.bool_]) -> Floats:
    """The parts of one repeat, with nothing for rows that were not tested."""
    return np.where(is_tested[:, np.newaxis], parts, 0.0)


def _ranked(metric: Metric, given: tuple[MetricInput, ...], rows: JudgedRows) -> WeightedScore:
    positive = metric.positive_class(given[0].options)
    if positive is None:
        positive = max(rows.classes)
    lines = [np.asarray(each.predictions, dtype=np.float64) for each in given]
    weights = None if rows.weights is None else rows.row_weights
    return ranked_score(lines, np.asarray(rows.y == positive), weights, rows.is_tested)


# More classes make more cells than rows are worth; their metrics take the long way.
MOST_CELLS = 36


def _label_cells(metric: Metric, given: tuple[MetricInput, ...], rows: JudgedRows) -> SummedScore | None:
    """Any metric of labels that takes weights: a row adds to the cell of its label and the predicted one."""
    if metric.needs != "labels" or not metric.takes("weights"):
        return None
    labels = np.unique(np.concatenate([rows.y, *(each.predictions for each in given)]))
    n_labels = len(labels)
    if n_labels**2 > MOST_CELLS:
        return None
    cells = np.arange(n_labels**2)
    truth, predicted = labels[cells // n_labels], labels[cells % n_labels]

    def value(sums: Floats) -> Floats:
        scores = [
            metric(truth[line > 0], predicted[line > 0], weights=line[line > 0], **given[0].options)
            if (line > 0).any()
            else np.nan
            for line in np.atleast_2d(sums)
        ]
        return np.array(scores).reshape(sums.shape[:-1])

    codes = [np.searchsorted(labels, each) for each in (rows.y, *(each.predictions for each in given))]
    parts = (np.eye(n_labels**2)[codes[0] * n_labels + each] for each in codes[1:])
    weighed = (part * rows.row_weights[:, np.newaxis] for part in parts)
    return SummedScore(
        tuple(_tested(part, rows.is_tested[repeat]) for repeat, part in enumerate(weighed)), value
    )


FEW_LINES = 10


@dataclass(frozen=True, eq=False)
class CalledScore(WeightedScore):
    """A metric of rows that cannot be put together from sums.

    metric: takes y and predictions, and weights if it can; without, a row that counts twice is repeated
    rows:   that are judged
    given:  the predictions of each repeat
    """

    metric: Metric
    rows: JudgedRows
    given: tuple[MetricInput, ...]

    @property
    def n_repeats(self) -> int:  # type: ignore[override]
        return len(self.given)

    @property
    def cost(self) -> float:
        # A call costs as much as passes over some ten thousand numbers, and sorts.
        return 20_000.0 + 20.0 * len(self.given[0].predictions)

    def means(self, counts: Floats) -> Floats:
        """As of any score; of many lines the first repeat has to do, since each takes a call of the metric.

        counts: lines × rows
        """
        if len(counts) <= FEW_LINES:
            return super().means(counts)
        return np.array([self._value(line, 0) for line in counts])

    def values(self, counts: Floats) -> Floats:
        return np.array([[self._value(line, repeat) for repeat in range(self.n_repeats)] for line in counts])

    def _value(self, counts: Floats, repeat: int) -> float:
        given = self.given[repeat]
        kept = np.flatnonzero((counts > 0) & self.rows.is_tested[repeat])
        if not len(kept):
            return np.nan
        weights = None
        if self.rows.weights is not None:
            weights = counts[kept] * self.rows.row_weights[kept]
        else:
            kept = np.repeat(kept, counts[kept].astype(np.intp))
        try:
            return self.metric(self.rows.y[kept], given.predictions[kept], weights=weights, **given.options)
        except HeldoutError:
            # Rows that happen to lack a class have no score; what is wrong with all rows was said before.
            return np.nan


# So many numbers are held at once: 2 MB, which stay near the processor.
CHUNK = 250_000


@dataclass(frozen=True, eq=False)
class Ranks:
    """The rows of one repeat that were tested, as an AUC sees them.

    positives:    places of the positive rows
    negatives:    places of the others, by rising score
    below, up_to: of each positive row, how many negatives have a lower score, and a score that is no higher
    """

    positives: NDArray[np.intp]
    negatives: NDArray[np.intp]
    below: NDArray[np.intp]
    up_to: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class RankedScore(WeightedScore):
    """The AUC of every repeat, for rows of two classes.

    ranks:   of each repeat
    weights: of all rows; None where each counts once
    """

    ranks: tuple[Ranks, ...]
    weights: Floats | None

    @property
    def n_repeats(self) -> int:  # type: ignore[override]
        return len(self.ranks)

    @property
    def cost(self) -> float:
        return 3.0 * float(sum(len(each.positives) + len(each.negatives) for each in self.ranks))

    def values(self, counts: Floats) -> Floats:
        size = max(CHUNK // max(counts.shape[1], 1), 1)
        chunks = [counts[start : start + size] for start in range(0, len(counts), size)]
        return np.concatenate([self._values(chunk) for chunk in chunks]) if chunks else np.empty((0, 1))

    def _values(self, counts: Floats) -> Floats:
        # Counts of rows are exact in four bytes, which halves what is moved.
        is_counted = self.weights is None and counts.shape[1] < 2**20
        weighed = counts if self.weights is None else counts * self.weights
        weighed = weighed.astype(np.float32 if is_counted else np.float64)
        found = []
        for each in self.ranks:
            passed = np.zeros((len(weighed), len(each.negatives) + 1), dtype=weighed.dtype)
            np.cumsum(np.take(weighed, each.negatives, axis=1), axis=1, out=passed[:, 1:])
            positives = np.take(weighed, each.positives, axis=1)
            won = np.take(passed, each.below, axis=1) + np.take(passed, each.up_to, axis=1)
            won *= positives
            pairs = positives.sum(axis=1, dtype=np.float64) * passed[:, -1]
            sums = won.sum(axis=1, dtype=np.float64) / 2
            found.append(np.divide(sums, pairs, out=np.full(len(sums), np.nan), where=pairs > 0))
        return np.column_stack(found)


def ranked_score(
    scores: list[Floats],
    is_positive: NDArray[np.bool_],
    weights: Floats | None,
    is_tested: NDArray[Any] | None = None,
) -> RankedScore:
    """Sort the scores of every repeat.

    scores:      of each repeat, one per row
    is_positive: of all rows
    is_tested:   repeats × rows; left out, all rows were
    """
    ranks = []
    for repeat, line in enumerate(scores):
        is_counted = np.ones(len(line), dtype=np.bool_) if is_tested is None else is_tested[repeat]
        # In the order of the scores memory is read in runs.
        order = np.argsort(line, kind="stable")
        positives, negatives = (
            order[(is_positive & is_counted)[order]],
            order[(~is_positive & is_counted)[order]],
        )
        below, up_to = (np.searchsorted(line[negatives], line[positives], side) for side in ("left", "right"))
        ranks.append(Ranks(positives, negatives, below, up_to))
    return RankedScore(tuple(ranks), weights)
