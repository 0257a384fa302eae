"""What a statistic is without each row, or each group: the raw material of the jackknife and of BCa."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError, KindError, RequestError
from heldout.table.describe import plural

Numbers = NDArray[np.float64]
Rows = NDArray[np.intp]
Statistic = Callable[..., Any]


def resampled_arrays(arrays: Sequence[Any], caller: str) -> list[NDArray[Any]]:
    """The arrays as NumPy has them; all must have the same number of rows.

    >>> [array.shape for array in resampled_arrays([[1, 2], [[1, 0], [0, 1]]], "bootstrap")]
    [(2,), (2, 2)]
    """
    if not arrays:
        raise RequestError(
            f"{caller} needs at least one array",
            where=f"{caller}(statistic)",
            fix="give the rows to resample",
        )
    found = [np.asarray(array) for array in arrays]
    lengths = [array.shape[0] if array.ndim else None for array in found]
    if None in lengths:
        raise KindError(
            "an array has no rows",
            where=f"array {lengths.index(None) + 1} of {len(found)} is {arrays[lengths.index(None)]!r:.40}",
            fix="give arrays; put what is not resampled into the statistic",
        )
    if len(set(lengths)) > 1:
        raise DataError(
            "the arrays have different numbers of rows",
            where=f"rows: {', '.join(map(str, lengths))}",
            fix="give arrays of the same rows; put what is not resampled into the statistic",
        )
    return found


def value_of(statistic: Statistic, arrays: Sequence[NDArray[Any]], where: str) -> float:
    """The statistic of these arrays as a float; NaN is allowed and means that there is none.

    where: which arrays they are, for the error

    >>> value_of(np.mean, [np.array([1.0, 2.0])], "all rows")
    1.5
    """
    try:
        with np.errstate(all="ignore"):  # 0/0 is NaN, and counted
            value = statistic(*arrays)
    except Exception as error:
        raise RequestError(
            f"the statistic failed: {type(error).__name__}: {str(error)[:200]}",
            where=where,
            fix="let it return NaN for rows that have no value, or give stratify so that no class is missing",
        ) from error
    array = np.asarray(value)
    if array.size != 1 or array.dtype.kind not in "biuf":
        raise KindError(
            "the statistic must give one number",
            where=f"{where}: it gave {value!r:.60}",
            fix="return a float; bootstrap each number by itself",
        )
    return float(array.reshape(-1)[0])


def left_out_values(statistic: Statistic, arrays: Sequence[NDArray[Any]], parts: Sequence[Rows]) -> Numbers:
    """The statistic without each of these parts of the rows.

    >>> left_out_values(np.mean, [np.array([1.0, 2.0, 6.0])], [np.array([0]), np.array([1, 2])])
    array([4., 1.])
    """
    is_kept = np.ones(len(arrays[0]), dtype=np.bool_)
    values = np.empty(len(parts))
    for place, part in enumerate(parts):
        is_kept[part] = False
        kept = [array[is_kept] for array in arrays]
        where = f"part {place + 1} of {len(parts)} left out, {plural(len(kept[0]), 'row')} kept"
        values[place] = value_of(statistic, kept, where)
        is_kept[part] = True
    return values
