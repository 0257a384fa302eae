"""All contenders compared with each other, on the same splits, as one family."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from heldout.arrays import Floats
from heldout.metrics.metric import Metric
from heldout.stats.comparison import Comparison, Significance
from heldout.stats.corrected_resampled_t import corrected_resampled_t, cross_validated_t
from heldout.stats.interval import Interval
from heldout.stats.t_test import NO_T_TEST, t_test
from heldout.text.words import plural
from heldout.verdict.best_mean import setting_rule
from heldout.verdict.estimate_by_sums import NOT_SPLIT
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.paired_comparison import (
    MOST_PARTS,
    PairedComparison,
    all_counts,
    jackknife_variance,
    left_out_counts,
    rounding_of,
    score_differences,
)
from heldout.verdict.predictions import Predictions
from heldout.verdict.resamples import FEWEST, make_resamples
from heldout.verdict.rule import rank_standings
from heldout.verdict.standing import ROUNDING, Rivals, Standing
from heldout.verdict.weighted_score import weighted_score

BLOCKS = "Folds are blocks of time, taken as exchangeable; what drifts from one to the next is not in it."
INFINITE = "A score is infinite, so there is no difference to speak of."
# With fewer a t test over folds has so little to go by that a model which is always right beats nothing.
FEWEST_FOLDS = 5
FEW_FOLDS = "Folds are too few to tell how their scores vary, so rows are counted instead."
NO_PREDICTIONS = "Some folds have no score and no predictions were kept, so the two cannot be compared."


def compare_contenders(
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
    """
    ranked = rank_standings(standings, metric)
    if len(ranked) < 2:
        return ()
    if all(each.settings for each in ranked):
        made = compare_by_resamples(ranked, metric, rows, confidence, seed)
        return Comparison.adjusted(made, adjustment)
    parts = _Parts(metric, rows)
    found = [_compare_pair(*pair, parts, metric, rows, confidence) for pair in combinations(ranked, 2)]
    return Comparison.adjusted(found, adjustment)


class _Parts:
    """The scores of contenders without parts of the rows, made when they are first asked for."""

    def __init__(self, metric: Metric, rows: JudgedRows) -> None:
        self._metric, self._rows = metric, rows
        self._known: dict[str, ScoredParts | None] = {}

    def of(self, standing: Standing) -> ScoredParts | None:
        if standing.name not in self._known:
            self._known[standing.name] = score_parts(self._metric, standing.out_of_fold, self._rows)
        return self._known[standing.name]


