"""The lines of DESIGN.md, as a user types them, on a table with groups, gaps and categories."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import heldout as ho
from heldout.models import read_provenance
from heldout.results.study_result import StudyResult


def write_churn(path: Path, is_noise: bool, n_rows: int = 75) -> None:
    """Customers with three rows each; the more calls the likelier they leave, unless it is noise."""
    random = np.random.default_rng(3)
    calls = random.poisson(3, n_rows)
    months = random.normal(24, 8, n_rows).round(1)
    city = random.choice(["Bonn", "Köln", "Ulm"], n_rows)
    chance = 0.5 if is_noise else 1 / (1 + np.exp(-4.0 * (calls - 3)))
    churned = np.where(random.random(n_rows) < chance, "yes", "no")
    lines = ["customer,calls,months,city,churned"]
    for row in range(n_rows):
        spoken = "" if row % 11 == 0 else str(calls[row])
        lines.append(f"c{row // 3},{spoken},{months[row]},{city[row]},{churned[row]}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def design_lines(**fewer: Any) -> tuple[ho.Study, StudyResult]:
    """What stands in DESIGN.md §3, line by line.

    fewer: folds, where the full number proves nothing more
    """
    table = ho.read_table("churn.csv")
    study = ho.Study.create("churn.heldout", table, target="churned", held=0.2, groups="customer", seed=7)
    result = study.run(ho.Plan(contenders=ho.default_contenders(study.task), **fewer))
    print(result.verdict)
    print(study.unseal(result.verdict.winner))
    study.report("churn.html")
    study.ship(result.verdict.winner, "churn.model")
    return study, result


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_lines_of_the_design_run_as_written(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From the file to the shipped model: a verdict, one look, a page and a model that knows both."""
    write_churn(place / "churn.csv", is_noise=False)
    study, result = design_lines()
    said = capsys.readouterr().out
    assert " wins: accuracy" in said
    assert "held rows: accuracy" in said
    assert result.verdict.beats_baseline
    assert len(result.standings) >= 6
    assert result.is_complete
    page = (place / "churn.html").read_text(encoding="utf-8")
    assert result.verdict.winner in page
    assert study.ledger.facts("verdict")[-1].body["winner"] == result.verdict.winner
    provenance = read_provenance(place / "churn.model")
    assert provenance["study"] == study.digest
    assert "opened once" in provenance["sentence"]
    model = ho.load(place / "churn.model")
    new = ho.read_table("churn.csv").drop(["customer", "churned"])
    assert len(model.predict(new)) == new.n_rows
    head = study.ledger.head
    study.close()
    with ho.Study.open("churn.heldout") as again:
        assert again.verify(head).is_unbroken
        assert again.result().digest == result.digest
    assert sorted(path.name for path in place.iterdir()) == [
        "churn.csv",
        "churn.heldout",
        "churn.html",
        "churn.model",
    ]


def test_on_noise_the_baseline_wins_and_the_lines_still_run(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A target that is pure noise: no model beats guessing, which is said, unsealed, reported and shipped."""
    write_churn(place / "churn.csv", is_noise=True)
    study, result = design_lines(folds=ho.KFold(5), tuning=ho.KFold(2))
    said = capsys.readouterr().out
    assert "No model was shown to beat guessing with these rows" in said
    assert result.verdict.winner == "baseline"
    assert not result.verdict.beats_baseline
    assert abs(result.verdict.number.estimate - 0.5) < 0.12
    assert read_provenance(place / "churn.model")["contender"] == "baseline"
    assert "baseline" in (place / "churn.html").read_text(encoding="utf-8")
    study.close()
