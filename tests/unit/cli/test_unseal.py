"""`heldout unseal`, `ship`, `ledger` and `report`: what they show, record and refuse."""

from __future__ import annotations

import csv
import sqlite3
from pathlib import Path

import pytest

import heldout as ho
from heldout.cli.failures import ExitCode
from heldout.cli.output import near_path
from heldout.stats.looks import shown_bits
from heldout.study.study import Study

from ..study.study_tables import TREE, churn_columns, ran_study, write_csv
from .command_line import typed, typed_json


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a study that has run, and its table."""
    ran_study(tmp_path).close()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def n_looks(kind: str = "unseal") -> int:
    with sqlite3.connect("a.heldout") as connection:
        return int(connection.execute("SELECT count(*) FROM fact WHERE kind = ?", (kind,)).fetchone()[0])


def test_the_winner_is_scored_and_recorded(folder: Path) -> None:
    """Without a name the winner is scored; the same line again gives the recorded answer and no look."""
    first, second = typed("unseal", "a.heldout"), typed("unseal", "a.heldout")
    assert (first.exit_code, second.exit_code) == (ExitCode.FINE, ExitCode.FINE)
    assert "was scored on the 48 held rows now" in first.stdout
    assert "this is the recorded" in second.stdout
    assert first.stdout.split("score ")[1] == second.stdout.split("score ")[1]
    assert n_looks() == 1


def test_the_screen_shows_held_and_open_rows(folder: Path) -> None:
    """The score on held rows stands above that on open rows, with the same numbers as in Python."""
    done = typed("unseal", "a.heldout", "tree")
    with Study.open("a.heldout") as study:
        score = study.unseal("tree")
    lines = [line.split() for line in done.stdout.split("\n") if " rows  " in line]
    assert lines[0][:4] == ["►", "held", "rows", f"{score.estimate:.3f}"]
    assert lines[1][:2] == ["open", "rows"]
    assert " ".join(str(score).split()) in " ".join(done.stdout.split())


def test_another_look_needs_a_reason(folder: Path) -> None:
    """A second model is refused with 4 and the option to give a reason; with it, the reason is on record."""
    typed("unseal", "a.heldout", "tree")
    refused = typed("unseal", "a.heldout", "near")
    assert refused.exit_code == ExitCode.REFUSED
    assert '--again "why"' in refused.stderr
    done = typed("unseal", "a.heldout", "near", "--again", "the tree is too coarse")
    assert done.exit_code == ExitCode.FINE
    assert "if fixed before" in done.stdout
    assert "the tree is too coarse" in " ".join(done.stdout.split())


def test_giving_all_away_has_to_be_meant(folder: Path) -> None:
    """Full detail is refused without --yes and nothing is recorded; with it every held row is in a file."""
    refused = typed("unseal", "a.heldout", "tree", "--detail", "full")
    assert (refused.exit_code, n_looks()) == (ExitCode.REFUSED, 0)
    assert "--yes" in refused.stderr
    done = typed("unseal", "a.heldout", "tree", "--detail", "full", "--yes")
    assert "true \\ predicted" in done.stdout
    with open("a.held.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    right = sum(row["truth"] == row["answer"] for row in rows)
    assert len(rows) == 48
    assert f"accuracy {right / 48:.3f}" in " ".join(done.stdout.split())


def test_json_has_the_score_and_where_the_report_is(folder: Path) -> None:
    """The score, its text, whether the look was new, and the page, which is made again where it lies."""
    typed("report", "a.heldout")
    found = typed_json("unseal", "a.heldout", "tree")
    assert (found["score"]["contender"], found["is_new_look"]) == ("tree", True)
    assert found["report"] == str(folder / "a.html")
    assert "opened once" in Path("a.html").read_text(encoding="utf-8")


def test_an_unknown_contender_gets_a_suggestion(folder: Path) -> None:
    """A typo is the user's to mend: 3, and what may have been meant."""
    done = typed("unseal", "a.heldout", "treee")
    assert (done.exit_code, n_looks()) == (ExitCode.WRONG, 0)
    assert "did you mean 'tree'?" in done.stderr


