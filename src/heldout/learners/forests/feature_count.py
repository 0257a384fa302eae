"""How many columns are drawn for a node: what `max_features` means for so many columns."""

from __future__ import annotations

import math
from numbers import Integral
from typing import Any

from heldout.errors import RequestError
from heldout.learners.parameters import Parameter
from heldout.table.describe import plural

MAX_FEATURES = Parameter(
    "max_features", choices=("sqrt", "log2", None), number="number", lowest=0, is_above=True
)


def n_drawn_columns(max_features: Any, n_columns: int) -> int:
    """The number of columns that are drawn for each node, at least one.

    max_features: "sqrt", "log2", None for all, a number of columns, or a share of them as a float,
                  which is rounded up

    >>> [n_drawn_columns(given, 20) for given in ("sqrt", "log2", None, 7, 1 / 3)]
    [4, 4, 20, 7, 7]
    """
    if max_features is None:
        return n_columns
    if max_features == "sqrt":
        return max(1, math.isqrt(n_columns))
    if max_features == "log2":
        return max(1, n_columns.bit_length() - 1)
    is_count = isinstance(max_features, Integral)
    if max_features > (n_columns if is_count else 1.0):
        raise RequestError(
            f"max_features={max_features!r} is more than there is",
            where=f"X has {plural(n_columns, 'column')}",
            fix=f"set max_features to an integer of at most {n_columns}, or to a share of at most 1.0; None"
            " takes all columns",
        )
    if is_count:
        return int(max_features)
    # A product such as 0.1 * 30 lies a little above its whole number.
    return max(1, math.ceil(float(max_features) * n_columns - 1e-9))
