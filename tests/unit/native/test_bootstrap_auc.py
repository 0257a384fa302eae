"""Resamples of an AUC: drawn like rows with replacement, and the same whoever computes them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import roc_auc_score

from heldout.native import ranking

# The second has ties within and across the classes, the third one score only.
SMALL = (
    ([0.1, 0.6, 0.4, 0.9, 0.5], [False, True, False, True, False]),
    ([0.5, 0.5, 0.5, 0.9, 0.1], [False, True, True, True, False]),
    ([0.5, 0.5, 0.5], [False, True, True]),
)


def exact_distribution(scores: list[float], y: list[bool], is_stratified: bool) -> dict[float, float]:
    """The chance of every AUC, from all resamples that there are."""
    rows = range(len(y))
    choices = [[other for other in rows if not is_stratified or y[other] == y[row]] for row in rows]
    chances: dict[float, float] = {}
    drawn = list(product(*choices))
    for picks in drawn:
        area = ranking.auc(np.array(scores)[list(picks)], np.array(y)[list(picks)])
        key = -1.0 if np.isnan(area) else area
        chances[key] = chances.get(key, 0.0) + 1 / len(drawn)
    return chances


@pytest.mark.parametrize("is_stratified", [False, True])
@pytest.mark.parametrize(("scores", "y"), SMALL)
def test_resamples_have_the_exact_distribution(
    scores: list[float], y: list[bool], is_stratified: bool
) -> None:
    """Of few rows every AUC comes as often as a list of all resamples says."""
    chances = exact_distribution(scores, y, is_stratified)
    areas = ranking.bootstrap_auc(np.array(scores), np.array(y), 20_000, 1, is_stratified)
    found = np.where(np.isnan(areas), -1.0, areas)
    counts = np.array([np.sum(found == area) for area in chances])
    assert counts.sum() == len(areas)
    if len(chances) > 1:
        expected = np.array(list(chances.values())) * len(areas)
        assert stats.chisquare(counts, expected).pvalue > 1e-4


@pytest.mark.slow
@pytest.mark.parametrize("digits", [None, 3, 1])
@pytest.mark.parametrize("is_stratified", [False, True])
def test_many_rows_spread_like_a_loop_over_scikit_learn(digits: int | None, is_stratified: bool) -> None:
    """With and without ties, in rows and in cells, the resamples have the distribution of the plain loop."""
    generator = np.random.default_rng(4)
    y = generator.random(3_000) < 0.3
    scores = generator.normal(size=len(y)) + y
    scores = scores if digits is None else np.round(scores, digits) if digits > 1 else np.sign(scores)
    areas = ranking.bootstrap_auc(scores, y, 2_000, 5, is_stratified)
    sides = (np.flatnonzero(y), np.flatnonzero(~y))
    plain = []
    for _ in range(200):
        rows = (
            np.concatenate([generator.choice(side, len(side)) for side in sides])
            if is_stratified
            else generator.integers(0, len(y), len(y))
        )
        plain.append(roc_auc_score(y[rows], scores[rows]))
    assert stats.ks_2samp(areas, plain).pvalue > 1e-3


@pytest.mark.slow
@given(st.integers(0, 2**64 - 1), st.integers(0, 60), st.integers(1, 50), st.booleans())
def test_threads_and_the_number_of_resamples_do_not_matter(
    seed: int, n_rows: int, n_scores: int, is_stratified: bool
) -> None:
    """Resample i is the same bits for any number of threads, and however many follow it."""
    generator = np.random.default_rng(seed)
    scores = generator.integers(0, n_scores, n_rows).astype(np.float64)
    y = generator.random(n_rows) < 0.5
    first = ranking.bootstrap_auc(scores, y, 20, seed, is_stratified)
    again = ranking.bootstrap_auc(scores, y, 25, seed, is_stratified, n_threads=2)
    np.testing.assert_array_equal(first, again[:20])
    if y.all() or not y.any():
        assert np.isnan(first).all()
    else:
        assert ((first >= 0) & (first <= 1) | np.isnan(first)).all()
        assert not (is_stratified and np.isnan(first).any())


def test_seeds_and_resamples_differ() -> None:
    """No two resamples of large data are alike, nor those of two seeds."""
    generator = np.random.default_rng(6)
    y = generator.random(70_000) < 0.5
    scores = generator.normal(size=len(y)) + y
    areas = np.concatenate([ranking.bootstrap_auc(scores, y, 20, seed) for seed in (0, 1, 2**63)])
    assert len(np.unique(areas)) == 60
