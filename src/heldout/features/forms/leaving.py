"""How what a transformer made leaves it: in the form in which X came, or as `set_output` asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config

from heldout.table.arrow_table import arrow_from_columns
from heldout.table.column import NUMERIC_KINDS, Column
from heldout.table.table import Table


def leaving_columns(transformer: Any, X: Any, form: str, columns: Sequence[Column]) -> Any:
    """Columns as a Table, as an array, or as the frame that was asked for.

    X:    what came, whose index a pandas frame keeps
    form: "table" or "array"
    """
    asked = asked_container(transformer)
    if asked != "default":
        return _frame(asked, X, columns)
    return Table(columns) if form == "table" else array_of(columns)


def asked_container(transformer: Any) -> str:
    """What `set_output` or scikit-learn's configuration asks for: "default", "pandas" or "polars"."""
    own: dict[str, str] = getattr(transformer, "_sklearn_output_config", {})
    configured: str = get_config()["transform_output"]
    return own.get("transform", configured)


def made_by(transformer: Any) -> str:
    """Why a column that it made has its kind."""
    return f"made by {type(transformer).__name__}"


def array_of(columns: Sequence[Column]) -> NDArray[Any]:
    """Numbers as float64; with other kinds among the columns an array of objects, None for missing."""
    n_rows = len(columns[0]) if columns else 0
    if all(column.kind in NUMERIC_KINDS for column in columns):
        numbers = np.empty((n_rows, len(columns)), dtype=np.float64)
        for place, column in enumerate(columns):
            numbers[:, place] = column.values
        return numbers
    objects = np.empty((n_rows, len(columns)), dtype=object)
    for place, column in enumerate(columns):
        objects[:, place] = np.asarray(column).tolist()
    return objects


def _frame(container: str, X: Any, columns: Sequence[Column]) -> Any:
    arrow = arrow_from_columns(columns)
    if container == "polars":
        import polars

        return polars.from_arrow(arrow)
    frame = arrow.to_pandas()
    if type(X).__module__.partition(".")[0] == "pandas":
        frame.index = X.index
    return frame
