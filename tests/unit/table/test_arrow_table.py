"""Typed columns as Arrow: any library of frames gets back what the table says."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from heldout import Column, DataError, Table, read_table
from heldout.table.arrow_table import arrow_from_columns
from heldout.table.column import category_column
from heldout.table.frames import table_from_frame

TABLE = Table(
    [
        Column("age", "number", np.array([41.0, np.nan, 29.5])),
        Column("day", "date", np.array([0.0, 19_000.25, np.nan])),
        category_column("wind", ["weak", None, "strong"]),
        Column("paid", "boolean", np.array([1, 0, -1], dtype=np.int32), ("false", "true")),
        Column("said", "boolean", np.array([0, 1, -1], dtype=np.int32), ("No", "Yes")),
        Column("note", "text", np.array(["a b", None, ""], dtype=object)),
    ]
)


def test_every_kind_has_its_type() -> None:
    """Values and gaps of all kinds are there, words of a boolean too."""
    arrow = arrow_from_columns(TABLE.columns)
    assert arrow.column_names == list(TABLE.names)
    assert arrow["age"].to_pylist()[::2] == [41.0, 29.5]
    assert np.isnan(arrow["age"].to_pylist()[1])
    moment = datetime.datetime(2022, 1, 8, 6)
    assert arrow["day"].to_pylist() == [datetime.datetime(1970, 1, 1), moment, None]
    assert arrow["wind"].to_pylist() == ["weak", None, "strong"]
    assert arrow["paid"].to_pylist() == [True, False, None]
    assert arrow["said"].to_pylist() == ["No", "Yes", None]
    assert arrow["note"].to_pylist() == ["a b", None, ""]


def test_frames_come_back_as_they_went() -> None:
    """A table that went through pandas or polars has the same kinds and values, by dtype alone."""
    names = ["age", "day", "wind", "paid"]
    there = TABLE.select(names)
    arrow = arrow_from_columns(there.columns)
    for frame in (arrow.to_pandas(), pl.from_arrow(arrow), arrow):
        back = table_from_frame(frame)
        assert back.kinds == there.kinds
        assert back.digest == there.digest


def test_a_selection_of_rows_leaves_the_others_behind() -> None:
    """Levels that no selected row has are not in the frame."""
    arrow = arrow_from_columns(TABLE[[0]].columns)
    assert arrow["wind"].combine_chunks().dictionary.to_pylist() == ["weak"]


def test_an_empty_selection_is_a_frame_without_rows() -> None:
    """No rows give a frame of no rows, with the names."""
    frame = arrow_from_columns(read_table({"a": [1.0], "b": ["x"]}).take(slice(0, 0)).columns).to_pandas()
    assert isinstance(frame, pd.DataFrame)
    assert frame.shape == (0, 2)


def test_libraries_of_frames_take_a_table_itself() -> None:
    """Polars and Arrow make their own tables of one, by Arrow's protocol, rows selected and all."""
    assert pl.DataFrame(TABLE[[2, 0]])["wind"].to_list() == ["strong", "weak"]
    assert pa.table(TABLE)["paid"].to_pylist() == [True, False, None]


def test_half_a_character_is_refused_with_its_column() -> None:
    """A lone surrogate, in a text or a level, is no character: the error names the column."""
    for column in (
        Column("note", "text", np.array(["\ud800", None], dtype=object)),
        Column("note", "category", np.array([0, -1], dtype=np.int32), ("\ud800",)),
    ):
        with pytest.raises(DataError, match="column 'note' has a lone surrogate"):
            arrow_from_columns([column])
