"""A study is made as a whole, and what it seals away is not in what it hands out."""

from __future__ import annotations

import gc
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import heldout as ho
from heldout.split.fold import rows_digest
from heldout.study.study import Study

from .study_tables import churn_columns, price_columns, write_csv


@pytest.fixture
def churn(tmp_path: Path) -> Path:
    return write_csv(tmp_path / "churn.csv", churn_columns())


def test_a_study_holds_whole_groups(tmp_path: Path, churn: Path) -> None:
    """No customer has rows on both sides of the seal, and about a fifth of the rows is held."""
    table = ho.read_table(churn)
    with Study.create(tmp_path / "a.heldout", table, "churned", groups="customer", seed=7) as study:
        held = table[study.seal.held_rows]["customer"]
        assert set(held.labels()).isdisjoint(study.task.groups.tolist())
        assert 0.15 < study.seal.held_share < 0.25
        assert study.task.n_rows + len(study.seal.held_rows) == 240


def test_held_rows_are_not_behind_the_task(tmp_path: Path) -> None:
    """Neither base columns, rows nor levels of the task tell anything of the held rows."""
    columns = churn_columns()
    with Study.create(tmp_path / "first.heldout", columns, "churned") as study:
        held = study.seal.held_rows
    for place, row in enumerate(held):
        columns["city"][row] = f"held town {place % 2}"
        columns["months"][row] = 999.0
    changed = ho.read_table(columns)
    task = open_rows_of(changed, held)
    for column in (*task.table._base, *task.X._base):
        assert len(column) == task.n_rows
        assert column.values.base is None or column.values.base.size == task.n_rows
        assert not [level for level in column.levels if "held" in level]
    assert task.X["months"].values.max() < 900


def open_rows_of(table: ho.Table, held: Any) -> ho.Task:
    from heldout.study.files.open_task import open_task

    task = ho.Task(table, "churned")
    return open_task(task, np.setdiff1d(np.arange(task.n_rows), held))


def test_a_boolean_that_is_true_in_held_rows_alone_is_not_told(tmp_path: Path) -> None:
    """Also a boolean keeps only the levels that occur in open rows."""
    table = ho.read_table({"flag": ["yes"] + ["no"] * 9, "x": list(range(10)), "y": ["a", "b"] * 5})
    from heldout.study.files.open_task import open_task

    task = open_task(ho.Task(table, "y"), np.arange(1, 10))
    assert task.X["flag"].levels == ("no",)


def test_classes_are_spelled_as_in_the_whole_table() -> None:
    """A target of 1.5 and whole numbers keeps its spelling although the open rows are all whole."""
    from heldout.study.files.open_task import open_task

    table = ho.read_table({"x": list(range(8)), "y": [1, 2, 1, 2, 1, 2, 1.5, 1.5]})
    task = open_task(ho.Task(table, "y", kind="classification"), np.arange(6))
    assert task.y.tolist() == ["1", "2", "1", "2", "1", "2"]
    assert task.classes == ("1", "2")


def test_no_fact_of_a_new_study_tells_of_held_targets(tmp_path: Path) -> None:
    """Two tables that differ in held targets alone give the same facts, but for the table's digest."""
    columns = churn_columns()
    with Study.create(tmp_path / "a.heldout", columns, "churned", seed=3) as study:
        held, first = study.seal.held_rows, facts_of(study)
    columns["churned"][held[0]] = "no" if columns["churned"][held[0]] == "yes" else "yes"
    from heldout.study.files.create_study import SealRequest, first_facts

    table = ho.read_table(columns)
    task = ho.Task(table, "churned")
    found = first_facts(tmp_path / "b.heldout", table, task, SealRequest(0.2, 3, 1))
    bodies = {entry.kind: dict(entry.body) for entry in found[3]}
    if np.array_equal(found[1].held_rows, held):
        assert bodies["profile"] == first["profile"]
        assert bodies["study"]["columns"] == first["study"]["columns"]
    assert bodies["study"]["table_digest"] != first["study"]["table_digest"]


def facts_of(study: Study) -> dict[str, Any]:
    return {fact.kind: fact.body for fact in study.ledger.facts()}


def test_the_seal_is_the_same_again(tmp_path: Path, churn: Path) -> None:
    """Deleting a study and sealing again holds the same rows; another seed holds others."""
    found = []
    for seed in (None, None, 5):
        with Study.create(tmp_path / "again.heldout", churn, "churned", seed=seed) as study:
            found.append(study.seal)
        (tmp_path / "again.heldout").unlink()
    assert found[0].digest == found[1].digest
    assert found[0].digest != found[2].digest


def test_a_given_seed_is_recorded_and_printed(tmp_path: Path, churn: Path) -> None:
    """The seed stands in the first fact and in what the study says of itself."""
    with Study.create(tmp_path / "a.heldout", churn, "churned", seed=41) as study:
        assert study.ledger.facts("study")[0].body["seed"] == 41
        assert "seed 41 was given" in str(study)
        assert study.seed == 41


