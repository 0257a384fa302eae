"""The learning curve: equal to fits by hand, kept in the study file, honest about what it cannot tell."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import heldout as ho
from heldout.split.row_facts import RowFacts
from heldout.study.curves.learning_curve import LearningCurve, learning_curve, shrunken

from .study_tables import churn_columns, price_columns

TREE = ho.Contender("tree", ho.TreeClassifier(prune=None))
FOLDS = ho.KFold(3)


@pytest.fixture
def study(tmp_path: Path) -> Iterator[ho.Study]:
    table = ho.read_table(churn_columns())
    with ho.Study.create(
        tmp_path / "churn.heldout", table, target="churned", groups="customer", seed=3
    ) as made:
        yield made


def test_scores_are_those_of_fits_by_hand(study: ho.Study) -> None:
    """Each point is the accuracy of a tree that was fitted by hand on the shrunken part of the fold."""
    curve = learning_curve(study, TREE, fractions=[0.3, 1.0], folds=FOLDS)
    task, facts = study.task, RowFacts.of(study.task)
    for row, fold in enumerate(FOLDS.folds(facts, seed=study.seed)):
        parts = shrunken(facts, fold.train, [0.3, 1.0], study.seed, (fold.repeat, fold.number))
        for column, rows in enumerate(parts):
            model = ho.TreeClassifier(prune=None).fit(task.X.take(rows), task.y[rows])
            for part, scores in ((rows, curve.train), (fold.test, curve.test)):
                by_hand = np.mean(model.predict(task.X.take(part)) == task.y[part])
                assert scores[row, column] == by_hand


def test_each_size_is_tuned_in_its_own_rows(study: ho.Study) -> None:
    """With a space the curve equals that of a learner that tunes itself inside the same rows."""
    from heldout.study.cells.chosen_on import chosen_on
    from heldout.study.curves.curve_work import curve_work

    near = ho.Contender("near", ho.NeighborsClassifier(), {"k": [1, 5, 15]})
    curve = learning_curve(study, near, fractions=[0.5], folds=FOLDS)
    work = curve_work(study.task, near, FOLDS, None, study.seed)
    for row, fold in enumerate(work.folds):
        [rows] = shrunken(work.facts, fold.train, [0.5], study.seed, (fold.repeat, fold.number))
        model = chosen_on(work, near, rows).model
        assert curve.test[row, 0] == np.mean(model.predict(work.X.take(fold.test)) == work.y[fold.test])


def test_asked_again_it_is_read_from_the_file(study: ho.Study, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same request fits nothing and writes nothing; another request does."""
    first = learning_curve(study, TREE, fractions=[0.5, 1.0], folds=FOLDS)
    n_facts = study.ledger.n_facts
    monkeypatch.setattr("heldout.study.curves.learning_curve.chosen_on_few", None)
    again = learning_curve(study, TREE, fractions=[1.0, 0.5], folds=FOLDS)
    assert again.to_dict() == first.to_dict()
    assert study.ledger.n_facts == n_facts
    monkeypatch.undo()
    learning_curve(study, TREE, fractions=[0.5, 1.0], folds=FOLDS, metric="error")
    assert study.ledger.n_facts == n_facts + 2


def test_it_is_a_look_at_open_rows(study: ho.Study) -> None:
    """The curve stands in the ledger with a look that names how many open rows were used, and by whom."""
    learning_curve(study, TREE, fractions=[1.0], folds=FOLDS)
    look = study.ledger.facts("look")[-1].body
    assert (look["what"], look["by"], look["role"]) == ("learning curve", "tree", "open")
    assert look["n_rows"] == study.task.n_rows
    assert study.verify().is_unbroken


def test_without_the_table_it_can_be_read(study: ho.Study, tmp_path: Path) -> None:
    """A study that was opened without its table still answers what was asked before."""
    before = learning_curve(study, TREE, fractions=[0.5, 1.0], folds=FOLDS)
    study.close()
    with ho.Study.open(tmp_path / "churn.heldout") as opened:
        assert not opened.has_rows
        assert learning_curve(opened, TREE, fractions=[0.5, 1.0], folds=FOLDS).to_dict() == before.to_dict()


