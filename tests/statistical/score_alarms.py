"""False alarms of comparisons as a study makes them, by scores that are no means over rows: AUC and RMSE.

The difference is that of the scores of all rows, and its spread that of the folds' own scores. Two views of
the same rows are equally good, so every p below 5% is a false alarm.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.metrics.metric import Metric
from heldout.metrics.metric_registry import metric_named
from heldout.verdict import Standing, compare_contenders, estimate_score
from heldout.verdict.weighted_score import WeightedScore, weighted_score

from .cross_validations import Contender, Crossed, seeded
from .false_alarms import LEVEL, Alarms, both_views
from .populations import Population
from .verdict_coverage import judged


def score_alarms(name: str, contender: Contender, population: Population, n_rows: int, n_sets: int) -> Alarms:
    """How often the comparison of two equally good contenders had a p below 5%, over 3 × 10 folds.

    name: of the metric
    """
    metric = metric_named(name)
    generator = seeded("score alarms", name, contender.name, population.name, n_rows)
    n_alarms = 0
    for _ in range(n_sets):
        views = both_views(contender, population.rows(generator, n_rows), 3, 10, generator)
        standings = [_standing(place, each, metric) for place, each in zip("ab", views, strict=True)]
        rows, _ = judged(views[0])
        (found,) = compare_contenders(standings, metric, rows)
        n_alarms += found.p_value < LEVEL
    return Alarms(population.name, contender.name, n_rows, f"{name} by folds", n_alarms, n_sets)


def _standing(name: str, found: Crossed, metric: Metric) -> Standing:
    rows, answers = judged(found)
    scores = _by_fold(weighted_score(metric, answers, rows), rows.folds)
    return Standing(name, metric.name, estimate_score(metric, answers, rows), scores, answers)


def _by_fold(scored: WeightedScore, folds: NDArray[np.intp]) -> NDArray[np.float64]:
    """Repeats × folds: the score of each fold alone; NaN where it has none."""
    numbers = np.arange(folds.max() + 1)[:, np.newaxis]
    found = [scored.values((line == numbers).astype(np.float64)) for line in folds]
    return np.array([each[:, repeat] for repeat, each in enumerate(found)])