def test_what_stands_is_never_written_over(tmp_path: Path, churn: Path) -> None:
    """A second study under the same path is refused, and the first is as it was."""
    path = tmp_path / "a.heldout"
    Study.create(path, churn, "churned").close()
    before = path.read_bytes()
    with pytest.raises(ho.LedgerError, match=r"never written over[\s\S]*Study.open"):
        Study.create(path, churn, "churned")
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("asked", "error", "words"),
    [
        ({"target": "churnd"}, ho.RequestError, "did you mean 'churned'"),
        ({"held": 1.5}, ho.RequestError, "held must be a number"),
        ({"held": "some"}, ho.InputTypeError, "held must be a number"),
        ({"held": -0.1}, ho.RequestError, "held must be a number"),
        ({"seed": -1}, ho.RequestError, "a seed is a whole number"),
        ({"seed": 1.5}, ho.RequestError, "a seed is a whole number"),
        ({"looks_allowed": 0}, ho.RequestError, "looks_allowed"),
        ({"looks_allowed": True}, ho.RequestError, "looks_allowed"),
        ({"path": "no/such/folder/a.heldout"}, ho.RequestError, "folder for the study"),
        ({"path": 5}, ho.InputTypeError, "kept in a file"),
        ({"path": "a\0b.heldout"}, ho.InputTypeError, "kept in a file"),
        ({"path": "a" * 300}, ho.RequestError, "there cannot be a study here: File name too long"),
        ({"path": "churn.csv/a.heldout"}, ho.RequestError, "there cannot be a study here"),
        ({"path": "."}, ho.RequestError, "one file, and this is a folder"),
        ({"held": True}, ho.InputTypeError, "held must be a number"),
        ({"groups": "custmer"}, ho.RequestError, "did you mean 'customer'"),
        (
            {"table": {"x": [1.0, 2.0, 3.0], "churned": ["a", "b", "a"]}},
            ho.DataError,
            "from the open rows alone",
        ),
        ({"table": 5}, ho.InputTypeError, "table cannot be read"),
        ({"groups": "churned"}, ho.RequestError, "two things at once"),
    ],
)
def test_what_cannot_be_is_refused_and_leaves_nothing(
    tmp_path: Path,
    churn: Path,
    monkeypatch: pytest.MonkeyPatch,
    asked: dict[str, Any],
    error: type[Exception],
    words: str,
) -> None:
    """Bad requests get the three-part error, and no file is made."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=words) as caught:
        Study.create(**{"path": "a.heldout", "table": churn, "target": "churned", **asked})
    assert caught.value.where
    assert caught.value.fix
    assert sorted(path.name for path in tmp_path.iterdir()) == ["churn.csv"]


def test_without_a_seal_all_rows_are_open(tmp_path: Path, churn: Path) -> None:
    """held=None and held=0 hold nothing back, and the study says so."""
    for number, held in enumerate((None, 0, 0.0)):
        with Study.create(tmp_path / f"{number}.heldout", churn, "churned", held=held) as study:
            assert study.task.n_rows == 240
            assert len(study.seal.held_rows) == 0
            assert "no final score" in str(study)


def test_a_frame_and_a_path_make_the_same_study(tmp_path: Path) -> None:
    """A Table, a path and a pandas frame of the same data are sealed alike."""
    columns = price_columns()
    path = write_csv(tmp_path / "prices.csv", columns)
    found = []
    for number, source in enumerate((path, str(path), ho.read_table(path), pd.DataFrame(columns))):
        with Study.create(tmp_path / f"{number}.heldout", source, "price") as study:
            found.append((study.seal.digest, study.digest))
    assert len(set(found)) == 1


def test_creation_leaves_nothing_half(tmp_path: Path, churn: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error while the facts are written leaves no study file and nothing beside it."""
    from heldout.ledger.ledger import Ledger

    def broken(self: Ledger, entries: Any) -> Any:
        raise OSError("no space left on the device")

    monkeypatch.setattr(Ledger, "append", broken)
    with pytest.raises(OSError, match="no space left"):
        Study.create(tmp_path / "a.heldout", churn, "churned")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["churn.csv"]


KILLED = """
import os, signal, sys
import heldout as ho
from heldout.study.files import create_study
moment = sys.argv[3]
if moment == "before":
    create_study._move = lambda *paths: os.kill(os.getpid(), signal.SIGKILL)
else:
    from heldout.ledger.ledger import Ledger
    Ledger.append = lambda *given: os.kill(os.getpid(), signal.SIGKILL)
ho.Study.create(sys.argv[1], sys.argv[2], "churned")
"""


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["before", "append"])
def test_a_kill_leaves_no_study(tmp_path: Path, churn: Path, moment: str) -> None:
    """Killed while it is made, there is no file of that name, and it can be made afterwards."""
    path = tmp_path / "a.heldout"
    done = subprocess.run([sys.executable, "-c", KILLED, str(path), str(churn), moment], check=False)
    assert done.returncode == -9
    assert not path.exists()
    Study.create(path, churn, "churned").close()
    assert path.exists()


