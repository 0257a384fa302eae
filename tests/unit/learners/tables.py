"""One small mixed table in every form in which X can enter."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

from heldout import Column, Table
from heldout.table.column import category_column

DAY_ZERO = datetime.date(2020, 2, 27)


def mixed_cells(n_rows: int = 60, seed: int = 3) -> dict[str, list[object]]:
    """A number, a category, a boolean and a date, each with gaps, as Python lists."""
    draw = np.random.default_rng(seed)
    gaps = draw.random((n_rows, 4)) < 0.1
    cells: dict[str, list[object]] = {
        "age": [float(value) for value in draw.integers(18, 80, n_rows)],
        "town": [str(value) for value in draw.choice(["Ulm", "Bonn", "Köln", "Aachen"], n_rows)],
        "member": [bool(value) for value in draw.integers(0, 2, n_rows)],
        "joined": [DAY_ZERO + datetime.timedelta(days=int(value)) for value in draw.integers(0, 90, n_rows)],
    }
    return {
        name: [None if is_gap else value for value, is_gap in zip(values, gaps[:, place], strict=True)]
        for place, (name, values) in enumerate(cells.items())
    }


def mixed_answers(cells: dict[str, list[object]], seed: int = 4) -> np.ndarray:
    """Classes that depend on the town and the age, with noise."""
    draw = np.random.default_rng(seed)
    told = [
        (town in ("Ulm", "Bonn")) ^ ((age or 50) > 45)
        for town, age in zip(cells["town"], cells["age"], strict=True)
    ]
    noise = draw.random(len(told)) < 0.15
    return np.where(np.array(told) ^ noise, "stays", "leaves")


def as_pandas(cells: dict[str, list[object]]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "age": pd.Series(cells["age"], dtype="float64"),
            "town": pd.Series(cells["town"], dtype="category"),
            "member": pd.Series(cells["member"], dtype="boolean"),
            "joined": pd.to_datetime(pd.Series(cells["joined"])),
        }
    )


def as_polars(cells: dict[str, list[object]]) -> pl.DataFrame:
    return pl.DataFrame(cells)


def as_arrow(cells: dict[str, list[object]]) -> pa.Table:
    return pa.table(cells)


def as_table(cells: dict[str, list[object]]) -> Table:
    epoch = datetime.date(1970, 1, 1)
    days = [np.nan if day is None else float((day - epoch).days) for day in cells["joined"]]
    member = [-1 if value is None else int(value) for value in cells["member"]]
    return Table(
        [
            Column("age", "number", np.array([np.nan if age is None else age for age in cells["age"]])),
            category_column("town", cells["town"]),
            Column("member", "boolean", np.array(member, dtype=np.int32), ("false", "true")),
            Column("joined", "date", np.array(days)),
        ]
    )


FORMS = {"pandas": as_pandas, "polars": as_polars, "arrow": as_arrow, "table": as_table}
