"""A study opens with the table it sealed, or says what changed; without a table it can be read."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import heldout as ho
from heldout.study.study import Study

from .study_tables import churn_columns, write_csv

Columns = dict[str, list[Any]]


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A folder with a table and a study of it."""
    write_csv(tmp_path / "churn.csv", churn_columns())
    Study.create(tmp_path / "a.heldout", tmp_path / "churn.csv", "churned", groups="customer").close()
    return tmp_path


def test_a_study_goes_on_where_it_was(made: Path) -> None:
    """Opened again it has the same seal, seed and open rows."""
    with Study.open(made / "a.heldout") as first, Study.open(made / "a.heldout") as second:
        assert first.seal.digest == second.seal.digest
        assert first.task.table.digest == second.task.table.digest
        assert first.has_rows


def test_reading_options_are_used_again(tmp_path: Path) -> None:
    """A table that was read with options of its own is read with them when the study is opened."""
    columns = churn_columns()
    spelled = {
        name: ["n/k" if value is None else str(value).replace(".", ",") for value in values]
        for name, values in columns.items()
    }
    path = tmp_path / "churn.txt"
    lines = [";".join(row) for row in [tuple(spelled), *zip(*spelled.values(), strict=True)]]
    path.write_text("\n".join(lines), encoding="utf-8")
    table = ho.read_table(path, kinds={"calls": "number"}, missing=["n/k"], delimiter=";", decimal=",")
    Study.create(tmp_path / "a.heldout", table, "churned").close()
    with Study.open(tmp_path / "a.heldout") as study:
        assert study.task.X["calls"].kind == "number"
        assert study.task.X["calls"].n_missing > 0


