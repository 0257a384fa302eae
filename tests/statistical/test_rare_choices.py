"""Where a class is rare, choosing by AUC loses little; decisions at one half choose badly."""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.stats import ttest_1samp

from .noise import CHANCE
from .populations import N_INPUTS, RARE, Generator, Population, Rows, gaussian_classes
from .rare_choices import RareRegret, rare_regrets, setting_regrets


def seldom(generator: Generator, n_rows: int) -> Rows:
    """A tenth of the rows is positive, most of them in one corner that a tree can find."""
    X = generator.random((n_rows, N_INPUTS))
    chance = np.where((X[:, 0] > 0.6) & (X[:, 1] > 0.6) & (X[:, 2] > 0.4), 0.7, 0.03)
    return Rows((X, X), (generator.random(n_rows) < chance).astype(np.int64))


RARER = Population("two Gaussian classes, 7% positives", True, gaussian_classes(0.07, 2.0))
BLURRED = Population("a tree's rule, seldom met", True, seldom)
PLACES = tuple((each, n_rows) for each in (RARE, RARER, BLURRED) for n_rows in (200, 1000))
HALF = "balanced accuracy at one half"


@cache
def measured(population: Population, n_rows: int) -> dict[str, RareRegret]:
    """What the choices lose at a place."""
    return {each.choice: each for each in rare_regrets(population, n_rows, 100 if n_rows < 500 else 16)}


def pooled(choice: str) -> np.ndarray:
    """The losses at all places."""
    return np.concatenate([measured(*place)[choice].losses for place in PLACES])


def test_choosing_by_auc_loses_little() -> None:
    """On average over all places less than two points of AUC."""
    assert pooled("AUC").mean() < 2.0


def test_log_loss_cannot_choose_who_gives_no_probabilities() -> None:
    """Chosen by log loss a model has a smaller AUC, by more than noise: it leaves out a perceptron."""
    more = pooled("log loss") - pooled("AUC")
    assert ttest_1samp(more, 0.0, alternative="greater").pvalue < CHANCE


def test_decisions_at_one_half_choose_worse() -> None:
    """Chosen by balanced accuracy at one half a model has a smaller AUC, by more than noise."""
    more = pooled(HALF) - pooled("AUC")
    assert ttest_1samp(more, 0.0, alternative="greater").pvalue < CHANCE


def test_settings_that_decide_at_a_threshold_are_better_chosen_by_auc() -> None:
    """At one half settings lose more F1 on fresh rows than by AUC, by more than noise, whatever the table."""
    found = [setting_regrets(each, 200, 20, "f1", seed=1) for each in (RARE, RARER, BLURRED)]
    more = np.concatenate([each["at one half"] - each["by AUC"] for each in found])
    assert ttest_1samp(more, 0.0, alternative="greater").pvalue < CHANCE
    assert np.concatenate([each["by AUC"] for each in found]).mean() < 5.0
