"""One weight per column, from a list or from names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import HeldoutError, RequestError
from heldout.learners.inputs.input_schema import column_positions

FIX = "give one number of at least 0 per column, or a dict of names and numbers; not all of them 0"


def weights_of_columns(feature_weights: Any, names: list[str]) -> NDArray[np.float64]:
    """What each column counts in a distance; 1 for a column that is not named.

    feature_weights: None, one number per column, or a dict of names, or positions, with numbers

    >>> weights_of_columns({"b": 4}, ["a", "b"]).tolist()
    [1.0, 4.0]
    """
    weights = np.ones(len(names))
    if feature_weights is None:
        return weights
    if isinstance(feature_weights, Mapping):
        positions = column_positions(list(feature_weights), names)
        if positions is None:
            unknown = next(name for name in feature_weights if column_positions([name], names) is None)
            raise _refusal(f"it names {unknown!r:.40}, which is not a column")
        weights[positions] = _numbers(list(feature_weights.values()))
    else:
        weights = _numbers(feature_weights)
    if weights.shape != (len(names),):
        raise _refusal(f"shape {weights.shape} for {len(names)} columns")
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if len(wrong):
        raise _refusal(f"column '{names[wrong[0]]}' has the weight {weights[wrong[0]]:g}")
    if not weights.any():
        raise _refusal(f"all {len(names)} columns have the weight 0")
    return weights


def _numbers(values: Any) -> NDArray[np.float64]:
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise _refusal(f"{values!r:.60}") from error


def _refusal(where: str) -> HeldoutError:
    return RequestError("feature_weights are no weights of the columns", where=where, fix=FIX)
