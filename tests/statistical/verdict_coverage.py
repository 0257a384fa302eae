"""How often the intervals of the verdict hold the truth, for metrics without a formula in heldout.stats."""

from __future__ import annotations

from functools import cache

import numpy as np

from heldout.metrics.metric import Metric
from heldout.metrics.metric_registry import metric_named
from heldout.verdict import JudgedRows, Predictions, estimate_score
from heldout.verdict.paired_comparison import all_counts
from heldout.verdict.weighted_score import weighted_score

from .cross_validations import Contender, Crossed, answers, crossed, seeded, stratified_folds
from .interval_coverage import Coverage
from .populations import Population

OF_CLASSES = ("balanced_accuracy", "recall", "precision", "brier")
OF_NUMBERS = ("mae", "r2")


def names_for(population: Population) -> tuple[str, ...]:
    """The metrics that are measured there."""
    return OF_CLASSES if population.is_classified else OF_NUMBERS


def judged(found: Crossed) -> tuple[JudgedRows, Predictions]:
    """Out-of-fold answers as the verdict takes them."""
    if found.y.dtype.kind != "i":
        return JudgedRows(found.y, found.folds), Predictions(values=found.answers.predicted)
    ones = found.answers.scores
    rows = JudgedRows(found.y, found.folds, classes=(0, 1), positive=1)
    labels = found.answers.predicted.astype(np.int64)
    return rows, Predictions(labels=labels, probabilities=np.stack([1 - ones, ones], axis=2))


@cache
def true_scores(
    contender: Contender, population: Population, n_rows: int, n_models: int = 150, n_requested: int = 2_000
) -> dict[str, float]:
    """The scores of the answers of many models of nine tenths of the rows, taken together."""
    generator = seeded("true scores", contender.name, population.name, n_rows)
    asked, said = [], []
    for _ in range(n_models):
        rows, fresh = population.rows(generator, n_rows), population.draw(generator, n_requested)
        is_train = stratified_folds(rows.y, 10, generator) > 0
        asked.append(fresh.y)
        said.append(answers(contender, rows.views[0][is_train], rows.y[is_train], fresh.views[0]))
    together = Crossed(
        np.concatenate(asked),
        type(said[0])(
            np.concatenate([each.predicted for each in said])[np.newaxis],
            np.concatenate([each.scores for each in said])[np.newaxis],
        ),
        np.zeros((1, n_models * n_requested), dtype=np.intp),
    )
    rows, given = judged(together)
    return {name: score_of(metric_named(name), given, rows) for name in names_for(population)}


def score_of(metric: Metric, given: Predictions, rows: JudgedRows) -> float:
    """The score on all rows."""
    return float(weighted_score(metric, given, rows).means(all_counts(rows))[0])


def verdict_coverage(
    contender: Contender, population: Population, n_rows: int, n_sets: int
) -> list[Coverage]:
    """How many intervals held the truth, and how wide they were on average."""
    true = true_scores(contender, population, n_rows)
    generator = seeded("verdict coverage", contender.name, population.name, n_rows)
    n_held, widths = dict.fromkeys(true, 0), {name: [] for name in true}
    for _ in range(n_sets):
        rows, given = judged(crossed(contender, population.rows(generator, n_rows), 3, 10, generator))
        for name, wanted in true.items():
            found = estimate_score(metric_named(name), given, rows)
            n_held[name] += wanted in found
            widths[name].append(found.width)
    place = population.name, contender.name, n_rows
    return [
        Coverage(*place, name, held, n_sets, float(np.mean(widths[name]))) for name, held in n_held.items()
    ]
