"""The screen of a run: everything that has to be said, in the width that there is."""

from __future__ import annotations

import re
from typing import Any

import pytest

from heldout.cli.screen.run_screen import KEEP_SEALED, ONE_SCREEN, run_screen
from heldout.cli.screen.terminal import Terminal, width_of

from .screen_facts import column, made_facts, standing, tree_model

COLOR = re.compile(r"\x1b\[[0-9;]*m")


def joined(screen: str) -> str:
    """The screen as running text."""
    return " ".join(COLOR.sub("", screen).split())


@pytest.fixture(scope="module")
def screen() -> str:
    return run_screen(made_facts(), Terminal())


def test_the_screen_tells_the_whole_story(screen: str) -> None:
    """What was read, asked, sealed and run, the verdict and why, the tree, the report, what is next."""
    told = joined(screen)
    for part in (
        "churn.csv: 240 rows, 3 columns (2 numbers, 1 category)",
        "26 values missing, in calls",
        "churned (no 52%, yes 48%), from 2 columns",
        "48 of 240 rows, stratified by class; nothing below has seen them",
        "3 contenders in 3 × 10 folds, each tuned inside the training part",
        "tree wins: accuracy 0.790",
        "forest scores best, but tree is simpler.",
        "A tree of 3 leaves on 2 levels.",
        "months <= 26: yes (75/14)",
        "churn.html",
        "heldout unseal churn.heldout the final score, once",
    ):
        assert part in told


def test_the_verdict_is_two_sentences(screen: str) -> None:
    """Of the reasons only the first is on the screen; the others are in the report."""
    assert "The rule: the simplest." not in screen


def test_contenders_stand_in_the_order_of_their_scores(screen: str) -> None:
    """The best score is on top, and the winner has the mark."""
    lines = [line for line in screen.split("\n") if re.match(r"  [► ] (tree|forest|baseline)", line)]
    assert [line.split()[0] for line in lines] == ["forest", "►", "baseline"]


@pytest.mark.parametrize("width", [40, 60, 80, 100, 120, 200])
@pytest.mark.parametrize("is_unicode", [True, False])
def test_lines_fit_the_terminal(width: int, is_unicode: bool) -> None:
    """No line is wider than the terminal, but for commands, which must stay whole."""
    lines = run_screen(made_facts(), Terminal(width, is_unicode)).split("\n")
    assert [line for line in lines if width_of(line) > width and "heldout " not in line] == []


def test_ascii_is_ascii() -> None:
    """Without other letters the screen has none, whatever the names are."""
    table = made_facts()["table"] | {"columns": [column("Größe", n_missing=3), column("城市", role="target")]}
    task = made_facts()["task"] | {"target": "城市", "classes": [{"class": "🐧", "n_open": 9}]}
    assert run_screen(made_facts(table=table, task=task), Terminal(is_unicode=False)).isascii()


def test_color_changes_nothing_but_color(screen: str) -> None:
    """The colored screen without its colors is the plain one, and every color is ended on its line."""
    colored = run_screen(made_facts(), Terminal(has_color=True))
    assert COLOR.sub("", colored) == screen
    assert all(line.count("\x1b[") == 2 * line.count("\x1b[0m") for line in colored.split("\n"))


def test_hostile_names_are_text() -> None:
    """300 letters, right to left, emoji, escapes and line breaks in names leave the screen whole."""
    names = ["a" * 300, "שלום עולם", "👩‍🔬 age", "red\x1b[31m\x07\n", "<script>"]
    facts = made_facts()
    facts["table"]["columns"] = [column(name, n_missing=place) for place, name in enumerate(names)]
    facts["task"] |= {"target": names[0], "groups": names[3]}
    facts["task"]["classes"] = [{"class": name, "n_open": 5} for name in names]
    facts["result"]["standings"] = [standing(name, 0.5 + place / 10) for place, name in enumerate(names)]
    facts["verdict"] |= {"winner": names[3], "sentence": f"{names[3]} wins over {names[0]}."}
    facts["table"]["notes"] = [f"column '{name}' is odd" for name in names]
    shown = run_screen(facts, Terminal())
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert max(width_of(line) for line in shown.split("\n") if "heldout " not in line) <= 80


def test_many_contenders_are_counted() -> None:
    """Of twenty contenders twelve are shown, the winner and the baseline among them, the others counted."""
    standings = [standing(f"c{place}", 0.9 - place / 100) for place in range(18)]
    standings += [standing("last", 0.1), standing("baseline", 0.2, is_baseline=True)]
    facts = made_facts()
    facts["result"]["standings"] = standings
    facts["verdict"]["winner"] = "last"
    lines = run_screen(facts, Terminal()).split("\n")
    assert "    … and 8 more, all in the report" in lines
    assert [line for line in lines if line.startswith("  ► last")]
    assert [line for line in lines if line.startswith("    baseline")]


