"""Shipping: chosen on the open rows, fitted on every row, saved with where it comes from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import heldout as ho
from heldout.models import read_provenance
from heldout.study.study import Study

from .study_tables import TREE, price_columns, ran_study


@pytest.fixture
def study(tmp_path: Path) -> Any:
    with ran_study(tmp_path) as made:
        yield made


def test_the_model_is_fitted_on_every_row(study: Study, tmp_path: Path) -> None:
    """The file holds what fitting the chosen setting on all rows gives, open and held."""
    shipped = study.ship("tree", tmp_path / "a.model")
    model = ho.load(tmp_path / "a.model")
    task = ho.Task(ho.read_table(tmp_path / "churn.csv"), "churned")
    setting = shipped.provenance["setting"]
    by_hand = ho.TreeClassifier(**setting).fit(task.X, task.y)
    assert model.predict(task.X).tolist() == by_hand.predict(task.X).tolist()
    assert by_hand.to_text() == model.to_text()
    assert shipped.provenance["n_rows"] == 240


def test_the_setting_is_chosen_on_open_rows_alone(study: Study, tmp_path: Path) -> None:
    """What ship chooses is what tuning on the open rows chooses, as the winner's model fact says."""
    setting = study.ship("tree", tmp_path / "a.model").provenance["setting"]
    with study.ledger.writing():
        from heldout.study.cells.chosen_on import chosen_on
        from heldout.study.planned_contender import plan_contender

        assert chosen_on(plan_contender(study, "tree").work(study), TREE).choice.setting == setting


def test_the_file_says_where_it_comes_from(study: Study, tmp_path: Path) -> None:
    """Study, head, seal, estimate, setting and versions are in the file; the head is the study's."""
    study.ship("tree", tmp_path / "a.model")
    found = read_provenance(tmp_path / "a.model")
    assert found["study"] == study.digest
    assert found["head"] == study.ledger.head
    assert found["seal"]["state"] == "never opened"
    assert "the seal was never opened" in found["sentence"]
    assert found["estimate"]["estimate"] == study.result().standing("tree").estimate.estimate
    assert found["contender"] == "tree"
    assert found["final_score"] is None
    assert set(found["versions"]) >= {"heldout", "python", "numpy"}
    assert study.verify(found["head"]).is_unbroken
    json.dumps(found, allow_nan=False)


