"""The page of a study that really ran: from the file alone, without the data."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import heldout as ho
from heldout.ledger.ledger import Ledger
from heldout.report.render import render
from heldout.report.summarize import summarize

NAMES = ("guess", "stump")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study file with a run, a curve and a look; its table is gone."""
    random = np.random.default_rng(0)
    size = random.normal(size=120)
    ripe = np.where(size + 0.3 * random.normal(size=120) > 0, "yes", "no")
    found = tmp_path_factory.mktemp("page") / "ripe.heldout"
    stump = ho.Contender("stump", ho.TreeClassifier(), {"max_depth": [1, 2]})
    plan = ho.Plan((ho.Contender("guess", ho.BaselineClassifier()), stump), ho.KFold(3), ho.KFold(2))
    table = ho.read_table({"size": size, "ripe": ripe.tolist()})
    with ho.Study.create(found, table, target="ripe", seed=1) as study:
        result = study.run(plan, n_jobs=1, progress=False)
        study.learning_curve("stump", fractions=[0.5, 1.0], folds=ho.KFold(2))
        study.unseal(result.verdict.winner)
    return found


def test_the_summary_is_what_the_result_says(path: Path) -> None:
    """Winner, number, standings and digest of the summary are those of Study.result."""
    with ho.Study.open(path) as study:
        result, summary = study.result(), summarize(study.ledger)
    assert summary["verdict"]["winner"] == result.verdict.winner
    number = result.verdict.number
    assert summary["verdict"]["number"]["estimate"] == pytest.approx(number.estimate)
    estimates = {row["name"]: row["estimate"]["estimate"] for row in summary["standings"]}
    assert estimates == {each.name: pytest.approx(each.estimate.estimate) for each in result.standings}
    assert summary["chain"]["digest"] == result.digest


def test_the_page_shows_all_parts(path: Path) -> None:
    """Verdict, seal, contenders, settings, curve, method and head of the chain stand on the page."""
    with Ledger.open(path, query_only=True) as ledger:
        page, head = render(summarize(ledger)), ledger.head
    for words in (*NAMES, "opened once", "max_depth", "learning curve of stump", "3 folds, stratified", head):
        assert words in page, words
    assert "do not believe" not in page
    assert "unknown" not in page


def test_a_changed_file_is_told_by_the_page_itself(path: Path, tmp_path: Path) -> None:
    """Where a fact was changed behind the back of the ledger, the page says so first."""
    import shutil
    import sqlite3

    copy = tmp_path / "changed.heldout"
    shutil.copy(path, copy)
    with sqlite3.connect(copy) as database:
        for (trigger,) in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            database.execute(f'DROP TRIGGER "{trigger}"')
        database.execute("UPDATE fact SET body = replace(body, 'stump', 'trunk') WHERE kind = 'verdict'")
    database.close()
    with Ledger.open(copy, query_only=True) as ledger:
        assert "do not believe this page" in render(summarize(ledger))
