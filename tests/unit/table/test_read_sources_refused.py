"""What sources hold that no table does, and what their errors advise: it must work at that source."""

from __future__ import annotations

import datetime
import re
import sqlite3
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import openpyxl.styles
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from heldout.errors import HeldoutError
from heldout.table.read_table import read_table


def check_refused(words: tuple[str, str, str], source: Any, **options: Any) -> None:
    with pytest.raises(HeldoutError) as caught:
        read_table(source, **options)
    for word, part in zip(words, (caught.value.what, caught.value.where, caught.value.fix), strict=True):
        assert word in part


def workbook(folder: Path, *rows: list[Any], merge: tuple[str, ...] = ()) -> Path:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(row)
    for cells in merge:
        sheet.merge_cells(cells)
    path = folder / "book.xlsx"
    book.save(path)
    return path


def database(folder: Path) -> Path:
    path = folder / "table.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE people (a, b)")
    connection.execute("INSERT INTO people VALUES (1, 2)")
    connection.commit()
    connection.close()
    return path


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (pd.DataFrame({"a": [1], "b": [2]}).to_dict(), ("a list or an array", "'a' is dict", "frame itself")),
        ({"a": {1, 2}}, ("a list or an array", "'a' is set", "no order")),
        ({"a": b"ab"}, ("a list or an array", "'a' is bytes", "per row")),
        ({"a": pd.DataFrame({"z": [1]})}, ("a list or an array", "'a' is DataFrame", "per row")),
        (
            {"a": pd.Series([1, 2]), "b": pd.Series([1, 2], index=[1, 0])},
            ("different indexes", "columns 'a' and 'b'", "pandas.DataFrame"),
        ),
        (pd.DataFrame({"x": [1 + 2j]}), ("no kind stands for", "complex128", "convert it")),
        (pl.DataFrame({"x": pl.Series([2**90], dtype=pl.Int128)}), ("no kind", "Int128", "convert it")),
        ([{"a": 1, " a": 2}], ("2 columns are named 'a'", "columns 1, 2", "rename it before")),
        (np.empty((3, 0)), ("no columns", "empty", "another")),
        *(
            (source, ("no rows", "first", "at least one row"))
            for source in (
                pd.DataFrame({"a": []}),
                {"a": []},
                np.empty((0, 3)),
                pa.table({"a": pa.array([], pa.int64())}),
            )
        ),
        ([], ("no rows", "list is empty", "one dict per row")),
    ],
)
def test_no_table_in_memory(source: Any, words: tuple[str, str, str]) -> None:
    """What is no table of rows is refused in three parts, and never read as something else."""
    check_refused(words, source)


def test_unusual_columns_that_are_read() -> None:
    """Sparse arrays, 128-bit integers that fit, an index, and series with one index are columns."""
    assert read_table(pd.DataFrame({"x": pd.arrays.SparseArray([0, 1.5])}))["x"].labels() == ["0", "1.5"]
    assert read_table(pl.DataFrame({"x": pl.Series([7], dtype=pl.Int128)}))["x"].labels() == ["7"]
    assert read_table({"x": pd.Index([1, 2])})["x"].labels() == ["1", "2"]
    table = read_table({"x": pd.Series([1, 2], index=[5, 6]), "y": pd.Series(["a", "b"], index=[5, 6])})
    assert table["y"].labels() == ["a", "b"]
    assert any("the index of the series is left out" in note for note in table.notes)


def test_spans_and_times_of_day_are_told_apart() -> None:
    """Both are numbers of days, and each is called what it is."""
    table = read_table({"t": [datetime.time(6), None], "d": [datetime.timedelta(hours=12), None]})
    assert table["t"].labels() == ["0.25", None]
    assert (table["t"].reason, table["d"].reason) == ("a time of day by type", "a span of time by type")


def test_arff_integers_keep_fractions_and_tabs_are_blanks(tmp_path: Path) -> None:
    """1.7 in an integer column stays 1.7; tabs, a relation without a name and blank lines do not matter."""
    path = tmp_path / "a.arff"
    path.write_text("\n@relation\n\t@attribute\ta\tinteger\n@ATTRIBUTE 'b c'\tINTEGER\n@data\n1.7,3\n2,?\n")
    table = read_table(path)
    assert table["a"].labels() == ["1.7", "2"]
    assert table["b c"].labels() == ["3", None]
    path.write_text("@relation r\n@attribute\n@data\n1\n")
    check_refused(("no name and no type", "line 2", "@attribute"), path)
    path.write_text("@relation r\n@attribute a integer\n@data\n9007199254740993\n")
    assert any("1 number beyond 2^53" in note for note in read_table(path).notes)


