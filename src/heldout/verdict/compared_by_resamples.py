"""Contenders of a quick plan compared by the resamples in which each chooses its setting again."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from heldout.metrics.metric import Metric
from heldout.stats.interval import Interval
from heldout.table.describe import plural
from heldout.verdict.bags import FEWEST, bags_of
from heldout.verdict.best_mean import choosing_again
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.metric_answers import base_name
from heldout.verdict.paired_comparison import PairedComparison
from heldout.verdict.rivals import Rivals
from heldout.verdict.row_losses import MEAN_LOSSES
from heldout.verdict.score_differences import rounding_of, score_differences
from heldout.verdict.scored_of import scored_of
from heldout.verdict.standing import Standing

Numbers = NDArray[np.float64]
QUICK = "Without an outer loop: settings are chosen again in every resample, and judged on the rows outside."
NO_SPREAD = "The resamples do not differ, so nothing speaks for either."
ALWAYS = "Every resample has the same difference, so its interval is not known."
# With fewer the least p, 2 / (resamples + 1), times the comparisons with a baseline would not be below 5%.
PER_CONTENDER = 80
SELDOM = "p counts resamples, so it is never below 2 / (resamples + 1)."


def compared_by_resamples(
    standings: Sequence[Standing], metric: Metric, rows: JudgedRows, confidence: float, seed: int = 0
) -> list[PairedComparison]:
    """Every pair, in the order of the standings.

    standings: with the answers of all settings
    """
    by_name = {each.name: [scored_of(metric, one, rows) for one in each.settings] for each in standings}
    every = [one for each in by_name.values() for one in each]
    is_stratified = metric.needs != "values" and base_name(metric) not in MEAN_LOSSES
    bags = bags_of(rows, every, is_stratified, seed, fewest=max(FEWEST, PER_CONTENDER * len(standings)))
    outside: dict[str, Numbers] = {}
    for name, scored in by_name.items():
        rule = choosing_again(next(each.choose for each in standings if each.name == name))
        outside[name] = np.empty(0)
        if bags is not None:
            nothing = np.zeros((len(scored), len(scored)))
            goodness = metric.sign * bags.inside(scored)
            rivals = Rivals(goodness, nothing, np.zeros(len(scored)), np.zeros(len(scored), dtype=np.bool_))
            outside[name] = bags.outside(scored, rule.places(rivals))
    return [
        _compared(first, second, outside, metric, rows, confidence)
        for first, second in combinations(standings, 2)
    ]


def _compared(
    one: Standing,
    other: Standing,
    outside: dict[str, Numbers],
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


def _around_scores(differences: Numbers, first: Standing, second: Standing) -> Numbers:
    """The differences moved so that their mean is that of the scores as they are printed."""
    wanted = float(score_differences(np.array(first.score), np.array(second.score)))
    if not len(differences) or not math.isfinite(wanted) or not np.ptp(differences) > 0:
        return differences
    return np.asarray(differences - differences.mean() + wanted)
