"""Two contenders compared on all rows of a repeat: how their difference varies without some of them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heldout.metrics.metric import Metric
from heldout.stats.interval import Interval
from heldout.stats.t_test import NO_T_TEST, t_test
from heldout.verdict.answers import Answers
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.left_out_parts import MOST_PARTS, all_counts, jackknife_variance, left_out_counts
from heldout.verdict.paired_comparison import PairedComparison
from heldout.verdict.score_differences import rounding_of, score_differences
from heldout.verdict.scored_of import scored_of

Numbers = NDArray[np.float64]
BY_GROUPS = "Rows of a group are not independent, so groups are counted."
TOGETHER = "Some folds have no score, so the rows of a repeat are judged together."
EQUAL = "All answers count the same for both, so nothing speaks for either."
ALIKE = "The difference is the same without any part of the rows, so p is that of a sign test over them."
UNKNOWN = "Without some parts of the rows there is no score, so how the difference varies is not known."
BY_BLOCKS = "The rows that were tested are cut into blocks of time, and blocks are counted."
NO_SPREAD_BY_FOLDS = "All folds have the same difference, so rows are counted instead."


@dataclass(frozen=True, eq=False)
class ScoredParts:
    """The score of a contender on all rows and without each part: repeats, and parts × repeats."""

    on_all: Numbers
    without: Numbers


def parts_of(metric: Metric, answers: Answers | None, rows: JudgedRows) -> ScoredParts | None:
    """The scores of these answers; None where no answers were kept."""
    if answers is None or metric.needs == "model":
        return None
    scored = scored_of(metric, answers, rows)
    return ScoredParts(scored.values(all_counts(rows))[0], scored.values(left_out_counts(rows)))


def compared_by_parts(
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

    >>> one = ScoredParts(np.array([0.8]), np.array([[0.79], [0.8], [0.81]]))
    >>> other = ScoredParts(np.array([0.6]), np.array([[0.6], [0.6], [0.6]]))
    >>> from heldout.metrics.metric_registry import metric_named
    >>> rows = JudgedRows(np.zeros(6), np.arange(6)[np.newaxis] % 3, groups=np.arange(6) % 3)
    >>> found = compared_by_parts(("tree", "guess"), one, other, metric_named("auc"), rows, 0.95, BY_GROUPS)
    >>> round(found.effect.estimate, 3), round(found.standard_error, 4)
    (0.2, 0.0183)
    """
    difference = float(np.mean(score_differences(first.on_all, second.on_all)))
    n_parts = min(rows.n_units, MOST_PARTS)
    without = score_differences(first.without, second.without)
    error = math.sqrt(jackknife_variance(without) * rows.paired_factor)
    is_spread = error > rounding_of(first.on_all, second.on_all)
    found, p_value, said = NO_T_TEST, math.nan, UNKNOWN
    if is_spread:
        found = t_test(difference, error, n_parts - 1, confidence)
        p_value, said = found.p_value, ""
    elif difference == 0:
        p_value, said = 1.0, EQUAL
    elif error == error:
        p_value, said = min(2.0 ** (1 - n_parts), 1.0), ALIKE
    what = f"{metric.name} of {names[0]} minus {metric.name} of {names[1]}"
    made = f"left-out {rows.unit}s, corrected t"
    ends = (found.low, found.high)
    effect = Interval(what, difference, *ends, confidence, made, rows.n_units, rows.unit, 0.0)
    notes = [reason, said] if said else [reason]
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
