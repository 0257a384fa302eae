"""Settings of a project: found from the folder upwards, beaten by the line, and never guessed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heldout.cli.settings import find_settings
from heldout.errors import RequestError

from .typed_lines import SMALL, typed, write_rows

OWN = 'target = "ripe"\ndrop = ["fruit_id"]\n'


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a table, and a folder inside."""
    write_rows(tmp_path / "fruit.csv")
    (tmp_path / "inner" / "most").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_nearest_file_counts(here: Path) -> None:
    """From a folder upwards the first heldout.toml, or pyproject.toml with the section, is taken."""
    (here / "heldout.toml").write_text(OWN)
    (here / "inner" / "pyproject.toml").write_text('[tool.heldout]\ntarget = "color"\n')
    (here / "inner" / "most" / "pyproject.toml").write_text('[project]\nname = "heldout-trial"\n')
    nearest = find_settings(here / "inner" / "most")
    outer = find_settings(here)
    assert nearest is not None
    assert (nearest.path, nearest.values) == (here / "inner" / "pyproject.toml", {"target": "color"})
    assert outer is not None
    assert outer.path.name == "heldout.toml"


def test_in_one_folder_the_own_file_counts(here: Path) -> None:
    """heldout.toml beats the section of a pyproject.toml beside it."""
    (here / "heldout.toml").write_text(OWN)
    (here / "pyproject.toml").write_text('[tool.heldout]\ntarget = "color"\n')
    found = find_settings(here)
    assert found is not None
    assert found.values["target"] == "ripe"


def test_a_project_that_does_not_name_us_may_be_broken(here: Path) -> None:
    """A pyproject.toml that is no TOML and has nothing of ours is passed by; one that names us is not."""
    (here / "inner" / "pyproject.toml").write_text("[project\n")
    (here / "heldout.toml").write_text(OWN)
    found = find_settings(here / "inner")
    assert found is not None
    assert found.path.name == "heldout.toml"
    (here / "inner" / "pyproject.toml").write_text("[tool.heldout\n")
    with pytest.raises(RequestError, match="not TOML"):
        find_settings(here / "inner")


@pytest.mark.slow
def test_the_line_wins_and_the_rest_comes_from_the_file(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """File, target and columns come from the settings, folds from the line; the ledger knows which."""
    (here / "heldout.toml").write_text(
        'file = "fruit.csv"\ntarget = "ripe"\nfolds = 5\nrepeats = 1\njobs = 1\nheld = 0.25\n'
        'contenders = ["tree"]\ndrop = ["fruit_id", "price"]\nkind = {box = "category"}\n'
        'missing = {color = ["green"]}\n'
    )
    monkeypatch.chdir(here / "inner")
    found = typed("run", "--folds", "2", "--json")
    assert found.exit_code == 0, found.stderr
    facts = json.loads(found.stdout)
    settings, file = facts["settings"], str(here / "heldout.toml")
    assert settings["folds"] == {"value": 2, "from": "line"}
    assert settings["target"] == {"value": "ripe", "from": file}
    assert settings["rigor"] == {"value": "standard", "from": "default"}
    assert settings["file"]["value"] == str(here / "fruit.csv")
    assert facts["result"]["folds"]["k"] == 2
    columns = {column["name"]: column for column in facts["table"]["columns"]}
    assert set(columns) == {"size", "color", "ripe", "box"}
    assert columns["color"]["n_missing"] == 20
    assert facts["study"] == str(here / "inner" / "fruit.heldout")
    assert f"from {file}" in found.stderr
    assert "folds" not in found.stderr.splitlines()[0]


@pytest.mark.slow
def test_settings_can_be_passed_by(here: Path) -> None:
    """--no-settings leaves the file alone, even a broken one."""
    (here / "heldout.toml").write_text("target = ")
    found = typed("run", "fruit.csv", "--no-settings", "--target", "ripe", *SMALL, "--drop", "fruit_id", "-q")
    assert found.exit_code == 0, found.stderr


def test_help_needs_no_settings(here: Path) -> None:
    """A broken file does not keep anyone from reading the help."""
    (here / "heldout.toml").write_text("target = ")
    assert typed("run", "--help").exit_code == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('tagret = "ripe"', "did you mean 'target'?"),
        ("json = true", "there is no setting 'json'"),
        ('held = "much"', "the setting 'held' is wrong"),
        ("held = true", "the setting 'held' is wrong: it has a value"),
        ('day-first = "yes"', "the setting 'day-first' is wrong: it is true or false"),
        ("folds = 2.5", "it is a whole number"),
        ("folds = 1", "the setting 'folds' is wrong"),
        ('rigor = "quik"', "'quick', 'standard', 'thorough'"),
        ('target = ["ripe"]', "it is a text or a number"),
        ("drop = {box = 1}", "it has no entries of its own"),
        ("target = ", "the settings are not TOML"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_with_its_place(here: Path, text: str, words: str) -> None:
    """The error names the file and the line in it, and how to do without."""
    (here / "heldout.toml").write_text(text)
    found = typed("run", "fruit.csv", "--target", "ripe")
    assert found.exit_code == 3
    assert words in found.stderr
    assert "heldout.toml" in found.stderr


def test_the_section_is_a_table(here: Path) -> None:
    """[tool] heldout = 3 is refused with words."""
    (here / "pyproject.toml").write_text("[tool]\nheldout = 3\n")
    found = typed("run", "fruit.csv", "--target", "ripe")
    assert found.exit_code == 3
    assert "[tool.heldout] is a table of settings" in found.stderr


def test_a_name_with_a_comma_can_be_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of the file holds names as they are, with quotes and commas."""
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{i % 9},{i % 2},{'yes' if i % 9 > 4 else 'no'}\n" for i in range(60))
    (tmp_path / "odd.csv").write_text(f'size,"last, ""first""",ripe\n{rows}')
    (tmp_path / "heldout.toml").write_text('target = "ripe"\ndrop = [\'last, "first"\']\n')
    found = typed("run", "odd.csv", *SMALL, "--json", "-q")
    facts = json.loads(found.stdout)
    assert [column["name"] for column in facts["table"]["columns"]] == ["size", "ripe"]
