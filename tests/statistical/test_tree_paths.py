"""What paths of trees give a perceptron on data that are drawn anew again and again."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.model_selection import KFold, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline

import heldout as ho

from .noise import is_centered

N_REPEATS = 200
N_ROWS = 120


def drawn(seed: int, has_interaction: bool = True) -> tuple[ho.Table, np.ndarray]:
    """Two numbers and two categories; the class hangs on two of them together, one in ten is wrong.

    has_interaction: else the class hangs on nothing
    """
    draw = np.random.default_rng((seed, 11))
    size, mass = draw.uniform(-1, 1, (2, N_ROWS))
    town = draw.choice(["Bonn", "Trier", "Ulm"], N_ROWS)
    wet = draw.choice(["no", "yes"], N_ROWS)
    told = (size > 0.2) ^ (wet == "yes")
    y = told ^ (draw.random(N_ROWS) < 0.1) if has_interaction else draw.random(N_ROWS) < 0.5
    return ho.read_table({"size": size, "mass": mass, "town": town.tolist(), "wet": wet.tolist()}), y


def perceptron(*steps: Any) -> Pipeline:
    return make_pipeline(*steps, ho.OneHot(), ho.Perceptron(epochs=20))


def test_paths_help_where_columns_interact() -> None:
    """Over 200 tables held-out accuracy is well above chance with paths, and near it without."""
    scores = np.array(
        [
            [
                cross_val_score(learner, X, y, cv=3).mean()
                for learner in (perceptron(), perceptron(ho.TreePaths()))
            ]
            for X, y in map(drawn, range(N_REPEATS))
        ]
    )
    alone, with_paths = scores.T
    assert alone.mean() < 0.6
    assert with_paths.mean() > 0.75
    assert np.mean(with_paths > alone) > 0.95


def test_paths_learn_nothing_where_there_is_nothing() -> None:
    """Over 200 tables whose classes are tossed, cross-validated accuracy is one half: nothing leaks.

    A tree that was grown from all rows before they were parted carries answers over, and that is seen.
    """
    folds = KFold(3)
    fair, leaked = [], []
    for X, y in (drawn(seed, has_interaction=False) for seed in range(N_REPEATS)):
        fair.append(cross_val_score(perceptron(ho.TreePaths(length=3)), X, y, cv=folds).mean())
        columns = ho.TreePaths(length=3).fit_transform(X, y)
        leaked.append(cross_val_score(perceptron(), columns, y, cv=folds).mean())
    assert is_centered(np.array(fair), 0.5)
    assert not is_centered(np.array(leaked), 0.5)
    assert np.mean(leaked) > 0.55
