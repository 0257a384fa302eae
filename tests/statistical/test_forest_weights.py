"""Bootstrapped forests: a weight is a number of rows, on average over the draws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import heldout as ho

from .noise import farthest

N_SEEDS = 200
N_ROWS = 60
Numbers = NDArray[np.float64]

DRAW = np.random.default_rng(0)
X, NEW = DRAW.normal(size=(N_ROWS, 4)), DRAW.normal(size=(40, 4))
Y = X[:, 0] + X[:, 1] ** 2 + 0.5 * DRAW.normal(size=N_ROWS)
WEIGHTS = DRAW.integers(0, 5, N_ROWS).astype(np.float64)

SETTINGS: list[tuple[Any, dict[str, Any]]] = [
    (ho.ForestClassifier, {}),
    (ho.ForestClassifier, {"sample_fraction": 0.5, "max_features": None, "combine": "vote"}),
    (ho.ForestClassifier, {"min_leaf": 4, "criterion": "entropy"}),
    (ho.ForestRegressor, {}),
    (ho.ForestRegressor, {"sample_fraction": 0.5, "min_leaf": 5}),
]


def answers(
    kind: Any, setting: dict[str, Any], weights: Numbers, is_repeated: bool, first_seed: int
) -> Numbers:
    """Seed × new row: what small forests answer, from rows with weights or from repeated rows."""
    y = (Y > 1).astype(int) if kind is ho.ForestClassifier else Y
    times = weights.astype(int)
    rows = (X.repeat(times, axis=0), y.repeat(times)) if is_repeated else (X, y, weights)
    found = []
    for seed in range(first_seed, first_seed + N_SEEDS):
        forest = kind(8, random_state=seed, **setting).fit(*rows)
        found.append(forest.predict(NEW) if kind is ho.ForestRegressor else forest.predict_proba(NEW)[:, 1])
    return np.array(found)


@pytest.mark.parametrize(("kind", "setting"), SETTINGS)
def test_weighted_and_repeated_rows_answer_alike_on_average(kind: Any, setting: dict[str, Any]) -> None:
    """Over 200 seeds the mean answers of weighted and repeated rows agree; those without weights do not."""
    repeated = answers(kind, setting, WEIGHTS, True, 0)
    weighted = answers(kind, setting, WEIGHTS, False, 10_000)
    without = answers(kind, setting, np.ones(N_ROWS), False, 20_000)
    assert farthest(weighted, repeated) < 1
    assert farthest(without, repeated) > 1
