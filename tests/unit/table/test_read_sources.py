"""Every source of a table: the same content gives the same kinds and the same digest."""

from __future__ import annotations

import datetime
import os
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from heldout.errors import HeldoutError
from heldout.table.read_table import read_table

N_ROWS = 60
KINDS = {
    "id": "identifier",
    "weight": "number",
    "visits": "number",
    "city": "category",
    "smokes": "boolean",
    "born": "date",
    "seen": "date",
    "code": "identifier",
    "note": "text",
}


def content() -> dict[str, list[Any]]:
    """One table with every kind, missing values in most columns."""
    born = datetime.date(1980, 1, 1)
    seen = datetime.datetime(2024, 1, 1, 8, 30)
    return {
        "id": list(range(1, N_ROWS + 1)),
        "weight": [None if k % 7 == 3 else 50 + k / 8 for k in range(N_ROWS)],
        "visits": [k % 5 for k in range(N_ROWS)],
        "city": [(None, "Rome", "Oslo", "Zürich")[k % 4] for k in range(N_ROWS)],
        "smokes": [(True, False, None)[k % 3] for k in range(N_ROWS)],
        "born": [born + datetime.timedelta(days=31 * k) for k in range(N_ROWS)],
        "seen": [None if k == 5 else seen + datetime.timedelta(hours=7 * k) for k in range(N_ROWS)],
        "code": [f"K{k * 7919 % 1000:03d}x" for k in range(N_ROWS)],
        "note": [f"patient number {k} came in on a rainy day" for k in range(N_ROWS)],
    }


def cell(value: Any) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def write_csv(folder: Path, columns: dict[str, list[Any]], mark: str = ",") -> Path:
    path = folder / "table.csv"
    rows = [mark.join(columns), *(mark.join(map(cell, row)) for row in zip(*columns.values(), strict=True))]
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def write_excel(folder: Path, columns: dict[str, list[Any]]) -> Path:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(list(columns))
    for row in zip(*columns.values(), strict=True):
        sheet.append(list(row))
    path = folder / "table.xlsx"
    book.save(path)
    return path


def write_sqlite(folder: Path, columns: dict[str, list[Any]]) -> Path:
    path = folder / "table.sqlite"
    types = {"smokes": "BOOLEAN", "weight": "REAL", "id": "INTEGER", "visits": "INTEGER"}
    declared = ", ".join(f"{name} {types.get(name, 'TEXT')}" for name in columns)
    plain = [
        [str(value) if isinstance(value, datetime.date) else value for value in row]
        for row in zip(*columns.values(), strict=True)
    ]
    connection = sqlite3.connect(path)
    connection.execute(f"CREATE TABLE people ({declared})")
    connection.executemany(f"INSERT INTO people VALUES ({', '.join('?' * len(columns))})", plain)
    connection.commit()
    connection.close()
    return path


def arff_cell(value: Any) -> str:
    if value is None:
        return "?"
    return f"'{cell(value)}'" if " " in cell(value) else cell(value)


def write_arff(folder: Path, columns: dict[str, list[Any]]) -> Path:
    types = {
        "city": "{Oslo, Rome, Zürich}",
        "smokes": "{false, true}",
        **dict.fromkeys(("id", "weight", "visits"), "numeric"),
    }
    lines = [
        "@relation people",
        *(f"@attribute {name} {types.get(name, 'string')}" for name in columns),
        "@data",
    ]
    lines += [",".join(map(arff_cell, row)) for row in zip(*columns.values(), strict=True)]
    path = folder / "table.arff"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def write_parquet(folder: Path, columns: dict[str, list[Any]]) -> Path:
    path = folder / "table.parquet"
    pyarrow.parquet.write_table(pa.table(columns), path)
    return path


def write_feather(folder: Path, columns: dict[str, list[Any]]) -> Path:
    path = folder / "table.feather"
    pyarrow.feather.write_feather(pa.table(columns), path)
    return path


SOURCES = {
    "csv": write_csv,
    "excel": write_excel,
    "sqlite": write_sqlite,
    "arff": write_arff,
    "parquet": write_parquet,
    "feather": write_feather,
    "dict": lambda folder, columns: columns,
    "arrays": lambda folder, columns: {
        name: np.array(values, dtype=object) for name, values in columns.items()
    },
    "rows": lambda folder, columns: [
        dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
    ],
    "pandas": lambda folder, columns: pd.DataFrame(columns),
    "polars": lambda folder, columns: pl.DataFrame(columns),
    "pyarrow": lambda folder, columns: pa.table(columns),
}


@pytest.mark.parametrize("source", SOURCES)
def test_same_content_same_table(source: str, tmp_path: Path) -> None:
    """A table has the same kinds and the same digest from every file format and frame."""
    expected = read_table(content())
    assert expected.kinds == KINDS
    table = read_table(SOURCES[source](tmp_path, content()))
    assert table.kinds == KINDS
    assert table.digest == expected.digest


