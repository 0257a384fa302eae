"""Intervals of least squares cover the true coefficients as often as they say."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import heldout as ho

from .noise import is_centered, is_share

N_SETS = 3_000
N_ROWS = 9
TRUTH = np.array([2.0, -1.0, 0.5, 0.0])


@cache
def models(fit_intercept: bool) -> list[ho.LinearRegressor]:
    """A model of each made set."""
    return [fitted(seed, fit_intercept) for seed in range(N_SETS)]


def fitted(seed: int, fit_intercept: bool) -> ho.LinearRegressor:
    """Few rows, so that a normal quantile in the place of Student's would be seen; variance 4."""
    generator = np.random.default_rng((seed, 8))
    X = generator.normal(size=(N_ROWS, 3)) @ np.array([[1, 0.8, 0], [0, 1, 0], [0, 0.5, 3]])
    y = TRUTH[0] * fit_intercept + X @ TRUTH[1:] + 2 * generator.normal(size=N_ROWS)
    return ho.LinearRegressor(fit_intercept=fit_intercept).fit(X, y)


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_intervals_cover_as_often_as_they_say(confidence: float, fit_intercept: bool) -> None:
    """In 3,000 made sets each coefficient lies in its interval as often as the confidence says."""
    truth = TRUTH if fit_intercept else TRUTH[1:]
    n_covered = np.zeros(len(truth), dtype=int)
    for model in models(fit_intercept):
        table = model.coefficients(confidence)
        n_covered += (table.lower <= truth) & (truth <= table.upper)
    assert [is_share(int(n), N_SETS, confidence) for n in n_covered] == [True] * len(truth)


def test_the_variance_and_the_coefficients_are_unbiased() -> None:
    """Over 3,000 made sets the mean residual variance is 4, and mean coefficients are the true ones."""
    assert is_centered(np.array([model.residual_variance_ for model in models(True)]), 4.0)
    found = np.array([[model.intercept_, *model.coef_] for model in models(True)])
    assert all(is_centered(column, true) for column, true in zip(found.T, TRUTH, strict=True))


def test_the_test_of_a_coefficient_of_zero_errs_as_often_as_it_says() -> None:
    """The p-value of the coefficient that is zero is below 0.05 in one of twenty made sets."""
    n_wrong = sum(model.coefficients().p_values[-1] < 0.05 for model in models(True))
    assert is_share(int(n_wrong), N_SETS, 0.05)
