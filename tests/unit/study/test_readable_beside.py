"""What a run keeps of the winner, and of the best readable contender beside it."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import heldout as ho
from heldout.learners.tree_classifier import TreeClassifier
from heldout.ledger.fact import Fact
from heldout.plan.resolved_plan import resolve_plan
from heldout.study.runs import record_verdict, run_study
from heldout.study.study import Study

from .study_tables import churn_columns, price_columns

PLAN: dict[str, Any] = {"folds": ho.KFold(2), "tuning": ho.KFold(2)}
GUESS = ho.Contender("guess", ho.BaselineClassifier())
FOREST = ho.Contender("forest", ho.ForestClassifier(20, min_leaf=5))
STUMP = ho.Contender("stump", ho.TreeClassifier(max_depth=1))
DEEPER = ho.Contender("deeper", ho.TreeClassifier(min_leaf=10), {"max_depth": [2, 3]})
RULES = ho.Contender("rules", ho.RuleClassifier(min_leaf=10))
BESIDE = ho.Plan((GUESS, FOREST, ho.Contender("poor", TreeClassifier(max_depth=0)), STUMP), **PLAN)


class OnlyFolds(TreeClassifier):
    """A tree that cannot be fitted on many rows: its cells run, its fit on all open rows does not."""

    def fit(self, X: Any, y: Any, *others: Any, **named: Any) -> Any:
        if len(y) > 150:
            raise ValueError("too many rows for me")
        return super().fit(X, y, *others, **named)


def sums(n_rows: int = 240) -> dict[str, list[Any]]:
    """Whether three numbers, of which the first counts twice, sum to more than 0: many trees see it."""
    random = np.random.default_rng(2)
    numbers = random.normal(size=(n_rows, 3)).round(3)
    return {
        "first": numbers[:, 0].tolist(),
        "second": numbers[:, 1].tolist(),
        "third": numbers[:, 2].tolist(),
        "answer": ["yes" if total > 0 else "no" for total in numbers @ [2.0, 1.0, 1.0]],
    }


def models(study: Study) -> dict[str, Fact]:
    """The model facts by their role; each role once."""
    facts = study.ledger.facts("model")
    found = {fact.body["role"]: fact for fact in facts}
    assert len(found) == len(facts)
    return found


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A study that a forest won, with two trees and rules beside it."""
    path = tmp_path_factory.mktemp("beside") / "a.heldout"
    with Study.create(path, sums(), "answer", seed=3) as found:
        found.run(BESIDE, n_jobs=1, progress=False)
        assert found.result().verdict.winner == "forest"
        yield found


def test_the_best_readable_contender_is_kept_beside_the_winner(study: Study) -> None:
    """Of two trees the one with the better score is fitted on all open rows, with looks of its own."""
    found = models(study)
    assert found["winner"].body["name"] == "forest"
    assert found["readable"].body["name"] == "stump"
    assert found["readable"].body["n_rows"] == study.task.n_rows
    key = found["readable"].key
    look = study.ledger.fact("look", f"model:{key}:fit")
    assert look is not None
    assert (look.body["role"], look.body["n_rows"], look.body["by"]) == ("open", study.task.n_rows, "stump")
    assert all(fact.body["role"] == "open" for fact in study.ledger.facts("look"))


def test_what_is_shown_is_the_model_that_is_kept(study: Study, tmp_path: Path) -> None:
    """The view says of the tree what the model says that is read again from the bytes in the study file."""
    fact = models(study)["readable"]
    content = study.ledger.array(fact, "file").tobytes()
    assert zipfile.ZipFile(io.BytesIO(content)).testzip() is None
    (tmp_path / "a.model").write_bytes(content)
    tree = ho.load(tmp_path / "a.model")
    assert fact.body["view"]["text"] == tree.to_text()
    ends = [node for node in fact.body["view"]["drawing"]["nodes"] if node["is_leaf"]]
    _, counts = np.unique(tree.apply(study.task.X), return_counts=True)
    assert len(ends) == tree.n_leaves_ == len(counts)


def test_importances_are_those_of_the_open_rows(study: Study) -> None:
    """What shuffling costs is recorded as the forest says it when it is fitted on the open rows again."""
    view = models(study)["winner"].body["view"]
    seeded = ho.Plan((FOREST,), **PLAN)
    work = run_study.work_of(study.task, resolve_plan(seeded, study.task, study.seed))
    forest = ho.ForestClassifier(20, min_leaf=5, random_state=_seed(work, FOREST))
    forest.fit(study.task.X, study.task.y)
    again = forest.permutation_importances(study.task.X, study.task.y)
    recorded = {row["name"]: (row["mean"], row["standard_error"]) for row in view["importances"]}
    expected = zip(again.mean.tolist(), again.standard_error.tolist(), strict=True)
    assert recorded == dict(zip(again.names, map(pytest.approx, expected), strict=True))
    assert view["importances"][0]["name"] == "first"
    assert (view["how"], view["loss"]) == ("permutation", "share of wrong classes")