def test_a_changed_table_is_refused_and_a_moved_one_found(folder: Path) -> None:
    """Other data give 4; --data names the same table elsewhere."""
    table = Path("churn.csv").read_text(encoding="utf-8")
    Path("churn.csv").write_text(table.replace("yes", "no", 1), encoding="utf-8")
    assert typed("unseal", "a.heldout").exit_code == ExitCode.REFUSED
    Path("churn.csv").unlink()
    gone = typed("unseal", "a.heldout")
    assert gone.exit_code == ExitCode.WRONG
    assert "--data FILE" in gone.stderr
    Path("moved.csv").write_text(table, encoding="utf-8")
    assert typed("unseal", "a.heldout", "--data", "moved.csv").exit_code == ExitCode.FINE


@pytest.mark.parametrize("verb", ["unseal", "ship"])
def test_where_guessing_wins_a_name_is_needed(verb: str, tmp_path: Path) -> None:
    """No model beats guessing: nothing is unsealed or shipped by default; it is said how to do it anyway."""
    path, table = tmp_path / "n.heldout", write_csv(tmp_path / "n.csv", churn_columns(120, is_noise=True))
    with Study.create(path, table, "churned") as study:
        guess = ho.Contender("baseline", ho.BaselineClassifier())
        worse = ho.Contender("worse", ho.Perceptron(epochs=1))
        plan = ho.Plan((guess, worse, TREE), folds=ho.KFold(2), tuning=ho.KFold(2))
        scores = {
            each.name: each.score for each in study.run(plan, n_jobs=1, progress=False).verdict.standings
        }
    best = max(("worse", "tree"), key=lambda name: scores[name])
    done = typed(verb, str(path))
    assert done.exit_code == ExitCode.WRONG
    assert f"nothing to {verb}" in done.stderr
    assert f"name a contender to do it anyway: heldout {verb} {near_path(str(path))} {best}" in done.stderr


@pytest.mark.parametrize("verb", ["unseal", "ship"])
def test_without_a_verdict_there_is_no_winner(verb: str, tmp_path: Path) -> None:
    """A study in which nothing ran says that it has to run first."""
    table = write_csv(tmp_path / "c.csv", churn_columns(60))
    Study.create(tmp_path / "c.heldout", table, "churned").close()
    done = typed(verb, str(tmp_path / "c.heldout"))
    assert done.exit_code == ExitCode.WRONG
    assert "no verdict yet" in done.stderr


def test_ship_writes_the_model_of_python(folder: Path) -> None:
    """The file holds the model that Study.ship makes, beside the study unless another place is named."""
    done = typed("ship", "a.heldout", "tree")
    assert done.exit_code == ExitCode.FINE
    assert "  model    a.model" in done.stdout
    assert "heldout predict a.model new.csv" in done.stdout
    model = ho.load("a.model")
    with Study.open("a.heldout") as study:
        study.ship("tree", "b.model")
    assert model.to_text() == ho.load("b.model").to_text()


def test_ship_tells_what_to_expect(folder: Path) -> None:
    """JSON has the path and the provenance; -o names the place; a score on held rows is told too."""
    typed("unseal", "a.heldout", "tree")
    found = typed_json("ship", "a.heldout", "tree", "-o", "mine.model")
    assert found["path"] == str(folder / "mine.model")
    assert found["provenance"]["final_score"]["n_rows"] == 48
    assert "on the held rows" in typed("ship", "a.heldout", "tree").stdout


def test_the_ledger_lists_looks_at_held_rows(folder: Path) -> None:
    """Uses of open rows are counted, those of held rows listed with their bits; --all lists every one."""
    assert "48 rows, never looked at" in typed("ledger", "a.heldout").stdout
    typed("unseal", "a.heldout", "tree")
    told = typed("ledger", "a.heldout")
    found = typed_json("ledger", "a.heldout")
    held = [look for look in found["looks"] if look["role"] == "held"]
    assert (told.exit_code, len(held)) == (ExitCode.FINE, 1)
    assert "unseal tree" in told.stdout
    assert f"48 rows {shown_bits(held[0]['bits'])}" in " ".join(told.stdout.split())
    assert typed("ledger", "a.heldout", "--all").stdout.count(" rows") > len(found["looks"])


