"""The seal: one recorded look, the same answer again, reasons for more, and bits that are counted."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import beta
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression

import heldout as ho
from heldout.split.fold import rows_digest
from heldout.study.study import Study

from .study_tables import NEAR, TREE, churn_columns, price_columns, ran_study, write_csv

QUICK = {"folds": ho.KFold(2), "tuning": ho.KFold(2)}


def new_study(folder: Path, name: str = "a", **asked: Any) -> Study:
    path = write_csv(folder / "churn.csv", churn_columns())
    return Study.create(folder / f"{name}.heldout", path, "churned", **asked)


def ran(study: Study, *contenders: ho.Contender) -> Study:
    study.run(ho.Plan(contenders or (TREE, NEAR), **QUICK), n_jobs=1, progress=False)
    return study


def test_the_score_is_that_of_the_model_on_the_held_rows(tmp_path: Path) -> None:
    """The score is the share of right answers of a model of all open rows, with SciPy's ends around it."""
    with ran_study(tmp_path) as study:
        found = study.unseal("near")
        prepared = ho.prepare_for(ho.NeighborsClassifier(k=9), study.task)
        X = prepared.fit_transform(study.task.X, study.task.y)
        model = ho.NeighborsClassifier(k=9).fit(X, study.task.y)
        task = ho.Task(ho.read_table(tmp_path / "churn.csv"), "churned")
        rows = study.seal.held_rows
        with warnings.catch_warnings(action="ignore"):  # customers that no open row has
            answers = model.predict(prepared.transform(task.X[rows]))
    n_hits, n = int((answers == task.y[rows]).sum()), len(rows)
    assert found.estimate == n_hits / n
    assert found.adaptive.low == pytest.approx(beta.ppf(0.025, n_hits, n - n_hits + 1), rel=1e-9)
    assert found.adaptive.high == pytest.approx(beta.ppf(0.975, n_hits + 1, n - n_hits), rel=1e-9)
    assert found.bits == pytest.approx(math.log2(n + 1))
    assert found.look == 1
    assert found.bits_before == 0


def test_asking_again_costs_nothing(tmp_path: Path) -> None:
    """The same model gives the recorded answer, also after opening again, without rows, and adds no fact."""
    with ran_study(tmp_path) as study:
        first = study.unseal("tree")
        n_facts = study.ledger.n_facts
        assert study.unseal("tree") == first
        assert study.unseal(TREE) == first
        assert study.ledger.n_facts == n_facts
    (tmp_path / "churn.csv").unlink()
    with Study.open(tmp_path / "a.heldout") as again:
        assert again.unseal("tree") == first
        assert again.ledger.n_facts == n_facts


def test_the_same_model_of_an_edited_plan_is_the_same_model(tmp_path: Path) -> None:
    """A contender that an edited plan tunes in the same way is not looked at again."""
    with ran_study(tmp_path) as study:
        first = study.unseal("tree")
        study.run(ho.Plan([TREE, NEAR], folds=ho.KFold(4), tuning=ho.KFold(2)), n_jobs=1, progress=False)
        assert study.unseal("tree") == first


def test_another_look_needs_a_reason(tmp_path: Path) -> None:
    """A second model is refused without a reason, and with an empty one; the reason is recorded."""
    with ran_study(tmp_path) as study:
        study.unseal("tree")
        with pytest.raises(ho.SealError, match=r"looked at[\s\S]*reason"):
            study.unseal("near")
        for empty in ("", "  \n"):
            with pytest.raises(ho.SealError, match="reason"):
                study.unseal("near", reason=empty)
        with pytest.raises(ho.InputTypeError, match="sentence"):
            study.unseal("near", reason=True)  # type: ignore[arg-type]
        found = study.unseal("near", reason="the tree cannot be fielded")
        assert found.look == 2
        assert found.reason == "the tree cannot be fielded"
        body = [fact.body for fact in study.ledger.facts("look") if fact.body["role"] == "held"][-1]
        assert body["reason"] == "the tree cannot be fielded"
        assert len(study.ledger.facts("unseal")) == 2


