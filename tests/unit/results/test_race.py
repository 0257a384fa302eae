"""A study has one verdict: over all contenders that ran on the same folds by the same metric."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import heldout as ho
from heldout.models import read_provenance
from heldout.report.summarize import summarize
from heldout.study.study import Study

FOLDS: dict[str, Any] = {"folds": ho.KFold(5), "tuning": ho.KFold(2)}
FOREST = ho.Contender("forest", ho.ForestClassifier(30))
LINE = ho.Contender("line", ho.Perceptron())
NEAR = ho.Contender("near", ho.NeighborsClassifier(), {"k": [5, 9]})
STUMP = ho.Contender("model", ho.TreeClassifier(max_depth=1))
TREES = ho.Contender("model", ho.ForestClassifier(20))


def xor(n_rows: int = 200) -> dict[str, list[Any]]:
    """Whether one of two numbers is above 0, with some labels turned: a line sees nothing of it."""
    random = np.random.default_rng(1)
    numbers = random.normal(size=(n_rows, 2)).round(3)
    is_one = (numbers[:, 0] > 0) != (numbers[:, 1] > 0)
    is_one ^= random.random(n_rows) < 0.1
    return {
        "a": numbers[:, 0].tolist(),
        "b": numbers[:, 1].tolist(),
        "y": np.where(is_one, "yes", "no").tolist(),
    }


class Breaks(ho.TreeClassifier):
    """A tree that cannot be fitted."""

    def fit(self, *args: Any, **named: Any) -> Any:
        raise ValueError("broken")


def run(study: Study, *contenders: ho.Contender, **known: Any) -> Any:
    return study.run(ho.Plan(contenders, **(FOLDS | known)), n_jobs=1, progress=False)


@pytest.fixture
def study(tmp_path: Path) -> Any:
    with Study.create(tmp_path / "a.heldout", xor(), "y", seed=3) as made:
        yield made


def test_a_second_plan_adds_to_the_race(study: Study) -> None:
    """Standings, Holm's family, the gate and the number are over both plans, whichever is asked for."""
    alone = run(study, FOREST).verdict
    both = run(study, LINE)
    assert [each.name for each in both.standings] == ["baseline", "forest", "line"]
    assert [each.is_new for each in both.standings] == [False, False, True]
    assert both.verdict.winner == alone.winner == "forest"
    assert both.verdict.number.estimate <= both.standing("forest").score
    assert both.standing("forest").score in both.verdict.number
    assert {each.adjustment for each in both.comparisons} == {"holm"}
    assert len(both.comparisons) == 3
    assert len(both.verdict.decision.against_baseline) == 2
    assert "The race is of plans 1 and 2, 3 contenders; line is new." in both.verdict.details
    first = study.result(study.plans[0])
    assert first.plan_number == 1
    assert first.verdict.number == both.verdict.number
    assert first.comparisons == both.comparisons


@pytest.mark.slow
def test_the_order_of_plans_does_not_matter(tmp_path: Path) -> None:
    """One good and two bad contenders, in three plans in any order or in one: the same winner and number."""
    found = []
    for place, plans in enumerate(([FOREST, LINE, NEAR], [NEAR, LINE, FOREST], [(LINE, NEAR, FOREST)])):
        with Study.create(tmp_path / f"{place}.heldout", xor(), "y", seed=3) as made:
            for each in plans:
                result = run(made, *(each if isinstance(each, tuple) else (each,)))
            verdict = result.verdict
            found.append((verdict.winner, verdict.number.estimate, verdict.number.low, verdict.number.high))
    assert found[0][0] == found[1][0] == found[2][0]
    assert found[0][1:] == pytest.approx(found[1][1:], rel=1e-12)
    assert found[0][1:] == pytest.approx(found[2][1:], rel=1e-12)


