"""The same rows in every form in which they can come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from hypothesis import strategies as st

from heldout import Column, Table
from heldout.table.column import category_column

# Few distinct numbers, so that some occur twice; of very different size.
NUMBERS = st.sampled_from([0.0, -0.0, 1.0, 2.5, -3.0, 0.1, 1e-200, -1e6, 1e16, 1e16 + 2])
WORDS = st.sampled_from(["red", "green", "blue", "10", "9", "é", " "])


def gappy(values: st.SearchStrategy[Any], min_size: int = 1) -> st.SearchStrategy[list[Any]]:
    """Lists of values, some of them missing."""
    return st.lists(st.none() | values, min_size=min_size, max_size=12)


def mixed_table(n_rows: int = 6) -> Table:
    """A number, a date, a category, a boolean, a text and an identifier, each with a gap in row 1."""
    days = np.array([18_000.0, np.nan, 18_002, 18_010, 18_010, 18_004])
    return Table(
        [
            Column("age", "number", np.array([41.0, np.nan, 29, 30, 29, 50])),
            Column("day", "date", days),
            category_column("wind", ["weak", None, "strong", "weak", "weak", "strong"]),
            Column("paid", "boolean", np.array([0, -1, 1, 1, 1, 0], dtype=np.int32), ("no", "yes")),
            Column("note", "text", np.array(["a", None, "b", "c", "d", "e"], dtype=object)),
            Column("id", "identifier", np.array(["1", None, "3", "4", "5", "6"], dtype=object)),
        ]
    )[:n_rows]


def numbers_table(rows: np.ndarray[Any, np.dtype[np.float64]]) -> Table:
    """A Table of the columns x0, x1, …"""
    return Table([Column(f"x{place}", "number", rows[:, place].copy()) for place in range(rows.shape[1])])


def pandas_words(name: str, words: Sequence[str | None]) -> pd.DataFrame:
    """A frame of one column of strings."""
    return pd.DataFrame({name: pd.Series(words, dtype="str")})


def polars_words(name: str, words: Sequence[str | None]) -> pl.DataFrame:
    """The same by polars."""
    return pl.DataFrame({name: pl.Series(words, dtype=pl.String)})


def labels(table: Table) -> dict[str, list[str | None]]:
    """What each column of a table says."""
    return {name: table[name].labels() for name in table.names}
