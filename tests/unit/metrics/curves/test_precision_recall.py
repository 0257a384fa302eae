"""Precision-recall curves beside scikit-learn's, and their closed form beside numerical integration."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from sklearn.metrics import average_precision_score, precision_recall_curve

from heldout.errors import RequestError
from heldout.metrics.curve_hull import area_below_precision
from heldout.metrics.precision_recall import PrecisionRecall, precision_recall

from .exact_curves import exact_points, labelled_scores, precision_at


@pytest.mark.slow
@given(labelled_scores(), st.data())
def test_points_and_average_precision_of_scikit_learn(rows, data):
    """Precision, recall, thresholds and average precision are scikit-learn's, with and without weights."""
    y, scores = rows
    weights = None
    if data.draw(st.booleans()):
        drawn = st.lists(st.sampled_from([0.3, 1.0, 2.7]), min_size=len(y), max_size=len(y))
        weights = np.array(data.draw(drawn))
    precision, recall, thresholds = precision_recall_curve(y, scores, sample_weight=weights)
    curve = precision_recall(y, scores, weights=weights)
    assert curve.thresholds[1:].tolist() == thresholds[::-1].tolist()
    np.testing.assert_allclose(curve.precision[1:], precision[::-1][1:], rtol=1e-12)
    np.testing.assert_allclose(curve.recall, recall[::-1], rtol=1e-12)
    wanted = average_precision_score(y, scores, sample_weight=weights)
    assert curve.average_precision == pytest.approx(wanted, rel=1e-12)


def interpolated(hits: float, start: float, alarms: float, slope: float) -> float:
    """Precision on a stretch where each hit brings the same number of alarms."""
    return hits / (hits + alarms + slope * (hits - start))


@given(labelled_scores(most=16))
def test_the_closed_form_is_the_integral(rows):
    """The area is that of integrating the interpolated precision numerically, stretch by stretch."""
    y, scores = rows
    total = 0.0
    points = exact_points(y, scores)
    for (x, low), (next_x, high) in itertools.pairwise(points):
        if high > low:
            slope = float((next_x - x) / (high - low))
            start, alarms = float(low), float(x)
            given = (start, alarms, slope)
            total += quad(interpolated, start, float(high), args=given, epsabs=1e-13, epsrel=1e-13)[0]
    assert precision_recall(y, scores).area == pytest.approx(total / y.sum(), rel=1e-11)


@pytest.mark.slow
@given(labelled_scores(), st.fractions(0, 1, max_denominator=40))
def test_precision_at_any_recall(rows, recall):
    """Between two thresholds precision is that of counts on the line between them, also at a fall."""
    y, scores = rows
    curve = precision_recall(y, scores)
    if recall > 0:
        wanted = precision_at(exact_points(y, scores), recall * Fraction(int(y.sum())))
        assert curve.precision_at(float(recall)) == pytest.approx(float(wanted), rel=1e-9)
    else:
        assert curve.precision_at(0.0) == curve.precision[0]


@pytest.mark.slow
@given(labelled_scores(), st.lists(st.fractions(0, 1, max_denominator=50), min_size=3, max_size=3))
def test_areas_between_recalls_add_up(rows, cuts):
    """Areas of neighboring stretches sum to that of both, and all to the whole."""
    curve = precision_recall(*rows)
    low, middle, high = sorted(map(float, cuts))
    both = curve.area_between(low, middle) + curve.area_between(middle, high)
    assert both == pytest.approx(curve.area_between(low, high), abs=1e-12)
    assert curve.area_between(0, 1) == pytest.approx(curve.area, rel=1e-13)


def test_many_small_steps_lose_no_digits():
    """A late hit after ten million alarms has the area of its series, where plain logarithms would cancel."""
    hits, alarms = np.array([0.0, 0.0, 1.0]), np.array([0.0, 1e7, 1e7])
    wanted = sum((-1) ** k * Fraction(1, 10**7) ** k / (k + 1) for k in range(1, 6)) * -1
    assert area_below_precision(hits, alarms) == pytest.approx(float(wanted), rel=1e-14)


def test_blocks_do_not_show():
    """An area over many blocks is that of the sum over all stretches."""
    draw = np.random.default_rng(0)
    y = draw.integers(0, 2, 200_000)
    curve = precision_recall(y, draw.normal(size=200_000) + y)
    hits, alarms = curve.true_positives, curve.false_positives
    pieces = [
        area_below_precision(hits[a : a + 10_001], alarms[a : a + 10_001]) for a in range(0, 200_000, 10_000)
    ]
    assert curve.area == pytest.approx(sum(pieces) / y.sum(), rel=1e-12)
    assert curve.area == pytest.approx(curve.average_precision, rel=1e-3)


@given(labelled_scores())
def test_guessing_and_the_best(rows):
    """Scores that are all equal have the share of positives as area, perfect ones have 1."""
    y, _ = rows
    assert precision_recall(y, np.zeros(len(y))).area == pytest.approx(y.mean(), rel=1e-14)
    assert precision_recall(y, y).area == 1.0
    assert precision_recall(y, y).average_precision == 1.0


def test_without_positives_or_negatives():
    """Without positives there is no area, and the sentence says so; without negatives precision is 1."""
    nothing = precision_recall([0, 0], [0.1, 0.2])
    assert math.isnan(nothing.area)
    assert math.isnan(nothing.average_precision)
    assert np.isnan(nothing.recall).all()
    assert "without positive rows" in str(nothing)
    assert nothing.to_dict()["area"] is None
    assert "no curve" in nothing.to_svg()
    with pytest.raises(RequestError, match="no recall"):
        nothing.precision_at(0.5)
    assert precision_recall([1, 1], [0.1, 0.2]).area == 1.0


@pytest.mark.parametrize("recall", [-0.1, 1.1, np.nan, "half", True])
def test_a_recall_lies_between_0_and_1(recall):
    """Recalls that are none are refused."""
    with pytest.raises(RequestError, match="between 0 and 1"):
        precision_recall([0, 1], [1, 2]).precision_at(recall)


def test_words_and_dict():
    """The sentence has both areas and that of guessing; the dict has them too."""
    curve = precision_recall(["no", "yes", "no", "yes"], [0.1, 0.4, 0.6, 0.8])
    assert "area 0.797 with interpolation by counts (average precision 0.833); guessing has 0.500" in str(
        curve
    )
    assert {"area", "average_precision", "thresholds", "positive"} <= set(curve.to_dict())
    with pytest.raises(RequestError, match="lower recall"):
        curve.area_between(0.9, 0.1)
    assert PrecisionRecall.of_counts([1], [0], 1, 1).area == 1.0
