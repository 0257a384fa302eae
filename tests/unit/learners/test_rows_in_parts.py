"""Rows that are split among leaves: smoothing changes their probabilities and decides nothing."""

from __future__ import annotations

import numpy as np
import pytest

import heldout as ho

from .random_tables import other_rows, random_classes, random_rows

N_ROWS = 120
WEIGHTS = (None, {"red": 1.0, "green": 3.0, "blue": 0.5})


@pytest.mark.parametrize("class_weight", WEIGHTS, ids=["alike", "weighted"])
@pytest.mark.parametrize("seed", range(4))
def test_smoothing_decides_nothing(seed: int, class_weight: dict[str, float] | None) -> None:
    """Whatever is added to the leaves, predictions are those of the plain shares of weight."""
    X, y, new = random_rows(seed, N_ROWS), random_classes(seed, N_ROWS), other_rows(seed)
    plain, smooth = (
        ho.TreeClassifier(prune=None, smoothing=m, class_weight=class_weight).fit(X, y) for m in (0, 9)
    )
    assert np.abs(plain.predict_proba(new) - smooth.predict_proba(new)).max() > 0.1
    predicted = plain.predict(new).tolist()
    assert smooth.predict(new).tolist() == predicted
    assert smooth.rules().predict(new).tolist() == predicted
    swept = smooth.sweep(X, y, {"max_depth": [None, 3]}).predict(new)
    assert swept[0].tolist() == predicted


@pytest.mark.parametrize("seed", [73, 86, 105])
def test_parts_of_certain_leaves_add_up_to_one(seed: int) -> None:
    """Parts that all end in leaves of one class add up to a probability of 1, and to no more by rounding."""
    draw = np.random.default_rng(seed)
    place, size = draw.integers(0, 5, 90), draw.random(90)
    y = np.where(size > np.array([0.1, 0.8, 0.2, 0.9, 0.05])[place], "yes", "no")
    tree = ho.TreeClassifier(categorical=[0], prune=None, min_leaf=1, smoothing=0)
    weights = np.random.default_rng(seed).uniform(0.5, 2, 90)
    tree.fit(np.column_stack([place.astype(float), size]), y, sample_weight=weights)
    new = [[np.nan, size] for size in np.linspace(0, 1, 41)]
    for told in (tree.predict_proba(new), tree.rules().predict_proba(new)):
        assert told.max() == 1.0
        assert told.min() == 0.0