def test_a_broken_chain_is_told_with_4(folder: Path) -> None:
    """An edit that any SQLite can make is found, with and without --verify, and the report says so too."""
    with sqlite3.connect("a.heldout") as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f'DROP TRIGGER "{name}"')
        connection.execute("UPDATE fact SET at = '2020-01-01T00:00:00' WHERE number = 5")
    for words in (("ledger", "a.heldout"), ("ledger", "a.heldout", "--verify"), ("report", "a.heldout")):
        done = typed(*words)
        assert done.exit_code == ExitCode.REFUSED
        assert "was edited" in done.stdout + done.stderr
    assert typed_json("ledger", "a.heldout")["chain"]["is_unbroken"] is False


def test_a_head_finds_a_rewrite(folder: Path) -> None:
    """The head of the chain is found in it, another is not, and what is no hash is refused."""
    head = typed_json("ledger", "a.heldout")["chain"]["head"]
    assert typed("ledger", "a.heldout", "--head", head).exit_code == ExitCode.FINE
    assert typed("ledger", "a.heldout", "--head", "0" * 63 + "1").exit_code == ExitCode.REFUSED
    assert typed("ledger", "a.heldout", "--head", "abc").exit_code == ExitCode.WRONG


def test_the_report_needs_the_study_file_alone(folder: Path) -> None:
    """The page is made again without the table, beside the study or where -o says, the same byte for byte."""
    Path("churn.csv").unlink()
    first = typed("report", "a.heldout")
    second = typed("report", "a.heldout", "-o", "other.html")
    assert (first.stdout, second.stdout) == ("a.html\n", "other.html\n")
    assert Path("a.html").read_bytes() == Path("other.html").read_bytes()
    assert typed_json("report", "a.heldout")["summary"]["study"]["target"] == "churned"


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["report", "ship"])
@pytest.mark.parametrize("name", ["churn.csv", "a.heldout", "notes.txt"])
def test_nothing_of_the_users_is_replaced(folder: Path, verb: str, name: str) -> None:
    """A table, the study or notes that are named as the place by a slip stay as they are; 3 and a way out."""
    Path("notes.txt").write_text("mine", encoding="utf-8")
    before = Path(name).read_bytes()
    head = 100 if name == "a.heldout" else 0  # SQLite counts there how often it was opened
    done = typed(verb, "a.heldout", "-o", name)
    assert done.exit_code == ExitCode.WRONG
    assert "of Heldout, and it stays" in done.stderr
    assert Path(name).read_bytes()[head:] == before[head:]
    written = {"report": "a.html", "ship": "a.model"}[verb]
    assert [typed(verb, "a.heldout", "-o", written).exit_code for _ in range(2)] == [ExitCode.FINE] * 2


def test_a_page_of_somebody_elses_beside_the_study_stays(folder: Path) -> None:
    """Unsealing makes its own page again, and never replaces another that has the same name."""
    Path("a.html").write_text("mine", encoding="utf-8")
    assert typed_json("unseal", "a.heldout", "tree")["report"] is None
    assert Path("a.html").read_text(encoding="utf-8") == "mine"


def test_a_study_that_is_not_there_is_the_users_to_mend(folder: Path) -> None:
    """A wrong path gives 3 and the nearest name."""
    for verb in ("unseal", "ship", "ledger", "report"):
        done = typed(verb, "b.heldout")
        assert done.exit_code == ExitCode.WRONG
        assert "a.heldout" in done.stderr


def test_a_long_fit_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With many rows unseal and ship say what they do meanwhile; a recorded score is shown without a fit."""
    assert typed("ship", "a.heldout", "tree", "-o", "b.model").stderr == ""
    monkeypatch.setattr("heldout.cli.output.MANY_ROWS", 10)
    assert "heldout: fitting tree on all 192 open rows\n" in typed("unseal", "a.heldout", "tree").stderr
    assert "fitting" not in typed("unseal", "a.heldout", "tree").stderr
    assert "heldout: fitting tree on all 240 rows\n" in typed("ship", "a.heldout", "tree").stderr
