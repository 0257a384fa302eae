"""Forests beside scikit-learn's and R's ranger, and the rows out of the bag beside rows left out."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from .data_sets import N_FOLDS
from .forest_comparison import OURS, RANGER_NAME, SKLEARN, ForestComparison, Shares
from .forest_data import FOREST_SETS

HALF_A_POINT = 0.005
# One comparison in a hundred runs may fail by chance, over all data sets and peers together.
CHANCE = 0.01 / (2 * len(FOREST_SETS))


@pytest.mark.parametrize("peer", [SKLEARN, RANGER_NAME])
def test_accuracy_over_all_sets_is_that_of_the_peer(peer: str, forest_comparison: ForestComparison) -> None:
    """Over all sets, accuracy is no more than half a point below the peer's, nor below it beyond noise."""
    differences = np.array([np.mean(paired(forest_comparison, peer, name)) for name in FOREST_SETS])
    assert differences.mean() >= -HALF_A_POINT
    assert stats.ttest_1samp(differences, 0, alternative="less").pvalue > 0.01


@pytest.mark.parametrize("name", FOREST_SETS)
@pytest.mark.parametrize("peer", [SKLEARN, RANGER_NAME])
def test_accuracy_on_each_set_is_within_noise(
    peer: str, name: str, forest_comparison: ForestComparison
) -> None:
    """In the same folds, accuracy is not below the peer's by more than folds and seeds move it."""
    assert chance_of_a_loss(paired(forest_comparison, peer, name)) > CHANCE


@pytest.mark.parametrize("name", FOREST_SETS)
def test_out_of_bag_error_is_that_of_rows_left_out(name: str, forest_comparison: ForestComparison) -> None:
    """Out of the bag, rows are answered wrongly as often as when ten folds leave them out, within noise."""
    bag = forest_comparison.bags[name]
    differences = bag.out_of_bag - bag.left_out
    error = differences.std(ddof=1) / np.sqrt(len(differences))
    assert abs(differences.mean()) <= max(3.5 * error, 1 / len(differences))


def test_out_of_bag_error_over_all_sets(forest_comparison: ForestComparison) -> None:
    """Over all sets, the error out of the bag is that of rows left out, but for half a point at most."""
    bags = [forest_comparison.bags[name] for name in FOREST_SETS]
    assert abs(np.mean([np.mean(bag.out_of_bag - bag.left_out) for bag in bags])) <= HALF_A_POINT


def paired(found: ForestComparison, peer: str, name: str) -> Shares:
    """Repetition × fold: by how much more Heldout's forest answers rightly."""
    return found.accuracies[OURS][name] - found.accuracies[peer][name]


def chance_of_a_loss(differences: Shares) -> float:
    """Nadeau and Bengio's test: folds share their training rows, so the variance is raised."""
    spread = differences.var(ddof=1)
    if spread == 0:
        return float(np.all(differences >= 0))
    statistic = differences.mean() / np.sqrt(spread * (1 / differences.size + 1 / (N_FOLDS - 1)))
    return float(stats.t.cdf(statistic, differences.size - 1))