def test_the_winners_number_is_the_corrected_one(study: Study, tmp_path: Path) -> None:
    """The file of the winner has the verdict's number; that of another contender has its own alone."""
    verdict = study.result().verdict
    other = next(each.name for each in verdict.standings if each.name not in ("baseline", verdict.winner))
    shipped = study.ship(verdict.winner, tmp_path / "a.model").provenance
    assert shipped["corrected"]["estimate"] == verdict.number.estimate
    assert (shipped["corrected"]["low"], shipped["corrected"]["high"]) == (
        verdict.number.low,
        verdict.number.high,
    )
    beside = study.ship(other, tmp_path / "b.model").provenance
    assert beside["corrected"] is None
    assert beside["estimate"]["estimate"] == study.result().standing(other).estimate.estimate


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_the_look_is_recorded_before_held_rows_are_fitted(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    """A learner that fails on the held rows, or is stopped there, leaves its look in the study file."""
    fit = ho.TreeClassifier.fit

    def stopped(self: Any, X: Any, y: Any, *args: Any, **options: Any) -> Any:
        if len(y) == 240:
            raise error
        return fit(self, X, y, *args, **options)

    monkeypatch.setattr(ho.TreeClassifier, "fit", stopped)
    with pytest.raises((ho.HeldoutError, KeyboardInterrupt, SystemExit)):
        study.ship("tree", tmp_path / "a.model")
    held = [fact.body for fact in study.ledger.facts("look") if fact.body["role"] == "held"]
    assert [(look["what"], look["by"], look["n_rows"]) for look in held] == [
        ("refit", "ship tree", len(study.seal.held_rows))
    ]
    assert not (tmp_path / "a.model").exists()


def test_an_opened_seal_is_said(study: Study, tmp_path: Path) -> None:
    """After the look the file says that the seal was opened, and carries the final score."""
    score = study.unseal("tree")
    study.ship("tree", tmp_path / "a.model")
    found = read_provenance(tmp_path / "a.model")
    assert "opened once" in found["sentence"]
    assert found["final_score"]["estimate"] == score.estimate


def test_refitting_leaves_the_estimate_unchanged(study: Study, tmp_path: Path) -> None:
    """Results and verdict are the same before and after shipping."""
    before = study.result()
    study.ship("tree", tmp_path / "a.model")
    after = study.result()
    assert after.digest == before.digest
    assert str(after.verdict) == str(before.verdict)


def test_shipping_is_a_look_that_gives_nothing_away(study: Study, tmp_path: Path) -> None:
    """The held rows are recorded as refitted, for 0 bits, and the first unseal is still the first look."""
    study.ship("tree", tmp_path / "a.model")
    looks = [fact.body for fact in study.ledger.facts("look") if fact.body["role"] == "held"]
    assert [(look["what"], look["bits"]) for look in looks] == [("refit", 0)]
    assert looks[0]["n_rows"] == len(study.seal.held_rows)
    found = study.unseal("tree")
    assert found.look == 1
    assert found.bits_before == 0


def test_what_was_not_tuned_has_no_look_for_tuning(study: Study, tmp_path: Path) -> None:
    """Looks of shipping are those that happened: without settings nothing is compared."""
    for name, looks in (("near", ["refit", "refit"]), ("tree", ["tune", "refit", "refit"])):
        study.ship(name, tmp_path / "a.model")
        found = [
            fact.body["what"] for fact in study.ledger.facts("look") if fact.body["by"] == f"ship {name}"
        ]
        assert found == looks


def test_the_final_score_is_that_of_this_model(study: Study, tmp_path: Path) -> None:
    """A score of the same contender under another seed is one of another model, and not in the file."""
    study.unseal("tree")
    other = ho.Plan([TREE], folds=ho.KFold(2), tuning=ho.KFold(2), seed=99)
    study.run(other, n_jobs=1, progress=False)
    assert study.ship("tree", tmp_path / "a.model").provenance["final_score"] is None


def test_a_model_with_a_preparation_is_shipped(study: Study, tmp_path: Path) -> None:
    """Neighbors keep their rows in the model file, which is the user's, and answer as a pipeline."""
    study.ship("near", tmp_path / "a.model")
    task = ho.Task(ho.read_table(tmp_path / "churn.csv"), "churned")
    assert len(ho.load(tmp_path / "a.model").predict(task.X)) == 240


def test_a_baseline_is_shipped(study: Study, tmp_path: Path) -> None:
    """A baseline that won can be shipped as any other model."""
    study.ship("baseline", tmp_path / "a.model")
    assert set(ho.load(tmp_path / "a.model").predict(study.task.X)) <= {"yes", "no"}


@pytest.mark.parametrize(
    ("contender", "advice"),
    [
        (ho.Contender("forest", RandomForestClassifier()), "ho.ForestClassifier"),
        (ho.Contender("scaled", ho.TreeClassifier(), prepare=StandardScaler()), "ho.Scale"),
        (ho.Contender("piped", make_pipeline(StandardScaler(), ho.Perceptron())), "ho.Scale"),
    ],
)
def test_a_foreign_estimator_is_refused_before_any_work(
    study: Study, tmp_path: Path, contender: ho.Contender, advice: str
) -> None:
    """What a model file cannot hold is refused with what can; nothing was fitted or recorded."""
    n_facts = study.ledger.n_facts
    with pytest.raises(ho.InputTypeError, match=advice) as caught:
        study.ship(contender, tmp_path / "a.model")
    assert contender.name in caught.value.what
    assert study.ledger.n_facts == n_facts
    assert not (tmp_path / "a.model").exists()


def test_a_place_that_is_none_is_refused_before_any_work(study: Study, tmp_path: Path) -> None:
    """A folder, a missing folder and no path at all are refused, and nothing is recorded."""
    n_facts = study.ledger.n_facts
    for place in (tmp_path, tmp_path / "no" / "a.model"):
        with pytest.raises(ho.RequestError, match="cannot be saved here"):
            study.ship("tree", place)
    with pytest.raises(ho.InputTypeError, match="in a file"):
        study.ship("tree", None)  # type: ignore[arg-type]
    assert study.ledger.n_facts == n_facts


def test_regression_ships(tmp_path: Path) -> None:
    """A ridge regression is chosen, fitted on every row and loaded again."""
    ridge = ho.Contender("ridge", ho.RidgeRegressor(), {"alpha": [0.1, 10.0]})
    with Study.create(tmp_path / "a.heldout", price_columns(), "price") as study:
        study.ship(ridge, tmp_path / "a.model")
    table = ho.read_table(price_columns())
    answers = ho.load(tmp_path / "a.model").predict(ho.Task(table, "price").X)
    assert np.corrcoef(answers, table["price"].values)[0, 1] > 0.9


def test_the_winner_of_the_open_rows_is_in_the_study_file(study: Study) -> None:
    """The study file holds the winner fitted on open rows as a model file, unless it keeps rows."""
    winner = study.result().verdict.winner
    [fact] = [fact for fact in study.ledger.facts("model") if fact.body["role"] == "winner"]
    assert fact.body["name"] == winner
    assert fact.body["n_rows"] == study.task.n_rows
    if winner == "near":
        assert "keeps the rows" in fact.body["without_file"]
        assert "file" not in fact.arrays
    else:
        assert study.ledger.array(fact, "file").tobytes()[:2] == b"PK"


def test_neighbors_are_not_kept_in_the_study_file(tmp_path: Path) -> None:
    """A winner that stores rows is described, and its rows stay with the user."""
    with Study.create(tmp_path / "a.heldout", price_columns(), "price") as study:
        near = ho.Contender("near", ho.NeighborsRegressor(k=5))
        study.run(ho.Plan([near], folds=ho.KFold(3)), n_jobs=1, progress=False)
        assert study.result().verdict.winner == "near"
        fact = study.ledger.facts("model")[0]
        assert "keeps the rows" in fact.body["without_file"]
        assert fact.arrays == {}
