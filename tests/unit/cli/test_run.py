"""`heldout run`: from a table to a verdict, again at once, and never to the sealed rows."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

import heldout as ho

from .typed_lines import SMALL, in_a_process, typed, write_rows

LINE = ("run", "fruit.csv", "--target", "ripe", "--drop", "fruit_id", *SMALL)


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A folder in which the line ran, and the facts that it gave."""
    folder = tmp_path_factory.mktemp("ran")
    write_rows(folder / "fruit.csv")
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        found = typed(*LINE, "--json")
    assert found.exit_code == 0, found.stderr
    return folder, json.loads(found.stdout)


@pytest.fixture
def here(ran: tuple[Path, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the test's own with the same files."""
    shutil.copytree(ran[0], tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def n_facts(study: Path, kind: str) -> int:
    """How many facts of a kind a study file has, by SQLite alone."""
    with sqlite3.connect(study) as connection:
        return int(connection.execute("SELECT count(*) FROM fact WHERE kind = ?", (kind,)).fetchone()[0])


@pytest.mark.slow
def test_the_facts_are_those_of_the_study(ran: tuple[Path, dict[str, Any]]) -> None:
    """What --json prints is what the study file gives when it is opened in Python."""
    folder, facts = ran
    with ho.Study.open(folder / "fruit.heldout") as study:
        result = study.result()
        assert facts["result"]["digest"] == result.digest
        assert facts["verdict"]["winner"] == result.verdict.winner
        assert study.task.X.names == ("size", "color", "box", "price")
        assert facts["seal"]["n_held"] == len(study.seal.held_rows) == 12
    assert facts["report"] == str(folder / "fruit.html")
    assert (folder / "fruit.html").read_text().startswith("<!doctype html>")


def test_a_run_never_opens_the_seal(ran: tuple[Path, dict[str, Any]]) -> None:
    """After a run no look at a held row is recorded, and the seal is closed."""
    folder, facts = ran
    with sqlite3.connect(folder / "fruit.heldout") as connection:
        assert connection.execute("SELECT count(*) FROM look WHERE role = 'held'").fetchone() == (0,)
    assert facts["seal"]["state"] == "closed"


def test_the_same_line_again_answers_from_the_ledger(here: Path, ran: tuple[Path, dict[str, Any]]) -> None:
    """Nothing is written to the study file, and the facts are the same but for the folder."""
    before = (here / "fruit.heldout").read_bytes()
    (here / "fruit.html").unlink()
    found = typed(*LINE, "--json")
    again, first = json.loads(found.stdout), ran[1]
    assert {name: again[name] for name in ("result", "verdict", "seal", "task")} == {
        name: first[name] for name in ("result", "verdict", "seal", "task")
    }
    assert "nothing had to run again" in found.stderr
    assert n_facts(here / "fruit.heldout", "cell") == 4
    assert len((here / "fruit.heldout").read_bytes()) == len(before)
    assert (here / "fruit.html").is_file()


def test_quiet_says_nothing_but_the_answer(here: Path) -> None:
    """With --quiet stderr is empty, and the screen stands on stdout."""
    found = typed(*LINE, "--quiet")
    assert (found.exit_code, found.stderr) == (0, "")
    assert "next" in found.stdout
    assert max(map(len, found.stdout.splitlines())) <= 80


def test_other_contenders_are_another_plan_of_the_same_study(here: Path) -> None:
    """The question stays, so the study goes on: two plans, counted as one large choice."""
    found = typed(*LINE, "--contenders", "tree,rules", "--json")
    facts = json.loads(found.stdout)
    assert (facts["result"]["plan_number"], facts["result"]["n_plans"]) == (2, 2)
    assert [each["name"] for each in facts["result"]["standings"]] == ["baseline", "tree", "rules"]
    assert n_facts(here / "fruit.heldout", "cell") == 6


def test_what_was_decided_stands_in_the_ledger(here: Path) -> None:
    """The settings are a fact with values and origins: the line's, the defaults, and what was derived."""
    with sqlite3.connect(here / "fruit.heldout") as connection:
        rows = connection.execute("SELECT body FROM fact WHERE kind = 'settings'").fetchall()
    (body,) = [json.loads(text) for (text,) in rows]
    settings = body["settings"]
    assert body["command"] == "run"
    assert settings["target"] == {"value": "ripe", "from": "line"}
    assert settings["held"] == {"value": 0.2, "from": "default"}
    assert settings["contenders"] == {"value": ["tree"], "from": "line"}
    assert settings["metric"] == {"value": "accuracy", "from": "default"}
    assert settings["positive"] == {"value": "yes", "from": "default"}
    assert isinstance(settings["seed"]["value"], int)
    assert not {"json", "quiet", "no_settings"} & set(settings)


@pytest.mark.parametrize(
    ("more", "differs"),
    [
        (("--target", "color"), "--target was 'ripe' and is 'color'"),
        (("--groups", "box"), "--groups was left out and is 'box'"),
        (("--held", "0.3"), "--held was 0.2 and is 0.3"),
        (("--seed", "7"), "--seed was left out and is 7"),
        (("--positive", "no"), "--positive was 'yes' and is 'no'"),
        (("--drop", "price"), "--drop was fruit_id and is fruit_id,price"),
        (("--kind", "box=identifier"), "--kind was left out and is box=identifier"),
        (("--missing", "red"), "--missing was left out and is red"),
    ],
)
def test_another_question_is_not_asked_of_the_same_study(
    here: Path, more: tuple[str, ...], differs: str
) -> None:
    """What differs is named, and a free name for a study of its own is offered; nothing is written."""
    before = (here / "fruit.heldout").read_bytes()
    found = typed(*LINE, *more)
    assert found.exit_code == 3
    assert differs in found.stderr
    assert "--out fruit-2" in found.stderr
    assert (here / "fruit.heldout").read_bytes() == before


def test_a_copy_of_the_table_elsewhere_is_the_same_table(here: Path) -> None:
    """The digest counts, not the name: a study goes on with a moved file."""
    (here / "fruit.csv").rename(here / "moved.csv")
    found = typed("run", "moved.csv", *LINE[2:], "--out", "fruit")
    assert found.exit_code == 0, found.stderr
    assert "nothing had to run again" in found.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("out", "study"),
    [
        ("trial", "trial.heldout"),
        ("trial.heldout", "trial.heldout"),
        ("trial.html", "trial.heldout"),
        ("v1.2", "v1.2.heldout"),
        ("new/folder/", "new/folder/fruit.heldout"),
        ("new/stem", "new/stem.heldout"),
        (".", "fruit.heldout"),
    ],
)
def test_out_is_a_stem_or_a_folder(
    ran: tuple[Path, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: str, study: str
) -> None:
    """Study and page stand beside each other where --out says; folders are made."""
    monkeypatch.chdir(tmp_path)
    wanted = tmp_path / study
    wanted.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(ran[0] / "fruit.csv", tmp_path)
    shutil.copy(ran[0] / "fruit.heldout", wanted)  # so that nothing has to run
    found = typed(*LINE, "--out", out)
    assert found.exit_code == 0, found.stderr
    assert wanted.with_suffix(".html").is_file()
    assert len(list(tmp_path.rglob("*.heldout"))) == 1


def nothing_may_be_written(path: Any, mode: int, **options: Any) -> bool:
    """os.access of somebody who may only read; root, who runs some tests, may write everywhere."""
    return not mode & os.W_OK


def test_a_study_that_cannot_be_written_answers_and_does_not_run(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A read-only study gives what it holds; what would have to run is refused with 4."""
    monkeypatch.setattr(os, "access", nothing_may_be_written)
    before = (here / "fruit.heldout").read_bytes()
    assert typed(*LINE).exit_code == 0
    found = typed(*LINE, "--contenders", "rules")
    assert found.exit_code == 4
    assert "there is more to run, and the study file cannot be written" in found.stderr
    assert (here / "fruit.heldout").read_bytes() == before


def test_a_folder_that_cannot_be_written_is_said_before_anything_runs(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new study in a read-only folder is refused, with the way out."""
    monkeypatch.setattr(os, "access", nothing_may_be_written)
    found = typed(*LINE, "--out", "other")
    assert found.exit_code == 3
    assert "choose a folder where you may write with --out" in found.stderr
    assert not (here / "other.heldout").exists()


def test_regression_and_its_contenders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number is predicted; linear models are contenders; folds, repeats and the metric are as asked."""
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "fruit.csv")
    asked = ("--contenders", "linear,ridge", "--folds", "3", "--repeats", "2", "--metric", "mae")
    found = typed("run", "fruit.csv", "--target", "price", "--jobs", "1", "--json", "-q", *asked)
    facts = json.loads(found.stdout)
    assert facts["task"]["kind"] == "regression"
    assert [each["name"] for each in facts["result"]["standings"]] == ["baseline", "ridge", "linear"]
    assert facts["result"]["metric"] == "mae"
    assert (facts["result"]["folds"]["k"], facts["result"]["folds"]["repeats"]) == (3, 2)


@pytest.mark.slow
def test_a_tree_is_never_sure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A leaf of one class that errs in a new row has a finite log loss, on the screen and on the page."""
    monkeypatch.chdir(tmp_path)
    rows = [f"{i % 10},{'yes' if (i % 10 > 4) != (i == 33) else 'no'}" for i in range(80)]
    (tmp_path / "sure.csv").write_text("\n".join(["size,ripe", *rows]) + "\n", encoding="utf-8")
    asked = ("--contenders", "tree", "--metric", "log_loss", "--folds", "3", "--repeats", "1", "--held", "0")
    found = typed("run", "sure.csv", "--target", "ripe", "--jobs", "1", "-q", *asked)
    why = "A probability of 0 was given to something that happened"
    assert found.exit_code == 0
    assert why not in found.stdout
    assert why not in (tmp_path / "sure.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_all_contenders_are_those_whom_the_metric_can_judge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who gives no probabilities is left out of "all" and named; by name it is refused, without a file."""
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "fruit.csv")
    line = ("run", "fruit.csv", "--target", "ripe", "--jobs", "1", "--metric", "brier", "--rigor", "quick")
    refused = typed(*line, "--contenders", "tree,perceptron")
    assert refused.exit_code == 3
    assert "contender 'perceptron', --metric brier" in refused.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["fruit.csv"]
    found = typed(*line, "--json")
    assert (
        "heldout: perceptron is left out: brier needs probabilities or scores, which it does not give\n"
        in found.stderr
    )
    names = [each["name"] for each in json.loads(found.stdout)["result"]["standings"]]
    assert names == ["baseline", "tree", "rules", "forest", "neighbors"]


@pytest.mark.slow
def test_a_quick_plan_says_which_scores_are_corrected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RMSE allows for the choice of settings, R² does not: screen and page say so, with the line as typed."""
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "fruit.csv")
    asked = ("--rigor", "quick", "--contenders", "tree,ridge", "--jobs", "1", "-q")
    found = typed("run", "fruit.csv", "--target", "price", *asked)
    assert "rmse allows for it, R² does not" in " ".join(found.stdout.split())
    page = (tmp_path / "fruit.html").read_text(encoding="utf-8")
    assert re.search(r"R² -?[\d.]+, not corrected for choosing", page)
    assert "--contenders tree,ridge" in page


@pytest.mark.slow
def test_quick_plans_deal_by_their_tuning_folds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """--rigor quick takes --folds as those of the tuning; groups and the seed are obeyed and recorded."""
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "fruit.csv")
    asked = ("--rigor", "quick", "--folds", "3", "--groups", "box", "--seed", "5", "--contenders", "tree")
    found = typed("run", "fruit.csv", "--target", "ripe", "--jobs", "1", "--json", "-q", *asked)
    facts = json.loads(found.stdout)
    assert (facts["result"]["rigor"], facts["result"]["tuning"]["k"]) == ("quick", 3)
    assert (facts["task"]["groups"], facts["seal"]["seed"], facts["seal"]["is_seed_given"]) == (
        "box",
        5,
        True,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("role", "folds", "dealt"),
    [
        ("--time=price", 6, "6 folds forward in time"),
        ("--groups=box", 6, "2 × 6 folds"),
        ("--groups=box", 10, "10 folds"),
    ],
)
def test_the_screen_counts_folds_as_they_were_dealt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, role: str, folds: int, dealt: str
) -> None:
    """Time is cut in one way only, as are ten groups into ten folds: the screen says what ran."""
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "fruit.csv")
    asked = ("--contenders", "baseline", "--folds", str(folds), "--repeats", "2", "--jobs", "1", "-q", role)
    found = typed("run", "fruit.csv", "--target", "ripe", *asked)
    assert f"  ran      1 contender in {dealt}, each" in found.stdout


@pytest.mark.slow
def test_a_plain_locale_and_a_strange_name_are_no_failure(tmp_path: Path) -> None:
    """In a C locale without UTF-8 a table with other letters runs, and the answer is ASCII."""
    rows = "".join(f"{i % 9},{'ja' if i % 9 > 4 else 'nein'}\n" for i in range(60))
    (tmp_path / "frucht.csv").write_text(f"größe→,reif\n{rows}", encoding="utf-8")
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = in_a_process("run", "frucht.csv", "--target", "reif", *SMALL, cwd=tmp_path, environment=plain)
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii()
    assert done.stderr.isascii()


def test_rows_that_are_left_out_are_noticed_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many notes those come first that change what was learned from, not how a file was read."""
    monkeypatch.chdir(tmp_path)
    rows = [f"{place % 7},{'ab'[place % 2] if place % 4 < 2 else ''},0{place % 3}" for place in range(120)]
    Path("gaps.csv").write_text("\n".join(["size,kind,code", *rows]) + "\n", encoding="utf-8")
    done = typed("run", "gaps.csv", "--target", "kind", "--contenders", "tree,baseline", *SMALL, "--json")
    notes = json.loads(done.stdout)["table"]["notes"]
    assert notes[0] == "60 of 120 rows left out: no value in 'kind'"
    assert any("code" in note for note in notes[1:])


def test_a_large_file_is_said_to_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading it takes a while; a small one is read in silence, and so is any with --quiet."""
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "fruit.csv")
    asked = ("run", "fruit.csv", "--target", "nothing")
    assert "reading" not in typed(*asked).stderr
    monkeypatch.setattr("heldout.cli.run_steps.LARGE_FILE", 100)
    assert "heldout: reading fruit.csv, 0 MB\n" in typed(*asked).stderr
    assert "reading" not in typed(*asked, "-q").stderr
