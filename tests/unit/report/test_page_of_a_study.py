"""The page of a study that really ran: from the file alone, without the data."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import heldout as ho
from heldout.errors import HeldoutError
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


@pytest.mark.slow
def test_a_page_needs_no_learner(path: Path, tmp_path: Path) -> None:
    """Making the page again imports neither learners' libraries nor the study, which would take a second."""
    lines = (
        "import sys",
        "from heldout.ledger.ledger import Ledger",
        "from heldout.report.render import render",
        "from heldout.report.summarize import summarize",
        f"with Ledger.open({str(path)!r}, query_only=True) as ledger:",
        "    page = render(summarize(ledger))",
        f"open({str(tmp_path / 'page.html')!r}, 'w', encoding='utf-8').write(page)",
        "slow = ('sklearn', 'scipy.stats', 'pandas', 'rich', 'heldout.study')",
        "print([each for each in slow if each in sys.modules])",
    )
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
    with Ledger.open(path, query_only=True) as ledger:
        assert (tmp_path / "page.html").read_text(encoding="utf-8") == render(summarize(ledger))


def test_built_in_metrics_are_read_without_the_plan() -> None:
    """A recorded metric that is built in is the same whether its short form or its whole form is read."""
    from heldout.plan.read_values import Reading, read_metric, written_metric
    from heldout.results.recorded_plan import recorded_metric

    for name in ("accuracy", "auc", "mse"):
        assert recorded_metric(name) == read_metric(name, Reading(()))
    form = written_metric(ho.metrics.metric_named("f1").using(average="macro"))
    assert recorded_metric(form) == read_metric(form, Reading(()))
    with pytest.raises(HeldoutError, match="a metric of its own"):
        recorded_metric(form | {"options": {"no_such_option": 1}})
