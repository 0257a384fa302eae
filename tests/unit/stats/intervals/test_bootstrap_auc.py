"""The bootstrap of an AUC."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from heldout.native import ranking
from heldout.stats.bootstrap import bootstrap, bootstrap_auc

GENERATOR = np.random.default_rng(8)
Y = np.repeat([0, 1], [60, 30])
SCORES = (Y + GENERATOR.normal(size=90)).round(1)


def auc_of_rows(y, scores):
    """The share of pairs won, over all pairs."""
    above, below = scores[y == 1][:, np.newaxis], scores[y == 0]
    return ((above > below) + 0.5 * (above == below)).mean() if above.size and below.size else math.nan


@pytest.mark.parametrize("is_stratified", [False, True])
@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_it_is_the_bootstrap_of_the_rows(method, is_stratified):
    """The interval agrees with that of drawn rows, as far as 4,000 and 2,000 resamples can."""
    ours = bootstrap_auc(Y, SCORES, method=method, n_resamples=4000, is_stratified=is_stratified)
    stratify = Y if is_stratified else None
    rows = bootstrap(auc_of_rows, Y, SCORES, method=method, n_resamples=2000, stratify=stratify)
    assert ours.estimate == pytest.approx(rows.estimate, rel=1e-14)
    assert (ours.low, ours.high) == pytest.approx((rows.low, rows.high), abs=0.1 * ours.width)


@pytest.mark.parametrize("is_stratified", [False, True])
def test_bca_leaves_out_every_row(is_stratified):
    """The acceleration is that of AUCs computed anew without each row, by the formula of the book."""
    found = bootstrap_auc(Y, SCORES, method="bca", n_resamples=1000, is_stratified=is_stratified)
    values = ranking.bootstrap_auc(SCORES, Y == 1, 1000, 0, is_stratified)
    cubes = squares = 0.0
    for rows in [np.flatnonzero(Y == 0), np.flatnonzero(Y == 1)] if is_stratified else [np.arange(90)]:
        without = np.array([auc_of_rows(np.delete(Y, row), np.delete(SCORES, row)) for row in rows])
        pull = (len(rows) - 1) * (without.mean() - without) / len(rows)
        cubes, squares = cubes + (pull**3).sum(), squares + (pull**2).sum()
    speed = cubes / squares**1.5 / 6
    bias = ndtri(((values < found.estimate).mean() + (values <= found.estimate).mean()) / 2)
    z = ndtri(np.array([0.025, 0.975]))
    wanted = np.quantile(values, ndtr(bias + (bias + z) / (1 - speed * (bias + z))))
    assert (found.low, found.high) == pytest.approx(tuple(wanted), rel=1e-12)


def test_degenerate_scores():
    """Perfect and tied scores have no interval, one class no value; resamples of one class are counted."""
    perfect = bootstrap_auc(Y, Y, n_resamples=100)
    assert perfect.estimate == 1.0
    assert math.isnan(perfect.low)
    assert bootstrap_auc(Y, np.zeros(90), n_resamples=100).estimate == 0.5
    one = bootstrap_auc(np.ones(5), np.arange(5), n_resamples=100)
    assert math.isnan(one.estimate)
    assert "give no value" in str(one)
    few = bootstrap_auc([0] * 20 + [1, 1], np.arange(22) % 7, n_resamples=500)
    assert "gave no value" in str(few)
    single = bootstrap_auc([0, 0, 0, 1], [1, 2, 4, 3], method="bca", n_resamples=500)
    assert "The jackknife has no acceleration here" in str(single)


def test_threads_and_seeds():
    """The answer depends on the seed and not on the threads."""
    first = bootstrap_auc(Y, SCORES, seed=3, n_resamples=200)
    assert bootstrap_auc(Y, SCORES, seed=3, n_resamples=200, n_threads=2) == first
    assert bootstrap_auc(Y, SCORES, seed=4, n_resamples=200) != first
