"""Frames become tables by dtype alone, the same for pandas, polars and pyarrow."""

from __future__ import annotations

import datetime
import decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from heldout.errors import DataError, InputTypeError
from heldout.learners.tree_classifier import TreeClassifier
from heldout.table.frames import is_frame, table_from_frame
from heldout.table.read_table import read_table

COLUMNS: dict[str, list[Any]] = {
    "whole": [3, 1, 2],
    "count": [7, None, 9],
    "gaps": [1.5, None, -2.0],
    "flag": [True, None, False],
    "word": ["b", "a", None],
    "day": [datetime.date(2020, 2, 29), None, datetime.date(1969, 12, 31)],
    "moment": [datetime.datetime(2020, 2, 29, 12), datetime.datetime(1970, 1, 1), None],
}


def as_pandas() -> pd.DataFrame:
    frame = pd.DataFrame({**COLUMNS, "flag": pd.array(COLUMNS["flag"], dtype="boolean")})
    frame["day"] = pd.to_datetime(frame["day"])
    return frame


FRAMES = {
    "pandas": as_pandas,
    "pandas, nullable": lambda: as_pandas().convert_dtypes(),
    "pandas, arrow": lambda: pa.table(COLUMNS).to_pandas(types_mapper=pd.ArrowDtype),
    "polars": lambda: pl.DataFrame(COLUMNS),
    "pyarrow": lambda: pa.table(COLUMNS),
}


@pytest.mark.parametrize("library", FRAMES)
def test_the_same_columns_from_every_library(library: str) -> None:
    """Kinds, values, levels and missing values agree, whichever library holds the frame."""
    table = table_from_frame(FRAMES[library]())
    assert list(table.kinds.values()) == ["number"] * 3 + ["boolean", "category", "date", "date"]
    assert table["whole"].values.tolist() == [3.0, 1.0, 2.0]
    assert table["count"].labels() == ["7", None, "9"]
    assert table["gaps"].labels() == ["1.5", None, "-2"]
    assert table["flag"].labels() == ["true", None, "false"]
    assert table["word"].levels == ("a", "b")
    assert table["word"].labels() == ["b", "a", None]
    assert table["day"].labels() == ["2020-02-29", None, "1969-12-31"]
    assert table["moment"].labels() == ["2020-02-29T12:00:00", "1970-01-01", None]
    assert table.digest == table_from_frame(pa.table(COLUMNS)).digest
    assert all(column.reason for column in table.columns)


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"x": pd.Categorical(["10", "9", None], categories=["never", "9", "10"])}),
        pd.DataFrame({"x": pd.Categorical([10, 9, None])}),
        pl.DataFrame({"x": pl.Series(["10", "9", None], dtype=pl.Categorical)}),
        pl.DataFrame({"x": pl.Series(["10", "9", None], dtype=pl.Enum(["never", "9", "10"]))}),
        pa.table({"x": pa.array(["10", "9", None]).dictionary_encode()}),
        pa.table({"x": pa.chunked_array([["10"], ["9", None]]).dictionary_encode()}),
        pa.table({"x": pa.array(["10", "9", None], pa.large_string())}),
    ],
)
def test_categoricals_become_sorted_levels_that_occur(frame: Any) -> None:
    """Categoricals of any library keep only levels that occur, in the stable order."""
    column = table_from_frame(frame)["x"]
    assert (column.kind, column.levels, column.labels()) == ("category", ("9", "10"), ["10", "9", None])


LEVELS: dict[str, tuple[list[Any], list[str]]] = {
    "floats": ([2.5, 1.0], ["2.5", "1"]),
    "booleans": ([True, False], ["true", "false"]),
    "dates": ([datetime.date(2024, 2, 29), datetime.date(2023, 1, 1)], ["2024-02-29", "2023-01-01"]),
    "moments": ([datetime.datetime(2024, 2, 29, 12), datetime.datetime(2023, 1, 1)], []),
    "strings": (["b", "a"], ["b", "a"]),
}


def declared(library: str, values: list[Any], labels: list[str]) -> Any:
    rows = [*values, None]
    if library == "pandas":
        return pd.DataFrame({"x": pd.Categorical(rows)})
    if library == "pandas, arrow":
        encoded = pa.array(rows).dictionary_encode()
        return pd.DataFrame({"x": pd.Series(encoded, dtype=pd.ArrowDtype(encoded.type))})
    if library == "polars":
        return pl.DataFrame({"x": pl.Series([*labels, None], dtype=pl.Categorical)})
    if library == "pyarrow, chunks":
        chunks = [pa.array(rows[:1]).dictionary_encode(), pa.array(rows[1:]).dictionary_encode()]
        return pa.table({"x": pa.chunked_array(chunks)})
    return pa.table({"x": pa.array(rows).dictionary_encode()})