def _seed(work: Any, contender: ho.Contender) -> int:
    return int(work.recipe_of(contender).learner.random_state)


def test_running_again_writes_nothing(study: Study) -> None:
    """The same plan again answers from the file: neither model is made a second time."""
    before = study.ledger.n_facts
    study.run(BESIDE, n_jobs=1, progress=False)
    assert study.ledger.n_facts == before


def test_the_digest_of_results_does_not_know_of_models(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With and without a model beside the winner the digest of the results is the same."""
    digests, counts = [], []
    for name in ("with", "without"):
        if name == "without":
            monkeypatch.setattr(run_study, "find_readable", lambda study, work, result: None)
        with Study.create(tmp_path / f"{name}.heldout", price_columns(), "price", seed=5) as made:
            near = ho.Contender("near", ho.NeighborsRegressor(k=3))
            tree = ho.Contender("tree", ho.TreeRegressor(max_depth=1))
            result = made.run(ho.Plan((near, tree), **PLAN), n_jobs=1, progress=False)
            assert result.verdict.winner == "near"
            digests.append(result.digest)
            counts.append(len(made.ledger.facts("model")))
    assert counts == [2, 1]
    assert digests[0] == digests[1]


def test_nothing_stands_beside_a_tree_or_rules(tmp_path: Path) -> None:
    """A winner that can be read as it is stands alone."""
    with Study.create(tmp_path / "a.heldout", churn_columns(), "churned") as made:
        made.run(ho.Plan((GUESS, DEEPER, RULES), **PLAN), n_jobs=1, progress=False)
        assert list(models(made)) == ["winner"]
        assert models(made)["winner"].body["view"]["form"] in ("tree", "rules")


def test_nothing_stands_beside_a_guess(tmp_path: Path) -> None:
    """Where no model beats guessing, no tree is shown: it would show noise."""
    with Study.create(tmp_path / "a.heldout", churn_columns(is_noise=True), "churned") as made:
        result = made.run(ho.Plan((GUESS, STUMP), **PLAN), n_jobs=1, progress=False)
        assert result.verdict.winner == "guess"
        assert list(models(made)) == ["winner"]
        assert models(made)["winner"].body["view"]["form"] == "class"


def test_a_readable_contender_that_fails_costs_nothing_but_itself(tmp_path: Path) -> None:
    """Where the tree cannot be fitted on all open rows, verdict and winner stand, and a note says why."""
    fragile = ho.Contender("fragile", OnlyFolds(max_depth=1))
    with Study.create(tmp_path / "a.heldout", sums(), "answer", seed=3) as made:
        plan = ho.Plan((GUESS, FOREST, fragile), **PLAN)
        result = made.run(plan, n_jobs=1, progress=False)
        assert result.verdict.winner == "forest"
        assert list(models(made)) == ["winner"]
        [note] = made.ledger.facts("note")
        assert "too many rows for me" in note.body["text"]


def test_a_voted_perceptron_keeps_its_rows_to_itself(tmp_path: Path) -> None:
    """It remembers the rows that were mistakes, so its bytes do not enter the study file."""
    columns = churn_columns()
    voted = ho.Contender("voted", ho.Perceptron(variant="voted"))
    with Study.create(tmp_path / "a.heldout", columns, "churned") as made:
        made.run(ho.Plan((voted,), **PLAN), n_jobs=1, progress=False)
        fact = models(made)["winner"]
        assert fact.body["without_file"] == record_verdict.ROWS_INSIDE
        assert dict(fact.arrays) == {}


def test_a_forest_whose_bags_hold_every_row_tells_its_gains(tmp_path: Path) -> None:
    """Without rows out of the bag nothing can be shuffled; the page gets the gains and the reason."""
    full = ho.Contender("full", ho.ForestClassifier(5, bootstrap=False))
    with Study.create(tmp_path / "a.heldout", sums(), "answer") as made:
        made.run(ho.Plan((full,), **PLAN), n_jobs=1, progress=False)
        view = models(made)["winner"].body["view"]
        assert view["how"] == "gain"
        assert sum(row["mean"] for row in view["importances"]) == pytest.approx(1.0)
        assert any("no importances by shuffling" in note for note in view["notes"])


def test_a_tree_that_was_not_shown_to_beat_guessing_is_not_put_beside(tmp_path: Path) -> None:
    """Of XOR a forest knows more than guessing and a tree of one leaf does not: no tree is kept."""
    random = np.random.default_rng(3)
    numbers = random.normal(size=(300, 2)).round(3)
    columns = {"a": numbers[:, 0].tolist(), "b": numbers[:, 1].tolist()}
    columns["answer"] = ["yes" if a * b > 0 else "no" for a, b in numbers]
    plan = ho.Plan((GUESS, FOREST, ho.Contender("leaf", TreeClassifier(max_depth=0))), **PLAN)
    with Study.create(tmp_path / "xor.heldout", columns, "answer") as study:
        assert study.run(plan, n_jobs=1, progress=False).verdict.winner == "forest"
        assert set(models(study)) == {"winner"}