def test_a_winner_of_an_earlier_plan_can_be_used(study: Study, tmp_path: Path) -> None:
    """Unsealed, shipped, drawn and shown, also by whoever opens the file later."""
    run(study, FOREST)
    result = run(study, LINE)
    page = summarize(study.ledger)
    assert (page["verdict"]["winner"], page["answers"]["contender"]) == ("forest", "forest")
    assert page["models"][0]["contender"] == "forest"
    assert [row["name"] for row in page["standings"] if row["is_new"]] == ["line"]
    study.close()
    with Study.open(study.path, ho.read_table(xor())) as again:
        assert again.result().verdict.winner == result.verdict.winner
        assert again.unseal("forest").open_estimate.estimate == result.standing("forest").score
        again.ship("forest", tmp_path / "xor.model")
    assert read_provenance(tmp_path / "xor.model")["plan"] == result.standing("forest").plan


def test_a_change_of_the_winner_is_said(study: Study) -> None:
    """A second plan whose contender wins says who won before, and its model is recorded.

    The stump does not beat guessing, so it is no readable alternative whose model is kept.
    """
    run(study, STUMP)
    found = run(study, FOREST)
    assert found.verdict.race.winner_before == "baseline"
    assert "Before plan 2 baseline won." in found.verdict.details
    assert [fact.body["name"] for fact in study.ledger.facts("model")] == ["baseline", "forest"]


def test_the_same_contender_in_two_plans_is_one(study: Study) -> None:
    """A plan with an old and a new contender has three in its race, and only the new one is new."""
    run(study, FOREST)
    n_cells = len(study.ledger.facts("cell"))
    found = run(study, FOREST, LINE)
    assert len(study.ledger.facts("cell")) == n_cells + 5
    assert [each.name for each in found.standings] == ["baseline", "forest", "line"]
    assert found.verdict.race.new == ("line",)


def test_one_name_with_two_settings_is_told_apart(study: Study, tmp_path: Path) -> None:
    """Two of one name are "model (plan 1)" and "model (plan 2)"; each can be asked for by that name."""
    run(study, STUMP)
    found = run(study, TREES)
    assert [each.name for each in found.standings] == ["baseline", "model (plan 1)", "model (plan 2)"]
    assert found.verdict.winner == "model (plan 2)"
    page = summarize(study.ledger)
    assert page["models"][0]["contender"] == "model (plan 2)"
    assert page["answers"]["contender"] == "model (plan 2)"
    assert study.unseal(found.verdict.winner).open_estimate.estimate == found.standing("model (plan 2)").score
    study.ship("model (plan 1)", tmp_path / "stump.model")
    stump = read_provenance(tmp_path / "stump.model")
    assert (stump["contender_digest"], stump["corrected"]) == (STUMP.digest, None)
    study.ship("model (plan 2)", tmp_path / "trees.model")
    trees = read_provenance(tmp_path / "trees.model")
    assert trees["corrected"]["estimate"] == found.verdict.number.estimate


@pytest.mark.slow
def test_other_tuning_is_another_contender(study: Study) -> None:
    """The same space tuned by other inner folds is another way to learn; what is not tuned is the same."""
    run(study, NEAR, FOREST)
    found = run(study, NEAR, FOREST, tuning=ho.KFold(3))
    names = [each.name for each in found.standings]
    assert names == ["baseline", "near (plan 1)", "forest", "near (plan 2)"]


@pytest.mark.slow
@pytest.mark.parametrize("other", [{"folds": ho.KFold(4)}, {"choose_by": "balanced_accuracy"}])
def test_other_folds_or_metrics_are_another_race(study: Study, other: dict[str, Any]) -> None:
    """Such a plan has its own contenders and verdict, and each says that there is another."""
    run(study, FOREST)
    found = run(study, LINE, **other)
    assert [each.name for each in found.standings] == ["baseline", "line"]
    told = [
        each for each in found.verdict.details if each.startswith("Another race of this study, plan 1, by")
    ]
    assert told[0].endswith("has a verdict of its own: forest won it.")
    assert study.result(study.plans[0]).verdict.winner == "forest"
    assert "Another race of this study, plan 2" in str(study.result(study.plans[0]).verdict)