def test_a_contender_without_score_says_why() -> None:
    """What failed stands last, with its reason instead of a bar."""
    facts = made_facts()
    facts["result"]["standings"].append(standing("near", None, problem="all 30 cells failed: no memory"))
    lines = [line for line in run_screen(facts, Terminal()).split("\n") if "near" in line]
    assert lines == ["    near      all 30 cells failed: no memory"]


def test_smaller_is_better_is_said() -> None:
    """For a loss the table says which way is good, and sorts by it."""
    facts = made_facts()
    facts["result"] |= {
        "metric": "mse",
        "standings": [standing("tree", 900.0, 90.0), standing("ridge", 300.0, 20.0)],
    }
    facts["verdict"]["is_larger_better"] = False
    lines = run_screen(facts, Terminal()).split("\n")
    place = next(place for place, line in enumerate(lines) if "less is better" in line)
    assert lines[place + 1].split()[:2] == ["ridge", "300"]


def test_noise_is_an_answer() -> None:
    """Where guessing wins, the screen advises to leave the seal closed."""
    facts = made_facts()
    facts["verdict"] |= {"winner": "baseline", "is_baseline": True}
    assert KEEP_SEALED in joined(run_screen(facts, Terminal()))


@pytest.mark.parametrize(
    ("seal", "words"),
    [
        ({"state": "opened", "n_looks": 1}, "they were looked at once"),
        ({"state": "opened", "n_looks": 3}, "they were looked at 3 times"),
        ({"n_held": 0, "n_open": 240}, "nothing: all 240 rows are open, and there will be no final score"),
        ({"n_left_out": 7}, "7 are neither open nor held"),
    ],
)
def test_the_seal_is_told_as_it_is(seal: dict[str, Any], words: str) -> None:
    """Opened once or often, absent, or with rows that are neither: the line says so."""
    facts = made_facts()
    facts["seal"] |= seal
    assert words in joined(run_screen(facts, Terminal()))


def test_notes_are_counted_where_they_are_many() -> None:
    """Of many notes two are shown, and how many more there are."""
    facts = made_facts()
    facts["table"]["notes"] = [f"note {number}" for number in range(9)]
    assert "note 0 note 1 … and 7 more, all in the report" in joined(run_screen(facts, Terminal()))


def test_a_readable_model_stands_beside_a_winner_that_is_none() -> None:
    """The winner is told in a sentence, and the best readable one is shown."""
    winner = {
        "contender": "forest",
        "role": "winner",
        "form": "importances",
        "text": "long",
        "takeaway": "100 trees.",
    }
    shown = run_screen(made_facts(model=[winner, tree_model(role="readable")]), Terminal())
    assert "  model    100 trees." in shown
    assert "  to read  Best readable alternative, tree." in shown
    assert "           │   months > 26: no (33/7)" in shown
    assert "long" not in shown


def test_a_long_tree_leaves_one_screen() -> None:
    """A tree of two hundred lines is shortened to what is left of the screen, and it is said."""
    text = "\n".join(f"x <= {number}: no (3)" for number in range(200))
    shown = run_screen(made_facts(model=[tree_model(text=text)]), Terminal())
    assert shown.count("\n") <= ONE_SCREEN
    assert re.search(r"… \(\d+ more lines\)", shown)


def test_quick_plans_say_what_they_are() -> None:
    """A quick run says that settings were chosen on the folds that judge."""
    facts = made_facts(dealt={"folds": 5, "repeats": 1})
    facts["result"] |= {"rigor": "quick", "folds": {"split": "KFold", "k": 5}}
    assert "3 contenders in 5 folds; quick: settings are chosen on the same folds" in joined(
        run_screen(facts, Terminal())
    )


def test_without_a_report_it_says_so() -> None:
    """Where no page was written the study is named alone."""
    assert "report none;" in joined(run_screen(made_facts(report=None), Terminal()))


def test_time_and_rare_classes_are_said_with_the_folds() -> None:
    """Folds that only look forward are called so, and a metric beside accuracy has its reason."""
    facts = made_facts()
    assert "judged by" not in joined(run_screen(facts, Terminal()))
    facts["task"] |= {"time": "day", "classes": [{"class": 0, "n_open": 180}, {"class": 1, "n_open": 12}]}
    facts["result"]["metric"] = "auc"
    screen = joined(run_screen(facts, Terminal()))
    assert "in 3 × 10 folds forward in time, each tuned inside the training part" in screen
    assert "judged by auc, as accuracy would favor guessing 0" in screen
    assert "(0: 94%, 1: 6%)" in screen
