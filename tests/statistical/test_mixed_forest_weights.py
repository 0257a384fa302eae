"""With categories and gaps, too, a row of weight 5 counts in a forest as five copies of it do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

import heldout as ho

from .noise import farthest

N_SEEDS = 300
N_ROWS = 80
WEIGHTS = np.random.default_rng(1).choice([0, 1, 1, 2, 5], N_ROWS)


def made_rows(seed: int, n_rows: int) -> pd.DataFrame:
    """Two numbers, one with gaps, and a category."""
    generator = np.random.default_rng(seed)
    x0, x1 = generator.normal(size=(2, n_rows))
    level = generator.choice(["a", "b", "c", "d"], n_rows)
    return pd.DataFrame(
        {"x0": x0, "x1": np.where(generator.random(n_rows) < 0.1, np.nan, x1), "level": level}
    )


ROWS = made_rows(2, N_ROWS)
QUERIES = made_rows(3, 25)
SCORE = np.nan_to_num(ROWS["x0"] + ROWS["x1"]) + ROWS["level"].isin(["a", "c"]) + np.linspace(-1, 1, N_ROWS)
TARGETS = {
    ho.ForestClassifier: np.where(SCORE < 0, "low", np.where(SCORE > 1, "high", "middle")),
    ho.ForestRegressor: SCORE.to_numpy(),
}
SETTINGS: list[tuple[Any, dict[str, Any]]] = [
    (ho.ForestClassifier, {}),
    (ho.ForestClassifier, {"combine": "vote", "max_depth": 3, "missing": "column_mode"}),
    (ho.ForestClassifier, {"sample_fraction": 0.5, "criterion": "entropy", "class_weight": "balanced"}),
    (ho.ForestRegressor, {}),
    (ho.ForestRegressor, {"max_features": 1, "min_leaf": 3}),
]


def answers(kind: Any, setting: dict[str, Any], weights: Any, are_copied: bool, first: int) -> NDArray[Any]:
    """Seed × place: what forests of five trees answer for the queries."""
    rows = np.repeat(np.arange(N_ROWS), weights if are_copied else 1)
    X, y = ROWS.iloc[rows], TARGETS[kind][rows]
    found = []
    for seed in range(first, first + N_SEEDS):
        forest = kind(n_trees=5, random_state=seed, **setting)
        forest.fit(X, y, sample_weight=None if are_copied else weights)
        ask = forest.predict_proba if kind is ho.ForestClassifier else forest.predict
        found.append(np.ravel(ask(QUERIES)))
    return np.array(found)


@pytest.mark.parametrize(("kind", "setting"), SETTINGS, ids=lambda value: getattr(value, "__name__", None))
def test_weights_count_as_copies(kind: Any, setting: dict[str, Any]) -> None:
    """Mean answers over 300 seeds are those for repeated rows, and would not be if weights were ignored."""
    copied = answers(kind, setting, WEIGHTS, True, 0)
    weighted = answers(kind, setting, WEIGHTS, False, 10_000)
    ignored = answers(kind, setting, np.ones(N_ROWS), False, 20_000)
    assert farthest(weighted, copied) < 1
    assert farthest(ignored, copied) > 2
    assert farthest(ignored, weighted) > 2
