"""What a forest draws by lot is drawn fairly."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import heldout as ho
from heldout.native.forests import Bagging, in_bag_counts

from .noise import CHANCE, is_centered

N_TREES = 4_000


def fairness(observed: np.ndarray, expected: np.ndarray) -> float:
    """The chance of counts that lie at least as far from what is expected."""
    return float(stats.chisquare(observed, expected).pvalue)


def test_bags_draw_every_row_alike() -> None:
    """Over 4,000 bags each row is drawn as often, and as often not at all, twice, … as the binomial says."""
    n_rows = 25
    bags = np.array([in_bag_counts(Bagging(3, True, n_rows), tree, n_rows, None) for tree in range(N_TREES)])
    assert np.all(bags.sum(axis=1) == n_rows)
    assert fairness(bags.sum(axis=0), np.full(n_rows, float(N_TREES))) > CHANCE
    shares = stats.binom.pmf(np.arange(5), n_rows, 1 / n_rows)
    expected = N_TREES * np.append(shares, 1 - shares.sum())
    # Rows of a bag hang together, so one of them is looked at.
    assert fairness(np.bincount(np.minimum(bags[:, 7], 5), minlength=6), expected) > CHANCE


def test_bags_draw_in_proportion_to_the_weights() -> None:
    """Over 4,000 bags rows are drawn by their weights, a row without weight never."""
    weights = np.array([0.0, 0.5, 1.0, 1.5, 3.0, 0.25, 3.75])
    bags = np.array([in_bag_counts(Bagging(4, True, 10), tree, 7, weights) for tree in range(N_TREES)])
    drawn = bags.sum(axis=0)
    assert drawn[0] == 0
    assert fairness(drawn[1:], N_TREES * 10 * weights[1:] / weights.sum()) > CHANCE


def test_bags_without_replacement_take_every_row_alike() -> None:
    """Over 4,000 bags of 8 in 20 rows, each row and each pair of neighbors is taken as often."""
    bags = np.array([in_bag_counts(Bagging(5, False, 8), tree, 20, None) for tree in range(N_TREES)])
    assert np.all(bags.sum(axis=1) == 8)
    # The counts of a bag sum to 8, which takes a part of the variance of independent draws.
    scaled = (bags.sum(axis=0) - 0.4 * N_TREES) ** 2 / (0.4 * 0.6 * N_TREES) * 19 / 20
    assert stats.chi2.sf(scaled.sum(), 19) > CHANCE
    pairs = (bags[:, 0::2] & bags[:, 1::2]).mean(axis=1)
    assert is_centered(pairs, 8 * 7 / (20 * 19))


@pytest.mark.parametrize("max_features", [1, 3])
def test_nodes_draw_every_column_alike(max_features: int) -> None:
    """Columns of one kind that tell nothing are at the root of 4,000 trees equally often."""
    generator = np.random.default_rng(6)
    n_columns, roots = 7, np.zeros(7, dtype=np.int64)
    for seed in range(40):
        X, y = generator.normal(size=(60, n_columns)), generator.integers(0, 2, 60)
        forest = ho.ForestClassifier(100, max_features=max_features, max_depth=1, random_state=seed).fit(X, y)
        begins = forest.forest_.tree_begin[:-1]
        roots += np.bincount(forest.forest_.feature[begins], minlength=n_columns)
    if max_features == 1:
        assert fairness(roots, np.full(n_columns, roots.sum() / n_columns)) > CHANCE
    # With several candidates the trees of one forest choose alike, so only the order of size is known.
    assert roots.min() > 0.5 * roots.max()


def test_permutation_importances_of_useless_columns_are_zero_on_average() -> None:
    """Shuffling a column that tells nothing costs nothing on average, however many values it has."""
    costs = []
    for seed in range(150):
        generator = np.random.default_rng((seed, 9))
        useful, coin = generator.normal(size=120), generator.integers(0, 2, 120).astype(float)
        X = np.column_stack([useful, coin, generator.normal(size=120)])
        y = (useful + generator.normal(size=120) > 0).astype(int)
        forest = ho.ForestClassifier(30, random_state=seed).fit(X, y)
        costs.append(forest.permutation_importances(X, y).mean)
    useful_cost, coin_cost, noise_cost = np.array(costs).T
    assert is_centered(coin_cost)
    assert is_centered(noise_cost)
    assert not is_centered(useful_cost)


def test_gain_importances_favor_columns_of_many_values() -> None:
    """Impurity gives a useless number more than a useless coin, which is why shuffling is offered."""
    shares = []
    for seed in range(60):
        generator = np.random.default_rng((seed, 10))
        X = np.column_stack([generator.normal(size=120), generator.integers(0, 2, 120)])
        forest = ho.ForestClassifier(30, random_state=seed).fit(X, generator.integers(0, 2, 120))
        shares.append(forest.feature_importances_)
    number, coin = np.array(shares).mean(axis=0)
    assert number > 2 * coin