def test_a_folder_that_moved_is_found(made: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Table and study moved together still find each other."""
    new = tmp_path_factory.mktemp("new") / "place"
    shutil.move(os.fspath(made), new)
    with Study.open(new / "a.heldout") as study:
        assert study.task.n_rows > 100


def test_a_table_that_moved_is_handed_over(made: Path) -> None:
    """The path of the file, a Table or a frame of the same data open the study."""
    moved = made / "elsewhere.csv"
    (made / "churn.csv").rename(moved)
    for table in (moved, str(moved), ho.read_table(moved), churn_columns()):
        with Study.open(made / "a.heldout", table=table) as study:
            assert study.has_rows


def test_without_its_table_a_study_can_be_read(made: Path) -> None:
    """Looks and seal are there, and what needs rows says what is missing."""
    (made / "churn.csv").unlink()
    with Study.open(made / "a.heldout") as study:
        assert not study.has_rows
        assert len(study.looks()) == 1
        assert "not at hand" in str(study)
        contender = ho.Contender("tree", ho.TreeClassifier())
        asked: list[Callable[[], Any]] = [
            lambda: study.task,
            lambda: study.run(ho.Plan([contender])),
            lambda: study.unseal(contender),
            lambda: study.ship(contender, made / "a.model"),
        ]
        for ask in asked:
            with pytest.raises(ho.RequestError, match=r"needs the rows[\s\S]*churn.csv[\s\S]*Study.open\("):
                ask()
        with pytest.raises(ho.RequestError, match="no plan has run"):
            study.result()


def test_a_study_of_a_table_in_memory_asks_for_it(tmp_path: Path) -> None:
    """What was never in a file has to be handed over."""
    Study.create(tmp_path / "a.heldout", churn_columns(), "churned").close()
    with (
        Study.open(tmp_path / "a.heldout") as study,
        pytest.raises(ho.RequestError, match="made in memory"),
    ):
        study.task  # noqa: B018
    with Study.open(tmp_path / "a.heldout", table=churn_columns()) as study:
        assert study.has_rows


def without(columns: Columns) -> None:
    columns.pop("city")


def with_one(columns: Columns) -> None:
    columns["more"] = [1.5 + place for place in range(240)]


def shorter(columns: Columns) -> None:
    for values in columns.values():
        values.pop()


def another_month(columns: Columns) -> None:
    columns["months"][3] = 77.0


def words_for_numbers(columns: Columns) -> None:
    columns["months"] = [f"about {value}" for value in columns["months"]]


def turned_around(columns: Columns) -> None:
    for name in list(columns)[::-1]:
        columns[name] = columns.pop(name)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (without, "column 'city' is gone"),
        (with_one, "column 'more' is new"),
        (shorter, "240 rows became 239"),
        (another_month, "values of column 'months' differ"),
        (words_for_numbers, "column 'months' was number and is"),
        (turned_around, "another order"),
    ],
)
def test_changed_data_are_refused_with_what_changed(
    made: Path, change: Callable[[Columns], None], words: str
) -> None:
    """Every kind of change is named, whether the file changed or another table is handed over."""
    columns = churn_columns()
    change(columns)
    with pytest.raises(ho.SealError, match=words):
        Study.open(made / "a.heldout", table=ho.read_table(columns))
    write_csv(made / "churn.csv", columns)
    with pytest.raises(ho.SealError, match=words) as caught:
        Study.open(made / "a.heldout")
    assert "churn.csv" in caught.value.where
    assert "new study" in caught.value.fix


def test_a_changed_target_is_refused(made: Path) -> None:
    """A target that differs in open rows names the column; in held rows alone it says just that."""
    with Study.open(made / "a.heldout") as study:
        open_row, held_row = int(study.seal.open_rows[0]), int(study.seal.held_rows[0])
    for row, words in ((open_row, "values of column 'churned' differ"), (held_row, "differs in held rows")):
        columns = churn_columns()
        columns["churned"][row] = {"yes": "no", "no": "yes"}[columns["churned"][row]]
        with pytest.raises(ho.SealError, match=words):
            Study.open(made / "a.heldout", table=ho.read_table(columns))


def test_a_changed_file_is_noticed_before_held_rows_are_used(made: Path) -> None:
    """A table that changes while the study is open is refused by unseal."""
    with Study.open(made / "a.heldout") as study:
        columns = churn_columns()
        columns["months"][int(study.seal.held_rows[0])] = 1.0
        write_csv(made / "churn.csv", columns)
        with pytest.raises(ho.SealError, match="values of column 'months' differ"):
            study.unseal(ho.Contender("tree", ho.TreeClassifier()))
        assert study.ledger.facts("unseal") == ()


def tampered(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE fact SET body = replace(body, '\"looks_allowed\":1', '\"looks_allowed\":9')",
        "DELETE FROM fact WHERE kind = 'look'",
        "UPDATE array SET content = zeroblob(length(content)) WHERE name = 'held'",
    ],
)
def test_a_broken_chain_is_refused(made: Path, statement: str) -> None:
    """A study file that was edited by hand is not opened, and the error says that the chain is broken."""
    tampered(made / "a.heldout", statement)
    with pytest.raises(ho.LedgerError, match=r"broken|not as it was|chain"):
        Study.open(made / "a.heldout")


def test_another_seal_is_refused(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the same table would now be sealed otherwise, nothing is handed out."""
    from heldout.study.files import open_study, seal_task

    def shifted(task: ho.Task, held: float, seed: int) -> Any:
        return seal_task.seal_task(task, held, seed + 1)

    monkeypatch.setattr(open_study, "seal_task", shifted)
    with pytest.raises(ho.SealError, match="other rows would be held"):
        Study.open(made / "a.heldout")


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("nothing.heldout", "there is no file"),
        ("churn.csv", "not a study file"),
        (".", "a study is one file, and this is a folder"),
        ("a" * 300, "File name too long"),
        ("a\0b", "not the path of a study file"),
    ],
)
def test_what_is_no_study_is_refused(made: Path, path: str, words: str) -> None:
    """A missing file, another file, a folder and an impossible name get an error in three parts."""
    with pytest.raises(ho.HeldoutError, match=words) as caught:
        Study.open(made / path)
    assert caught.value.where
    assert caught.value.fix


def test_an_empty_ledger_is_no_study(tmp_path: Path) -> None:
    """A study file without a study in it says so."""
    from heldout.ledger.ledger import Ledger

    Ledger.create(tmp_path / "a.heldout").close()
    with pytest.raises(ho.LedgerError, match="one study"):
        Study.open(tmp_path / "a.heldout")


@pytest.mark.skipif(os.getuid() == 0, reason="root may write everywhere")
def test_a_file_that_cannot_be_written_can_be_read(made: Path) -> None:
    """A study on a disk that is read-only opens, and only writing is refused."""
    (made / "a.heldout").chmod(0o444)
    with Study.open(made / "a.heldout") as study:
        assert study.task.n_rows > 100
