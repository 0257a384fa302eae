"""A thorough plan also draws the curves of its winner."""

from __future__ import annotations

from pathlib import Path

import pytest

import heldout as ho


def run(path: Path, plan: ho.Plan) -> list[str]:
    """The kinds of curves that stand in the study file after a run."""
    with ho.Study.create(path, ho.datasets.load("penguins"), "species") as study:
        study.run(plan, n_jobs=1, progress=False)
        return [fact.body["curve"] for fact in study.ledger.facts("curve")]


@pytest.fixture
def tree() -> ho.Contender:
    """A tree with nothing to tune."""
    return ho.Contender("tree", ho.TreeClassifier.c45(min_leaf=10))


@pytest.mark.slow
def test_the_winner_of_a_thorough_plan_has_its_curves(tmp_path: Path, tree: ho.Contender) -> None:
    """A tree that wins gets a learning curve and a curve of its size; after a standard plan there is none."""
    thorough = ho.Plan.thorough([tree], folds=ho.KFold(5, repeats=2))
    assert run(tmp_path / "thorough.heldout", thorough) == ["learning", "size"]
    standard = ho.Plan([tree], folds=ho.KFold(5, repeats=2))
    assert run(tmp_path / "standard.heldout", standard) == []


@pytest.mark.slow
def test_other_winners_have_a_learning_curve_alone(tmp_path: Path) -> None:
    """Neighbors have no size to prune."""
    near = ho.Contender("near", ho.NeighborsClassifier(k=5))
    plan = ho.Plan.thorough([near], folds=ho.KFold(5, repeats=2))
    assert run(tmp_path / "near.heldout", plan) == ["learning"]
