"""All contenders compared with each other, on the same splits, as one family."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from heldout.metrics.metric import Metric
from heldout.stats.comparison import Comparison
from heldout.stats.corrected_resampled_t import corrected_resampled_t, cross_validated_t
from heldout.stats.interval import Interval
from heldout.stats.significance import Significance
from heldout.stats.t_test import t_test
from heldout.verdict.compared_by_parts import (
    BY_BLOCKS,
    BY_GROUPS,
    NO_SPREAD_BY_FOLDS,
    TOGETHER,
    ScoredParts,
    compared_by_parts,
    parts_of,
)
from heldout.verdict.compared_by_resamples import compared_by_resamples
from heldout.verdict.estimate_words import NOT_SPLIT
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.paired_comparison import PairedComparison
from heldout.verdict.ranking import by_score
from heldout.verdict.rivals import ROUNDING
from heldout.verdict.score_differences import score_differences
from heldout.verdict.standing import Standing

BLOCKS = "Folds are blocks of time, taken as exchangeable; what drifts from one to the next is not in it."
INFINITE = "A score is infinite, so there is no difference to speak of."
# With fewer a t test over folds has so little to go by that a model which is always right beats nothing.
FEWEST_FOLDS = 5
FEW_FOLDS = "Folds are too few to tell how their scores vary, so rows are counted instead."
NO_ANSWERS = "Some folds have no score and no answers were kept, so the two cannot be compared."


def comparisons_of(
    standings: Sequence[Standing],
    metric: Metric,
    rows: JudgedRows,
    adjustment: str = "holm",
    confidence: float = 0.95,
    seed: int = 0,
) -> tuple[Comparison, ...]:
    """Every pair of contenders that are complete, the one with the better score first.

    The difference is score minus score in the metric's own units, so it is above 0 where larger is better and
    below 0 where smaller is. It is tested by the cross-validated t, with the spread of the folds; by groups
    where rows have groups, and on all rows of a repeat where a fold has no score or there are fewer than
    five; by resamples for a quick plan. All pairs are one family.

    standings:  of all contenders
    metric:     by which they are compared
    rows:       that were judged, and by which splits
    adjustment: "holm" to conclude, "benjamini_hochberg" to explore, as for `heldout.stats.adjust`
    seed:       of the resamples of a quick plan

    >>> from heldout.metrics.metric_registry import metric_named
    >>> rows = JudgedRows(np.zeros(20), np.arange(20)[np.newaxis] % 4)
    >>> scores = {"tree": [[0.8, 0.6, 0.8, 1.0]], "guess": [[0.4, 0.4, 0.6, 0.4]]}
    >>> standings = [
    ...     Standing(name, "accuracy", Interval("accuracy", np.mean(each), 0, 1), np.array(each))
    ...     for name, each in scores.items()
    ... ]
    >>> found, = comparisons_of(standings, metric_named("accuracy"), rows)
    >>> found.name_a, found.name_b, round(found.effect.estimate, 3), round(found.p_value, 3)
    ('tree', 'guess', 0.35, 0.096)
    """
    ranked = by_score(standings, metric)
    if len(ranked) < 2:
        return ()
    if all(each.settings for each in ranked):
        made = compared_by_resamples(ranked, metric, rows, confidence, seed)
        return Comparison.adjusted(made, adjustment)
    parts = _Parts(metric, rows)
    found = [_compared(*pair, parts, metric, rows, confidence) for pair in combinations(ranked, 2)]
    return Comparison.adjusted(found, adjustment)


class _Parts:
    """The scores of contenders without parts of the rows, made when they are first asked for."""

    def __init__(self, metric: Metric, rows: JudgedRows) -> None:
        self._metric, self._rows = metric, rows
        self._known: dict[str, ScoredParts | None] = {}

    def of(self, standing: Standing) -> ScoredParts | None:
        if standing.name not in self._known:
            self._known[standing.name] = parts_of(self._metric, standing.out_of_fold, self._rows)
        return self._known[standing.name]


def _compared(
    first: Standing,
    second: Standing,
    parts: _Parts,
    metric: Metric,
    rows: JudgedRows,
    confidence: float,
) -> PairedComparison:
    if not (math.isfinite(first.score) and math.isfinite(second.score)):
        return _no_comparison(first, second, metric, confidence, INFINITE)
    reason = _not_by_folds(first, second, rows)
    if not reason or (reason == FEW_FOLDS and None in (first.out_of_fold, second.out_of_fold)):
        by_folds = _compared_by_folds(first, second, metric, rows, confidence)
        if not math.isnan(by_folds.p_value):
            return by_folds
        reason = NO_SPREAD_BY_FOLDS
    one, other = parts.of(first), parts.of(second)
    if one is not None and other is not None:
        names = first.name, second.name
        return compared_by_parts(names, one, other, metric, rows, confidence, reason)
    return _no_comparison(first, second, metric, confidence, NO_ANSWERS)


def _not_by_folds(first: Standing, second: Standing, rows: JudgedRows) -> str:
    """Why folds cannot be compared one by one; nothing where they can."""
    if rows.unit == "group":
        return BY_GROUPS
    if rows.is_cut_in_time:
        return BY_BLOCKS
    if min(first.fold_scores.size, second.fold_scores.size) < 2:
        return NOT_SPLIT
    if np.isnan(first.fold_scores).any() or np.isnan(second.fold_scores).any():
        return TOGETHER
    n_splits, n_folds = first.fold_scores.size, first.fold_scores.shape[1]
    # Repeated folds bring no new rows, so those of one repeat are counted.
    is_few = (n_splits if rows.test_share is not None or n_folds < 2 else n_folds) < FEWEST_FOLDS
    return FEW_FOLDS if is_few and not rows.is_in_time else ""


def _compared_by_folds(
    first: Standing, second: Standing, metric: Metric, rows: JudgedRows, confidence: float
) -> PairedComparison:
    differences = score_differences(first.fold_scores, second.fold_scores)
    if not np.isfinite(differences).all():
        return _no_comparison(first, second, metric, confidence, INFINITE)
    names = first.name, second.name
    if rows.test_share is not None or differences.shape[1] < 2:
        share = rows.held_share
        found = corrected_resampled_t(differences.ravel(), share, None, names, confidence, metric.name)
    else:
        found = cross_validated_t(differences, rows.test_to_train, names, confidence, metric.name)
    error, freedom = found.details["standard_error"], found.details["degrees_of_freedom"]
    effect, p_value = _between_scores(first, second, found, confidence)
    notes = (*found.notes, BLOCKS) if rows.is_in_time else found.notes
    return PairedComparison(
        *names,
        effect,
        p_value,
        found.test,
        notes=notes,
        standard_error=error,
        is_larger_better=metric.is_larger_better,
        degrees_of_freedom=freedom,
    )


def _between_scores(
    first: Standing, second: Standing, found: Significance, confidence: float
) -> tuple[Interval, float]:
    """The difference of the two scores as they are printed, with the interval and p of that difference.

    The folds tell how it varies. Their mean difference is not always that of the scores: folds differ in
    size, and an AUC or a root of a mean is not a mean. Two numbers for one thing could even differ in sign.
    """
    effect, error = found.difference, found.details["standard_error"]
    assert effect is not None
    difference = float(score_differences(np.array(first.score), np.array(second.score)))
    is_same = abs(difference - effect.estimate) <= ROUNDING * float(np.abs(first.fold_scores).max())
    if is_same or not error > 0:
        return dataclasses.replace(effect, estimate=difference), found.p_value if is_same else math.nan
    again = t_test(difference, error, found.details["degrees_of_freedom"], confidence)
    return dataclasses.replace(effect, estimate=difference, low=again.low, high=again.high), again.p_value


def _no_comparison(
    first: Standing, second: Standing, metric: Metric, confidence: float, reason: str
) -> PairedComparison:
    what = f"{metric.name} of {first.name} minus {metric.name} of {second.name}"
    effect = Interval(what, math.nan, math.nan, math.nan, confidence, "none", reference=0.0)
    return PairedComparison(
        first.name, second.name, effect, math.nan, notes=(reason,), is_larger_better=metric.is_larger_better
    )
