"""Two lines of command in one study: the second adds to the race, and the number is the winner's."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from heldout.cli.main import program


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a table that is XOR with noise: a line learns nothing of it."""
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(4)
    numbers = random.normal(size=(200, 3)).round(3)
    is_one = (numbers[:, 0] > 0) != (numbers[:, 1] > 0)
    is_one ^= random.random(200) < 0.12
    lines = [f"{a},{b},{c},{'yes' if one else 'no'}" for (a, b, c), one in zip(numbers, is_one, strict=True)]
    (tmp_path / "xor.csv").write_text("\n".join(["a,b,c,y", *lines]) + "\n", encoding="utf-8")
    return tmp_path


def typed(*words: str) -> Result:
    found = CliRunner().invoke(program, words, catch_exceptions=False)
    assert found.exit_code == 0, found.output
    return found


def run(contenders: str, *words: str) -> Any:
    line = ("run", "xor.csv", "--target", "y", "--contenders", contenders, "--repeats", "1", "--jobs", "1")
    return typed(*line, "--quiet", *words)


@pytest.mark.parametrize("order", [("forest", "perceptron"), ("perceptron", "forest")])
def test_the_number_is_that_of_the_winner(place: Path, order: tuple[str, str]) -> None:
    """Whichever came first: the forest wins with its own number on screen, page and JSON, and can be used."""
    for name in order:
        screen = run(name).output
    facts = json.loads(run(order[1], "--json").stdout)
    own = {each["name"]: each["estimate"] for each in facts["result"]["standings"]}
    number = facts["result"]["number"]
    assert set(own) == {"baseline", "forest", "perceptron"}
    assert facts["verdict"]["winner"] == facts["result"]["winner"] == "forest"
    assert number["estimate"] <= own["forest"]["estimate"]
    assert number["low"] <= own["forest"]["estimate"] <= number["high"] < 1
    shown = f"forest wins: accuracy {number['estimate']:.3f}"
    assert shown in " ".join(screen.split())
    assert f"{order[1]}, new" in screen
    assert f"The race is of plans 1 and 2, 3 contenders; {order[1]} is new." in " ".join(screen.split())
    assert ("Before plan 2 baseline won." in " ".join(screen.split())) == (order[1] == "forest")
    page = (place / "xor.html").read_text(encoding="utf-8")
    assert shown in page
    assert len(re.findall(r'<span class="badge">new</span>', page)) == 1
    assert "forest, the winner of the study" in " ".join(typed("explain", "xor.heldout").output.split())
    assert "forest was scored on the 40 held rows" in " ".join(typed("unseal", "xor.heldout").output.split())
    assert "forest, fitted on all 200 rows" in " ".join(
        typed("ship", "xor.heldout", "-o", "xor.model").output.split()
    )


def test_another_metric_is_another_race(place: Path) -> None:
    """By another metric a plan has a verdict of its own, which says that there is another race."""
    run("forest")
    screen = " ".join(run("perceptron", "--metric", "balanced_accuracy").output.split())
    assert (
        "Another race of this study, plan 1, by accuracy over 10 folds, stratified, has a verdict" in screen
    )
    assert "forest won it" in screen
    explained = " ".join(typed("explain", "xor.heldout").output.split())
    assert "the winner of the newest race of the study, by balanced_accuracy over 10 folds" in explained
