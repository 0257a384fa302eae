"""A contender's score with its interval, by the method that held up for its metric."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
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
from heldout.verdict.estimate_by_sums import (
    INFINITE,
    NOT_SPLIT,
    estimand_of,
    estimate_by_parts,
    estimate_by_sums,
    splits_in_words,
    too_few_blocks,
)
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.metric_answers import Answers, MetricAnswers, answers_for, base_name, is_plain
from heldout.verdict.paired_comparison import all_counts
from heldout.verdict.row_losses import losses_of
from heldout.verdict.scored import scored_of

OF_THE_MODEL = "It measures models and not rows, so there is no interval; it is the mean over the folds."
NO_SCORE = "These rows have no such score."


def estimate_of(
    metric: Metric,
    answers: Answers | None,
    rows: JudgedRows,
    fold_scores: Any = None,
    confidence: float = 0.95,
) -> Interval:
    """The score of out-of-fold answers with its interval.

    metric:      what is measured
    answers:     out of fold; those of a repeat are judged together, so a fold may lack a class
    rows:        that were judged, and by which splits
    fold_scores: repeats × folds, for metrics of the model (bits, seconds), which no answers have

    Accuracy and error get the corrected Wilson interval, a mean squared error (and its root), a mean absolute
    error, log loss and Brier's score one on the log scale, the AUC of two classes DeLong's on the logit
    scale, F1 Wilson's on Jaccard; precision, recall and their like Wilson's among the rows that count,
    balanced accuracy the recalls put together. All others are measured by leaving out parts of the rows, on
    the scale of their range. Groups count as groups, time in blocks. Each says how it was made.
    """
    confidence = check_confidence(confidence)
    if metric.needs == "model" or answers is None:
        return _of_the_model(metric, fold_scores, confidence)
    scored = scored_of(metric, answers, rows)
    score = float(scored.means(all_counts(rows))[0])
    if not math.isfinite(score):
        return _none(metric, score, rows, confidence, INFINITE if math.isinf(score) else NO_SCORE)
    found = (
        estimate_by_folds(metric, answers, rows, confidence)
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
        return dataclasses.replace(found, unit="block", notes=words, estimand=estimand_of(rows))
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
        splits_in_words(rows),
        rows.n_units,
        rows.unit,
        notes=(reason,),
        estimand=estimand_of(rows),
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


# Losses that are 0 or more; that of a mean squared error was measured, the others go the same way.
_LOSSES = ("mse", "rmse", "mae", "log_loss", "brier")


def estimate_by_folds(
    metric: Metric, answers: Answers, rows: JudgedRows, confidence: float
) -> CrossValidatedInterval | None:
    """The interval of a metric that `heldout.stats` has one for; None for other metrics and splits."""
    if not rows.is_by_folds or rows.weights is not None or rows.n_folds < 2 or rows.n_units < rows.n_folds:
        return None
    name = base_name(metric)
    made = _MADE.get(name)
    if made is None or (name in ("auc", "f1") and not is_plain(metric)):
        return None
    given = [answers_for(metric, answers, rows, repeat) for repeat in range(rows.n_repeats)]
    is_asked = rows.is_tested[0]
    groups = None if rows.unit == "row" else rows.units[is_asked]
    return made(_Asked(metric, given, rows.y, is_asked, rows.n_folds, confidence, groups))


@dataclass(frozen=True, eq=False)
class _Asked:
    """What an interval is made of: the answers of every repeat to the rows that were asked."""

    metric: Metric
    given: list[MetricAnswers]
    y: Any
    is_asked: Any
    n_folds: int
    confidence: float
    groups: Any

    @property
    def how(self) -> tuple[float, str, Any]:
        """Confidence, name and groups, as all these intervals take them."""
        return self.confidence, self.metric.name, self.groups

    @property
    def losses(self) -> NDArray[np.float64]:
        """Of repeats × rows."""
        return np.array([losses_of(self.metric, self.y, each)[self.is_asked] for each in self.given])

    @property
    def positive(self) -> Any:
        """The class to spot; None where there is none."""
        return dict(self.metric.options).get("positive", self.given[0].options.get("positive"))


def _rate(asked: _Asked) -> CrossValidatedInterval:
    return cross_validated_rate(asked.losses, asked.n_folds, *asked.how)


def _loss(asked: _Asked) -> CrossValidatedInterval:
    found = cross_validated_mse(asked.losses, asked.n_folds, *asked.how)
    name = base_name(asked.metric)
    if name == "rmse":
        ends = {key: math.sqrt(getattr(found, key)) for key in ("estimate", "low", "high")}
        return dataclasses.replace(found, **ends)  # type: ignore[arg-type]
    if name == "mse":
        return found
    return dataclasses.replace(found, high=min(found.high, asked.metric.highest), held=None)


def _auc(asked: _Asked) -> CrossValidatedInterval | None:
    if asked.given[0].answers.ndim != 1 or asked.positive is None:
        return None  # several classes
    lines = np.array([each.answers[asked.is_asked] for each in asked.given], dtype=np.float64)
    truth = (asked.y == asked.positive)[asked.is_asked]
    return cross_validated_auc(truth, lines, asked.n_folds, True, *asked.how)


def _f1(asked: _Asked) -> CrossValidatedInterval | None:
    if asked.positive is None:
        return None
    called = np.array([(each.answers == asked.positive)[asked.is_asked] for each in asked.given])
    truth = (asked.y == asked.positive)[asked.is_asked]
    if not (truth.any() or called.any()):
        return None
    return cross_validated_f1(truth, called, asked.n_folds, True, *asked.how)


_MADE: dict[str, Callable[[_Asked], CrossValidatedInterval | None]] = {
    "accuracy": _rate,
    "error": _rate,
    "auc": _auc,
    "f1": _f1,
    **dict.fromkeys(_LOSSES, _loss),
}
