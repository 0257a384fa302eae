"""Whether two forests are the same, bit for bit, and some tables to grow them from."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from heldout.native.forests import GrownForest


def differing_arrays(one: GrownForest, other: GrownForest) -> list[str]:
    """The names of the arrays in which two forests differ."""
    pairs = [
        (field.name, getattr(one, field.name), getattr(other, field.name)) for field in fields(GrownForest)
    ]
    return [
        name
        for name, mine, yours in pairs
        if mine.dtype != yours.dtype or mine.shape != yours.shape or mine.tobytes() != yours.tobytes()
    ]


def differing_parts(one: Any, other: Any) -> list[str]:
    """Where two fitted forests differ: in their arrays, or in what else `fit` has set."""
    names = {name for learner in (one, other) for name in vars(learner) if name.endswith("_")}
    found = differing_arrays(one.forest_, other.forest_)
    if one.feature_importances_.tobytes() != other.feature_importances_.tobytes():
        found.append("feature_importances_")
    for name in sorted(names - {"forest_", "inputs_"}):
        mine, yours = getattr(one, name, None), getattr(other, name, None)
        same = np.array_equal(mine, yours, equal_nan=np.asarray(mine).dtype.kind == "f")
        found += [] if same else [name]
    return found


def blobs(n_rows: int = 200, n_columns: int = 5, n_classes: int = 3, seed: int = 0) -> tuple[Any, Any]:
    """Numbers, and classes that depend on some of them, with noise."""
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n_rows, n_columns))
    score = X[:, 0] + X[:, 1] * X[:, min(2, n_columns - 1)] + 0.5 * draw.normal(size=n_rows)
    return X, np.digitize(score, np.quantile(score, np.arange(1, n_classes) / n_classes))


def slopes(n_rows: int = 200, n_columns: int = 5, seed: int = 0) -> tuple[Any, Any]:
    """Numbers, and a target that depends on some of them, with noise."""
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n_rows, n_columns))
    return X, 3 * X[:, 0] + X[:, 1] ** 2 + draw.normal(size=n_rows)
