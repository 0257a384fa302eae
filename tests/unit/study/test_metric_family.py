"""A metric is what it is made of and not what it is called, in every part of a study."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import heldout as ho
from heldout.metrics import Metric, metric_named
from heldout.plan.resolved_plan import resolve_plan
from heldout.study.study import Study

from .study_tables import NEAR, TREE, churn_columns, price_columns, write_csv

QUICK = {"folds": ho.KFold(5), "tuning": ho.KFold(2)}


def share_right(y: NDArray[np.str_], predicted: NDArray[np.str_]) -> float:
    """The share of rows predicted right, by a function of the user's."""
    return float(np.mean(np.asarray(y) == np.asarray(predicted)))


def studied(folder: Path, metric: Metric, name: str = "a", **asked: object) -> Study:
    """A study of leaving customers in which a tree and neighbors ran, chosen by this metric."""
    path = write_csv(folder / "churn.csv", churn_columns())
    study = Study.create(folder / f"{name}.heldout", path, "churned", positive="yes", **asked)
    study.run(ho.Plan((TREE, NEAR), choose_by=metric, **QUICK), n_jobs=1, progress=False)
    return study


@pytest.mark.slow
@pytest.mark.parametrize(
    "known", ["accuracy", "error", "balanced_accuracy", "precision", "f1", "auc", "brier"]
)
def test_a_metric_under_another_name_keeps_all_that_follows_from_it(tmp_path: Path, known: str) -> None:
    """Estimates, comparisons, verdict, interval and bits of a look are those of the metric that it is."""
    with (
        studied(tmp_path, metric_named(known), "known") as one,
        studied(tmp_path, metric_named(known).using(name="mine"), "mine") as other,
    ):
        results = one.result(), other.result()
        for first, second in zip(results[0].standings, results[1].standings, strict=True):
            assert dataclasses.replace(second.estimate, what=known) == first.estimate
        for first, second in zip(results[0].comparisons, results[1].comparisons, strict=True):
            assert (second.p_value, second.effect.low, second.effect.high) == (
                first.p_value,
                first.effect.low,
                first.effect.high,
            )
        assert results[0].verdict.number.low == results[1].verdict.number.low
        looks = one.unseal("tree"), other.unseal("tree")
    assert looks[1].metric == "mine"
    for name in ("adaptive", "fixed"):
        first, second = getattr(looks[0], name), getattr(looks[1], name)
        assert dataclasses.replace(second, what=known) == first
    assert (looks[1].bits, looks[1].budget, looks[1].baseline) == (
        looks[0].bits,
        looks[0].budget,
        looks[0].baseline,
    )


@pytest.mark.slow
def test_a_function_that_is_called_accuracy_is_not_taken_for_it(tmp_path: Path) -> None:
    """One's own metric is measured by leaving out rows, whatever its name, and a look at it is rounded."""
    own = Metric("accuracy", share_right, "labels", True, 0.0, 1.0)
    with studied(tmp_path, own) as study, studied(tmp_path, metric_named("accuracy"), "known") as known:
        standing, real = (each.result().standings[-1] for each in (study, known))
        assert standing.estimate.estimate == pytest.approx(real.estimate.estimate)
        assert "left-out rows" in standing.estimate.method
        assert "Wilson" in real.estimate.method
        look, exact = study.unseal("tree"), known.unseal("tree")
    assert look.is_approximate
    assert not exact.is_approximate
    assert look.bits > exact.bits


def test_a_renamed_f1_decides_at_a_threshold_of_its_own(tmp_path: Path) -> None:
    """What a threshold is chosen by follows from the metric; the F1 of the other class has none."""
    table = ho.read_table(write_csv(tmp_path / "churn.csv", churn_columns()))
    task = ho.Task(table, "churned", positive="yes")
    f1 = metric_named("f1")
    plans = [ho.Plan([TREE], choose_by=each) for each in (f1, f1.using(name="mine"), f1.using(positive="no"))]
    assert [resolve_plan(plan, task).decides_by for plan in plans] == ["f1", "f1", ""]


def test_the_baseline_of_absolute_errors_predicts_the_median(tmp_path: Path) -> None:
    """The best constant is that of the metric, under any name."""
    task = ho.Task(ho.read_table(write_csv(tmp_path / "prices.csv", price_columns())), "price")
    tree = ho.Contender("tree", ho.TreeRegressor())
    plans = [ho.Plan([tree], choose_by=metric_named(known).using("mine")) for known in ("mae", "rmse")]
    baselines = [resolve_plan(plan, task).plan.contenders[0].learner for plan in plans]
    assert [each.strategy for each in baselines] == ["median", "mean"]