@pytest.mark.slow
def test_quick_plans_race_among_themselves(study: Study) -> None:
    """Settings of quick plans are candidates; the number is that of the contender which is named."""
    run(study, FOREST)
    study.run(ho.Plan.quick([NEAR], tuning=ho.KFold(5)), n_jobs=1, progress=False)
    found = study.run(ho.Plan.quick([FOREST], tuning=ho.KFold(5)), n_jobs=1, progress=False)
    assert [each.name for each in found.standings] == ["baseline", "near", "forest"]
    own = found.standing(found.verdict.winner)
    assert found.verdict.number.estimate <= own.score
    assert own.score in found.verdict.number
    assert found.verdict.corrected is not None
    assert len(found.verdict.corrected.names) == 4
    assert set(found.verdict.corrected.shares) <= {"baseline", "near", "forest"}


def test_the_rule_of_the_plan_that_is_asked_for_decides(study: Study) -> None:
    """Two plans of a race with two rules: each result has its own, and says that the other had another."""
    run(study, FOREST)
    found = run(study, LINE, rule=ho.BestMean())
    assert found.verdict.rule == "the best mean score"
    assert "Plan 1 had another rule; here that of plan 2 decides." in found.verdict.details
    assert study.result(study.plans[0]).verdict.rule != found.verdict.rule


def test_who_did_not_run_to_the_end_is_left_out(study: Study) -> None:
    """A contender of an earlier plan without all of its cells is named and not in the race."""
    run(study, ho.Contender("broken", Breaks()), FOREST)
    found = run(study, LINE)
    assert found.is_complete
    assert "Not in the race, because not run to the end: broken." in found.verdict.details


def test_a_seed_that_decides_nothing_makes_no_second_contender(study: Study) -> None:
    """Folds without chance are the same for every seed: what answers alike in all of them is one."""
    fixed = {"folds": ho.EveryKth(5)}
    run(study, STUMP, FOREST, **fixed, seed=1)
    both = run(study, STUMP, FOREST, **fixed, seed=2)
    names = [each.name for each in both.standings]
    assert names == ["baseline", "model", "forest (plan 1)", "forest (plan 2)"]
    assert both.verdict.n_contenders == 4
    assert len(both.verdict.decision.against_baseline) == 3
    assert "The race is of plans 1 and 2, 4 contenders; forest (plan 2) is new." in both.verdict.details


def test_the_race_that_a_contender_won_is_the_one_that_is_shipped(study: Study, tmp_path: Path) -> None:
    """Not the newest one, where it lost: estimate, correction and metric are those of the race it won."""
    first = run(study, FOREST, STUMP)
    second = run(study, FOREST, NEAR, folds=ho.KFold(10), rule=ho.BestMean())
    assert (first.verdict.winner, second.verdict.winner) == ("forest", "near")
    for meant in ("forest", FOREST):
        shipped = study.ship(meant, tmp_path / "a.model").provenance
        assert shipped["corrected"] == first.verdict.number.to_dict()
        assert shipped["estimate"]["estimate"] == first.standing("forest").score
        assert shipped["estimate"]["estimate"] != second.standing("forest").score
        assert shipped["race"] == f"This is the race by accuracy over {ho.KFold(5)}, which forest won."
    assert study.ship("near", tmp_path / "b.model").provenance["corrected"] == second.verdict.number.to_dict()


def test_of_races_that_it_lost_the_newest_is_shipped(study: Study, tmp_path: Path) -> None:
    """And the file says who won that race; of a study with one race nothing is said of races."""
    run(study, FOREST, STUMP)
    assert study.ship("model", tmp_path / "a.model").provenance["race"] == ""
    newest = run(study, FOREST, STUMP, folds=ho.KFold(4))
    lost = study.ship("model", tmp_path / "a.model").provenance
    assert lost["estimate"]["estimate"] == newest.standing("model").score
    assert lost["corrected"] is None
    assert lost["race"] == f"This is the race by accuracy over {ho.KFold(4)}; forest won it."
