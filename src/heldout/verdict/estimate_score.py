"""A contender's score with its interval, by the method that held up for its metric."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.checks.values import check_confidence
from heldout.metrics.metric import Metric
from heldout.stats.cross_validated_auc import cross_validated_auc
from heldout.stats.cross_validated_interval import (
    CrossValidatedInterval,
    cross_validated_f1,
    cross_validated_mse,
    cross_validated_rate,
)
from heldout.stats.interval import Interval
from heldout.stats.metric_families import FMeasure, MeanLoss, Ranking, RowRate
from heldout.verdict.estimate_by_sums import (
    INFINITE,
    NOT_SPLIT,
    estimand_text,
    estimate_by_parts,
    estimate_by_sums,
    splits_text,
    too_few_blocks,
)
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.paired_comparison import all_counts
from heldout.verdict.predictions import MetricInput, Predictions, metric_input
from heldout.verdict.weighted_score import weighted_score

OF_THE_MODEL = "It measures models and not rows, so there is no interval; it is the mean over the folds."
NO_SCORE = "These rows have no such score."


def estimate_score(
    metric: Metric,
    predictions: Predictions | None,
    rows: JudgedRows,
    fold_scores: Any = None,
    confidence: float = 0.95,
) -> Interval:
    """The score of out-of-fold predictions with its interval.

    metric:      what is measured
    predictions:     out of fold; those of a repeat are judged together, so a fold may lack a class
    rows:        that were judged, and by which splits
    fold_scores: repeats × folds, for metrics of the model (bits, seconds), which no predictions have

    Accuracy and error get the corrected Wilson interval, a mean squared error (and its root), a mean absolute
    error, log loss and Brier's score one on the log scale, the AUC of two classes DeLong's on the logit
    scale, F1 Wilson's on Jaccard; precision, recall and their like Wilson's among the rows that count,
    balanced accuracy the recalls put together. All others are measured by leaving out parts of the rows, on
    the scale of their range. Groups count as groups, time in blocks. Each says how it was made.
    """
    confidence = check_confidence(confidence)
    if metric.needs == "model" or predictions is None:
        return _of_the_model(metric, fold_scores, confidence)
    scored = weighted_score(metric, predictions, rows)
    score = float(scored.means(all_counts(rows))[0])
    if not math.isfinite(score):
        return _none(metric, score, rows, confidence, INFINITE if math.isinf(score) else NO_SCORE)
    found = (
        estimate_by_folds(metric, predictions, rows, confidence)
        or estimate_by_sums(metric, scored, rows, confidence)
        or estimate_by_parts(metric, scored, score, rows, confidence)
    )
    reason = too_few_blocks(rows)
    if reason:
        return _none(metric, found.estimate, rows, confidence, reason)
    return _as_split(found, rows)


def _as_split(found: Interval, rows: JudgedRows) -> Interval:
    """The interval in the words of blocks or of a single split."""
    if rows.is_in_time:
        words = tuple(note.replace("groups", "blocks") for note in found.notes)
        return dataclasses.replace(found, unit="block", notes=words, estimand=estimand_text(rows))
    if rows.n_repeats == 1 and rows.n_folds == 1:
        return dataclasses.replace(found, notes=(*found.notes, NOT_SPLIT))
    return found


def _none(metric: Metric, score: float, rows: JudgedRows, confidence: float, reason: str) -> Interval:
    return Interval(
        metric.name,
        score,
        math.nan,
        math.nan,
        confidence,
        splits_text(rows),
        rows.n_units,
        rows.unit,
        notes=(reason,),
        estimand=estimand_text(rows),
    )


def _of_the_model(metric: Metric, fold_scores: Any, confidence: float) -> Interval:
    scores: NDArray[np.float64] = np.asarray([] if fold_scores is None else fold_scores, dtype=np.float64)
    known = scores[np.isfinite(scores)]
    mean = float(known.mean()) if known.size else math.nan
    note = OF_THE_MODEL if known.size else NO_SCORE
    return Interval(
        metric.name,
        mean,
        math.nan,
        math.nan,
        confidence,
        "mean over folds",
        known.size,
        "fold",
        notes=(note,),
    )


def estimate_by_folds(
    metric: Metric, predictions: Predictions, rows: JudgedRows, confidence: float
) -> CrossValidatedInterval | None:
    """The interval of a metric that `heldout.stats` has one for; None for other metrics and splits."""
    if not rows.is_by_folds or rows.weights is not None or rows.n_folds < 2 or rows.n_units < rows.n_folds:
        return None
    given = [metric_input(metric, predictions, rows, repeat) for repeat in range(rows.n_repeats)]
    tested = _TestedOnce(metric, given, rows)
    groups = None if rows.unit == "row" else rows.units[tested.rows]
    how = (confidence, metric.name, groups)
    match metric.family:
        case RowRate():
            return cross_validated_rate(tested.losses, rows.n_folds, *how)
        case MeanLoss() as family:
            return _of_loss(cross_validated_mse(tested.losses, rows.n_folds, *how), family, metric.highest)
        case Ranking() if given[0].predictions.ndim == 1 and tested.positive is not None:
            return cross_validated_auc(tested.is_positive, tested.scores, rows.n_folds, True, *how)
        case FMeasure() if tested.positive is not None and (
            tested.is_positive.any() or tested.is_called.any()
        ):
            return cross_validated_f1(tested.is_positive, tested.is_called, rows.n_folds, True, *how)
    return None


@dataclass(frozen=True, eq=False)
class _TestedOnce:
    """What an interval is made of: the predictions of every repeat for the rows that were tested."""

    metric: Metric
    given: list[MetricInput]
    judged: JudgedRows

    @property
    def rows(self) -> NDArray[np.bool_]:
        return np.asarray(self.judged.is_tested[0])

    @property
    def losses(self) -> NDArray[np.float64]:
        """Repeats × rows."""
        lines = [self.metric.row_sums(self.judged.y, each.predictions, **each.options) for each in self.given]
        return np.array([line[self.rows, 0] for line in lines if line is not None])

    @property
    def positive(self) -> Any:
        return self.metric.positive_class(self.given[0].options)

    @property
    def is_positive(self) -> NDArray[np.bool_]:
        return np.asarray((self.judged.y == self.positive)[self.rows])

    @property
    def is_called(self) -> NDArray[np.bool_]:
        """Repeats × rows: what is predicted to be positive."""
        return np.array([(each.predictions == self.positive)[self.rows] for each in self.given])

    @property
    def scores(self) -> NDArray[np.float64]:
        """Repeats × rows."""
        return np.array([each.predictions[self.rows] for each in self.given], dtype=np.float64)


def _of_loss(interval: CrossValidatedInterval, family: MeanLoss, highest: float) -> CrossValidatedInterval:
    """The interval of a mean loss as that of its root, where that is meant, and within its range."""
    held = interval.held if family.was_simulated else None
    if family.is_root:
        estimate, low, high = map(math.sqrt, (interval.estimate, interval.low, interval.high))
        return dataclasses.replace(interval, estimate=estimate, low=low, high=high, held=held)
    return dataclasses.replace(interval, high=min(interval.high, highest), held=held)
