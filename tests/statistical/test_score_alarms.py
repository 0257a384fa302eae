"""Comparisons by AUC and RMSE, as a study prints them: how often they tell apart what is equally good."""

from __future__ import annotations

import pytest
from scipy.stats import binomtest

from .cross_validations import NEIGHBORS, NEIGHBORS_OF_NUMBERS, PRUNED_OF_NUMBERS, RIDGE, TREE, Contender
from .noise import CHANCE
from .populations import GAUSSIAN, NORMAL_NOISE, RARE, Population
from .score_alarms import score_alarms

N_SETS = 120
PLACES = [
    ("auc", GAUSSIAN, TREE, 200),
    ("auc", GAUSSIAN, NEIGHBORS, 200),
    ("auc", RARE, NEIGHBORS, 200),
    ("rmse", NORMAL_NOISE, RIDGE, 200),
    ("rmse", NORMAL_NOISE, NEIGHBORS_OF_NUMBERS, 200),
    ("rmse", NORMAL_NOISE, PRUNED_OF_NUMBERS, 200),
]


@pytest.mark.parametrize("place", PLACES, ids=lambda place: f"{place[0]}-{place[1].name}-{place[2].name}")
def test_comparisons_keep_their_promise(place: tuple[str, Population, Contender, int]) -> None:
    """Around the difference of the scores of all rows: at most 7.5% false alarms, as far as these tell."""
    name, population, contender, n_rows = place
    found = score_alarms(name, contender, population, n_rows, N_SETS)
    assert binomtest(found.n_alarms, found.n_sets, 0.075, alternative="greater").pvalue > CHANCE
