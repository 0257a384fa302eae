"""Intervals of rows in groups hold the truth as often as they promise, where rows of a group are alike."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import heldout as ho
from heldout.metrics.metric_registry import metric_named
from heldout.study.study import Study
from heldout.verdict import JudgedRows, estimate_score

from .grouped_studies import (
    RIDGE,
    STUMP,
    GroupedCoverage,
    grouped_coverage,
    grouped_table,
    grouped_work,
    predictions_of,
)
from .test_looks import is_at_least

N_SETS = 200
PLACES = [(STUMP, 40, 5), (STUMP, 30, 20), (RIDGE, 30, 20)]


@cache
def measured(contender: ho.Contender, n_groups: int, n_each: int) -> GroupedCoverage:
    """What was found at this place."""
    return grouped_coverage(contender, n_groups, n_each, N_SETS)


@pytest.mark.parametrize(
    ("contender", "n_groups", "n_each"), PLACES, ids=lambda each: getattr(each, "name", each)
)
def test_open_rows_in_groups_keep_their_coverage(contender: ho.Contender, n_groups: int, n_each: int) -> None:
    """With a correlation of .3 within groups a study's intervals by groups hold what they promise."""
    found = measured(contender, n_groups, n_each)
    assert found.n_by_groups / N_SETS >= 0.93
    assert is_at_least(found.n_by_groups, N_SETS, 0.95)
    assert found.mean == pytest.approx(found.truth, rel=0.03)


def test_undeclared_groups_lose_it() -> None:
    """The same answers judged row by row hold the truth in less than 80% of sets, with 20 rows in a group."""
    assert measured(STUMP, 30, 20).n_by_rows / N_SETS < 0.8


def test_a_real_study_makes_the_same_interval(tmp_path: Path) -> None:
    """The estimate in a study's table is the one that was measured here, and counts groups."""
    table = grouped_table(np.random.default_rng(2), 30, 5)
    folds = {"folds": ho.KFold(10, repeats=3), "tuning": ho.KFold(2)}
    with Study.create(tmp_path / "a.heldout", table, "y", groups="group", held=None, seed=4) as study:
        plan = ho.Plan([STUMP], metrics=["accuracy"], choose_by="accuracy", **folds)
        estimate = study.run(plan, n_jobs=1, progress=False).standing("stump").estimate
    work = grouped_work(table, STUMP, seed=4)
    rows = JudgedRows.of(
        work.y, work.folds, classes=work.classes, positive=work.positive, groups=work.facts.groups
    )
    made = estimate_score(metric_named("accuracy"), predictions_of(work, STUMP), rows)
    assert (estimate.estimate, estimate.low, estimate.high) == (made.estimate, made.low, made.high)
    assert estimate.unit == "group"
    assert estimate.n_rows == 30
