"""Columns are left out while a table is read, and again when it is read a second time."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

import heldout as ho

ROWS = "id,age,town,note\n1,41,Ghent,a\n2,29,Leuven,b\n3,,Ghent,c\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A small file."""
    file = tmp_path / "shop.csv"
    file.write_text(ROWS)
    return file


def test_dropped_columns_are_gone_and_the_others_are_as_before(path: Path) -> None:
    """What is left has the same kinds and values as in the whole table, and a note says what went."""
    whole, part = ho.read_table(path), ho.read_table(path, drop=["id", "note"])
    assert part.names == ("age", "town")
    assert part.digest == whole.select(["age", "town"]).digest
    assert "left out as requested: 'id', 'note'" in part.notes


def test_one_name_may_be_given_alone(path: Path) -> None:
    """A string is one name, not a list of letters."""
    assert ho.read_table(path, drop="id").names == ("age", "town", "note")


def test_the_source_reads_it_again_in_the_same_way(path: Path) -> None:
    """What is recorded of the source drops the same columns, also from a file that was moved."""
    table = ho.read_table(path, drop=("id",))
    moved = path.rename(path.with_name("moved.csv"))
    assert table.source is not None
    assert table.source.options == {"drop": ["id"]}
    assert table.source.read(moved).digest == table.digest


def test_a_study_of_such_a_table_opens_again(tmp_path: Path) -> None:
    """A study whose table was read without a column finds the table again by itself."""
    lines = "".join(f"{i},{i % 7},{'yes' if i % 2 else 'no'}\n" for i in range(60))
    file = tmp_path / "rows.csv"
    file.write_text(f"number,size,ripe\n{lines}")
    with ho.Study.create(tmp_path / "s.heldout", ho.read_table(file, drop="number"), target="ripe") as study:
        names = study.task.X.names
    with ho.Study.open(tmp_path / "s.heldout") as again:
        assert again.task.X.names == names == ("size",)


def test_a_column_that_cannot_be_read_does_not_stand_in_the_way(tmp_path: Path) -> None:
    """A column whose values are refused can be dropped."""
    lines = "".join(f"{i / 7:.9f},{i % 3}\n" for i in range(2000))
    file = tmp_path / "odd.csv"
    file.write_text(f"odd,size\n{lines}oops,1\n")
    with pytest.raises(ho.DataError, match="odd"):
        ho.read_table(file)
    assert ho.read_table(file, drop="odd").names == ("size",)


def test_the_second_column_does_not_become_the_first(tmp_path: Path) -> None:
    """Whole numbers that count rows are an identifier in the first column only, whatever was dropped."""
    lines = "".join(f"x,{i},{i % 3}\n" for i in range(40))
    file = tmp_path / "count.csv"
    file.write_text(f"a,b,c\n{lines}")
    assert ho.read_table(file)["b"].kind == ho.read_table(file, drop="a")["b"].kind == "number"


def test_a_file_whose_first_line_is_checked_may_lose_columns(tmp_path: Path) -> None:
    """A first line that looks like a row is refused also after a column is gone."""
    file = tmp_path / "bare.csv"
    file.write_text("1,2,3\n4,5,6\n7,8,9\n")
    with pytest.raises(ho.DataError, match="the first line"):
        ho.read_table(file, drop="1")


def test_columns_of_memory_are_dropped_too() -> None:
    """A dictionary of columns loses them as a file does."""
    assert ho.read_table({"a": [1, 2], "b": [3, 4]}, drop="a").names == ("b",)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"drop": "twon"}, "did you mean 'town'"),
        ({"drop": ["id", "age", "town", "note"]}, "no column would be left"),
        ({"drop": "id", "kinds": {"id": "number"}}, "leave out one of the two"),
        ({"drop": "id", "missing": {"id": ["0"]}}, "leave out one of the two"),
        ({"drop": 3}, "list of names"),
        ({"drop": [3]}, "list of names"),
        ({"drop": {"id": True}}, "list of names"),
    ],
)
def test_what_cannot_be_dropped_is_said(path: Path, options: dict[str, Any], words: str) -> None:
    """A wrong request says how to mend it."""
    with pytest.raises(ho.HeldoutError, match=words):
        ho.read_table(path, **options)


def test_the_table_can_be_copied(path: Path) -> None:
    """A table without some columns survives pickling."""
    table = ho.read_table(path, drop="id")
    assert pickle.loads(pickle.dumps(table)).digest == table.digest