def test_excel_titles_names_and_merged_cells(tmp_path: Path) -> None:
    """Titles are skipped and names given as for CSV, and places are those of the sheet."""
    rows = (["Title"], ["a", "a"], [7, 2], [3, 4], [5, 6])
    path = workbook(tmp_path, *rows)
    check_refused(("not a header", "row 1 has one cell", "skip_lines=1"), path)
    check_refused(("2 columns are named 'a'", "columns 1, 2", "header=True and names"), path, skip_lines=1)
    check_refused(("like a row", "row 3 of the sheet, column 1", "header=False"), path, skip_lines=2)
    check_refused(("empty", "below row 20", "skip fewer"), path, skip_lines=20)
    assert read_table(path, skip_lines=1, header=True, names=["x", "y"])["y"].labels() == ["2", "4", "6"]
    assert read_table(path, skip_lines=2, header=False, names=["x", "y"])["x"].labels() == ["7", "3", "5"]
    merged = workbook(tmp_path, *rows, merge=("A2:A3", "A4:A5"))
    check_refused(("2 merged cells", "first at row 2, column 1", "split"), merged)
    titled = workbook(tmp_path, ["Title"], ["a", "b"], [1, 2], merge=("A1:B1",))
    assert read_table(titled, skip_lines=1)["b"].labels() == ["2"]


def test_excel_errors_and_formulas_behind_styled_empty_cells(tmp_path: Path) -> None:
    """A styled empty cell does not hide what the next one holds, nor shift where it stands."""
    path = workbook(tmp_path, ["a", "b", None, "c"], [None, "#N/A", None, 1], [2, "#N/A", None, 2])
    book = openpyxl.load_workbook(path)
    book["Sheet"]["A2"].font = openpyxl.styles.Font(bold=True)
    book.save(path)
    notes = read_table(path).notes
    assert "2 cells show an error, first B2, taken as missing" in notes
    assert "1 empty column left out" in notes
    book["Sheet"]["B2"] = "=A3*2"
    book.save(path)
    check_refused(("1 formula without", "first in cell B2", "save it"), path)


@pytest.mark.parametrize("value", ["<v></v>", "<v/>", ""])
def test_excel_formulas_may_give_an_empty_string(tmp_path: Path, value: str) -> None:
    """IF(..., "") that was computed is an empty cell, and no formula without a value."""
    path = workbook(tmp_path, ["a", "b"], ["=1", 1], [5, 2])
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    sheet = parts["xl/worksheets/sheet1.xml"]
    computed = re.sub(r'<c r="A2".*?</c>', f'<c r="A2" t="str"><f>IF(B2,"")</f>{value}</c>', sheet)
    assert computed != sheet
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in (parts | {"xl/worksheets/sheet1.xml": computed}).items():
            archive.writestr(name, text)
    assert read_table(path)["a"].labels() == [None, "5"]


def test_whole_numbers_beyond_floats_are_said_to_lose_digits(tmp_path: Path) -> None:
    """Integers that float64 cannot tell apart get a note, at every source and where numbers are asked for."""
    large = [2**62, 2**62 + 1]
    note = "column 'a': whole numbers beyond 2^53 lost their last digits"
    parquet = tmp_path / "a.parquet"
    pyarrow.parquet.write_table(pa.table({"a": large}), parquet)
    path = database(tmp_path)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE people SET a = ?", large[:1])
    connection.commit()
    connection.close()
    whole = pa.table({"a": pa.array(large, pa.decimal128(20, 0))})
    for source in ({"a": large}, parquet, path, whole, {"a": [2**70, 1]}):
        assert note in read_table(source, kinds={"a": "number"}).notes
    small = read_table({"a": [1, 2], "b": [1e300, 0.5]}, kinds={"a": "number", "b": "number"})
    assert small.notes == ()
    sheet = read_table(workbook(tmp_path, ["a", "b"], [2**62, 1e300], [2**62 + 1, 0.5]))
    assert [text for text in sheet.notes if "2^53" in text] == [
        "column 'a': 2 whole numbers beyond 2^53 may have lost digits"
    ]


def test_names_that_occur_twice_get_advice_that_works(tmp_path: Path) -> None:
    """Parquet, Feather and SQLite name the column, and say how to rename it there."""
    twice = pa.table([[1], [2]], names=["a", "a"])
    words = ("2 columns are named 'a'", "columns 1, 2", "rename it where the file is written")
    pyarrow.parquet.write_table(twice, tmp_path / "a.parquet")
    check_refused(words, tmp_path / "a.parquet")
    pyarrow.feather.write_feather(twice, tmp_path / "a.feather")
    check_refused(words, tmp_path / "a.feather")
    path = database(tmp_path)
    words = ("2 columns are named 'a'", "columns 1, 2", "SELECT a AS b")
    check_refused(words, path, query="SELECT a, b AS a FROM people")


@pytest.mark.parametrize("query", ["ATTACH '{new}' AS n", "VACUUM INTO '{new}'"])
def test_a_query_makes_no_file(tmp_path: Path, query: str) -> None:
    """A query that would open or make another file is refused, and makes none."""
    new = tmp_path / "new.db"
    words = ("a query only reads", "query", "SELECT")
    check_refused(words, database(tmp_path), query=query.format(new=new))
    assert not new.exists()


def test_a_database_named_csv_is_called_a_database(tmp_path: Path) -> None:
    """What a file is comes before which options fit its name."""
    path = database(tmp_path).rename(tmp_path / "table.csv")
    check_refused(("SQLite database", "table.csv", ".sqlite"), path, table="people")