def _compare_pair(
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
    has_predictions = first.out_of_fold is not None and second.out_of_fold is not None
    if not reason and has_predictions and _are_few_folds(first, rows):
        reason = FEW_FOLDS
    if not reason:
        by_folds = _compare_by_folds(first, second, metric, rows, confidence)
        if not math.isnan(by_folds.p_value):
            return by_folds
        reason = NO_SPREAD_BY_FOLDS
    one, other = parts.of(first), parts.of(second)
    if one is not None and other is not None:
        names = first.name, second.name
        return compare_by_parts(names, one, other, metric, rows, confidence, reason)
    return _no_comparison(first, second, metric, confidence, NO_PREDICTIONS)


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
    return ""


def _are_few_folds(standing: Standing, rows: JudgedRows) -> bool:
    """Whether folds are too few to tell how their scores vary; blocks of time are taken as they are."""
    n_splits, n_folds = standing.fold_scores.size, standing.fold_scores.shape[1]
    # Repeated folds bring no new rows, so those of one repeat are counted.
    is_few = (n_splits if rows.test_share is not None or n_folds < 2 else n_folds) < FEWEST_FOLDS
    return is_few and not rows.is_in_time


def _compare_by_folds(
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


BY_GROUPS = "Rows of a group are not independent, so groups are counted."
TOGETHER = "Some folds have no score, so the rows of a repeat are judged together."
EQUAL = "All predictions count the same for both, so nothing speaks for either."
ALIKE = "The difference is the same without any part of the rows, so p is that of a sign test over them."
UNKNOWN = "Without some parts of the rows there is no score, so how the difference varies is not known."
BY_BLOCKS = "The rows that were tested are cut into blocks of time, and blocks are counted."
NO_SPREAD_BY_FOLDS = "All folds have the same difference, so rows are counted instead."


@dataclass(frozen=True, eq=False)
class ScoredParts:
    """The score of a contender on all rows and without each part: repeats, and parts × repeats."""

    on_all: Floats
    without: Floats


def score_parts(metric: Metric, predictions: Predictions | None, rows: JudgedRows) -> ScoredParts | None:
    """The scores of these predictions; None where no predictions were kept."""
    if predictions is None or metric.needs == "model":
        return None
    scored = weighted_score(metric, predictions, rows)
    return ScoredParts(scored.values(all_counts(rows))[0], scored.values(left_out_counts(rows)))


def compare_by_parts(
    names: tuple[str, str],
    first: ScoredParts,
    second: ScoredParts,
    metric: Metric,
    rows: JudgedRows,
    confidence: float,
    reason: str,
) -> PairedComparison:
    """The difference with its t interval; its variance is that of the jackknife times 1 + K/(K−1).

    That is what the cross-validated t counts for folds, said of groups or rows.

    reason: why folds are not compared, as a sentence
    """
    difference = float(np.mean(score_differences(first.on_all, second.on_all)))
    n_parts = min(rows.n_units, MOST_PARTS)
    without = score_differences(first.without, second.without)
    error = math.sqrt(jackknife_variance(without) * rows.paired_factor)
    is_spread = error > rounding_of(first.on_all, second.on_all)
    found, p_value, messages = NO_T_TEST, math.nan, UNKNOWN
    if is_spread:
        found = t_test(difference, error, n_parts - 1, confidence)
        p_value, messages = found.p_value, ""
    elif difference == 0:
        p_value, messages = 1.0, EQUAL
    elif error == error:
        p_value, messages = min(2.0 ** (1 - n_parts), 1.0), ALIKE
    what = f"{metric.name} of {names[0]} minus {metric.name} of {names[1]}"
    made = f"left-out {rows.unit}s, corrected t"
    ends = (found.low, found.high)
    effect = Interval(what, difference, *ends, confidence, made, rows.n_units, rows.unit, 0.0)
    notes = [reason, messages] if messages else [reason]
    return PairedComparison(
        *names,
        effect,
        p_value,
        f"corrected t test over left-out {rows.unit}s",
        notes=tuple(notes),
        standard_error=error if is_spread else math.nan,
        is_larger_better=metric.is_larger_better,
        degrees_of_freedom=n_parts - 1,
    )


QUICK = "Without an outer loop: settings are chosen again in every resample, and judged on the rows outside."
NO_SPREAD = "The resamples do not differ, so nothing speaks for either."
ALWAYS = "Every resample has the same difference, so its interval is not known."
# With fewer the least p, 2 / (resamples + 1), times the comparisons with a baseline would not be below 5%.
PER_CONTENDER = 80
SELDOM = "p counts resamples, so it is never below 2 / (resamples + 1)."


def compare_by_resamples(
    standings: Sequence[Standing], metric: Metric, rows: JudgedRows, confidence: float, seed: int = 0
) -> list[PairedComparison]:
    """Every pair, in the order of the standings.

    standings: with the predictions of all settings
    """
    by_name = {each.name: [weighted_score(metric, one, rows) for one in each.settings] for each in standings}
    every = [one for each in by_name.values() for one in each]
    resamples = make_resamples(rows, every, metric, seed, fewest=max(FEWEST, PER_CONTENDER * len(standings)))
    outside: dict[str, Floats] = {}
    for name, scored in by_name.items():
        rule = setting_rule(next(each.choose for each in standings if each.name == name))
        outside[name] = np.empty(0)
        if resamples is not None:
            nothing = np.zeros((len(scored), len(scored)))
            goodness = metric.sign * resamples.inside(scored)
            rivals = Rivals(goodness, nothing, np.zeros(len(scored)), np.zeros(len(scored), dtype=np.bool_))
            outside[name] = resamples.outside(scored, rule.indices(rivals))
    return [
        _compare_by_resamples(first, second, outside, metric, rows, confidence)
        for first, second in combinations(standings, 2)
    ]


def _compare_by_resamples(
    one: Standing,
    other: Standing,
    outside: dict[str, Floats],
    metric: Metric,
    rows: JudgedRows,
    confidence: float,
) -> PairedComparison:
    first, second = one.name, other.name
    differences = score_differences(outside[first], outside[second])
    known = _around_scores(differences[np.isfinite(differences)], one, other)
    mean = float(known.mean()) if len(known) else math.nan
    error = float(known.std(ddof=1)) if len(known) > 1 else math.nan
    ends, p_value, notes = (math.nan, math.nan), math.nan, [QUICK]
    is_spread = error > rounding_of(outside[first], outside[second])
    if is_spread:
        tail = (1 - confidence) / 2
        low, high = np.quantile(known, [tail, 1 - tail])
        ends = (float(low), float(high))
        beyond = min(int((known <= 0).sum()), int((known >= 0).sum()))
        p_value = min(2 * (beyond + 1) / (len(known) + 1), 1.0)
        notes.append(SELDOM)
    elif mean == 0:
        p_value = 1.0
        notes.append(NO_SPREAD)
    elif len(known) > 1:  # one is right about everything in every resample, and the other guesses
        p_value = min(2 / (len(known) + 1), 1.0)
        notes += [ALWAYS, SELDOM]
    made = f"bootstrap of the choosing, {plural(len(known), 'resample')}"
    what = f"{metric.name} of {first} minus {metric.name} of {second}"
    return PairedComparison(
        first,
        second,
        Interval(what, mean, *ends, confidence, made, rows.n_units, rows.unit, 0.0),
        p_value,
        "bootstrap of the choosing",
        notes=tuple(notes),
        standard_error=error if is_spread else math.nan,
        is_larger_better=metric.is_larger_better,
    )


def _around_scores(differences: Floats, first: Standing, second: Standing) -> Floats:
    """The differences moved so that their mean is that of the scores as they are printed."""
    wanted = float(score_differences(np.array(first.score), np.array(second.score)))
    if not len(differences) or not math.isfinite(wanted) or not np.ptp(differences) > 0:
        return differences
    return np.asarray(differences - differences.mean() + wanted)
