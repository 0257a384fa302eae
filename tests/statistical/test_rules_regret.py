"""Rules lose what docs/methods/verdicts.md says, and intervals of the verdict hold what it says.

Each place has few sets, so that all of them take a minute; the page has the longer measurements.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.stats import binomtest, ttest_1samp

from .baseline_alarms import BALANCED, quick_alarms, standard_alarms
from .cross_validations import NEIGHBORS, RIDGE, TREE, Contender
from .noise import CHANCE
from .populations import FAR_APART, GAUSSIAN, NORMAL_NOISE, RARE, TREE_RULE, Population
from .rule_regret import RULES, WITH_BASELINE, Regret, regrets
from .verdict_coverage import verdict_coverage

BEST_MEAN, NO_MARGIN, ONE_POINT, DEFAULT = RULES
N_SETS = {100: 80, 500: 10}


@cache
def measured(population: Population, n_rows: int) -> dict[str, Regret]:
    """What every rule lost at this place."""
    return {found.rule: found for found in regrets(population, n_rows, N_SETS[n_rows])}


def pooled(rule: str, n_rows: int) -> np.ndarray:
    """The losses of a rule on the three populations together."""
    return np.concatenate([measured(each, n_rows)[rule].losses for each in (GAUSSIAN, TREE_RULE, RARE)])


def test_the_margin_keeps_the_rule_near_the_best_mean() -> None:
    """At n = 100 the default loses at most two points on average, and at most one more than the best mean."""
    default, best_mean = pooled(DEFAULT, 100), pooled(BEST_MEAN, 100)
    assert default.mean() < 2.0
    assert ttest_1samp(default - best_mean, 1.0, alternative="less").pvalue < CHANCE


def test_near_the_top_a_margin_by_the_error_loses_less() -> None:
    """At an accuracy of .99 the default loses less than one point whatever the error, by more than noise."""
    found = measured(FAR_APART, 100)
    less = np.array(found[ONE_POINT].losses) - np.array(found[DEFAULT].losses)
    assert ttest_1samp(less, 0.0, alternative="greater").pvalue < CHANCE


def test_where_errors_are_many_the_margin_is_one_point() -> None:
    """On the usual populations the bound by the error changes no choice that costs anything on average."""
    for n_rows in (100, 500):
        more = pooled(DEFAULT, n_rows) - pooled(ONE_POINT, n_rows)
        assert abs(more.mean()) < 0.05


def test_without_the_margin_it_loses_more() -> None:
    """On the same sets of 100 rows the rule without a margin loses more, by more than noise."""
    more = pooled(NO_MARGIN, 100) - pooled(DEFAULT, 100)
    assert ttest_1samp(more, 0.0, alternative="greater").pvalue < CHANCE


def test_with_more_rows_little_is_lost() -> None:
    """At n = 500 every rule loses less than half a point on average, and never more than five."""
    for rule in RULES:
        assert pooled(rule, 500).mean() < 0.5
        assert pooled(rule, 500).max() < 5


def test_the_default_takes_shorter_models_than_the_best_mean() -> None:
    """That is what it is for: more often than the best mean it takes the shortest description."""
    shares = {
        rule: np.mean([measured(each, 100)[rule].shortest for each in (GAUSSIAN, TREE_RULE, RARE)])
        for rule in (BEST_MEAN, DEFAULT)
    }
    assert shares[DEFAULT] >= shares[BEST_MEAN]


def test_having_to_beat_the_baseline_costs_little_where_there_is_something_to_find() -> None:
    """At n = 500 with balanced classes the baseline never wins; the loss is that of the rule without it."""
    for population in (GAUSSIAN, TREE_RULE):
        found = measured(population, 500)
        assert found[WITH_BASELINE].losses == found[DEFAULT].losses


def test_noise_seldom_beats_guessing() -> None:
    """On noise a model is said to beat guessing in at most 7.5% of sets, as far as these tell."""
    for found in (standard_alarms(BALANCED, 100, 60), quick_alarms(60, 30)):
        assert binomtest(found.n_alarms, found.n_sets, 0.075, alternative="greater").pvalue > CHANCE


@pytest.mark.parametrize(
    ("population", "contender", "n_rows"),
    [(GAUSSIAN, TREE, 50), (GAUSSIAN, NEIGHBORS, 200), (RARE, TREE, 200), (NORMAL_NOISE, RIDGE, 50)],
    ids=lambda each: getattr(each, "name", each),
)
def test_further_intervals_hold_nearly_what_they_say(
    population: Population, contender: Contender, n_rows: int
) -> None:
    """Balanced accuracy, Brier's score, mean absolute error and R² hold 90% or more, as far as these tell."""
    names = ("balanced_accuracy", "brier", "mae", "r2")
    found = [row for row in verdict_coverage(contender, population, n_rows, 100) if row.method in names]
    assert len(found) == 2
    for each in found:
        assert binomtest(each.n_held, each.n_sets, 0.90, alternative="less").pvalue > CHANCE
