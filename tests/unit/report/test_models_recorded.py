"""Which models of a study file a page shows, in which role, and what old files do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import heldout as ho
from heldout.ledger.verdict_facts import ModelFact
from heldout.report.markup import drawn, environment
from heldout.report.models.model_figures import model_figures
from heldout.report.models.recorded_models import readable_name, recorded_models
from heldout.report.models.views.model_view import model_view
from heldout.report.summarize import summarize
from heldout.stats.interval import plain

from .ledger_stand_in import StandInFact, StandInLedger, plan, small_study, stand_in, standing, verdict

X = np.arange(60.0).reshape(30, 2)
Y = ["low"] * 15 + ["high"] * 15
VIEWS = {
    "forest": model_view(ho.ForestClassifier(5).fit(X, Y)),
    "tree": model_view(ho.TreeClassifier().fit(X, Y)),
    "neighbors": model_view(ho.NeighborsClassifier(k=1).fit(X, Y)),
    "rules": model_view(ho.RuleClassifier().fit(X, Y)),
    "baseline": model_view(ho.BaselineClassifier().fit(X, Y)),
}


def model_fact(name: str, protocol: str = "p1", **changes: Any) -> StandInFact:
    known = {"role": "winner", "rows": "aa", "n_rows": 455, "setting": {"k": 3}, "bits": 12.5, "notes": ()}
    made = {"view": plain(VIEWS.get(name, {})), "without_file": "", "protocol": protocol} | changes
    return stand_in(
        f"d-{name}:rows:{protocol}", ModelFact(**({"contender": f"d-{name}", "name": name} | known | made))
    )


def with_plan(*facts: StandInFact) -> StandInLedger:
    """A ledger with these models and the plan of the verdict."""
    return StandInLedger([stand_in("plan-1", plan()), *facts])


def shown(winner: str, *facts: StandInFact) -> list[tuple[str, str]]:
    """Who is shown in which role."""
    found = recorded_models(with_plan(*facts), verdict(winner=winner))  # type: ignore[arg-type]
    return [(model["contender"], model["role"]) for model in found]


def test_beside_a_winner_that_cannot_be_read_stands_the_best_that_can() -> None:
    """The winner comes first, then the readable model with the better score, whatever was recorded first."""
    facts = [model_fact("tree"), model_fact("neighbors"), model_fact("forest")]
    assert shown("forest", *facts) == [("forest", "winner"), ("tree", "readable")]
    assert shown("neighbors", *facts) == [("neighbors", "winner"), ("tree", "readable")]


def test_a_tree_and_a_guess_stand_alone() -> None:
    """Nothing is put beside a winner that is read as it is, nor beside one that only guesses."""
    assert shown("tree", model_fact("tree"), model_fact("forest")) == [("tree", "winner")]
    assert shown("baseline", model_fact("baseline"), model_fact("tree")) == [("baseline", "winner")]


def test_models_of_other_plans_are_not_shown() -> None:
    """A model counts if a contender of the plan made it under the plan's protocol."""
    assert shown("forest", model_fact("forest", protocol="p2")) == []
    other = model_fact("tree", contender="d-another")
    assert shown("forest", model_fact("forest"), other) == [("forest", "winner")]


def test_a_study_without_models_has_none() -> None:
    """Before the first verdict, and where no model was recorded, the list is empty."""
    assert recorded_models(StandInLedger([]), None) == []  # type: ignore[arg-type]
    assert recorded_models(small_study(), verdict()) == []  # type: ignore[arg-type]


def section(models: list[dict[str, Any]]) -> str:
    """The part of the page about the models."""
    figures = [dict(model) | {"figures": [drawn(f) for f in found]} for model, found in model_figures(models)]
    return environment().get_template("models.html").render(models=figures)


def test_the_heading_compares_with_the_winner() -> None:
    """What stands beside the winner says its own score and the winner's."""
    facts = [model_fact("tree"), model_fact("forest")]
    winner, beside = recorded_models(with_plan(*facts), verdict(winner="forest"))  # type: ignore[arg-type]
    assert winner["heading"] == "The winner is forest: accuracy 0.961 (0.941 to 0.981)."
    assert beside["heading"] == (
        "Best readable alternative, tree: accuracy 0.957 (0.937 to 0.977),"
        " against 0.961 (0.941 to 0.981) of forest."
    )


def test_the_length_stands_beside_the_median_over_the_folds() -> None:
    """The model that is shown is not one of the folds, by which the verdict judges: both lengths are told."""
    [model] = recorded_models(with_plan(model_fact("tree")), verdict())  # type: ignore[arg-type]
    median = standing("tree", 0.9).bits
    assert median != model["bits"] == 12.5
    assert model["length"] == f"It is 12.5 bits long; the median over the folds is {median:.0f}."
    assert model["length"] in section([model])


def test_every_form_has_its_section() -> None:
    """Winner and readable model have headings, settings, pictures for both widths, and text."""
    facts = [model_fact("tree"), model_fact("forest")]
    page = section(recorded_models(with_plan(*facts), verdict(winner="forest")))  # type: ignore[arg-type]
    assert '<h2 id="model">The winning model</h2>' in page
    assert '<h2 id="model-2">Best readable alternative</h2>' in page
    assert "<code>k=3</code>" in page
    assert page.count("<svg") == 4
    assert "all 455 open rows" in page
    assert "x0 &lt;= 29" in page


def test_rules_are_a_list_with_markup_escaped() -> None:
    """Rules stand in an ordered list; a column and a class with markup in their names stay text."""
    table = ho.read_table({"<i>size</i>": X[:, 0].tolist()})
    rules = ho.RuleClassifier().fit(table, ["<b>low</b>"] * 15 + ["high"] * 15)
    fact = model_fact("rules", view=plain(model_view(rules)))
    body = verdict(winner="rules", standings=(standing("rules", 0.9),))
    page = section(recorded_models(with_plan(fact), body))  # type: ignore[arg-type]
    assert page.count("<li>") == len(rules.rules_) + 1
    assert "&lt;i&gt;size&lt;/i&gt;" in page
    assert "<strong>&lt;b&gt;low&lt;/b&gt;</strong>" in page
    assert "<i>" not in page
    assert "15 rows, none wrong" in page


@pytest.mark.slow
def test_answers_and_models_agree_on_who_stands_beside(tmp_path: Path) -> None:
    """A tree that stood beside the winner of one race, and wins another, does not stand beside itself."""
    random = np.random.default_rng(2)
    x = random.normal(size=(200, 2))
    ripe = np.where(x[:, 0] + np.sin(3 * x[:, 1]) > 0, "yes", "no").tolist()
    near, guess = (
        ho.Contender("near", ho.NeighborsClassifier(k=3)),
        ho.Contender("g", ho.BaselineClassifier()),
    )
    stump = ho.Contender("stump", ho.TreeClassifier(max_depth=1))
    table = ho.read_table({"a": x[:, 0].tolist(), "b": x[:, 1].tolist(), "ripe": ripe})
    found = []
    with ho.Study.create(tmp_path / "a.heldout", table, "ripe", held=None, seed=1) as study:
        for contenders, folds in (((near, stump, guess), 4), ((stump, guess), 5)):
            study.run(ho.Plan(contenders, ho.KFold(folds), ho.KFold(2)), n_jobs=1, progress=False)
            summary = summarize(study.ledger)
            beside = summary["answers"]["beside"].get("contender", "")
            found.append((summary["verdict"]["winner"], readable_name(summary["models"]), beside))
    assert found == [("near", "stump", "stump"), ("stump", "", "")]
