"""Any SQLite tool reads a study file by its views."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from heldout.ledger.fact import Entry
from heldout.ledger.ledger import Ledger

CELL = "c1:f1:p1"
BODIES: dict[str, tuple[str, dict[str, Any]]] = {
    "study": ("s", {"roles": {"target": "churned", "kind": "classification"}, "n_task_rows": 90, "seed": 7}),
    "seal": ("d", {"n_open": 72, "n_held": 18, "how": "stratified by class", "held_digest": "ab"}),
    "plan": (
        "p",
        {
            "plan": {"rigor": "standard", "choose_by": "accuracy", "folds": {"split": "KFold"}, "seed": 3},
            "contenders": ["c1"],
            "folds": ["f1", "f2"],
            "protocol": "p1",
        },
    ),
    "contender": ("c1", {"name": "tree", "is_baseline": False, "contender": {"space": {"k": [1, 2]}}}),
    "cell": (
        CELL,
        {
            "result": {
                "contender": "c1",
                "name": "tree",
                "repeat": 0,
                "fold": 3,
                "chosen": {"k": 2},
                "bits": 40.5,
            },
            "clock": {"seconds": {"tune": 0.5, "fit": 0.25, "predict": 0.125}},
        },
    ),
    "score": (f"{CELL}:f1 (average=macro)", {"metric": "f1 (average=macro)", "value": 0.875}),
    "look": (
        f"{CELL}:fit",
        {"what": "fit", "by": "tree", "role": "open", "n_rows": 65, "rows": "cd", "bits": 0},
    ),
    "failure": (
        "f",
        {"cell": CELL, "name": "forest", "error": "MemoryError", "attempts": 3, "is_crash": True},
    ),
    "verdict": (
        "v",
        {"winner": "tree", "number": {"estimate": 0.8, "low": 0.7, "high": 0.9}, "text": "The …"},
    ),
    "unseal": (
        "u",
        {"contender": "tree", "look_number": 1, "score": {"estimate": 0.8, "low": 0.6, "high": 0.9}},
    ),
    "model": ("m", {"contender": "c1", "name": "tree", "setting": {"k": 2}, "rows": "ef", "n_rows": 72}),
    "curve": ("k", {"curve": "learning", "request": {"name": "tree"}, "result": {"x_values": [10, 20]}}),
}
EXPECTED: dict[str, dict[str, Any]] = {
    "study": {"target": "churned", "kind": "classification", "n_task_rows": 90, "seed": 7, "groups": None},
    "seal": {"n_open": 72, "n_held": 18, "how": "stratified by class", "held_rows": "ab"},
    "plan": {"rigor": "standard", "choose_by": "accuracy", "n_contenders": 1, "n_folds": 2, "protocol": "p1"},
    "contender": {"name": "tree", "is_baseline": 0, "space": '{"k":[1,2]}'},
    "cell": {"key": CELL, "name": "tree", "fold": 3, "chosen": '{"k":2}', "bits": 40.5, "fit_seconds": 0.25},
    "score": {"cell": CELL, "name": "tree", "fold": 3, "metric": "f1 (average=macro)", "value": 0.875},
    "look": {"what": "fit", "by_whom": "tree", "role": "open", "n_rows": 65, "rows_digest": "cd", "bits": 0},
    "failure": {"cell": CELL, "name": "forest", "error": "MemoryError", "attempts": 3, "is_crash": 1},
    "verdict": {"winner": "tree", "estimate": 0.8, "low": 0.7, "high": 0.9, "text": "The …"},
    "unseal": {"contender": "tree", "look_number": 1, "estimate": 0.8, "low": 0.6, "high": 0.9},
    "model": {"contender": "c1", "name": "tree", "setting": '{"k":2}', "rows_digest": "ef", "n_rows": 72},
    "curve": {"curve": "learning", "name": "tree", "result": '{"x_values":[10,20]}'},
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Ledger.create(tmp_path / "a.heldout") as ledger:
        ledger.append([Entry(kind, key, body) for kind, (key, body) in BODIES.items()])
    return tmp_path / "a.heldout"


@pytest.mark.parametrize("kind", BODIES)
def test_each_kind_has_a_view(path: Path, kind: str) -> None:
    """Plain SQLite finds one row per fact in the view of its kind, with the fields of its body as columns."""
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        (row,) = connection.execute(f"SELECT * FROM {kind}").fetchall()
    found = dict(row)
    assert found["number"] == list(BODIES).index(kind) + 1
    assert {name: found[name] for name in EXPECTED[kind]} == EXPECTED[kind]


@pytest.mark.skipif(shutil.which("sqlite3") is None, reason="the sqlite3 program is not installed")
def test_the_sqlite3_program_reads_it(path: Path) -> None:
    """The sqlite3 program answers a question about scores."""
    question = "SELECT name, metric, avg(value) FROM score GROUP BY name, metric"
    done = subprocess.run(
        ["sqlite3", "-readonly", path, question], capture_output=True, text=True, check=True
    )
    assert done.stdout == "tree|f1 (average=macro)|0.875\n"


@pytest.mark.parametrize(("word", "number"), [("inf", float("inf")), ("-inf", -float("inf"))])
def test_an_infinite_score_is_a_number(tmp_path: Path, word: str, number: float) -> None:
    """A log loss without bounds makes the mean of scores infinite; as a word it would count as 0."""
    bodies = [{"metric": "log_loss", "value": value} for value in (0.5, word)]
    with Ledger.create(tmp_path / "a.heldout") as ledger:
        ledger.append([Entry("score", f"c{n}:log_loss", body) for n, body in enumerate(bodies)])
    with closing(sqlite3.connect(tmp_path / "a.heldout")) as connection:
        assert connection.execute("SELECT avg(value) FROM score").fetchone() == (number,)


def test_pandas_reads_it(path: Path) -> None:
    """A frame of the looks is one line of pandas."""
    with closing(sqlite3.connect(path)) as connection:
        frame = pd.read_sql("SELECT what, n_rows, role FROM look", connection)
    assert frame.to_dict("records") == [{"what": "fit", "n_rows": 65, "role": "open"}]