def test_test_rows_leave_no_trace(tmp_path: Path) -> None:
    """Garbage in the test rows of a fold changes no model of that fold: its training scores stay the same."""
    from heldout.ledger.ledger import Ledger

    columns = churn_columns()
    clean = ho.Task(ho.read_table(columns), "churned")
    [first, *_] = FOLDS.folds(RowFacts.of(clean), seed=3)
    for row in first.test.tolist():
        columns["calls"][row], columns["months"][row] = 999.0, -5.0
    near = ho.Contender("near", ho.NeighborsClassifier(), {"k": [1, 5]})
    found = []
    for name, task in (("a", clean), ("b", ho.Task(ho.read_table(columns), "churned"))):
        with Ledger.create(tmp_path / name) as ledger:
            study = SimpleNamespace(task=task, seed=3, ledger=ledger)
            found.append(learning_curve(study, near, fractions=[0.4, 1.0], folds=FOLDS))  # type: ignore[arg-type]
    assert found[0].train[0].tolist() == found[1].train[0].tolist()
    assert found[0].train.tolist() != found[1].train.tolist()


def test_settings_that_few_rows_cannot_bear_are_left_out(study: ho.Study) -> None:
    """Where 60 neighbors cannot be asked for, the others are still tuned, and a note says so."""
    near = ho.Contender("near", ho.NeighborsClassifier(), {"k": [1, 60]})
    curve = learning_curve(study, near, fractions=[0.2, 1.0], folds=FOLDS)
    assert not np.isnan(curve.test).any()
    assert any("1 setting of 2 could not be fitted (3 of 3 folds)" in note for note in curve.notes)


def test_a_learner_that_always_fails_is_an_error(study: ho.Study) -> None:
    """Where no size can be fitted, the first error is raised, and nothing is written."""
    n_facts = study.ledger.n_facts
    with pytest.raises(ho.HeldoutError, match="k=1000"):
        learning_curve(study, ho.Contender("near", ho.NeighborsClassifier(k=1000)), folds=FOLDS)
    assert study.ledger.n_facts == n_facts


@pytest.mark.parametrize("fractions", [[], [0.0], [1.5], ["half"], 2, [True]])
def test_fractions_that_are_none_are_refused(study: ho.Study, fractions: object) -> None:
    """What is no share of the training part is refused with advice."""
    with pytest.raises(ho.RequestError, match="fractions lie above 0"):
        learning_curve(study, TREE, fractions=fractions)  # type: ignore[arg-type]


def test_unknown_names_get_a_suggestion(study: ho.Study) -> None:
    """A name that never ran is refused; what is no contender at all is refused too."""
    with pytest.raises(ho.RequestError, match="no contender 'tre' ran"):
        learning_curve(study, "tre")
    with pytest.raises(ho.InputTypeError, match="by its name"):
        learning_curve(study, 5)  # type: ignore[arg-type]


def test_regressions_and_repeats(tmp_path: Path) -> None:
    """A regression is measured by its RMSE, over all repeats, and less is better."""
    with ho.Study.create(tmp_path / "p.heldout", ho.read_table(price_columns()), target="price") as study:
        ridge = ho.Contender("ridge", ho.RidgeRegressor(alpha=1.0))
        curve = learning_curve(study, ridge, fractions=[0.5, 1.0], folds=ho.KFold(3, repeats=2))
    assert (curve.metric, curve.is_larger_better, curve.n_repeats) == ("rmse", False, 2)
    assert curve.test.shape == (6, 2)
    assert "cross-validated t" in str(curve)


def test_words_follow_the_interval() -> None:
    """Whether more rows may help is said only where the interval of the gain lies on one side of 0."""
    low = np.array([[0.70, 0.70], [0.72, 0.70], [0.69, 0.68], [0.71, 0.70]])

    def words(gains: list[float]) -> str:
        test = np.column_stack([low[:, 0], low[:, 0] + gains])
        curve = LearningCurve(
            "t", "accuracy", True, (0.0, 1.0), (50, 100), test, test, 150, fractions=(0.5, 1.0)
        )
        return curve.takeaway

    assert "may still help" in words([0.10, 0.11, 0.10, 0.12])
    assert "made it worse" in words([-0.10, -0.11, -0.10, -0.12])
    assert "do not tell" in words([0.02, -0.02, 0.03, -0.01])