@pytest.mark.parametrize("levels", LEVELS)
@pytest.mark.parametrize("library", ["pandas", "pandas, arrow", "polars", "pyarrow", "pyarrow, chunks"])
def test_levels_have_one_spelling_at_both_doors(library: str, levels: str) -> None:
    """Levels of any type are spelled as read_table spells them, so that a learner meets them again."""
    values, labels = LEVELS[levels]
    labels = labels or ["2024-02-29T12:00:00", "2023-01-01"]
    frame = declared(library, values, labels)
    assert table_from_frame(frame)["x"].labels() == [*labels, None]
    assert read_table(frame)["x"].labels() == [*labels, None]
    assert read_table(frame).digest == table_from_frame(frame).digest


def test_a_tree_fitted_on_a_table_knows_the_levels_of_the_frame() -> None:
    """A categorical of floats leads to the same leaf, whichever door it came through."""
    frame = pd.DataFrame({"a": pd.Categorical([1.0, 2.0] * 10)})
    tree = TreeClassifier(min_leaf=1).fit(read_table(frame), [0, 1] * 10)
    assert tree.predict(frame).tolist() == [0, 1] * 10


@pytest.mark.parametrize(
    ("levels", "labels"),
    [
        (pd.cut(pd.Series([0.0, 5.0, None]), [-0.005, 2.5, 5.0]), ["(-0.005, 2.5]", "(2.5, 5.0]", None]),
        (
            pd.Series(pd.period_range("2020-01", periods=2, freq="M")).astype("category"),
            ["2020-01", "2020-02"],
        ),
        (pd.Series(pd.Categorical([1, "a", None], categories=["a", 1])), ["1", "a", None]),
    ],
)
def test_levels_without_an_arrow_type_are_called_as_pandas_does(levels: Any, labels: list[Any]) -> None:
    """Intervals, periods and mixed levels have the same names at both doors, in a frame or a dict."""
    frame = pd.DataFrame({"x": levels})
    assert table_from_frame(frame)["x"].labels() == labels
    assert read_table(frame)["x"].labels() == labels
    assert read_table({"x": levels})["x"].labels() == labels


def test_time_zones_count_as_moments() -> None:
    """The same moment in two time zones is the same number of days."""
    utc = pd.DataFrame({"x": pd.to_datetime(["2020-01-01 12:00"]).tz_localize("UTC")})
    tokyo = pd.DataFrame({"x": pd.to_datetime(["2020-01-01 21:00"]).tz_localize("Asia/Tokyo")})
    assert table_from_frame(utc).digest == table_from_frame(tokyo).digest


def test_zones_with_names_and_spans_are_read_as_read_table_does() -> None:
    """A zone that narwhals does not know is a moment all the same, and a span is a number of days."""
    moment = pd.to_datetime(["2020-01-01 12:00"]).tz_localize("America/New_York")
    frame = pd.DataFrame({"x": moment, "span": pd.to_timedelta([12], unit="h")})
    table = table_from_frame(frame)
    assert table["x"].labels() == ["2020-01-01T17:00:00"]
    assert table["span"].labels() == ["0.5"]
    assert table.digest == read_table(frame).digest


def test_sparse_and_wide_integers_are_numbers() -> None:
    """Sparse arrays are filled, and 128-bit integers are read where they fit."""
    sparse = pd.DataFrame({"x": pd.arrays.SparseArray([0, 1.5])})
    assert table_from_frame(sparse)["x"].labels() == ["0", "1.5"]
    wide = pl.DataFrame({"x": pl.Series([7, None], dtype=pl.Int128)})
    assert table_from_frame(wide)["x"].labels() == ["7", None]


def test_a_name_that_occurs_twice_is_named() -> None:
    """The error says which name, and where it stands."""
    with pytest.raises(DataError, match="the same name, 'a'") as caught:
        table_from_frame(pd.DataFrame([[1, 2, 3]], columns=["a", "b", "a"]))
    assert caught.value.where == "columns 1, 3 of 3"


def test_nanoseconds_are_dates_too() -> None:
    """Moments finer than a microsecond are taken without an error."""
    frame = pl.DataFrame({"x": pl.Series([1_500_000_000_000_000_001], dtype=pl.Datetime("ns"))})
    assert table_from_frame(frame)["x"].labels() == ["2017-07-14T02:40:00"]


def test_small_floats_and_decimals_are_numbers() -> None:
    """Every numeric dtype becomes float64."""
    decimals = pa.array([1, None, 3]).cast(pa.decimal128(22, 2))
    table = table_from_frame(pa.table({"d": decimals, "f": pa.array([1, None, 3], pa.float32())}))
    assert table["d"].labels() == ["1", None, "3"]
    assert table["f"].values.dtype == np.float64