def test_numpy_arrays() -> None:
    """A 2-D array gets numbered or given names, a structured one keeps its own."""
    array = np.array([[1.5, 2.0], [np.nan, 4.0]])
    assert read_table(array).names == ("column_1", "column_2")
    assert read_table(array, names=["a", "b"])["a"].n_missing == 1
    structured = np.array([(1.5, "x"), (2.5, "y")], dtype=[("a", "f8"), ("b", "U3")])
    assert read_table(structured).kinds == {"a": "number", "b": "category"}
    masked = np.ma.array([[1, 2], [3, 4]], mask=[[False, True], [False, False]])
    assert read_table(masked)["column_2"].labels() == [None, "4"]
    moments = {
        "day": np.array(["2024-01-01", "NaT"], dtype="M8[D]"),
        "span": np.array([12, 24], dtype="m8[h]"),
    }
    assert read_table(moments)["day"].labels() == ["2024-01-01", None]
    assert read_table(moments)["span"].labels() == ["0.5", "1"]


def test_declared_categories_keep_their_levels() -> None:
    """A categorical frame column is a category whatever its levels look like, markers included."""
    frame = pd.DataFrame({"grade": pd.Categorical(["1", "2", "NA", "1"])})
    table = read_table(frame)
    assert table["grade"].kind == "category"
    assert table["grade"].levels == ("1", "2", "NA")
    assert any("'NA' is a declared level" in note for note in table.notes)
    assert read_table(frame, missing=["NA"])["grade"].n_missing == 1


def test_mixed_python_values_become_strings() -> None:
    """A column that mixes numbers and strings is read by its contents, and said so."""
    table = read_table({"x": [1, "2", 3.5], "y": [1, "two", 3.5]})
    assert table["x"].values.tolist() == [1.0, 2.0, 3.5]
    assert table["y"].labels() == ["1", "two", "3.5"]
    assert any("'y' mixes numbers and strings" in note for note in table.notes)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (pa.table({"x": [[1, 2], [3]]}), ("column 'x' holds list", "column 'x'", "unpack")),
        ({"x": [1, 2], "y": [1]}, ("differ in length", "'y' has 1 values, 'x' 2", "one value per row")),
        ({"x": "abc"}, ("a column is a list", "column 'x' is str", "per row")),
        ({"x": [object(), 1]}, ("holds object", "row 1", "numbers, strings")),
        ({}, ("no columns", "empty", "one entry")),
        (pd.DataFrame(), ("no columns", "0 rows", "another")),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), ("same name, 'a'", "columns 1, 2 of 2", "rename")),
        (42, ("cannot be read from int", "int", "path")),
        (np.zeros((2, 2, 2)), ("rows and columns", "(2, 2, 2)", "2-D")),
        (np.zeros(2, dtype=complex), ("complex", "column_1", "real")),
    ],
)
def test_wrong_sources_are_refused(source: Any, words: tuple[str, str, str]) -> None:
    """What is no table is refused in three parts."""
    with pytest.raises(HeldoutError) as caught:
        read_table(source)
    for word, part in zip(words, (caught.value.what, caught.value.where, caught.value.fix), strict=True):
        assert word in part


def test_excel_sheets_titles_and_merged_cells(tmp_path: Path) -> None:
    """Sheets are named, empty rows above skipped with a note, titles and merged cells refused."""
    book = openpyxl.Workbook()
    first = book.active
    assert first is not None
    first.title = "data"
    for row in ([], [], ["age", "city"], [41, "Rome"], [29, None]):
        first.append(row)
    titled = book.create_sheet("titled")
    for row in (["A long title"], ["age", "city"], [41, "Rome"]):
        titled.append(row)
    merged = book.create_sheet("merged")
    for row in (["age", "city"], [41, "Rome"]):
        merged.append(row)
    merged.merge_cells("A2:B2")
    bare = book.create_sheet("bare")
    for row in ([1, 2.5], [3, 4.5]):
        bare.append(row)
    book.create_sheet("empty")
    path = tmp_path / "book.xlsx"
    book.save(path)
    table = read_table(path)
    assert table["age"].labels() == ["41", "29"]
    assert table["city"].labels() == ["Rome", None]
    assert any("the first of 5" in note for note in table.notes)
    assert any("2 empty rows" in note for note in table.notes)
    for sheet, word in (
        ("titled", "not a header"),
        ("merged", "merged"),
        ("bare", "like a row"),
        ("empty", "empty"),
    ):
        with pytest.raises(HeldoutError) as caught:
            read_table(path, sheet=sheet)
        assert word in caught.value.what
        assert caught.value.where
        assert caught.value.fix
    assert read_table(path, sheet="bare", header=False).n_rows == 2
    with pytest.raises(HeldoutError) as caught:
        read_table(path, sheet="date")
    assert caught.value.fix == "did you mean 'data'?"


