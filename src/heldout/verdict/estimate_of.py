"""A contender's score with its interval, by the method that held up for its metric."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.metrics.metric import Metric
from heldout.stats.choices import check_confidence
from heldout.stats.interval import Interval
from heldout.verdict.answers import Answers
from heldout.verdict.estimate_by_folds import estimate_by_folds
from heldout.verdict.estimate_by_parts import estimate_by_parts
from heldout.verdict.estimate_by_sums import estimate_by_sums
from heldout.verdict.estimate_words import (
    INFINITE,
    NOT_SPLIT,
    estimand_of,
    splits_in_words,
    too_few_blocks,
)
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.left_out_parts import all_counts
from heldout.verdict.scored_of import scored_of

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

    >>> from heldout.metrics.metric_registry import metric_named
    >>> rows = JudgedRows(np.arange(100) % 2, np.arange(100)[np.newaxis] % 10, classes=(0, 1), positive=1)
    >>> labels = np.where(np.arange(100) < 80, rows.y, 0)[np.newaxis]
    >>> found = estimate_of(metric_named("balanced_accuracy"), Answers(labels=labels), rows)
    >>> round(found.estimate, 3), round(found.low, 3), round(found.high, 3)
    (0.9, 0.779, 0.957)
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
