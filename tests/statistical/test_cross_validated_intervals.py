"""Cross-validated intervals hold what docs/methods/intervals.md promises, and the naive ones do not.

Each place has few sets, so that all of them take a minute; the page has the longer measurements.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.stats import binomtest

from heldout.stats.cross_validated_interval import cross_validated_mse, cross_validated_rate
from heldout.stats.nested_cv_interval import nested_cv_interval

from .cross_validations import LOGISTIC, NEIGHBORS, RIDGE, TREE, TREE_OF_NUMBERS, Contender
from .group_coverage import group_coverage
from .interval_coverage import WALD, Coverage, coverage
from .noise import CHANCE
from .populations import GAUSSIAN, NORMAL_NOISE, RARE, T5_NOISE, TREE_RULE, Population

N_SETS = 150
PLACES = [
    (population, contender, n_rows)
    for population in (GAUSSIAN, TREE_RULE, RARE)
    for contender in (TREE, NEIGHBORS)
    for n_rows in (50, 200)
] + [
    (population, contender, n_rows)
    for population in (NORMAL_NOISE, T5_NOISE)
    for contender in (RIDGE, TREE_OF_NUMBERS)
    for n_rows in (50, 200)
]
# The learner from elsewhere takes longer: one place, and fewer sets.
FEWER = [(RARE, LOGISTIC, 50)]
NAMES = [f"{population.name}-{contender.name}-{n_rows}" for population, contender, n_rows in PLACES + FEWER]


@cache
def measured(population: Population, contender: Contender, n_rows: int) -> dict[str, Coverage]:
    """What every interval did at this place."""
    n_sets = 60 if contender is LOGISTIC else N_SETS
    return {found.method: found for found in coverage(contender, population, n_rows, n_sets)}


def is_at_least(found: Coverage, share: float) -> bool:
    """Whether the intervals that held do not speak against a share of at least this."""
    return bool(binomtest(found.n_held, found.n_sets, share, alternative="less").pvalue > CHANCE)


def is_below(found: Coverage, share: float) -> bool:
    """Whether the intervals that held show that the share is below this."""
    return bool(binomtest(found.n_held, found.n_sets, share, alternative="less").pvalue < CHANCE)


@pytest.mark.parametrize("place", PLACES + FEWER, ids=NAMES)
def test_default_intervals_hold_at_least_90_percent(place: tuple[Population, Contender, int]) -> None:
    """Those of error, MSE and F1 everywhere; that of the AUC with at least twenty rows of each class."""
    population = place[0]
    found = measured(*place)
    names = [name for name in found if "(default)" in name]
    if population is RARE:
        names.remove("AUC (default)")
    assert len(names) == (2 if population is RARE else 3 if population.is_classified else 1)
    assert [name for name in names if not is_at_least(found[name], 0.90)] == []


def test_default_intervals_hold_more_than_94_percent_on_average() -> None:
    """Over all places together the intervals of errors and of MSE hold 94% or more, and rather too many."""
    kinds = ("corrected Wilson (default)", "log scale, corrected (default)")
    found = [cell for place in PLACES for name, cell in measured(*place).items() if name in kinds]
    n_held, n_sets = sum(cell.n_held for cell in found), sum(cell.n_sets for cell in found)
    assert len(found) == len(PLACES)
    assert n_held / n_sets > 0.94


def test_they_are_at_most_half_as_wide_again_as_walds() -> None:
    """The mean width is at most 1.55 times that of pooled Wald; for the MSE of 50 rows it may be 1.65."""
    for population, contender, n_rows in PLACES:
        found = measured(population, contender, n_rows)
        if population.is_classified:
            assert 1.3 < found["corrected Wilson (default)"].width < 1.55
        else:
            assert 1.4 < found["log scale, corrected (default)"].width < (1.65 if n_rows == 50 else 1.55)


def test_naive_intervals_fail() -> None:
    """Plain t over 3 × 10 folds fails everywhere, over ten folds and pooled Wald in several places."""
    cells = [measured(*place) for place in PLACES]
    assert all(is_below(cell["t over 3 × 10 folds"], 0.90) for cell in cells)
    assert sum(is_below(cell["t over ten folds"], 0.95) for cell in cells) >= 4
    assert sum(is_below(cell[WALD], 0.95) for cell in cells) >= 4


def test_the_corrected_t_hides_the_spread_of_rare_classes() -> None:
    """With 10% positives it covers less than the corrected Wilson at both sizes, by neighbors and trees."""
    worse = [
        measured(RARE, contender, n_rows)["corrected resampled t, 3 × 10 folds"].share
        < measured(RARE, contender, n_rows)["corrected Wilson (default)"].share
        for contender in (TREE, NEIGHBORS)
        for n_rows in (50, 200)
    ]
    assert all(worse)


def test_groups_are_counted_as_groups() -> None:
    """Rows that share a group's luck: the interval by groups holds 90% or more, that by rows far fewer."""
    generator = np.random.default_rng(0)
    n_sets, n_groups, n_each = 400, 25, 8
    groups = np.repeat(np.arange(n_groups), n_each)
    n_rate, n_rate_by_rows, n_mse, n_mse_by_rows = 0, 0, 0, 0
    for _ in range(n_sets):
        luck = generator.beta(1.5, 0.5, n_groups)[groups]
        right = generator.random(len(groups)) < luck
        n_rate += 0.75 in cross_validated_rate(right, 5, groups=groups)
        n_rate_by_rows += 0.75 in cross_validated_rate(right, 5)
        losses = generator.gamma(1.0, size=n_groups)[groups] * generator.gamma(1.0, size=len(groups))
        n_mse += 1.0 in cross_validated_mse(losses, 5, groups=groups)
        n_mse_by_rows += 1.0 in cross_validated_mse(losses, 5)
    assert min(n_rate, n_mse) > 0.94 * n_sets
    assert max(n_rate_by_rows, n_mse_by_rows) < 0.92 * n_sets


