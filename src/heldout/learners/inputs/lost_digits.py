"""A warning where whole numbers are too large for a float to tell neighbors apart."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import narwhals as nw
from numpy.typing import NDArray

LARGEST_EXACT = 2**53


def warn_of_lost_digits(X: Any, is_frame: bool, stacklevel: int) -> None:
    """Name the columns of integers of which some change when they become floats.

    X:          an array of numbers, or a frame
    stacklevel: as for warnings.warn, counted from the caller
    """
    for name, values in _large_columns_of_frame(X) if is_frame else _large_columns_of_array(X):
        n_changed = sum(int(float(value)) != value for value in values)
        if n_changed:
            warnings.warn(
                f"column '{name}': {n_changed} of {len(values)} whole numbers lie beyond 2^53 and lose their"
                " last digits, so different ones may become equal; drop the column if it only numbers the"
                " rows, make it strings if it is a category, or subtract a constant",
                stacklevel=stacklevel + 1,
            )


def _large_columns_of_array(X: NDArray[Any]) -> list[tuple[str, Sequence[int]]]:
    if X.dtype.kind not in "iu" or X.dtype.itemsize < 8 or _is_exact(X.min(), X.max()):
        return []
    lowest, highest = X.min(axis=0), X.max(axis=0)
    return [
        (f"x{position}", X[:, position].tolist())
        for position in range(X.shape[1])
        if not _is_exact(lowest[position], highest[position])
    ]


def _large_columns_of_frame(frame: Any) -> list[tuple[str, Sequence[int]]]:
    series = nw.from_native(frame, eager_only=True).iter_columns()
    wide = [each for each in series if each.dtype in (nw.Int64, nw.UInt64, nw.Int128, nw.UInt128)]
    return [
        (str(each.name), each.drop_nulls().to_list())
        for each in wide
        if each.null_count() < len(each) and not _is_exact(each.min(), each.max())
    ]


def _is_exact(lowest: Any, highest: Any) -> bool:
    """Whether every whole number of this range is a float."""
    return int(lowest) >= -LARGEST_EXACT and int(highest) <= LARGEST_EXACT
