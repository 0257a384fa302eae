"""The facts of a run: what `--json` prints, complete, plain, and without a trace of held rows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import heldout as ho
from heldout.cli.output import near_path
from heldout.cli.run_facts import next_commands, run_facts
from heldout.study.study import Study

from ..study.study_tables import ran_study


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    with ran_study(tmp_path_factory.mktemp("facts"), groups="customer") as made:
        yield made


@pytest.fixture(scope="module")
def facts(study: Study) -> dict[str, Any]:
    table = ho.read_table(study.path.parent / "churn.csv")
    return run_facts(study, table, study.result(), study.path.with_suffix(".html"), {"held": 0.2})


def test_the_facts_are_plain_json(facts: dict[str, Any]) -> None:
    """They survive JSON as they are, without NaN, and have all their keys."""
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts
    assert set(facts) == {
        "study",
        "report",
        "table",
        "task",
        "seal",
        "result",
        "dealt",
        "verdict",
        "model",
        "next",
        "settings",
    }


def test_the_table_is_told_column_by_column(facts: dict[str, Any]) -> None:
    """Name, kind, role, gaps, levels and the reason stand beside each column, with the digest of all."""
    table = facts["table"]
    assert (table["n_rows"], table["n_columns"], len(table["digest"])) == (240, 5, 64)
    roles = {column["name"]: column["role"] for column in table["columns"]}
    assert roles == {
        "customer": "groups",
        "calls": "input",
        "months": "input",
        "city": "input",
        "churned": "target",
    }
    calls = table["columns"][1]
    assert (calls["kind"], calls["n_missing"], calls["n_levels"]) == ("number", 26, None)
    assert all(column["why"] for column in table["columns"])


def test_the_seal_and_the_task_are_told(facts: dict[str, Any], study: Study) -> None:
    """How many rows are open and held, how, with which seed; classes are counted on open rows alone."""
    assert facts["seal"]["n_open"] + facts["seal"]["n_held"] == 240
    assert (facts["seal"]["state"], facts["seal"]["n_looks"], facts["seal"]["seed"]) == (
        "closed",
        0,
        study.seed,
    )
    assert sum(each["n_open"] for each in facts["task"]["classes"]) == facts["seal"]["n_open"]
    assert (facts["task"]["kind"], facts["task"]["groups"]) == ("classification", "customer")


def test_the_result_is_that_of_python(facts: dict[str, Any], study: Study) -> None:
    """Winner, scores and sentences are those that the study gives in Python."""
    verdict = study.result().verdict
    assert facts["verdict"]["sentence"] == verdict.sentence
    assert facts["verdict"]["winner"] == facts["result"]["winner"] == verdict.winner
    assert [each["name"] for each in facts["result"]["standings"]] == ["baseline", "tree", "near"]


def test_without_the_table_the_study_file_tells(study: Study) -> None:
    """A study whose table is gone still has facts: kinds and roles as they were recorded."""
    found = run_facts(study, None, study.result(), None)
    assert [column["name"] for column in found["table"]["columns"]] == list(study.task.table.names)
    assert found["report"] is None


def test_what_comes_next_follows_from_the_seal() -> None:
    """A closed seal is to be opened, an opened one leads to shipping; for guessing there is neither."""
    facts: dict[str, Any] = {
        "study": "/x y/a.heldout",
        "seal": {"state": "closed"},
        "verdict": {"winner": "tree"},
    }
    assert next_commands(facts)[0]["command"] == "heldout unseal '/x y/a.heldout'"
    opened = next_commands(facts | {"seal": {"state": "opened"}})
    assert opened[0]["command"] == "heldout ship '/x y/a.heldout' -o '/x y/a.model'"
    noise = next_commands(facts | {"verdict": {"winner": "baseline", "is_baseline": True}})
    assert [each["command"].split()[1] for each in noise] == ["ledger"]


def test_paths_are_as_one_would_type_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies below this folder is named from here, anything else from the root."""
    monkeypatch.chdir(tmp_path)
    assert near_path(str(tmp_path / "a" / "b.html")) == "a/b.html"
    assert near_path("/elsewhere/b.html") == "/elsewhere/b.html"
