"""Weights undo a shift that is known, and coverage flags as many rows as it says where there is none."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

import heldout as ho
from heldout.features.coverage import count_by_chance

from .noise import is_centered

Rows = NDArray[np.float64]
N_WEIGHED = 800
N_TRAIN = 400
N_TEST = 200


def shifted(seed: int, mean: float) -> tuple[Rows, Rows]:
    """Five normal columns, of which the population has the first at another mean."""
    generator = np.random.default_rng((seed, 3))
    train, population = generator.normal(size=(2, N_WEIGHED, 5))
    population[:, 0] += mean
    return train, population


def correlated(seed: int) -> tuple[Rows, Rows]:
    """The same columns one by one, and a correlation of 0.6 between two of them in the population alone."""
    train, population = shifted(seed, 0.0)
    population[:, 1] = 0.6 * population[:, 0] + 0.8 * population[:, 1]
    return train, population


@cache
def weighed(mean: float) -> list[tuple[Rows, ho.features.importance_weights.ImportanceWeights]]:
    """Training rows and their weights, of 20 made pairs of samples."""
    pairs = [shifted(seed, mean) for seed in range(20)]
    return [
        (train, ho.importance_weights(train, population, seed=seed))
        for seed, (train, population) in enumerate(pairs)
    ]


def test_the_bias_of_a_shifted_mean_is_nearly_removed() -> None:
    """After a shift by one the means of x and x² are 1 and 2: weights leave less than a sixth of the bias."""
    for power, truth in ((1, 1.0), (2, 2.0)):
        plain = np.array([np.mean(train[:, 0] ** power) for train, _ in weighed(1.0)]) - truth
        found = np.array([np.average(train[:, 0] ** power, weights=r.weights) for train, r in weighed(1.0)])
        assert abs(np.mean(found - truth)) < 0.15 * abs(plain.mean())
        assert np.sqrt(np.mean((found - truth) ** 2)) < 0.25 * np.sqrt(np.mean(plain**2))


def test_weights_follow_the_true_ratio_of_densities() -> None:
    """The logarithms of weights and of the true ratio, x − ½, are correlated by more than 0.8."""
    found = [np.corrcoef(np.log(result.weights), train[:, 0])[0, 1] for train, result in weighed(1.0)]
    assert min(found) > 0.8


def test_without_a_shift_little_is_lost() -> None:
    """Two samples of one distribution: on average an area of ½, and more than 85% of rows effective."""
    results = [result for _, result in weighed(0.0)]
    assert is_centered(np.array([result.auc for result in results]), 0.5)
    assert np.mean([result.effective_rows for result in results]) > 0.85 * N_WEIGHED
    means = np.array([np.average(train[:, 0], weights=result.weights) for train, result in weighed(0.0)])
    assert is_centered(means, 0.0)


def test_a_forest_sees_what_a_line_cannot() -> None:
    """Of a correlation that only the population has a forest removes nearly half the bias, a line none."""
    left = {"forest": [], "line": []}
    for seed in range(10):
        train, population = correlated(seed)
        product = train[:, 0] * train[:, 1]
        for name, learner in (("forest", None), ("line", LogisticRegression())):
            weights = ho.importance_weights(train, population, learner=learner, seed=seed).weights
            left[name].append(np.average(product, weights=weights) - 0.6)
    assert abs(np.mean(left["forest"])) < 0.33
    assert abs(np.mean(left["line"])) > 0.5


def test_a_line_is_better_where_the_ratio_is_one() -> None:
    """Where the logarithm of the ratio is linear, logistic regression follows it more closely."""
    train, population = shifted(1, 1.0)
    line = ho.importance_weights(train, population, learner=LogisticRegression()).weights
    forest = ho.importance_weights(train, population).weights
    close = [np.corrcoef(np.log(weights), train[:, 0])[0, 1] for weights in (line, forest)]
    assert close[0] > close[1]
    assert close[0] > 0.95


def square(seed: int, n_rows: int, is_hole: bool = False) -> Rows:
    """Uniform in a square without its middle, or in its middle alone."""
    rows = np.random.default_rng((seed, 5)).uniform(size=(40 * n_rows, 2))
    is_middle = (np.abs(rows - 0.5) < 0.15).all(axis=1)
    return rows[is_middle == is_hole][:n_rows]


def diagonal(seed: int, n_rows: int, is_hole: bool = False) -> Rows:
    """Two columns that rise together, or fall together, with the same ranges, and two that mean nothing."""
    generator = np.random.default_rng((seed, 6))
    first = generator.normal(size=n_rows)
    if is_hole:
        first += np.sign(first)
    second = (-first if is_hole else first) + 0.2 * generator.normal(size=n_rows)
    return np.clip(np.column_stack([first, second, generator.normal(size=(n_rows, 2))]), -2.2, 2.2)


def skewed(seed: int, n_rows: int, is_hole: bool = False) -> Rows:
    """The diagonal on a scale on which a few numbers are very large."""
    return np.exp(1.2 * diagonal(seed, n_rows, is_hole))


MAKERS = {"square": square, "diagonal": diagonal, "skewed": skewed}
N_SETS = {"neighbors": 200, "forest": 60}


@cache
def p_values(name: str, by: str) -> Rows:
    """Set × test row, where test rows come from where training comes from."""
    make = MAKERS[name]
    return np.array(
        [
            ho.coverage(make(2 * s, N_TRAIN), make(2 * s + 1, N_TEST), by=by, seed=s).p_values
            for s in range(N_SETS[by])
        ]
    )


@pytest.mark.parametrize("name", sorted(MAKERS))
@pytest.mark.parametrize("level", [0.01, 0.05, 0.2])
def test_neighbors_flag_as_many_rows_as_the_level_says(name: str, level: float) -> None:
    """Without a shift the share of flagged rows is near the level: at most a fifth above, a third below."""
    share = (p_values(name, "neighbors") <= level).mean()
    assert 2 / 3 * level < share < 1.2 * level


@pytest.mark.parametrize("name", sorted(MAKERS))
@pytest.mark.parametrize("level", [0.01, 0.05])
def test_a_forest_flags_no_more_rows_than_the_level_says(name: str, level: float) -> None:
    """Without a shift the share of flagged rows is at most the level, and not below a quarter of it."""
    share = (p_values(name, "forest") <= level).mean()
    assert 0.25 * level < share < level


@pytest.mark.parametrize("name", sorted(MAKERS))
@pytest.mark.parametrize("by", ["neighbors", "forest"])
@pytest.mark.parametrize("level", [0.01, 0.05])
def test_counts_by_chance_are_rarely_called_rare(name: str, by: str, level: float) -> None:
    """Without a shift the count of flagged rows is called rare in fewer than 10 of 100 sets."""
    counts = (p_values(name, by) <= level).sum(axis=1)
    rare = [count_by_chance(int(count), N_TEST, N_TRAIN, level).is_rare for count in counts]
    assert np.mean(rare) < 0.1


@pytest.mark.parametrize(
    ("name", "by", "least"),
    [
        ("square", "neighbors", 0.7),
        ("square", "forest", 0.6),
        ("diagonal", "neighbors", 0.95),
        ("diagonal", "forest", 0.99),
        ("skewed", "forest", 0.99),
    ],
)
def test_regions_inside_the_ranges_are_found(name: str, by: str, least: float) -> None:
    """At the level 0.05 most rows of a region that training lacks are flagged; ranges alone see none."""
    make, shares, beyond = MAKERS[name], [], 0
    for s in range(10):
        train, hidden = make(2 * s, N_TRAIN), make(2 * s + 1, 100, is_hole=True)
        found = ho.coverage(train, hidden, by=by, level=0.05, seed=s)
        shares.append(found.share)
        beyond += len(found.odd_values) + sum(bool(row.new_values) for row in found.rows)
    assert np.mean(shares) > least
    assert beyond < 0.05 * 1000
