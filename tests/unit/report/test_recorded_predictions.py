"""Answers read back from the study file are those that the study itself works with."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import heldout as ho
from heldout.results.recorded_plan import recorded_plan, recorded_predictions

from .answer_studies import copied


@pytest.mark.parametrize("kind", ["two classes", "regression", "quick"])
def test_answers_are_those_of_the_result(kind: str, tmp_path: Path) -> None:
    """Out-of-fold answers read without the study equal those of every standing of its result."""
    with ho.Study.open(copied(kind, tmp_path)) as study:
        standings = study.result().standings
        plan = recorded_plan(study.ledger, study.ledger.facts("plan")[-1])
        found = [recorded_predictions(plan, digest) for digest in plan.contenders]
    assert len(found) == len(standings) > 0
    for answers, standing in zip(found, standings, strict=True):
        expected = standing.out_of_fold
        assert answers is not None
        assert expected is not None
        for name in ("labels", "values", "probabilities", "scores"):
            np.testing.assert_array_equal(getattr(answers, name), getattr(expected, name))


def test_what_has_not_run_has_no_answers(tmp_path: Path) -> None:
    """A contender with a missing cell gives None, not half of its answers."""
    path = tmp_path / "b.heldout"
    table = ho.datasets.load("play_tennis")
    plan = ho.Plan((ho.Contender("tree", ho.TreeClassifier()),), ho.KFold(3), ho.KFold(2))
    with ho.Study.create(path, table, target="PlayTennis", held=0) as study:
        study.run(plan, n_jobs=1, progress=False)
        recorded = recorded_plan(study.ledger, study.ledger.facts("plan")[-1])
        tree = recorded.contenders[0]
        assert recorded_predictions(recorded, tree) is not None
        lost = next(key for key in recorded.cells if key.startswith(tree))
        fewer = {key: cell for key, cell in recorded.cells.items() if key != lost}
        rest = dataclasses.replace(recorded, cells=fewer)
        assert recorded_predictions(rest, tree) is None
