"""Which columns `categorical` means: names, positions, or a mask with a bool for every column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from heldout.errors import RequestError
from heldout.learners.inputs.input_schema import column_positions


def category_positions(categorical: Any, names: Sequence[str]) -> list[int]:
    """The positions of the columns that `categorical` makes categories.

    categorical: "auto", which names none, or a list, a tuple or an array
    names:       of all columns

    >>> category_positions(["b"], ["a", "b"]), category_positions([True, False], ["a", "b"])
    ([1], [0])
    """
    if isinstance(categorical, str):
        return []
    wanted = list(categorical)
    if any(isinstance(entry, bool | np.bool_) for entry in wanted):
        return _masked_positions(wanted, len(names))
    positions = column_positions(wanted, names)
    if positions is None:
        unknown = next(entry for entry in wanted if column_positions([entry], names) is None)
        raise RequestError(
            "categorical names a column that is not there",
            where=f"categorical has {unknown!r:.40}, the columns are {', '.join(names[:6])}"
            + (", …" if len(names) > 6 else ""),
            fix="use names, positions from 0 on, or a mask with one bool per column",
        )
    return positions


def _masked_positions(mask: list[Any], n_columns: int) -> list[int]:
    n_bools = sum(isinstance(entry, bool | np.bool_) for entry in mask)
    if n_bools < len(mask) or len(mask) != n_columns:
        raise RequestError(
            "categorical is no mask of the columns",
            where=f"{n_bools} of {len(mask)} entries are bools, X has {n_columns} columns",
            fix="give one bool per column, or name the columns by name or position",
        )
    return [position for position, is_meant in enumerate(mask) if is_meant]
