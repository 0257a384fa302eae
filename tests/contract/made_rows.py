"""Rows of every form that a transformer takes, some of which can be made anew, as different as can be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray
from scipy.sparse import csr_array

from heldout import Column, Table
from heldout.table.column import category_column

WORDS = [
    "the",
    "film",
    "was",
    "groovy",
    "and",
    "warm",
    "but",
    "slow",
    "in",
    "its",
    "second",
    "half;",
    "a",
    "joy,",
    "truly:",
    "don't",
    "miss",
    "it",
]
OTHER_WORDS = ["naïve", "façade", "ünique", "été", "groovy", "ΣΑΣ"]


def made_rows(form: str, n_rows: int, is_other: NDArray[np.bool_]) -> Any:
    """X of this form; rows that are other hold values, levels and words that no row else has.

    The rows that are not other are the same whatever the others are.
    """
    maker: Callable[[int, NDArray[np.bool_]], Any] = _MAKERS[form]
    return maker(n_rows, is_other)


def answers(n_rows: int) -> NDArray[np.int64]:
    """Two classes that depend on the first number of `made_rows`."""
    return (_draws(n_rows)[:, 0] > 0.5).astype(np.int64)


def taken(X: Any, rows: Any) -> Any:
    """Some rows of X."""
    if isinstance(X, pd.DataFrame):
        return X.iloc[rows]
    return [X[row] for row in rows] if isinstance(X, list) else X[rows]


def _draws(n_rows: int, n_columns: int = 8) -> NDArray[np.float64]:
    return np.random.default_rng(7).random((n_rows, n_columns))


def _gaps(values: NDArray[np.float64], place: int) -> NDArray[np.float64]:
    gapped = values.copy()
    gapped[place::7] = np.nan
    return gapped


def _table(n_rows: int, is_other: NDArray[np.bool_], has_gaps: bool = True) -> Table:
    draws = _draws(n_rows)
    size = np.where(is_other, 1e6 * draws[:, 1], draws[:, 0])
    count = np.where(is_other, 77.0, np.floor(4 * draws[:, 1]))
    day = np.where(is_other, 90_000.0, np.floor(18_000 + 30 * draws[:, 2]))
    color = [
        f"other{row % 3}" if other else ("red", "green", "blue")[int(3 * draw)]
        for row, (other, draw) in enumerate(zip(is_other, draws[:, 3], strict=True))
    ]
    paid = np.where(is_other, 1, (draws[:, 4] > 0.5).astype(np.int32)).astype(np.int32)
    texts = _documents(n_rows, is_other)
    if has_gaps:
        size, day = _gaps(size, 2), _gaps(day, 5)
        color = [None if row % 11 == 3 else level for row, level in enumerate(color)]
        paid[4::13] = -1
        texts = [None if row % 9 == 6 else text for row, text in enumerate(texts)]
    return Table(
        [
            Column("size", "number", size),
            Column("count", "number", count),
            Column("day", "date", day),
            category_column("color", color),
            Column("paid", "boolean", paid, ("no", "yes")),
            Column("note", "text", np.array(texts, dtype=object)),
        ]
    )


def _whole(n_rows: int, is_other: NDArray[np.bool_]) -> Table:
    return _table(n_rows, is_other, has_gaps=False)


def _array(n_rows: int, is_other: NDArray[np.bool_]) -> NDArray[np.float64]:
    draws = _draws(n_rows)
    whole = np.where(is_other[:, None], 1e6 * draws, draws)
    whole[:, 3] = np.floor(np.where(is_other, 50.0, 3 * draws[:, 3]))
    whole[1::6, 4] = np.nan
    return whole


def _words(n_rows: int, is_other: NDArray[np.bool_]) -> NDArray[Any]:
    table = _table(n_rows, is_other)
    columns = [np.asarray(table[name]).tolist() for name in ("size", "count", "color")]
    objects = np.empty((n_rows, 3), dtype=object)
    for place, values in enumerate(columns):
        objects[:, place] = values
    return objects


def _sparse(n_rows: int, is_other: NDArray[np.bool_]) -> Any:
    draws = _draws(n_rows, 12)
    dense = np.where(draws > 0.7, np.where(is_other[:, None], 1e6, 1.0) * draws, 0.0)
    return csr_array(dense)


def _gapped_sparse(n_rows: int, is_other: NDArray[np.bool_]) -> Any:
    rows = _sparse(n_rows, is_other)
    rows.data[np.arange(len(rows.data)) % 9 == 4] = np.nan
    return rows


def _frame(n_rows: int, is_other: NDArray[np.bool_]) -> pd.DataFrame:
    """A pandas frame, whose categorical knows the levels of all rows, wherever it is cut."""
    frame = pa.table(_table(n_rows, is_other)).to_pandas()
    assert frame["color"].dtype == "category"
    frame.index = pd.Index(np.arange(n_rows)[::-1] * 3)
    return frame


def _documents(n_rows: int, is_other: NDArray[np.bool_]) -> list[Any]:
    draws = np.random.default_rng(8).integers(0, len(WORDS), (n_rows, 12))
    return [
        " ".join(OTHER_WORDS[word % len(OTHER_WORDS)] if other else WORDS[word] for word in row)
        for other, row in zip(is_other, draws.tolist(), strict=True)
    ]


def _images(n_rows: int, is_other: NDArray[np.bool_]) -> NDArray[np.float64]:
    pixels = np.random.default_rng(9).random((n_rows, 12, 12))
    pixels[:, 3:9, 4:10] += 2.0
    return np.where(is_other[:, None, None], 100.0 * pixels[:, ::-1], pixels)


_MAKERS: dict[str, Callable[[int, NDArray[np.bool_]], Any]] = {
    "table": _table,
    "whole": _whole,
    "array": _array,
    "words": _words,
    "sparse": _sparse,
    "sparse with gaps": _gapped_sparse,
    "frame": _frame,
    "documents": _documents,
    "images": _images,
}
