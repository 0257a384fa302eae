"""Figures of answers: what they say, that every one fits a telephone, and what happens at the edges."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import heldout as ho
from heldout.errors import RequestError
from heldout.ledger.ledger import Ledger
from heldout.ledger.verdict_facts import VerdictFact
from heldout.report.predictions.prediction_figures import prediction_figures
from heldout.report.predictions.predictions_summary import predictions_summary
from heldout.report.render import render
from heldout.report.summarize import summarize

from .answer_studies import copied, numbers, opened, summary_of, two_classes
from .ledger_stand_in import small_study, verdict

KINDS = ("two classes", "many classes", "regression", "guess", "quick")
TITLES = {
    "two classes": ["ROC: rows found against false alarms", "Precision against recall"],
    "many classes": ["Confusion: which class was taken for which", "Each class against the rest"],
    "regression": ["Predicted and true", "Residuals against predictions", "Distribution of residuals"],
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_every_figure_has_words_numbers_and_two_widths(kind: str) -> None:
    """Each says what to see in one sentence, is well-formed in both widths, and has a table."""
    figures = prediction_figures(summary_of(kind))
    assert len(figures) >= 2
    for figure in figures:
        assert figure.takeaway.endswith(".")
        assert len(figure.takeaway) < 260
        assert figure.rows
        assert {len(row) for row in figure.rows} == {len(figure.headings)}
        for picture in (figure.picture, figure.narrow):
            root = ElementTree.fromstring(picture)
            assert float(root.get("width", "0")) <= (328 if picture is figure.narrow else 720)


@pytest.mark.parametrize("kind", TITLES)
def test_the_figures_are_those_of_the_task(kind: str) -> None:
    """Two classes have curves, many classes areas, numbers residuals."""
    titles = [figure.title for figure in prediction_figures(summary_of(kind))]
    assert titles[: len(TITLES[kind])] == TITLES[kind]


def test_the_words_have_the_numbers() -> None:
    """The sentence of the ROC curve has its AUC, that of the confusion the accuracy and the worst mistake."""
    found = summary_of("two classes")
    figures = {figure.title: figure for figure in prediction_figures(found)}
    assert f"AUC {found['roc']['area']:.3f}" in figures["ROC: rows found against false alarms"].takeaway
    words = figures["Confusion: which class was taken for which"].takeaway
    assert f"forest is right in {100 * round(found['confusion']['accuracy'], 3):g}%" in words
    assert " for " in words
    assert "stump" in " ".join(figures["Confusion: which class was taken for which"].notes)
    assert ">stump<" in figures["ROC: rows found against false alarms"].picture


def test_a_band_is_never_called_an_interval() -> None:
    """The note of a band says what it holds and that it is no interval for the line."""
    figure = prediction_figures(summary_of("two classes"))[0]
    assert "middle 80% of 10 folds" in figure.notes[0]
    assert "It is no interval for the line" in figure.notes[0]


def test_a_guess_has_no_cloud(tmp_path: Path) -> None:
    """Where every row of a fold is told the same number, misses are listed and no cloud is drawn."""
    guess = ho.Contender("guess", ho.BaselineRegressor())
    with ho.Study.create(tmp_path / "g.heldout", ho.read_table(numbers(60)), target="price") as study:
        study.run(ho.Plan((guess,), ho.KFold(5), ho.KFold(2)), n_jobs=1, progress=False)
        figures = prediction_figures(summarize(study.ledger)["answers"])
    assert [figure.title for figure in figures] == ["Predicted and true", "Distribution of residuals"]
    assert figures[0].picture == ""
    assert "one number for all rows of a fold" in figures[0].notes[0]


def test_names_are_text_wherever_they_stand(tmp_path: Path) -> None:
    """Labels and names with markup, quotes and 300 characters are escaped in pictures and in the page."""
    columns = two_classes(90)
    hostile = "<script>alert('x')</script>"
    columns["ripe"] = [
        hostile if each == "yes" else 300 * "\u202e\N{PILE OF POO}" for each in columns["ripe"]
    ]
    tree = ho.Contender('<b>tree</b> & "co"', ho.TreeClassifier(max_depth=3))
    with ho.Study.create(tmp_path / "h.heldout", ho.read_table(columns), target="ripe") as study:
        study.run(ho.Plan((tree,), ho.KFold(5), ho.KFold(2)), n_jobs=1, progress=False)
        summary = summarize(study.ledger)
    page = render(summary)
    assert "<script" not in page
    assert "<b>tree" not in page
    for figure in prediction_figures(summary["answers"]):
        assert "<script" not in figure.picture + figure.narrow
        assert len(figure.takeaway) < 400


@pytest.mark.parametrize(("folds", "time"), [(ho.KFold(4), "day"), (ho.Holdout(0.25, repeats=6), None)])
def test_rows_that_were_asked_unevenly(folds: Any, time: str | None, tmp_path: Path) -> None:
    """Folds in time and repeated hold-out ask rows several times or never, and the pictures are drawn."""
    columns = two_classes(120) | {"day": [f"2024-01-{1 + n // 6:02d}" for n in range(120)]}
    tree = ho.Contender("tree", ho.TreeClassifier(max_depth=3))
    asked = {"target": "ripe", "time": time}
    with ho.Study.create(tmp_path / "t.heldout", ho.read_table(columns), **asked) as study:
        study.run(ho.Plan((tree,), folds, ho.KFold(2)), n_jobs=1, progress=False)
        plan_rows = study.result().rows
        found = summarize(study.ledger)["answers"]
    assert found["n_rows"] == int(plan_rows.is_tested.any(axis=0).sum())
    counted = np.sum(found["confusion"]["counts"])
    assert counted == pytest.approx(plan_rows.is_tested.sum() / plan_rows.n_repeats, rel=1e-4)
    assert prediction_figures(found)


@pytest.mark.slow
def test_a_row_per_fold_is_drawn_without_a_band(tmp_path: Path) -> None:
    """Leaving out one row at a time there is a curve, and no band, because no fold has one of its own."""
    tree = ho.Contender("tree", ho.TreeClassifier(max_depth=2))
    size = np.random.default_rng(2).normal(size=50).tolist()
    table = ho.read_table({"size": size, "ripe": ["yes" if each > 0.2 else "no" for each in size]})
    with ho.Study.create(tmp_path / "l.heldout", table, target="ripe", held=0) as study:
        study.run(ho.Plan((tree,), ho.LeaveOneOut(), ho.KFold(2)), n_jobs=1, progress=False)
        found = summarize(study.ledger)["answers"]
    figure = prediction_figures(found)[0]
    assert (found["contender"], found["roc"]["band"]["low"]) == ("tree", [])
    assert figure.notes[0].startswith(f"No band is drawn: 0 folds of {found['n_folds']}")


def test_groups_are_named_beside_the_intervals(tmp_path: Path) -> None:
    """Where rows come in groups, the reliability says that its intervals know it."""
    columns = two_classes(120) | {"farm": [f"f{n // 4}" for n in range(120)]}
    tree = ho.Contender("tree", ho.TreeClassifier(max_depth=3))
    table = ho.read_table(columns)
    with ho.Study.create(tmp_path / "f.heldout", table, target="ripe", groups="farm") as study:
        study.run(ho.Plan((tree,), ho.KFold(5), ho.KFold(2)), n_jobs=1, progress=False)
        figures = prediction_figures(summarize(study.ledger)["answers"])
    assert "Rows of one group are not independent" in figures[-1].notes[0]


def test_damaged_answers_are_told_and_not_drawn(tmp_path: Path) -> None:
    """A study file whose arrays were changed still makes a page, which says that answers cannot be shown."""
    path = tmp_path / "changed.heldout"
    shutil.copy(copied("two classes", tmp_path), path)
    with sqlite3.connect(path) as database:
        for (trigger,) in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            database.execute(f'DROP TRIGGER "{trigger}"')
        database.execute("UPDATE array SET content = zeroblob(length(content)) WHERE name = 'probabilities'")
    database.close()
    with Ledger.open(path, query_only=True) as ledger:
        summary = summarize(ledger)
        page = render(summary)
    assert list(summary["answers"]) == ["problem"]
    assert "The predictions cannot be shown: the array" in page


def test_a_metric_that_is_not_known_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers do not need the metric of the plan, unless it chooses among the settings of a quick one."""

    def unknown(form: Any) -> Any:
        raise RequestError("the metric is not defined here", where=f"{form!r}", fix="define it")

    expected = summary_of("two classes")
    monkeypatch.setattr("heldout.results.recorded_plan.recorded_metric", unknown)
    with opened("two classes") as ledger:
        found = predictions_summary(
            ledger, VerdictFact.read(ledger.facts("verdict")[-1]), expected["beside"]["contender"]
        )
        assert found == expected
    with opened("quick") as ledger:
        found = predictions_summary(ledger, VerdictFact.read(ledger.facts("verdict")[-1]))
    assert found == {"problem": "The predictions cannot be shown: the metric is not defined here."}


def test_a_study_without_a_run_has_no_answers() -> None:
    """Without a verdict, and in a file that keeps no answers, there is nothing to draw."""
    ledger: Any = small_study()
    assert predictions_summary(ledger, None) == {}
    assert predictions_summary(ledger, verdict()) == {"beside": {}}
    assert prediction_figures({}) == []
