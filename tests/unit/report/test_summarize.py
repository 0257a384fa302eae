"""The summary of a study: what it reads from the ledger, and what it says where something is missing."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import pytest

from heldout.errors import LedgerError
from heldout.report.render import render
from heldout.report.summarize import summarize
from heldout.verdict.simplest_within_noise import SimplestWithinNoise

from .ledger_stand_in import (
    StandInCheck,
    StandInFact,
    StandInLedger,
    cell,
    failure,
    interval,
    opening,
    plan,
    seal,
    small_study,
    standing,
    study,
    verdict,
)


def test_it_is_plain_json() -> None:
    """Everything in a summary can be written as JSON and read back as it was."""
    summary = summarize(small_study())
    assert json.loads(json.dumps(summary))["verdict"]["winner"] == "tree"


def test_standings_are_ordered_by_estimate() -> None:
    """The best estimate stands first, and the winner is marked even where it is not the best."""
    rows = summarize(small_study())["standings"]
    assert [row["name"] for row in rows] == ["forest", "tree", "neighbors", "baseline"]
    assert [row["name"] for row in rows if row["is_winner"]] == ["tree"]


def test_errors_are_ordered_from_the_smallest() -> None:
    """By a metric whose smaller values are better the smallest estimate stands first."""
    ledger = small_study()
    ledger.put("later", verdict(metric="log_loss", is_larger_better=False))
    assert summarize(ledger)["standings"][0]["name"] == "baseline"


def test_the_newest_verdict_counts() -> None:
    """Of two verdicts the later one is shown, with its own plan."""
    ledger = small_study()
    ledger.put("plan-2", plan(k=3, repeats=1))
    ledger.put("plan-2:h", verdict(winner="forest", plan="plan-2"))
    summary = summarize(ledger)
    assert summary["verdict"]["winner"] == "forest"
    assert dict(summary["method"])["Folds"] == "3 folds, stratified"


def test_tuning_is_counted_over_cells() -> None:
    """Each contender shows its chosen settings with how many cells took them, the most frequent first."""
    [tuned] = summarize(small_study())["tuned"]
    assert tuned["name"] == "tree"
    assert [(each["words"], each["n_cells"]) for each in tuned["settings"]] == [
        ("prune_alpha = 0.01", 20),
        ("prune_alpha = 0.001", 10),
    ]
    assert tuned["is_stable"]


def test_the_method_names_folds_tuning_seed_and_family() -> None:
    """Folds, tuning, the rule, the seed and the number of plans and contenders are in the method."""
    method = dict(summarize(small_study())["method"])
    assert method["Folds"] == "10 folds, 3 repeats, stratified"
    assert method["Tuning"].startswith("5 folds, stratified, inside the training part")
    assert method["Rule"] == SimplestWithinNoise().words
    assert method["Seed"] == "7"
    assert method["Family"].startswith("plans 1, 2 of 2, 4 contenders; the number allows")
    assert "python 3.12.3" in method["Versions"]


def test_a_study_without_a_run_has_no_verdict() -> None:
    """Before the first verdict the summary says so by None, and has no standings."""
    ledger = StandInLedger(small_study().kept[:3])
    summary = summarize(ledger)
    assert summary["verdict"] is None
    assert summary["standings"] == summary["comparisons"] == summary["tuned"] == []
    assert summary["seal"]["state"] == "closed"


def test_a_file_without_a_study_is_refused() -> None:
    """A ledger without any fact is no study, and is told so."""
    with pytest.raises(LedgerError, match="a study file has one study"):
        summarize(StandInLedger([]))


def test_a_fact_that_lacks_a_field_is_refused() -> None:
    """What a fact of this kind must have and this one has not is named, and nothing is guessed for it."""
    ledger = small_study()
    del ledger.kept[-1].body["winner"]
    with pytest.raises(LedgerError, match="not what a verdict is: it has no 'winner'"):
        summarize(ledger)
    ledger.kept[-1].body["winner"] = 3
    with pytest.raises(LedgerError, match="'winner': str is wanted, not 3"):
        summarize(ledger)


@pytest.mark.parametrize(
    ("openings", "state", "words"),
    [
        ([], "closed", "The seal is closed"),
        ([opening("tree", 1, 0.9)], "opened", "opened once"),
        ([opening("tree", 11, 0.9)], "opened", "opened once"),
        ([opening("tree", 1, 0.9), opening("forest", 2, 0.9, "asked")], "opened", "opened 2 times"),
        ([opening("tree", 1, 0.9), opening("forest", 12, 0.9)], "used up", "used up"),
        ([opening("tree", 1, 0.9, detail="full")], "given away", "given away"),
    ],
)
def test_the_seal_says_what_looks_did(openings: list[StandInFact], state: str, words: str) -> None:
    """The state of the seal follows from the looks: none, one, several, too many, or all shown."""
    ledger = small_study()
    ledger.kept += openings
    seal = summarize(ledger)["seal"]
    assert seal["state"] == state
    assert words in seal["sentence"]
    assert len(seal["looks"]) == len(openings)


def test_bits_add_up() -> None:
    """The bits of all looks at held rows are summed in a sentence."""
    ledger = small_study()
    ledger.kept += [opening("tree", 1, 0.9), opening("forest", 2, 0.9)]
    assert "13.7 bits" in summarize(ledger)["seal"]["bits"]


def test_no_held_rows_are_no_seal() -> None:
    """A study that holds nothing back says that nothing was confirmed."""
    ledger = small_study()
    ledger.put("e", seal(n_open=569, n_held=0))
    assert summarize(ledger)["seal"]["state"] == "no seal"


def test_a_broken_chain_is_told() -> None:
    """What verify finds stands in the summary."""
    ledger = replace(small_study(), check=StandInCheck(False, ("fact 3 was changed",)))
    chain = summarize(ledger)["chain"]
    assert not chain["is_unbroken"]
    assert chain["problems"] == ["fact 3 was changed"]


def test_limits_follow_the_study() -> None:
    """Whether groups and time were named, and whether the seal is closed, changes what is not said."""
    ledger = small_study()
    plain = " ".join(summarize(ledger)["limits"])
    assert "no groups were named" in plain
    assert "held rows have not been used yet" in plain
    roles = {"target": "diagnosis", "kind": "classification", "groups": "patient", "time": "day"}
    ledger.put("s", study(roles=roles))
    ledger.kept.append(opening("tree", 1, 0.9))
    grouped = " ".join(summarize(ledger)["limits"])
    assert "'patient'" in grouped
    assert "No column of time" not in grouped
    assert "held rows have not been used yet" not in grouped


def test_quick_plans_are_labelled() -> None:
    """A quick plan says that its settings were chosen on the folds themselves, and has no tuning inside."""
    ledger = small_study()
    ledger.put("plan-2", plan(rigor="quick"))
    ledger.put("plan-2:h", verdict(plan="plan-2", rigor="quick"))
    method = dict(summarize(ledger)["method"])
    assert "quick" in method["Folds"]
    assert "Tuning" not in method


def test_settings_are_those_of_the_newest_verdict() -> None:
    """What a verdict tells of its settings counts, the most frequent first."""
    ledger = small_study()
    chosen = (({"prune_alpha": 0.1}, 4), ({"prune_alpha": 0.2}, 5))
    ledger.put("later", verdict(standings=(replace(standing("tree", 0.9), chosen=chosen),)))
    [tuned] = summarize(ledger)["tuned"]
    assert [each["n_cells"] for each in tuned["settings"]] == [5, 4]


def begun(key: str) -> StandInFact:
    """A plan of one contender on two folds."""
    body = plan(contenders=("c",), folds=("f", "g"), fold_indices=((0, 0), (0, 1)), protocol="p")
    return StandInFact("plan", key, body.to_dict())


def test_a_plan_without_a_verdict_is_told() -> None:
    """A plan that has not run to its end is told with its cells; one that has a verdict is not."""
    ledger = small_study()
    assert summarize(ledger)["unfinished"] == []
    ledger.kept.append(begun("plan-2"))
    ledger.put("c:g:p", cell("c"))
    ledger.put("c:g:other", cell("c"))
    [sentence] = summarize(ledger)["unfinished"]
    assert sentence.startswith("Another plan of 1 contender is not finished: 1 of 2 fits are done.")
    assert "The verdict does not know its contenders." in sentence


def test_without_a_verdict_no_number_is_spoken_of() -> None:
    """Before the first verdict no sentence is about a number, and the page says how far the run is."""
    ledger = StandInLedger([*small_study().kept[:3], begun("plan-1")])
    ledger.put("c:f:p", cell("c"))
    summary = summarize(ledger)
    assert summary["limits"] == []
    assert summary["unfinished"][0].startswith("A plan of 1 contender is not finished: 1 of 2 fits are done.")
    page = render(summary)
    assert "What the number does not say" not in page
    assert summary["unfinished"][0] in page


def test_a_run_in_which_nobody_wins_has_no_card() -> None:
    """Where no contender is complete the page says so, and shows no empty winner."""
    ledger = small_study()
    words = "No verdict: no contender is complete."
    ledger.put("later", verdict(winner="", sentence=words, number=interval("accuracy", math.nan, 0.0)))
    page = render(summarize(ledger))
    assert "No verdict: no contender is complete." in page
    assert 'class="winner"' not in page


def test_equal_failures_are_counted() -> None:
    """Cells that failed alike are one line with how many they were, and who failed has no bits."""
    ledger = small_study()
    for number in range(3):
        ledger.put(f"{number}", failure("net", "boom"))
    known: dict[str, Any] = {"is_complete": False, "problem": "3 of 3 cells missing", "seconds": 0.0}
    net = replace(standing("tree", math.nan), name="net", **known)
    ledger.put("later", verdict(standings=(net,)))
    summary = summarize(ledger)
    assert summary["failures"] == [{"contender": "net", "error": "boom", "n": 3}]
    assert summary["standings"][0]["detail"] == []
    assert "3 failed fits" in render(summary)


def test_the_method_says_how_it_ran() -> None:
    """What rows did not allow of a plan is told once, with the digests of seal and protocol."""
    ledger = small_study()
    assert "As it ran" not in dict(summarize(ledger)["method"])  # type: ignore[arg-type]
    ledger.put("e", seal(digest="cd34"))
    notes = ("One repeat instead of 3.", "One repeat instead of 3.")
    ledger.put("plan-2", plan(notes=notes, protocol="ab12"))
    ledger.put("plan-2:h", verdict(plan="plan-2"))
    method = dict(summarize(ledger)["method"])  # type: ignore[arg-type]
    assert method["As it ran"] == "One repeat instead of 3."
    assert (method["Protocol"], method["Seal"]) == ("ab12", "cd34")