def test_bits_of_earlier_looks_widen_the_interval(tmp_path: Path) -> None:
    """The second interval is Clopper-Pearson's at α · 2^−bits, the other at α/2; both by SciPy."""
    with ran_study(tmp_path) as study:
        study.unseal("tree")
        found = study.unseal("near", reason="to see")
    n = found.n_rows
    n_hits = round(found.estimate * n)
    models = 1 + (n + 1)  # the first, and whatever may follow from one of n + 1 answers
    assert found.bits_before == pytest.approx(math.log2(models))
    level = 0.05 / models
    assert found.adaptive.low == pytest.approx(beta.ppf(level / 2, n_hits, n - n_hits + 1), rel=1e-6)
    assert found.fixed.low == pytest.approx(beta.ppf(0.0125, n_hits, n - n_hits + 1), rel=1e-6)
    assert found.adaptive.width > found.fixed.width
    assert "however this model was built" in str(found)


def test_looks_are_told_together_at_the_bits_of_the_last(tmp_path: Path) -> None:
    """On the page the first look has the intervals of Clopper and Pearson at the last level, by SciPy."""
    from heldout.report.summarize import summarize

    with ran_study(tmp_path) as study:
        first = study.unseal("tree")
        alone = summarize(study.ledger)["seal"]["looks"]
        last = study.unseal("near", reason="to see")
        together = summarize(study.ledger)["seal"]
    assert (alone[0]["score"]["low"], alone[0]["score"]["high"]) == (first.adaptive.low, first.adaptive.high)
    n, n_hits = first.n_rows, round(first.estimate * first.n_rows)
    level = 0.05 * 2.0**-last.bits_before
    earlier, latest = together["looks"]
    assert earlier["score"]["low"] == pytest.approx(beta.ppf(level / 2, n_hits, n - n_hits + 1), rel=1e-6)
    assert earlier["score"]["high"] == pytest.approx(
        beta.ppf(1 - level / 2, n_hits + 1, n - n_hits), rel=1e-6
    )
    assert latest["score"]["low"] == last.adaptive.low
    low, high = beta.ppf(0.0125, n_hits, n - n_hits + 1), beta.ppf(0.9875, n_hits + 1, n - n_hits)
    assert (earlier["fixed"]["low"], earlier["fixed"]["high"]) == pytest.approx((low, high), rel=1e-6)
    assert latest["fixed"]["low"] == last.fixed.low
    assert "hold together, and for the best of them" in together["sentence"]


@pytest.mark.slow
def test_looks_allowed_permits_that_many(tmp_path: Path) -> None:
    """With looks_allowed=2 the second look needs no reason, its bits count, and the third is refused."""
    with ran_study(tmp_path, looks_allowed=2) as study:
        study.unseal("tree")
        assert study.unseal("near").bits_before > 0
        with pytest.raises(ho.SealError, match="opened 2 times, 2 allowed"):
            study.unseal("baseline")


@pytest.mark.slow
def test_a_contender_that_no_plan_ran_is_recorded(tmp_path: Path) -> None:
    """Without any plan, and beside one, a Contender can be unsealed; it has no open-row number."""
    with new_study(tmp_path) as study:
        found = study.unseal(TREE)
        assert found.open_estimate is None
        assert study.ledger.facts("unseal")[0].body["plan"] is None
    with ran(new_study(tmp_path, "b"), NEAR) as study:
        assert study.unseal(TREE).open_estimate is None
        assert study.unseal("near", reason="beside it").open_estimate is not None


def test_the_open_rows_number_stands_beside_the_score(tmp_path: Path) -> None:
    """The final score carries what cross-validation said, and both are printed."""
    with ran_study(tmp_path) as study:
        found = study.unseal("tree")
        standing = study.result().standing("tree")
    assert found.open_estimate is not None
    assert found.open_estimate.estimate == standing.estimate.estimate
    assert "On the open rows cross-validation gave" in str(found)