def test_sqlite_tables_and_queries(tmp_path: Path) -> None:
    """The only table is taken with a note; of several one must be named; a query is read too."""
    path = write_sqlite(tmp_path, content())
    assert any("'people'" in note for note in read_table(path).notes)
    assert read_table(path, query="SELECT city, weight FROM people WHERE visits = 2").n_rows == 12
    with pytest.raises(HeldoutError) as caught:
        read_table(path, query="DELETE FROM people")
    assert "readonly" in caught.value.what
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE other (x)")
    connection.commit()
    connection.close()
    with pytest.raises(HeldoutError) as caught:
        read_table(path)
    assert "'other', 'people'" in caught.value.where
    with pytest.raises(HeldoutError) as caught:
        read_table(path, table="peple")
    assert caught.value.fix == "did you mean 'people'?"
    assert read_table(path, table="people").n_rows == N_ROWS


def test_arff_sparse_quoted_and_broken(tmp_path: Path) -> None:
    """Sparse rows, quoted levels and unused levels are read, a bad line is named."""
    path = tmp_path / "a.arff"
    path.write_text(
        "@relation r\n@attribute x numeric\n@attribute c {'a b', c, d}\n@data\n{0 3}\n{1 c}\n{0 1, 1 c}\n"
    )
    table = read_table(path)
    assert table["x"].labels() == ["3", "0", "1"]
    assert table["c"].labels() == ["a b", "c", "c"]
    assert any("'d' does not occur" in note for note in table.notes)
    path.write_text("@relation r\n@attribute x numeric\n@attribute c {a, b}\n@data\n1,a\n2,z\n")
    with pytest.raises(HeldoutError) as caught:
        read_table(path)
    assert "ARFF" in caught.value.what
    assert "line 6" in caught.value.where


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    """A file that is not what its name says gives an error in three parts for every format."""
    for suffix in ("parquet", "feather", "xlsx", "sqlite"):
        path = tmp_path / f"damaged.{suffix}"
        path.write_bytes(b"this is not what it says" * 50)
        with pytest.raises(HeldoutError) as caught:
            read_table(path)
        assert caught.value.what
        assert f"damaged.{suffix}" in caught.value.where
        assert caught.value.fix


def test_options_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    """An option that says nothing about the source is not passed over."""
    with pytest.raises(HeldoutError) as caught:
        read_table({"x": [1, 2]}, delimiter=";")
    assert "delimiter=" in caught.value.what
    with pytest.raises(HeldoutError):
        read_table(write_csv(tmp_path, content()), sheet="data")


def test_file_without_a_known_ending(tmp_path: Path) -> None:
    """The first bytes say what a file is if its name does not."""
    parquet = write_parquet(tmp_path, content())
    unnamed = parquet.rename(tmp_path / "table")
    assert read_table(unnamed).kinds == KINDS


def test_excel_cells_that_look_empty_but_are_not(tmp_path: Path) -> None:
    """A formula nobody has computed is refused, and a cell that shows an error is said to be missing."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["a", "b"], [1, "#DIV/0!"], [2, 3.5]):
        sheet.append(row)
    errors = tmp_path / "errors.xlsx"
    book.save(errors)
    assert any("1 cell shows an error, first B2" in note for note in read_table(errors).notes)
    sheet["B3"] = "=A3*2"
    formulas = tmp_path / "formulas.xlsx"
    book.save(formulas)
    with pytest.raises(HeldoutError) as caught:
        read_table(formulas)
    assert "1 formula without a computed value" in caught.value.what
    assert "cell B3" in caught.value.where


def test_index_of_a_frame_is_not_dropped_without_a_word() -> None:
    """A pandas index that names rows is no column, and a note says so."""
    frame = pd.DataFrame({"x": [1, 2]}, index=["first", "second"])
    assert any("index" in note for note in read_table(frame).notes)
    assert read_table(frame.reset_index()).names == ("index", "x")


def test_strings_stay_in_arrow_until_asked_for() -> None:
    """A column of text counts its missing values and takes rows as any other column does."""
    table = read_table({"note": [f"this is sentence {k} of many" for k in range(30)] + [None]})
    column = table["note"]
    assert (column.kind, len(column), column.n_missing) == ("text", 31, 1)
    assert column.values[2] == "this is sentence 2 of many"
    assert column.take(slice(29, 31)).labels() == ["this is sentence 29 of many", None]
    assert not column.values.flags.writeable
    other = replace(column, name="other")
    assert (other.name, other.kind, other.n_missing) == ("other", "text", 1)
    assert other.labels() == column.labels()


def test_reading_does_not_load_arrow_before_it_is_needed() -> None:
    """Importing the reader costs no more than NumPy: Arrow is loaded by the first read."""
    code = "import sys, heldout.table.read_table; print('pyarrow' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", code]
    ended = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert ended.stdout.strip() == "False"
