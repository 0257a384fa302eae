"""Predicted numbers: misses, lines and bars are those of scikit-learn, SciPy and NumPy."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binned_statistic
from sklearn.metrics import (
    max_error,
    mean_absolute_error,
    median_absolute_error,
    r2_score,
    root_mean_squared_error,
)

from heldout.report.predictions.requested_rows import RequestedRows, requested_rows
from heldout.report.predictions.residual_figures import residuals_figure
from heldout.report.predictions.residual_numbers import (
    MOST_DOTS,
    bar_numbers,
    line_numbers,
    residual_numbers,
)
from heldout.results.standings import weighted_quantiles
from heldout.verdict.judged_rows import JudgedRows

from .answer_studies import recorded, summary_of

Floats = NDArray[np.float64]


@pytest.fixture(scope="module")
def made() -> tuple[RequestedRows, Floats, Floats]:
    """The questions of a study of numbers, with what was true and what was said."""
    plan, answers = recorded("regression")
    asked = requested_rows(plan.rows)
    assert answers.values is not None
    return asked, plan.rows.y[asked.rows], answers.values[asked.repeats, asked.rows]


def test_the_misses_are_those_of_sklearn(made: tuple[RequestedRows, Floats, Floats]) -> None:
    """Mean, median and largest miss, their root and R² agree with its functions."""
    asked, true, said = made
    found = summary_of("regression")["residuals"]["errors"]
    by_repeat = [asked.repeats == repeat for repeat in (0, 1)]
    assert found["mae"] == pytest.approx(mean_absolute_error(true, said), rel=1e-5)
    assert found["rmse"] == pytest.approx(root_mean_squared_error(true, said), rel=1e-5)
    assert found["median"] == pytest.approx(median_absolute_error(true, said), rel=1e-5)
    assert found["largest"] == pytest.approx(max_error(true, said), rel=1e-5)
    assert found["r2"] == pytest.approx(np.mean([r2_score(true[e], said[e]) for e in by_repeat]), rel=1e-5)
    by_fold = [mean_absolute_error(true[part], said[part]) for part in asked.parts()]
    assert found["maes"]["high"] == pytest.approx(np.quantile(by_fold, 0.9), rel=1e-5)


def test_quantiles_are_those_of_numpy() -> None:
    """With equal weights they are NumPy's averaged inverse, and a weight of 2 is a row twice."""
    random = np.random.default_rng(8)
    numbers, shares = random.normal(size=101), np.array([0.0, 0.1, 0.25, 0.5, 0.9, 1.0])
    expected = np.quantile(numbers, shares, method="averaged_inverted_cdf")
    np.testing.assert_allclose(weighted_quantiles(numbers, np.full(101, 1 / 3), shares), expected)
    counts = random.integers(1, 4, 101)
    repeated = np.quantile(np.repeat(numbers, counts), shares, method="averaged_inverted_cdf")
    np.testing.assert_allclose(weighted_quantiles(numbers, counts.astype(float), shares), repeated)


def test_the_line_has_the_means_of_scipy(made: tuple[RequestedRows, Floats, Floats]) -> None:
    """Means of the truth in bins of predictions are those of binned_statistic."""
    found = line_numbers(*made)
    _, true, said = made
    bins = found["bins"]
    cumulated = np.cumsum([0] + [round(2 * each["n_rows"]) for each in bins])
    ordered = np.sort(said)
    inner = [(ordered[place - 1] + ordered[place]) / 2 for place in cumulated[1:-1]]
    edges = [said.min(), *inner, said.max()]
    np.testing.assert_allclose(
        [each["true"] for each in bins], binned_statistic(said, true, "mean", edges).statistic, rtol=1e-5
    )
    residuals = binned_statistic(said, true - said, "mean", edges).statistic
    np.testing.assert_allclose([each["residual"] for each in bins], residuals, rtol=1e-4, atol=1e-4)


def test_the_band_is_the_middle_of_the_folds(made: tuple[RequestedRows, Floats, Floats]) -> None:
    """The edges are quantiles of the mean residual of each fold in each bin."""
    asked, true, said = made
    found = line_numbers(*made)
    sizes = [round(2 * each["n_rows"]) for each in found["bins"]]
    x_values = np.empty(len(said), dtype=int)
    x_values[np.argsort(said, kind="stable")] = np.repeat(np.arange(len(sizes)), sizes)
    means = np.full((asked.n_folds, len(sizes)), np.nan)
    for fold, part in enumerate(asked.parts()):
        for place in range(len(sizes)):
            inside = part[x_values[part] == place]
            if len(inside):
                means[fold, place] = (true[inside] - said[inside]).mean()
    np.testing.assert_allclose(found["band"]["low"], np.nanquantile(means, 0.1, axis=0), rtol=1e-4)
    np.testing.assert_allclose(found["band"]["high"], np.nanquantile(means, 0.9, axis=0), rtol=1e-4)


def test_the_bars_are_a_histogram(made: tuple[RequestedRows, Floats, Floats]) -> None:
    """Shares are NumPy's counts between the edges, and the outer bars hold the rest."""
    asked, true, said = made
    residuals = true - said
    found = bar_numbers(asked, residuals)
    inside = np.clip(residuals, found["edges"][0], found["edges"][-1])
    counts, _ = np.histogram(inside, bins=np.array(found["edges"]))
    np.testing.assert_allclose(found["shares"], counts / len(residuals), atol=2 / len(residuals))
    assert sum(found["shares"]) == pytest.approx(1.0, abs=1e-4)


def test_many_rows_stay_few_numbers() -> None:
    """Of a hundred thousand rows 400 dots are kept, the largest misses among them."""
    random = np.random.default_rng(9)
    rows = JudgedRows(np.zeros(100_000), (np.arange(100_000) % 10)[np.newaxis])
    said = random.normal(size=100_000)
    true = said + random.standard_t(3, size=100_000)
    found = residual_numbers(requested_rows(rows), true, said)
    assert len(json.dumps(found)) < 15_000
    dots = np.array(found["dots"]["true"]) - np.array(found["dots"]["said"])
    assert len(dots) == MOST_DOTS
    assert np.abs(dots).max() == pytest.approx(np.abs(true - said).max(), rel=1e-4)
    assert found["dots"]["n_rows"] == 100_000


def test_numbers_that_do_not_vary_are_drawn_too() -> None:
    """A target without spread has one bar, and R² is not known."""
    rows = JudgedRows(np.zeros(20), (np.arange(20) % 5)[np.newaxis])
    found: dict[str, Any] = residual_numbers(requested_rows(rows), np.ones(20), np.ones(20))
    assert found["bars"]["shares"] == [1.0]
    assert found["errors"]["r2"] is None
    assert found["is_constant"]


def test_years_have_no_comma_and_their_misses_keep_their_digits() -> None:
    """A year stands on the page as it is written, and a miss of half a year is not rounded to one."""
    draws = np.random.default_rng(8)
    true = np.round(draws.uniform(1850, 1930, size=200))
    said = true + draws.normal(size=200) + 0.5
    rows = JudgedRows(true, (np.arange(200) % 5)[np.newaxis])
    found = residual_numbers(requested_rows(rows), true, said)
    answers = {"residuals": found, "target": "year", "contender": "ridge", "notes": []}
    figure = residuals_figure(answers)
    assert not re.search(r"1,[89]\d\d", figure.picture + figure.takeaway + str(figure.rows))
    assert re.search(r"predicted about 18\d\d: true 18\d\d", figure.picture)
    assert re.search(r"around 1[89]\d\d are most off, 0\.\d\d\d too high", figure.takeaway)
