"""Results come from the study file alone, are the same again, and count every plan of the study."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import accuracy_score

import heldout as ho
from heldout.study.study import Study

from .study_tables import NEAR, TREE, churn_columns, price_columns, write_csv

FOLDS = {"folds": ho.KFold(3, repeats=2), "tuning": ho.KFold(2)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study with one plan that has run."""
    place = tmp_path_factory.mktemp("result")
    path = write_csv(place / "churn.csv", churn_columns())
    with Study.create(place / "a.heldout", path, "churned", groups="customer") as study:
        study.run(ho.Plan([TREE, NEAR], **FOLDS), n_jobs=1, progress=False)
    return place


@pytest.mark.slow
def test_the_result_needs_no_data(folder: Path, tmp_path: Path) -> None:
    """The study file alone, copied elsewhere, gives the same verdict, table and comparisons."""
    with Study.open(folder / "a.heldout") as study:
        there = study.result()
    copy = tmp_path / "copy.heldout"
    copy.write_bytes((folder / "a.heldout").read_bytes())
    (folder / "churn.csv").rename(folder / "hidden.csv")
    try:
        with Study.open(copy) as study:
            assert not study.has_rows
            here = study.result()
    finally:
        (folder / "hidden.csv").rename(folder / "churn.csv")
    assert str(here) == str(there)
    assert here.to_dict() == there.to_dict()
    assert here.plan.digest == there.plan_digest


def test_a_difference_to_the_baseline_has_one_interval(folder: Path) -> None:
    """The row of the baseline has the difference to the best as the baseline gate has it, and no other."""
    with Study.open(folder / "a.heldout") as study:
        result = study.result()
    body = result.to_dict()
    baseline = result.verdict.decision.baseline
    names = {baseline, result.verdict.best}
    (gate,) = (each for each in body["against_baseline"] if {each["name_a"], each["name_b"]} == names)
    (row,) = (each for each in body["standings"] if each["name"] == baseline)
    assert row["difference"] == (gate["simultaneous"] or gate["effect"])
    scores = {each.name: each.score for each in result.standings}
    for each in result.comparisons:
        assert each.effect.estimate == pytest.approx(scores[each.name_a] - scores[each.name_b], abs=1e-12)


def test_standings_are_those_of_the_predictions(folder: Path) -> None:
    """The estimate is the mean accuracy over repeats of the recorded predictions, by scikit-learn."""
    with Study.open(folder / "a.heldout") as study:
        result = study.result()
        table = result.predictions("tree")
    repeats = table["repeat"].values
    truth, said = np.array(table["truth"].labels()), np.array(table["answer"].labels())
    scores = [accuracy_score(truth[repeats == each], said[repeats == each]) for each in (1, 2)]
    assert result.standing("tree").estimate.estimate == pytest.approx(np.mean(scores))
    assert table.n_rows == 2 * result.rows.n_rows
    chances = table["probability of yes"].values
    assert ((chances >= 0.5) == (said == "yes")).mean() > 0.9


def test_every_row_is_predicted_by_a_model_that_did_not_see_its_group(folder: Path) -> None:
    """Rows of one customer lie in one fold of each repeat."""
    with Study.open(folder / "a.heldout") as study:
        groups = study.task.groups
        folds = study.result().rows.folds
    assert groups is not None
    for group in np.unique(groups):
        assert (np.ptp(folds[:, groups == group], axis=1) == 0).all()


def test_the_table_prints_the_best_first(folder: Path) -> None:
    """The table has a row for each contender, the best on top, with numbers that can be used."""
    with Study.open(folder / "a.heldout") as study:
        result = study.result()
    table = result.table()
    assert table.n_rows == 3
    scores = table[result.metric.name].values
    assert scores.tolist() == sorted(scores, reverse=True)
    assert math.isnan(table["to the best"].values[0])
    assert (table["to the best"].values[1:] <= 0).all()
    lines = str(table).splitlines()
    assert lines[0].split()[0] == "contender"
    assert len(lines) == 4


def test_comparisons_can_be_adjusted_otherwise(folder: Path) -> None:
    """Holm's p is never below Benjamini and Hochberg's, and every pair is compared."""
    with Study.open(folder / "a.heldout") as study:
        result = study.result()
    other = result.compared("benjamini_hochberg")
    assert len(result.comparisons) == 3
    for holm, found in zip(result.comparisons, other, strict=True):
        assert holm.adjusted_p is not None
        assert found.adjusted_p is not None
        assert found.adjusted_p <= holm.adjusted_p + 1e-12


def test_running_again_runs_nothing(tmp_path: Path) -> None:
    """A plan that has run is not run again, and adds no fact."""
    with Study.create(tmp_path / "a.heldout", churn_columns(), "churned") as study:
        first = study.run(ho.Plan([TREE], **FOLDS), n_jobs=1, progress=False)
        n_facts = study.ledger.n_facts
        second = study.run(ho.Plan([TREE], **FOLDS), n_jobs=1, progress=False)
        assert study.ledger.n_facts == n_facts
        assert first.digest == second.digest