def test_every_look_is_recorded_before_it_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the record cannot be written no score comes back; afterwards the look is still the first."""
    from heldout.ledger.ledger import Ledger

    with ran_study(tmp_path) as study:
        whole = Ledger.append

        def full_disk(self: Ledger, entries: Any) -> Any:
            raise ho.LedgerError("no space left", where="disk", fix="make room")

        monkeypatch.setattr(Ledger, "append", full_disk)
        with pytest.raises(ho.LedgerError, match="no space"):
            study.unseal("tree")
        monkeypatch.setattr(Ledger, "append", whole)
        assert study.unseal("tree").look == 1


KILLED_AFTER = """
import os, signal, sys
import heldout as ho
from heldout.study.seal import unseal as room
def killed(*given):
    os.kill(os.getpid(), signal.SIGKILL)
room.recorded_score = killed
ho.Study.open(sys.argv[1]).unseal("tree")
"""


@pytest.mark.slow
def test_a_kill_between_record_and_answer_gives_no_free_look(tmp_path: Path) -> None:
    """Killed after the record and before the answer, the look counts, and its answer can be asked for."""
    ran_study(tmp_path).close()
    path = tmp_path / "a.heldout"
    done = subprocess.run([sys.executable, "-c", KILLED_AFTER, str(path)], check=False)
    assert done.returncode == -signal.SIGKILL
    with Study.open(path) as study:
        assert len(study.ledger.facts("unseal")) == 1
        n_facts = study.ledger.n_facts
        assert study.unseal("tree").look == 1
        assert study.ledger.n_facts == n_facts
        with pytest.raises(ho.SealError):
            study.unseal("near")


def test_the_look_names_the_held_rows(tmp_path: Path) -> None:
    """The fact has digest and count of the held rows, its bits, and the fit on all open rows before it."""
    with ran_study(tmp_path) as study:
        found = study.unseal("tree")
        bodies = [fact.body for fact in study.ledger.facts("look") if fact.body["by"] == "unseal tree"]
        assert [body["what"] for body in bodies] == ["tune", "fit", "score"]
        guessing = [fact.body for fact in study.ledger.facts("look") if "guessing" in fact.body["by"]]
        assert [(body["what"], body["role"]) for body in guessing] == [("fit", "open"), ("score", "open")]
        assert bodies[-1]["rows"] == rows_digest(study.seal.held_rows)
        assert bodies[-1]["bits"] == pytest.approx(found.bits)
        assert bodies[1]["n_rows"] == study.task.n_rows
        table = study.looks()
        assert table["role"].labels()[-1] == "held"
        assert "1 of them at held rows" in str(table)


def test_without_a_seal_there_is_nothing_to_unseal(tmp_path: Path) -> None:
    """held=0: unseal is refused, and the verdict says that there is no final score."""
    with ran_study(tmp_path, held=0) as study:
        with pytest.raises(ho.SealError, match="no rows were held back"):
            study.unseal("tree")
        assert "No rows are held back" in str(study.result().verdict).replace("\n    ", " ")


def test_full_detail_gives_the_set_away(tmp_path: Path) -> None:
    """detail="full" shows every held row, says so first, and afterwards every interval says used up."""
    with ran_study(tmp_path) as study:
        found = study.unseal("tree", detail="full")
        assert str(found).startswith(
            "This look shows the held rows one by one, and gives all of their labels away"
        )
        assert found.full is not None
        assert found.full.confusion().accuracy == found.estimate
        assert found.full.predictions()["row"].values.tolist() == study.seal.held_rows.tolist()
        assert 0 <= found.full.roc().area <= 1
        assert found.bits == pytest.approx(found.n_rows)
        assert not found.is_used_up
        later = study.unseal("near", reason="after all")
        assert later.is_used_up
        assert "This test set is used up" in str(later)
        assert later.baseline in later.adaptive
        assert "all labels were given away" in str(study)
        assert study.looks()["bits"].values[-1] > 0
    with Study.open(tmp_path / "a.heldout") as again:
        same = again.unseal("tree", detail="full")
        assert same.full is not None
        assert same.full.confusion().accuracy == found.estimate


def test_full_detail_is_a_look_like_any_other(tmp_path: Path) -> None:
    """After the score of a model, its detail needs a reason too; and 'all' is no detail."""
    with ran_study(tmp_path) as study:
        study.unseal("tree")
        with pytest.raises(ho.SealError):
            study.unseal("tree", detail="full")
        with pytest.raises(ho.RequestError, match="'score' or 'full'"):
            study.unseal("tree", detail="all")


def test_typos_are_answered_with_what_was_meant(tmp_path: Path) -> None:
    """A contender that did not run is refused with the nearest name, and what is no contender too."""
    with ran_study(tmp_path) as study:
        with pytest.raises(ho.RequestError, match="did you mean 'tree'"):
            study.unseal("tre")
        with pytest.raises(ho.InputTypeError, match="name"):
            study.unseal(5)  # type: ignore[arg-type]
        assert study.ledger.facts("unseal") == ()


def test_a_foreign_estimator_can_be_unsealed(tmp_path: Path) -> None:
    """A scikit-learn estimator is tuned, fitted and scored as ours are, also by name after opening again."""
    foreign = ho.Contender("logistic", LogisticRegression(), {"C": [0.1, 1.0]})
    ran(new_study(tmp_path), foreign).close()
    with Study.open(tmp_path / "a.heldout") as study:
        assert 0.4 < study.unseal("logistic").estimate <= 1


def test_groups_widen_the_interval(tmp_path: Path) -> None:
    """With groups the interval says how many groups there are, and that rows are not independent."""
    with ran_study(tmp_path, groups="customer") as study:
        found = study.unseal("tree")
        assert found.adaptive.unit == "group"
        assert found.adaptive.n_rows == len(set(held_groups(study)))
        assert "independent rows, by their design effect" in str(found)
        later = study.unseal("near", reason="to see")
        assert "Each group counts as one draw" in str(later)
        assert later.adaptive.width > later.fixed.width


def held_groups(study: Study) -> list[Any]:
    task = ho.Task(ho.read_table(study.path.parent / "churn.csv"), "churned", groups="customer")
    assert task.groups is not None
    return list(task.groups[study.seal.held_rows])


def test_time_is_said(tmp_path: Path) -> None:
    """With time the held rows are the latest, and the score says what that means."""
    columns = churn_columns()
    columns["day"] = [float(place // 4) for place in range(240)]
    with Study.create(tmp_path / "a.heldout", columns, "churned", time="day") as study:
        assert study.seal.held_rows.min() > study.seal.open_rows.max()
        assert "how times will change" in str(study.unseal(TREE))


def test_regression_scores_are_rounded_before_they_are_kept(tmp_path: Path) -> None:
    """A root mean squared error keeps three digits everywhere, and its answers are counted."""
    tree = ho.Contender("tree", ho.TreeRegressor(max_depth=3))
    with Study.create(tmp_path / "a.heldout", price_columns(), "price") as study:
        found = study.unseal(tree)
        body = study.ledger.facts("unseal")[0].body
    assert found.metric == "rmse"
    assert found.estimate == float(f"{found.estimate:.2e}")
    assert found.is_approximate
    assert found.adaptive.low < found.estimate < found.adaptive.high
    assert int(body["n_answers"]) == 10_803 * 813
    task = ho.Task(ho.read_table(price_columns()), "price")
    rows = np.setdiff1d(np.arange(task.n_rows), study.seal.held_rows)
    model = ho.TreeRegressor(max_depth=3).fit(task.X[rows], task.y[rows])
    off = model.predict(task.X[study.seal.held_rows]) - task.y[study.seal.held_rows]
    exact = float(np.sqrt(np.mean(off**2)))
    assert found.estimate == pytest.approx(exact, rel=0.005)
    assert repr(exact).encode() not in study.path.read_bytes()
    assert "rounded before it was shown" in str(found)


LOOKING = """
import sys
import heldout as ho
study = ho.Study.open(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
try:
    print(study.unseal("near").look)
except ho.SealError:
    print("refused")
"""


@pytest.mark.slow
def test_of_two_processes_one_has_the_first_look(tmp_path: Path) -> None:
    """Two processes that unseal other models at the same time: one gets its look, the other is refused."""
    with ran_study(tmp_path) as study:
        command = [sys.executable, "-c", LOOKING, os.fspath(study.path)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline() == "ready\n"
        process.stdin.write("go\n")
        process.stdin.flush()
        try:
            mine = str(study.unseal("tree").look)
        except ho.SealError:
            mine = "refused"
        theirs = process.communicate()[0].strip()
        assert sorted([mine, theirs]) == ["1", "refused"]
        assert len(study.ledger.facts("unseal")) == 1


class FailsOnHeld(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Answers as long as it is not asked about 48 rows, which are those held."""

    def fit(self, X: Any, y: Any) -> FailsOnHeld:
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> Any:
        if len(X) == 48:
            raise RuntimeError("no answer")
        return np.repeat(self.classes_[:1], len(X))


def test_a_learner_that_fails_on_held_rows_is_recorded(tmp_path: Path) -> None:
    """It has seen their inputs: a look for 0 bits. Nothing was said of them, so the seal was not opened."""
    with ran_study(tmp_path) as study:
        with pytest.raises(ho.RequestError, match=r"RuntimeError: no answer[\s\S]*held rows"):
            study.unseal(ho.Contender("failing", FailsOnHeld(), prepare=None))
        look = study.ledger.facts("look")[-1].body
        assert (look["what"], look["role"], look["bits"]) == ("fail", "held", 0)
        assert look["rows"] == rows_digest(study.seal.held_rows)
        assert "never opened" in str(study)
        assert study.unseal("tree").look == 1


def test_long_lists_of_looks_print_those_at_held_rows(tmp_path: Path) -> None:
    """Of many looks the newest and all at held rows are printed, and the others are counted."""
    from heldout.results.looks_table import MOST_PRINTED, looks_table

    with ran_study(tmp_path) as study:
        study.unseal("tree")
        study.run(ho.Plan([TREE, NEAR], folds=ho.KFold(5), tuning=ho.KFold(2)), n_jobs=1, progress=False)
        table = looks_table(study.ledger)
        lines = str(table).splitlines()
        assert table.n_rows > MOST_PRINTED
        assert sum("  held  " in line for line in lines) == 1
        assert len(lines) == MOST_PRINTED + 3
        assert lines[-2] == f"… and {table.n_rows - MOST_PRINTED} more rows"
        newest = int(table["number"].values[-1])
        assert lines[-3].split()[0] == str(newest)


@pytest.mark.slow
def test_held_garbage_changes_nothing_before_the_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Garbage in the inputs of held rows leaves every cell, choice and open-row score the same."""
    from heldout.study.files import create_study

    monkeypatch.setattr(create_study, "derive_seed", lambda *given: 11)
    digests, columns = [], churn_columns()
    for name in ("clean", "garbage"):
        with Study.create(tmp_path / f"{name}.heldout", columns, "churned") as study:
            ran(study)
            digests.append(study.results_digest())
            held = study.seal.held_rows
            task = study.task.table.digest
        for row in held:
            columns["months"][row], columns["city"][row], columns["calls"][row] = -1e9, "nowhere", None
    assert digests[0] == digests[1]
    garbled = ho.read_table(churn_columns() | {"churned": columns["churned"]})
    assert task == open_digest(garbled, held)


def open_digest(table: ho.Table, held: Any) -> str:
    from heldout.study.files.open_task import open_task

    task = ho.Task(table, "churned")
    return open_task(task, np.setdiff1d(np.arange(task.n_rows), held)).table.digest
