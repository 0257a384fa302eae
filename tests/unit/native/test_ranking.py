"""The kernels of ranked scores against brute force, fractions and scikit-learn."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score, roc_curve

from heldout.native import ranking

SCORES = st.one_of(
    st.floats(allow_nan=False),
    st.sampled_from([0.0, -0.0, 1.0, 0.5, np.inf, -np.inf, 5e-324, 1.0 + 2**-52]),
)
ROWS = st.lists(st.tuples(SCORES, st.booleans()), max_size=40)
WEIGHTED = st.lists(
    st.tuples(SCORES, st.booleans(), st.sampled_from([0.0, 0.25, 1.0, 3.0, 0.1, 1e-9])), max_size=30
)


def split(rows: list[tuple[Any, ...]]) -> list[np.ndarray[Any, Any]]:
    """The columns of rows, scores first, then whether they are positive."""
    kinds = (np.float64, np.bool_, np.float64)
    n_columns = len(rows[0]) if rows else 3
    return [np.array([row[at] for row in rows], dtype=kinds[at]) for at in range(n_columns)]


def won_share(rows: list[tuple[Any, ...]]) -> Fraction | None:
    """The AUC pair by pair, in fractions."""
    won = total = Fraction(0)
    for high, is_high, *high_weight in rows:
        for low, is_low, *low_weight in rows:
            if is_high and not is_low:
                pair = Fraction(*high_weight) * Fraction(*low_weight) if high_weight else Fraction(1)
                total += pair
                won += pair * Fraction((high > low) * 2 + (high == low), 2)
    return won / total if total else None


@given(ROWS)
def test_the_auc_is_the_nearest_double(rows: list[tuple[float, bool]]) -> None:
    """Ties, infinities, both zeros and one class: the AUC is the rounded share of won pairs, or NaN."""
    scores, is_positive, *_ = split(rows)
    expected = won_share(rows)
    for found in (ranking.auc(scores, is_positive), ranking.steps(scores, is_positive).area):
        assert np.isnan(found) if expected is None else found == float(expected)


@given(WEIGHTED)
def test_the_weighted_auc_is_within_one_unit_of_the_last_place(rows: list[tuple[float, bool, float]]) -> None:
    """Under weights, among them 0, the AUC is next to the exact share of the weights of pairs."""
    scores, is_positive, weights = split(rows)
    expected = won_share(rows)
    for found in (
        ranking.auc(scores, is_positive, weights),
        ranking.steps(scores, is_positive, weights).area,
    ):
        if expected is None:
            assert np.isnan(found)
        else:
            assert abs(found - float(expected)) <= np.spacing(float(expected))


@given(WEIGHTED)
def test_steps_sum_what_lies_at_or_above_each_score(rows: list[tuple[float, bool, float]]) -> None:
    """Each distinct score of a row that counts is a step, descending, with the exact sums rounded."""
    scores, is_positive, weights = split(rows)
    found = ranking.steps(scores, is_positive, weights)
    assert found.thresholds.tolist() == sorted({row[0] + 0.0 for row in rows if row[2] > 0}, reverse=True)
    for at, threshold in enumerate(found.thresholds):
        for side, sums in ((True, found.positives), (False, found.negatives)):
            counted = [Fraction(row[2]) for row in rows if row[1] == side and row[0] >= threshold]
            assert sums[at] == float(sum(counted, Fraction(0)))


@pytest.mark.slow
@given(st.integers(0, 2**32), st.sampled_from([1, 2, 7, 100, 10**9]), st.booleans())
def test_curves_are_those_of_scikit_learn(seed: int, n_scores: int, has_weights: bool) -> None:
    """Steps are scikit-learn's curve with every threshold, and the area agrees with its trapezoids."""
    generator = np.random.default_rng(seed)
    n_rows = int(generator.integers(2, 700))
    y = generator.permutation(np.append(generator.random(n_rows - 2) < 0.3, [True, False]))
    scores = generator.integers(0, n_scores, n_rows) / 7
    weights = generator.integers(0, 3, n_rows) + 0.5 if has_weights else None
    found = ranking.steps(scores, y, weights, n_threads=2)
    false_rate, true_rate, thresholds = roc_curve(y, scores, sample_weight=weights, drop_intermediate=False)
    np.testing.assert_array_equal(found.thresholds, thresholds[1:])
    np.testing.assert_allclose(found.positives / found.positives[-1], true_rate[1:], rtol=1e-14)
    np.testing.assert_allclose(found.negatives / found.negatives[-1], false_rate[1:], rtol=1e-14)
    assert found.area == pytest.approx(roc_auc_score(y, scores, sample_weight=weights), abs=1e-13)


@pytest.mark.slow
@given(ROWS)
def test_placements_are_shares_of_the_other_class(rows: list[tuple[float, bool]]) -> None:
    """Each row's share of won pairs, ties half, in the order of the rows; NaN without the other class."""
    scores, is_positive, *_ = split(rows)
    of_positives, of_negatives = ranking.placements(scores, is_positive)
    low, high = scores[~is_positive], scores[is_positive]
    for found, own, other, sign in ((of_positives, high, low, 1), (of_negatives, low, high, -1)):
        assert len(found) == len(own)
        for share, score in zip(found, own, strict=True):
            n_won = np.sum(score > other) if sign == 1 else np.sum(score < other)
            expected = (2 * n_won + np.sum(score == other)) / (2 * len(other)) if len(other) else np.nan
            np.testing.assert_equal(share, expected)


def test_many_scores_are_sorted_like_few() -> None:
    """Large sorts, which write whole lines, find the steps that NumPy finds."""
    generator = np.random.default_rng(3)
    for scores in (
        generator.normal(size=300_001),
        np.round(generator.normal(size=300_001), 2),
        1 + generator.integers(0, 99, 300_001) * 2.0**-52,
        generator.normal(size=300_001) * 10.0 ** generator.integers(-300, 300, 300_001),
    ):
        y = generator.random(len(scores)) < 0.4
        distinct, place = np.unique(scores, return_inverse=True)
        found = ranking.steps(scores, y)
        np.testing.assert_array_equal(found.thresholds, distinct[::-1])
        np.testing.assert_array_equal(
            found.positives, np.cumsum(np.bincount(place[y], minlength=len(distinct))[::-1])
        )
        np.testing.assert_array_equal(
            found.negatives, np.cumsum(np.bincount(place[~y], minlength=len(distinct))[::-1])
        )
        weighted = ranking.steps(scores, y, np.full(len(scores), 0.5), n_threads=2)
        np.testing.assert_array_equal(weighted.positives * 2, found.positives)
        assert weighted.area == found.area == ranking.auc(scores, y)


def test_nan_and_arrays_that_do_not_fit_are_refused() -> None:
    """The core checks what enters, whoever calls it."""
    for scores, is_positive, weights in (
        ([0.1, np.nan], [True, False], None),
        ([0.1, 0.2], [True], None),
        ([0.1, 0.2], [True, False], [1.0]),
        ([0.1, 0.2], [True, False], [1.0, -1.0]),
        ([0.1, 0.2], [True, False], [1.0, np.inf]),
    ):
        given_weights = None if weights is None else np.array(weights)
        with pytest.raises(ValueError, match=r"score|weight"):
            ranking.auc(np.array(scores), np.array(is_positive), given_weights)