def test_it_is_plain_and_draws(study: ho.Study) -> None:
    """to_dict is JSON that the report can draw, a line for each kind of rows; a notebook shows it."""
    from heldout.report.recorded_curve import curve_picture

    curve = learning_curve(study, TREE, fractions=[0.5, 1.0], folds=FOLDS)
    record = json.loads(json.dumps(curve.to_dict()))
    picture = curve_picture({"result": record})
    assert (record["title"], record["text"]) == ("learning curve of tree", str(curve))
    assert 0 < picture.count("<circle") == curve.to_svg().count("<circle")
    assert curve.to_svg() in curve._repr_html_()
    assert "training rows" in picture
    assert "test rows" in picture


@pytest.mark.parametrize("role", ["groups", "time", "weights"])
@pytest.mark.parametrize("folds", [FOLDS, ho.Holdout(repeats=2), ho.RotatingValidation(3)], ids=str)
def test_roles_of_rows_are_obeyed(tmp_path: Path, role: str, folds: ho.KFold) -> None:
    """With groups, times or weights, under any split, the whole training part has a score in every fold."""
    columns = churn_columns(180) | {"day": [float(row // 2) for row in range(180)], "often": [1.0, 2.0] * 90}
    named = {"groups": "customer", "time": "day", "weights": "often"}[role]
    unused = [name for name in ("customer", "day", "often") if name != named]
    table = ho.read_table(columns).drop(unused)
    with ho.Study.create(tmp_path / "r.heldout", table, target="churned", seed=1, **{role: named}) as study:
        curve = learning_curve(study, TREE, fractions=[0.5, 1.0], folds=folds)
    assert not np.isnan(curve.test[:, -1]).any()
    assert curve.is_in_time == (role == "time")
    assert ("cross-validated t" in curve.takeaway) == (role != "time" and not isinstance(folds, ho.Holdout))


def curve_of(*gains: float) -> LearningCurve:
    scores = np.column_stack([np.full(len(gains), 0.7), 0.7 + np.array(gains)])
    return LearningCurve("tree", "accuracy", True, (0.0, 1.0), (50, 100), scores, scores, 150)


def test_folds_that_all_gain_the_same_tell_nothing() -> None:
    """Three folds that gain one row each make no interval of width 0, and no advice to get more rows."""
    said = str(curve_of(0.1, 0.1, 0.1))
    assert "0.100 to 0.100" not in said
    assert "may still help" not in said
    assert "cannot tell" in said


def test_numbers_beside_each_other_have_the_same_digits() -> None:
    """A difference far below the digits of the scores is not printed with more of them: its bound is."""
    said = str(curve_of(0.01, -0.0101, 0.0002))
    assert "better by <0.0001 (95% interval -0." in said
    assert "0.0000" not in said


def test_what_decides_the_numbers_makes_another_request(study: ho.Study) -> None:
    """Other folds, another seed of the folds, sizes, tuning or metric are measured; the same is not again."""
    usual = {"fractions": [1.0], "folds": FOLDS}
    others = [{"folds": ho.KFold(3, seed=5)}, {"folds": ho.KFold(2)}, {"fractions": [0.5]}]
    others += [{"tuning": ho.KFold(2)}, {"metric": "balanced_accuracy"}]
    for _ in range(2):
        for other in ({}, *others):
            learning_curve(study, TREE, **(usual | other))
    facts = study.ledger.facts("curve")
    assert len(facts) == 1 + len(others)
    assert len({fact.key for fact in facts}) == len(facts)
    looks = [fact for fact in study.ledger.facts("look") if fact.body["what"] == "learning curve"]
    assert [look.body["n_rows"] for look in looks] == [study.task.n_rows] * len(facts)