@pytest.mark.parametrize(
    ("values", "kind", "labels"),
    [
        (["b", None, "a"], "category", ["b", None, "a"]),
        ([True, None, False], "boolean", ["true", None, "false"]),
        ([2, None, 0.5], "number", ["2", None, "0.5"]),
        ([None, None, None], "category", [None, None, None]),
        ([np.bool_(True), np.nan, False], "boolean", ["true", None, "false"]),
        ([decimal.Decimal("1.5"), None, 2], "number", ["1.5", None, "2"]),
        ([2**70, None, 1], "number", ["1.1805916207174113e+21", None, "1"]),
        ([datetime.date(2020, 2, 29), None, pd.NaT], "date", ["2020-02-29", None, None]),
        ([datetime.time(6), None, datetime.time(12)], "number", ["0.25", None, "0.5"]),
    ],
)
def test_objects_are_what_all_of_them_are(values: list[Any], kind: str, labels: list[Any]) -> None:
    """A pandas column of objects has the kind that all its values share."""
    column = table_from_frame(pd.DataFrame({"x": pd.Series(values, dtype=object)}))["x"]
    assert (column.kind, column.labels()) == (kind, labels)


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pd.DataFrame({"x": pd.Series(["a", 1], dtype=object)}), "mixes objects"),
        (pa.table({"x": [[1, 2], [3]]}), "no kind stands for"),
        (pd.DataFrame({"x": [1 + 2j]}), "no kind stands for"),
        (pl.DataFrame({"x": pl.Series([2**100], dtype=pl.Int128)}), "no kind stands for"),
        (pd.DataFrame({"x": pd.period_range("2020", periods=2, freq="M")}), "no kind stands for"),
        (pd.DataFrame([[1, 2]], columns=["x", "x"]), "same name"),
    ],
)
def test_what_has_no_kind_is_refused(frame: Any, message: str) -> None:
    """Lists, complex numbers, mixed objects and duplicate names are errors with three parts."""
    with pytest.raises(DataError, match=message) as caught:
        table_from_frame(frame)
    assert caught.value.where
    assert caught.value.fix


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (
            [True, 2, 3],
            ("mixes booleans and numbers", "1 boolean and 2 numbers, the first number 2 in row 2"),
        ),
        ([np.array([1, 2]), np.array([3])], ("holds ndarray, which is no single value", "row 1")),
        ([None, {1}, {2}], ("holds set, which is no single value", "row 2")),
    ],
)
@pytest.mark.parametrize("read", [table_from_frame, read_table])
def test_objects_of_no_kind_are_refused_at_both_doors(read: Any, values: Any, words: tuple[str, str]) -> None:
    """Booleans among numbers, and cells that are no single value, are errors with three parts."""
    with pytest.raises(DataError, match=words[0]) as caught:
        read(pd.DataFrame({"x": pd.Series(values, dtype=object)}))
    assert words[1] in caught.value.where
    assert caught.value.fix


def test_mixed_objects_say_where_each_type_begins() -> None:
    """The error names the types and the first row of each."""
    with pytest.raises(DataError, match="mixes objects") as caught:
        table_from_frame(pd.DataFrame({"x": pd.Series([None, "a", pd.NA, 1], dtype=object)}))
    assert caught.value.where == "4 rows: str first in row 2, int first in row 4"


@pytest.mark.parametrize(
    "empty",
    [pl.Series([None] * 3), pa.nulls(3), pd.array([None] * 3, dtype=pd.ArrowDtype(pa.null()))],
    ids=["polars", "arrow", "pandas"],
)
def test_a_column_of_the_type_of_nulls_has_no_known_value(empty: Any) -> None:
    """It is a number without a value, in a frame as for read_table."""
    frame = {pl.Series: pl.DataFrame, pa.NullArray: pa.table}.get(type(empty), pd.DataFrame)({"b": empty})
    column = table_from_frame(frame)["b"]
    assert (column.kind, column.n_missing, column.reason) == ("number", 3, "no value in any row")
    assert read_table(frame)["b"].kind == "number"


def test_what_is_not_a_frame_is_refused() -> None:
    """A lazy frame and a list are not frames in memory."""
    for other in (pl.LazyFrame({"x": [1]}), [1, 2]):
        with pytest.raises(InputTypeError, match="not a frame"):
            table_from_frame(other)
    assert is_frame(pd.DataFrame())
    assert not is_frame([1])


def test_names_that_are_not_strings_become_strings() -> None:
    """Numbered columns of pandas are named by their numbers."""
    assert table_from_frame(pd.DataFrame(np.zeros((1, 2)))).names == ("0", "1")