def test_the_study_file_is_one_file_for_any_tool(tmp_path: Path, churn: Path) -> None:
    """After close there is one file, and sqlite3 reads it by hand."""
    path = tmp_path / "a.heldout"
    with Study.create(path, churn, "churned") as study:
        n_held = len(study.seal.held_rows)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.heldout", "churn.csv"]
    connection = sqlite3.connect(path)
    bodies = dict(connection.execute("SELECT kind, body FROM fact").fetchall())
    connection.close()
    assert json.loads(bodies["seal"])["n_held"] == n_held
    assert json.loads(bodies["study"])["source"]["path"] == str(churn)


def test_the_first_look_is_recorded(tmp_path: Path, churn: Path) -> None:
    """The profile of the open rows is a look at just these rows, and gives nothing away of the held ones."""
    with Study.create(tmp_path / "a.heldout", churn, "churned") as study:
        looks = study.looks()
        assert looks["role"].labels() == ["open"]
        assert looks["n_rows"].values.tolist() == [study.task.n_rows]
        assert looks["bits"].values.tolist() == [0.0]
        body = study.ledger.facts("look")[0].body
        assert body["rows"] == rows_digest(np.arange(study.task.n_rows))


def test_the_profile_counts_what_is_open(tmp_path: Path) -> None:
    """Counts by class of every column add up to the open rows with a value, as NumPy counts them."""
    columns = churn_columns()
    with Study.create(tmp_path / "a.heldout", columns, "churned") as study:
        body = study.ledger.facts("profile")[0].body
        task = study.task
    assert sum(body["class_counts"]) == task.n_rows == body["n_rows"]
    for column in body["columns"]:
        values = task.table[column["name"]]
        if column["name"] == "customer":
            continue
        assert column["n_missing"] == values.n_missing
        assert int(np.sum(column["counts"])) == task.n_rows - values.n_missing
    calls = next(each for each in body["columns"] if each["name"] == "calls")
    known = task.table["calls"].values[~task.table["calls"].is_missing]
    assert calls["edges"][0] == known.min()
    assert calls["edges"][-1] == known.max()


@settings(max_examples=25)
@given(
    st.lists(st.one_of(st.none(), st.floats(-1e300, 1e300)), min_size=12, max_size=40),
    st.integers(0, 5),
)
def test_profiles_take_any_numbers(values: list[float | None], seed: int) -> None:
    """Histograms of whatever numbers count every finite value once."""
    from heldout.study.files.profile import profile_task

    labels = np.random.default_rng(seed).permutation(["a", "b"] * 20)[: len(values)].tolist()
    if len(set(labels)) < 2:
        return
    table = ho.Table(
        [
            ho.Column("x", "number", np.array([np.nan if value is None else value for value in values])),
            ho.Column("z", "number", np.arange(len(values), dtype=float)),
            *ho.read_table({"y": labels}, kinds={"y": "category"}).columns,
        ]
    )
    profile, _ = profile_task(ho.Task(table, "y"))
    column = profile.columns[0]
    if column.counts:
        assert int(np.sum(column.counts)) == sum(value is not None for value in values)
    json.dumps(profile.to_dict(), allow_nan=False)


@pytest.mark.slow
def test_a_study_in_memory_does_not_keep_what_it_can_read_again(tmp_path: Path, churn: Path) -> None:
    """A study of a path keeps no table with held rows in memory."""
    with Study.create(tmp_path / "a.heldout", churn, "churned") as study:
        gc.collect()
        tables = [each for each in gc.get_objects() if type(each) is ho.Table and each.n_rows == 240]
        assert [each for each in tables if "churned" in each.names] == []
        assert study.task.n_rows < 240


def test_a_study_says_what_it_is(tmp_path: Path, churn: Path) -> None:
    """print(study) and repr name the target, the rows and the state of the seal."""
    with Study.create(tmp_path / "a.heldout", churn, "churned", groups="customer") as study:
        said = str(study)
        assert "Study of 'churned'" in said
        assert "never opened" in said
        assert "by group" in said
        assert repr(study).startswith("Study(")
        assert os.fspath(study.path) in repr(study)


def test_a_cell_of_a_notebook_can_run_twice(tmp_path: Path) -> None:
    """With exist_ok the same question opens the study that is there; another, or other data, are refused."""
    path, columns = tmp_path / "a.heldout", churn_columns()
    with Study.create(path, columns, "churned", exist_ok=True) as first:
        head = first.ledger.head
    with Study.create(path, columns, "churned", exist_ok=True) as again:
        assert (again.ledger.head, again.has_rows) == (head, True)
    with pytest.raises(ho.RequestError, match=r"held was 0\.2 and is 0\.3"):
        Study.create(path, columns, "churned", held=0.3, exist_ok=True)
    other = {name: values[1:] for name, values in columns.items()}
    with pytest.raises(ho.HeldoutError, match="not the table that the study sealed"):
        Study.create(path, other, "churned", exist_ok=True)
    with pytest.raises(ho.HeldoutError, match="never written over"):
        Study.create(path, columns, "churned")


def test_a_study_is_not_called_by_its_name() -> None:
    """Who writes Study("x") hears of both ways to get one."""
    with pytest.raises(ho.InputTypeError, match=r"Study\.create.*or opened by Study\.open"):
        Study("churn.heldout")  # type: ignore[arg-type]
