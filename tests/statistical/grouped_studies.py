"""Studies of rows in groups: what is right within a group is alike, and intervals must know it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

import heldout as ho
from heldout.metrics.metric_registry import metric_named
from heldout.plan.resolved_plan import resolve_plan
from heldout.study.cells.cell import cell_key, run_cell
from heldout.study.cells.chosen_on import chosen_on
from heldout.study.cells.work import Work, work_of
from heldout.table.column import category_column
from heldout.verdict import JudgedRows, Predictions, estimate_score

CORRELATION = 0.3
STUMP = ho.Contender("stump", ho.TreeClassifier(max_depth=1, prune=None), prepare=None)
RIDGE = ho.Contender("ridge", ho.RidgeRegressor(alpha=1.0), prepare=None)


@dataclass(frozen=True)
class GroupedCoverage:
    """How often the open rows' interval held what models of as many groups score on other groups.

    n_by_groups: with groups declared
    n_by_rows:   with the same answers judged as if rows were independent
    """

    metric: str
    learner: str
    n_groups: int
    n_each: int
    n_sets: int
    truth: float
    mean: float
    n_by_groups: int
    n_by_rows: int


def grouped_table(
    generator: np.random.Generator, n_groups: int, n_each: int, is_regression: bool = False
) -> ho.Table:
    """So many rows in each group, which share the first input and a share of .3 of the noise."""

    def shared(share: float) -> NDArray[np.float64]:
        of_group = np.repeat(generator.normal(size=n_groups), n_each)
        return np.sqrt(share) * of_group + np.sqrt(1 - share) * generator.normal(size=n_groups * n_each)

    inputs = [shared(1.0), shared(0.0)]
    y = 0.8 * inputs[0] + 0.8 * inputs[1] + shared(CORRELATION)
    target = (
        ho.Column("y", "number", y)
        if is_regression
        else category_column("y", np.where(y > 0, "high", "low").tolist())
    )
    columns = [ho.Column(f"x{place}", "number", values) for place, values in enumerate(inputs)]
    groups = ho.Column("group", "number", np.repeat(np.arange(n_groups, dtype=np.float64), n_each))
    return ho.Table([*columns, groups, target])


def grouped_work(table: ho.Table, contender: ho.Contender, seed: int) -> Work:
    """A plan of 3 × 10 folds that keep groups whole, over all rows of the table."""
    is_regression = table.kinds["y"] == "number"
    metric = "mse" if is_regression else "accuracy"
    task = ho.Task(table, "y", groups="group")
    folds = ho.KFold(10, repeats=3)
    plan = ho.Plan([contender], folds=folds, tuning=ho.KFold(2), metrics=[metric], choose_by=metric)
    return work_of(task, resolve_plan(plan, task, seed))


def predictions_of(work: Work, contender: ho.Contender) -> Predictions:
    """Out-of-fold answers of a contender, repeats × rows, from its cells."""
    name = "labels" if work.is_classification else "values"
    said: NDArray[Any] = np.full((1 + max(fold.repeat for fold in work.folds), work.n_rows), -1.0)
    for fold in work.folds:
        cell = run_cell(work, cell_key(work, contender.digest, fold))
        said[fold.repeat, cell.rows] = cell.predictions[name]
    return Predictions(labels=said.astype(np.int64)) if work.is_classification else Predictions(values=said)


@cache
def true_score(
    contender: ho.Contender, n_groups: int, n_each: int, is_regression: bool, n_models: int = 150
) -> float:
    """What models of nine tenths of so many groups score on groups that they never saw."""
    generator = np.random.default_rng([n_groups, n_each, is_regression])
    scores = []
    for seed in range(n_models):
        table = grouped_table(generator, n_groups * 9 // 10, n_each, is_regression)
        work = grouped_work(table, contender, seed)
        asked = ho.Task(grouped_table(generator, 1_000, 5, is_regression), "y", groups="group")
        said = chosen_on(work, contender).fitted.predict(asked.X)
        scores.append(float(work.choose_by(asked.y, said)))
    return float(np.mean(scores))


def grouped_coverage(contender: ho.Contender, n_groups: int, n_each: int, n_sets: int) -> GroupedCoverage:
    """Sets of groups, each cross-validated as a study does it, and judged as its verdict does."""
    is_regression = contender is RIDGE
    truth = true_score(contender, n_groups, n_each, is_regression)
    metric = metric_named("mse" if is_regression else "accuracy")
    generator = np.random.default_rng([n_groups, n_each, is_regression, 1])
    found = []
    for seed in range(n_sets):
        work = grouped_work(grouped_table(generator, n_groups, n_each, is_regression), contender, seed)
        said = predictions_of(work, contender)
        known = {"classes": work.classes, "positive": work.positive}
        by_groups = JudgedRows.of(work.y, work.folds, **known, groups=work.facts.groups)
        by_rows = JudgedRows.of(work.y, work.folds, **known)
        made = [estimate_score(metric, said, rows) for rows in (by_groups, by_rows)]
        found.append((made[0].estimate, truth in made[0], truth in made[1]))
    mean, n_by_groups, n_by_rows = np.array(found).T
    return GroupedCoverage(
        metric.name,
        contender.name,
        n_groups,
        n_each,
        n_sets,
        truth,
        float(mean.mean()),
        int(n_by_groups.sum()),
        int(n_by_rows.sum()),
    )