def test_a_quick_plan_is_labelled(tmp_path: Path) -> None:
    """Without an outer loop the result says so, and its scores are corrected for the choice of settings."""
    with Study.create(tmp_path / "a.heldout", churn_columns(), "churned") as study:
        result = study.run(ho.Plan.quick([TREE, NEAR], tuning=ho.KFold(3)), n_jobs=1, progress=False)
        assert "quick plan" in " ".join(str(result.verdict).split())
        assert result.verdict.is_quick
        assert len(result.standing("tree").settings) == 2
        assert "Quick" in str(result.standing("tree").estimate)
        assert study.unseal("tree").open_estimate is not None


def test_regression_runs(tmp_path: Path) -> None:
    """A number is predicted, by the root mean squared error, and the ridge beats guessing."""
    ridge = ho.Contender("ridge", ho.RidgeRegressor(), {"alpha": [0.1, 10.0]})
    with Study.create(tmp_path / "a.heldout", price_columns(), "price") as study:
        result = study.run(ho.Plan([ridge], **FOLDS), n_jobs=1, progress=False)
        assert result.metric.name == "rmse"
        assert result.verdict.winner == "ridge"
        assert result.verdict.beats_baseline
        said = result.predictions("ridge")
        assert said["answer"].kind == "number"


class Broken(ClassifierMixin, BaseEstimator):
    """A learner that cannot learn."""

    def fit(self, X: Any, y: Any) -> Broken:
        raise ArithmeticError("this learner is broken")

    def predict(self, X: Any) -> Any:
        raise AssertionError("what never learned is not asked")


def test_a_learner_that_raises_is_incomplete(tmp_path: Path) -> None:
    """The run goes on, the verdict names what failed, and the others are judged."""
    broken = ho.Contender("broken", Broken(), prepare=None)
    with Study.create(tmp_path / "a.heldout", price_columns() | {"dear": price_classes()}, "dear") as study:
        result = study.run(ho.Plan([broken, TREE], **FOLDS), n_jobs=1, progress=False)
        assert not result.is_complete
        assert "this learner is broken" in result.standing("broken").problem
        assert result.verdict.winner in ("tree", "baseline")
        assert "this learner is broken" in " ".join(str(result.verdict).split())
        with pytest.raises(ho.RequestError, match="no complete predictions"):
            result.predictions("broken")
        with pytest.raises(ho.HeldoutError, match="this learner is broken"):
            study.unseal("broken")
        assert study.ledger.facts("unseal") == ()


def price_classes() -> list[str]:
    return ["dear" if price > 250 else "cheap" for price in price_columns()["price"]]


def test_names_are_suggested(folder: Path) -> None:
    """A contender or plan that is not there is refused with what is."""
    with Study.open(folder / "a.heldout") as study:
        result = study.result()
        with pytest.raises(ho.RequestError, match="did you mean 'tree'"):
            result.standing("tre")
        with pytest.raises(ho.RequestError, match="no such plan"):
            study.result("0123456789ab")
        with pytest.raises(ho.InputTypeError, match="runs a plan"):
            study.run(TREE)  # type: ignore[arg-type]


def test_the_verdict_is_recorded_for_any_reader(folder: Path) -> None:
    """The fact has winner, words, number, standings and comparisons as plain JSON."""
    with Study.open(folder / "a.heldout") as study:
        fact, result = study.ledger.facts("verdict")[-1], study.result()
    assert fact.body["winner"] == result.verdict.winner
    assert fact.body["text"] == str(result.verdict)
    assert {each["name"] for each in fact.body["standings"]} == {"baseline", "tree", "near"}
    assert len(fact.body["comparisons"]) == 3
    tuned = next(each for each in fact.body["standings"] if each["name"] == "tree")["chosen"]
    assert sum(count for _, count in tuned) == 6
    json.dumps(fact.body, allow_nan=False)


def test_weights_count_in_scores(tmp_path: Path) -> None:
    """With a column of weights the estimate is the weighted one of the predictions."""
    columns = churn_columns()
    columns["often"] = [1.0 + place % 3 for place in range(240)]
    with Study.create(tmp_path / "a.heldout", columns, "churned", weights="often") as study:
        result = study.run(ho.Plan([TREE], folds=ho.KFold(3), tuning=ho.KFold(2)), n_jobs=1, progress=False)
        weights = study.task.weights
        table = result.predictions("tree")
    assert weights is not None
    rows = table["row"].values.astype(int)
    right = np.array(table["truth"].labels()) == np.array(table["answer"].labels())
    expected = np.average(right, weights=weights[rows])
    assert result.standing("tree").estimate.estimate == pytest.approx(expected)