def test_learners_that_are_judged_by_groups() -> None:
    """Rows that share inputs and noise in groups of five: intervals by groups hold 90%, and are wider."""
    for contender in (RIDGE, TREE_OF_NUMBERS):
        by_groups, as_rows = group_coverage(contender, is_classified=False, n_groups=20, n_sets=N_SETS)
        assert is_at_least(by_groups, 0.90)
        assert as_rows.n_held <= by_groups.n_held
        assert by_groups.width > 1.2


def test_the_nested_interval_holds_where_the_plain_one_fails() -> None:
    """Least squares with 20 inputs and 60 rows: nested cross-validation holds 90%, pooled Wald fewer."""
    n_sets, n_rows, n_inputs = 100, 60, 20
    generator = np.random.default_rng(1)
    # With normal inputs and pure noise of variance 1, the mean squared error of n rows is 1 + p / (n − p − 2)
    # for p inputs and an intercept, times 1 + 1/n for the latter.
    true = (1 + 1 / n_rows) * (1 + n_inputs / (n_rows - n_inputs - 2))
    n_nested, n_plain, means = 0, 0, []
    for place in range(n_sets):
        X, y = generator.normal(size=(n_rows, n_inputs)), generator.normal(size=n_rows)
        inputs = np.column_stack([np.ones(n_rows), X])

        def losses(train: np.ndarray, test: np.ndarray) -> np.ndarray:
            found = np.linalg.lstsq(inputs[train], y[train], rcond=None)[0]  # noqa: B023
            return (y[test] - inputs[test] @ found) ** 2  # noqa: B023

        found = nested_cv_interval(losses, n_rows, repeats=10, seed=place)
        n_nested += true in found
        half = 1.959963984540054 * found.standard_error / found.inflation
        n_plain += abs(found.cross_validated - true) <= half
        means.append(found.estimate)
    error = np.std(means) / np.sqrt(n_sets)
    assert abs(np.mean(means) - true) < 4 * error
    assert n_nested >= 0.85 * n_sets
    assert n_nested > n_plain
