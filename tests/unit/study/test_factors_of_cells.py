"""Class factors of trees and rules come from the inner folds of a cell, and change probabilities alone."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import heldout as ho
from heldout.plan.resolved_plan import resolve_plan
from heldout.study.cells import chosen_on as module
from heldout.study.cells.cell import cell_keys, run_cell
from heldout.study.cells.chosen_on import chosen_on, learned_factors
from heldout.study.cells.tune import NewRows
from heldout.study.cells.work import Work, work_of

TREE = ho.Contender("tree", ho.TreeClassifier(), {"min_leaf": [20, 5, 2], "prune_confidence": [0.1, 0.5]})
RULES = ho.Contender("rules", ho.RuleClassifier(), {"min_leaf": [10, 2]})
FOLDS: dict[str, Any] = {"folds": ho.KFold(3), "tuning": ho.KFold(5)}


def travel_work(contender: ho.Contender, y: np.ndarray | None = None, **options: Any) -> Work:
    """The travel mode, whose leaves of one class miss new rows of the rarer one; or with other classes."""
    about = ho.datasets.describe("travel_mode")
    task = ho.Task(ho.datasets.load("travel_mode"), target=about.target, groups=about.groups)
    folds = {"tuning": ho.KFold(5)} if options.get("rigor") == "quick" else FOLDS
    work = work_of(task, resolve_plan(ho.Plan([contender], **(folds | options)), task, seed=3))
    if y is not None:
        object.__setattr__(work, "y", y)
    return work


@pytest.mark.slow
@pytest.mark.parametrize("contender", [TREE, RULES], ids=lambda each: each.name)
@pytest.mark.parametrize("choose_by", [None, "accuracy"])
def test_factors_change_no_prediction(
    contender: ho.Contender, choose_by: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a threshold of its own and at one half the labels of a cell are those without factors.

    Its odds are those without factors, times one number.
    """
    work = travel_work(contender, choose_by=choose_by)
    key = cell_keys(work)[1]
    cell = run_cell(work, key)
    monkeypatch.setattr(module, "learned_factors", lambda *_: {})
    plain = run_cell(work, key)
    assert np.array_equal(cell.predictions["labels"], plain.predictions["labels"])
    assert (cell.bits, cell.chosen) == (plain.bits, plain.chosen)
    odds = [each.predictions["probabilities"] for each in (cell, plain)]
    ratios = (odds[0][:, 1] / odds[0][:, 0]) / (odds[1][:, 1] / odds[1][:, 0])
    assert ratios == pytest.approx(ratios[0])
    assert ratios[0] > 1.02


@pytest.mark.parametrize("contender", [TREE, RULES], ids=lambda each: each.name)
def test_the_rows_of_the_test_part_do_not_reach_the_factors(contender: ho.Contender) -> None:
    """With other classes in the test part the factors are the same."""
    work = travel_work(contender)
    fold = work.folds[0]
    chosen = chosen_on(work, contender, fold.train)
    assert chosen.choice.factors
    other = work.y.copy()
    other[fold.test] = other[fold.test][::-1]
    again = chosen_on(travel_work(contender, other), contender, fold.train)
    assert again.choice.factors == chosen.choice.factors


def test_the_models_of_the_tuning_are_those_of_new_fits() -> None:
    """A setting that is fitted on the inner folds once more gives the same factors and the same threshold."""
    draw = np.random.default_rng(2)
    X = draw.normal(size=(400, 3))
    labels = np.where(X[:, 0] + draw.normal(size=400) > 1.4, "yes", "no")
    names = {f"x{k}": X[:, k] for k in range(3)} | {"y": labels.tolist()}
    task = ho.Task(ho.read_table(names), target="y", positive="yes")
    for contender in (TREE, RULES):
        work = work_of(task, resolve_plan(ho.Plan([contender], choose_by="f1", **FOLDS), task, seed=1))
        chosen = chosen_on(work, contender)
        inner = module._fit_inner(
            work, work.recipe_of(contender), chosen.choice.index, work.inner_folds(np.arange(400))
        )
        factors = learned_factors(work, inner)
        assert chosen.choice.factors == factors
        assert chosen.choice.threshold == module.tuned_threshold(work, inner, factors)
        assert 0 < chosen.choice.threshold < 0.5


def test_models_that_miss_a_class_say_nothing() -> None:
    """A class of one row is unknown to the model that it judges; the other models are enough."""
    draw = np.random.default_rng(4)
    table = {"x": draw.normal(size=90), "y": ["a"] * 60 + ["b"] * 29 + ["c"]}
    task = ho.Task(ho.read_table(table), target="y")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        work = work_of(task, resolve_plan(ho.Plan([TREE], folds=ho.KFold(3)), task, seed=1))
    part = work.part(np.arange(90))
    whole, without = (
        ho.TreeClassifier().fit(part.X.take(r), part.y[r]) for r in (np.arange(90), np.arange(89))
    )
    assert learned_factors(work, [NewRows(without, part)]) is not None
    both = learned_factors(work, [NewRows(without, part), NewRows(whole, part)])
    assert both == learned_factors(work, [NewRows(whole, part)])
    assert learned_factors(work, []) == {}


def test_one_setting_and_a_quick_plan_have_no_factors() -> None:
    """Nothing was fitted on inner folds; what is shipped of a quick plan was judged by the plan's folds."""
    alone = ho.Contender("tree", ho.TreeClassifier())
    assert chosen_on(travel_work(alone, choose_by="accuracy"), alone).choice.factors == {}
    assert chosen_on(travel_work(alone), alone).choice.factors  # for its threshold there are inner folds
    work = travel_work(TREE, rigor="quick")
    cell = run_cell(work, cell_keys(work)[1])
    assert cell.predictions["probabilities"].shape[0] == 6
    assert chosen_on(work, TREE).choice.factors


@pytest.mark.slow
def test_what_is_shipped_keeps_the_factors(tmp_path: Path) -> None:
    """The file and the export of a calibrated tree give the probabilities of new rows."""
    about = ho.datasets.describe("travel_mode")
    table = ho.datasets.load("travel_mode")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        study = ho.Study.create(tmp_path / "a.heldout", table, about.target, groups=about.groups, seed=1)
        study.run(ho.Plan([TREE], **FOLDS), progress=False)
        study.ship("tree", tmp_path / "tree.model")
    model = ho.load(tmp_path / "tree.model")
    assert (model.estimator_.class_factors_ != 1).any()
    program: dict[str, Any] = {}
    exec(ho.export(model, "python"), program)
    X = ho.Task(table, target=about.target, groups=about.groups).X.take(np.arange(20))
    told = [list(program["predict_proba"](row).values()) for row in pa.table(X).to_pylist()]
    assert told == model.predict_proba(X).tolist()
