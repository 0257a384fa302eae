"""`heldout demo`: the whole story, as the guide shows it, with files that can be gone on with."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from heldout.cli.demo import FOLDER
from heldout.cli.failures import ExitCode

from .command_line import typed, typed_json

GUIDE = Path(__file__).parents[3] / "docs" / "guide" / "terminal.md"
USUAL = {"COLUMNS": "80", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of the demo, and what it printed; told once for all tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("demo"))
        done = typed("demo", env=USUAL)
        assert done.exit_code == ExitCode.FINE, done.stderr
        return Path(FOLDER).absolute(), done.stdout


@pytest.mark.slow
def test_the_guide_shows_what_the_demo_prints(told: tuple[Path, str]) -> None:
    """The block below `$ heldout demo` in the guide is its output, line by line, in 80 columns."""
    block = re.search(r"```text\n\$ heldout demo\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    assert block.group(1) == told[1]
    assert max(map(len, told[1].splitlines())) <= 80


@pytest.mark.slow
def test_the_story_ends_with_the_seal_opened_and_the_report(told: tuple[Path, str]) -> None:
    """The run comes first, then the one look, and the last line names the page, which is there."""
    folder, text = told
    assert text.index("$ heldout run penguins.csv --target species") < text.index("$ heldout unseal")
    assert "on the 69 held rows now" in text
    assert text.endswith(f"{FOLDER}/penguins.html\n")
    assert "opened once" in (folder / "penguins.html").read_text(encoding="utf-8")


def test_its_commands_can_be_typed(told: tuple[Path, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """In its folder the next commands work: the ledger knows one look, and the model can be shipped."""
    monkeypatch.chdir(told[0])
    held = [look for look in typed_json("ledger", "penguins.heldout")["looks"] if look["role"] == "held"]
    assert [look["what"] for look in held] == ["score"]
    assert typed("ship", "penguins.heldout").exit_code == ExitCode.FINE
    assert Path("penguins.model").is_file()


@pytest.mark.slow
def test_told_again_it_answers_from_the_ledger(
    told: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second demo in the same folder takes no second look, and gives the same score."""
    monkeypatch.chdir(told[0].parent)
    again = typed("demo", env=USUAL)
    assert again.exit_code == ExitCode.FINE
    assert "they were looked at once" in again.stdout
    assert "this is the recorded score" in " ".join(again.stdout.split())
    assert again.stdout.split("  score ")[1] == told[1].split("  score ")[1]
