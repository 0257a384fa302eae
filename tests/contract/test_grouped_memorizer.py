"""A learner that recognizes groups scores at chance across groups, and brilliantly where none is declared."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import heldout as ho
from heldout.study.study import Study
from heldout.table.column import category_column

N_GROUPS, N_EACH = 150, 4
MEMORIZER = ho.Contender("memorizer", ho.NeighborsClassifier(k=1))
TUNED = ho.Contender("tuned", ho.NeighborsClassifier(), {"k": [1, 5, 15]})
PLAN = ho.Plan([MEMORIZER, TUNED], folds=ho.KFold(5, repeats=2), tuning=ho.KFold(3), choose_by="accuracy")


def patients() -> ho.Table:
    """Each patient has four rows, much alike, and one diagnosis, which has nothing to do with them."""
    generator = np.random.default_rng(12)
    prints = np.repeat(generator.normal(size=(N_GROUPS, 3)), N_EACH, axis=0)
    prints += 0.001 * generator.normal(size=prints.shape)
    diagnosis = np.repeat(generator.permutation(np.arange(N_GROUPS) % 2), N_EACH)
    names = [f"p{place}" for place in np.repeat(np.arange(N_GROUPS), N_EACH)]
    columns = [ho.Column(f"print {place}", "number", values) for place, values in enumerate(prints.T)]
    labels = np.where(diagnosis == 1, "ill", "well").tolist()
    return ho.Table([*columns, category_column("patient", names), category_column("diagnosis", labels)])


@pytest.mark.parametrize("contender", ["memorizer", "tuned"])
def test_across_groups_memory_is_worth_nothing(tmp_path: Path, contender: str) -> None:
    """With the patients declared, open and held rows say ½, and nothing is said to beat guessing."""
    with Study.create(tmp_path / "a.heldout", patients(), "diagnosis", groups="patient", seed=5) as study:
        result = study.run(PLAN, n_jobs=1, progress=False)
        final = study.unseal(contender)
    estimate = result.standing(contender).estimate
    assert abs(estimate.estimate - 0.5) < 0.1
    assert 0.5 in estimate
    assert estimate.unit == "group"
    assert 0.5 in final.adaptive
    assert abs(final.estimate - 0.5) < 0.2
    assert result.verdict.winner == "baseline"


def test_inner_folds_keep_groups_whole_too(tmp_path: Path) -> None:
    """The inner score of the nearest neighbor is at chance as well: tuning cannot be fooled either."""
    with Study.create(tmp_path / "a.heldout", patients(), "diagnosis", groups="patient", seed=5) as study:
        study.run(PLAN, n_jobs=1, progress=False)
        cells = [fact.body["result"] for fact in study.ledger.facts("cell")]
    inner = [cell["choice_scores"][0] for cell in cells if cell["name"] == "tuned"]
    assert len(inner) == 10
    assert abs(np.mean(inner) - 0.5) < 0.1


def test_undeclared_groups_make_memory_look_brilliant(tmp_path: Path) -> None:
    """With the patients left out of the table the same learner seems to be right in more than 95% of rows."""
    table = patients().drop("patient")
    with Study.create(tmp_path / "a.heldout", table, "diagnosis", seed=5) as study:
        result = study.run(PLAN, n_jobs=1, progress=False)
        final = study.unseal("memorizer")
    assert result.standing("memorizer").estimate.estimate > 0.95
    assert final.estimate > 0.95
    assert result.verdict.beats_baseline
