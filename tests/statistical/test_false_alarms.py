"""Tests of two learners by cross-validation: how often they tell apart what is equally good."""

from __future__ import annotations

from functools import cache

import pytest
from scipy.stats import binomtest

from .cross_validations import NEIGHBORS, NEIGHBORS_OF_NUMBERS, PRUNED_OF_NUMBERS, RIDGE, TREE, Contender
from .false_alarms import DEFAULT, FORWARD, Alarms, alarms, forward_alarms
from .noise import CHANCE
from .populations import GAUSSIAN, NORMAL_NOISE, RARE, TREE_RULE, Population

N_SETS = 120
PLACES = [
    (GAUSSIAN, TREE, 200),
    (TREE_RULE, TREE, 50),
    (RARE, NEIGHBORS, 200),
    (GAUSSIAN, NEIGHBORS, 50),
    (NORMAL_NOISE, RIDGE, 50),
    (NORMAL_NOISE, RIDGE, 200),
    (NORMAL_NOISE, NEIGHBORS_OF_NUMBERS, 50),
    (NORMAL_NOISE, NEIGHBORS_OF_NUMBERS, 200),
    (NORMAL_NOISE, PRUNED_OF_NUMBERS, 200),
]


@cache
def measured(population: Population, contender: Contender, n_rows: int) -> dict[str, Alarms]:
    """What every test did at this place."""
    return {found.test: found for found in alarms(contender, population, n_rows, N_SETS)}


def pooled(test: str) -> tuple[int, int]:
    """The alarms of a test at all places together, of how many."""
    found = [measured(*place)[test] for place in PLACES]
    return sum(cell.n_alarms for cell in found), sum(cell.n_sets for cell in found)


@pytest.mark.parametrize("place", PLACES, ids=lambda place: f"{place[0].name}-{place[1].name}-{place[2]}")
def test_the_default_test_keeps_its_promise(place: tuple[Population, Contender, int]) -> None:
    """The cross-validated t over 3 × 10 folds gives at most 7.5% false alarms, as far as these tell."""
    found = measured(*place)[DEFAULT]
    assert binomtest(found.n_alarms, found.n_sets, 0.075, alternative="greater").pvalue > CHANCE


def test_over_all_places_it_gives_less_than_five_percent() -> None:
    """All places together: no more than 5%, counted and not tested."""
    n_alarms, n_sets = pooled(DEFAULT)
    assert n_alarms / n_sets <= 0.05


def test_the_published_test_takes_repeats_for_new_rows() -> None:
    """Over 3 × 10 folds it alarms in more than 7.5% where learners hardly change from repeat to repeat."""
    places = [(NORMAL_NOISE, NEIGHBORS_OF_NUMBERS, 200), (NORMAL_NOISE, PRUNED_OF_NUMBERS, 200)]
    found = [measured(*place)["corrected resampled t, 3 × 10"] for place in places]
    n_alarms, n_sets = sum(cell.n_alarms for cell in found), sum(cell.n_sets for cell in found)
    assert binomtest(n_alarms, n_sets, 0.075, alternative="greater").pvalue < 0.05


@pytest.mark.parametrize("n_folds", [5, 10])
@pytest.mark.parametrize("contender", [RIDGE, NEIGHBORS_OF_NUMBERS], ids=lambda each: each.name)
def test_forward_folds_keep_the_promise(contender: Contender, n_folds: int) -> None:
    """Folds in time learn from few rows at first; the test of what they found gives at most 7.5% too."""
    found = forward_alarms(contender, NORMAL_NOISE, 200, 2 * N_SETS, n_folds)[0]
    assert found.test.startswith(FORWARD)
    assert binomtest(found.n_alarms, found.n_sets, 0.075, alternative="greater").pvalue > CHANCE


def test_the_plain_t_over_repeated_folds_is_far_too_eager() -> None:
    """It alarms in more than 15% of the sets: folds of the same rows are no new evidence."""
    n_alarms, n_sets = pooled("plain t over 3 × 10")
    assert binomtest(n_alarms, n_sets, 0.15, alternative="greater").pvalue < CHANCE


def test_the_paired_t_over_ten_folds_is_more_eager_than_the_default() -> None:
    """On the same sets it alarms more often."""
    assert pooled("paired t over ten folds")[0] > pooled(DEFAULT)[0]
