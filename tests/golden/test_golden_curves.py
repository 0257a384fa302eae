"""Curves that are known from elsewhere; exact numbers where they can be worked out by hand."""

from __future__ import annotations

import math

import pytest

from heldout.metrics.precision_recall import PrecisionRecall, precision_recall
from heldout.metrics.roc import Roc, roc

# Ten examples in the order of their scores: 9, 7, 1, 2, 6, 10, 3, 5, 4 and 8.
TEN_SCORES = [0.99, 0.98, 0.72, 0.70, 0.65, 0.51, 0.39, 0.24, 0.11, 0.01]
TEN_LABELS = ["+", "+", "-", "+", "+", "-", "-", "+", "-", "-"]


def test_roc_of_ten_examples():
    """Twenty of twenty-five pairs are in order."""
    curve = roc(TEN_LABELS, TEN_SCORES, positive="+")
    assert curve.area == 0.8
    assert curve.thresholds[1:].tolist() == TEN_SCORES
    assert curve.true_positives.tolist() == [0, 1, 2, 2, 3, 4, 4, 4, 5, 5, 5]
    assert curve.false_positives.tolist() == [0, 0, 0, 1, 1, 1, 2, 3, 3, 4, 5]


def test_hull_of_ten_examples():
    """Five corners with an area of 0.88."""
    hull = roc(TEN_LABELS, TEN_SCORES, positive="+").hull()
    corners = zip(hull.false_positive_rates.tolist(), hull.true_positive_rates.tolist(), strict=True)
    assert list(corners) == [(0, 0), (0, 0.4), (0.2, 0.8), (0.6, 1), (1, 1)]
    assert hull.thresholds.tolist() == [math.inf, 0.98, 0.65, 0.24, 0.01]
    assert hull.area == pytest.approx(0.88, rel=1e-15)


def test_precision_and_recall_of_ten_examples():
    """Average precision 0.835, interpolated area 0.8177, achievable area 0.8879."""
    curve = precision_recall(TEN_LABELS, TEN_SCORES, positive="+")
    assert curve.average_precision == pytest.approx(0.835, rel=1e-15)
    # ∫ t/(t + k) is Δt − k·ln of the ratio of the numbers called positive: one alarm from 2 to 4 hits, three
    # from 4 to 5.
    assert curve.area == pytest.approx((5 - math.log(5 / 3) - 3 * math.log(8 / 7)) / 5, rel=1e-14)
    assert round(curve.area, 4) == 0.8177
    assert round(curve.achievable().area, 4) == 0.8879
    # From (2 hits, 0 alarms) to (4, 1) and on to (5, 3): t/(3t/2 − 1) and t/(3t − 7).
    first = 2 + (4 / 3 + 4 / 9 * math.log(5 / 2)) + (1 / 3 + 7 / 9 * math.log(8 / 5))
    assert curve.achievable().area == pytest.approx(first / 5, rel=1e-14)


def test_interpolation_from_a_to_b():
    """Of 20 positives A finds 5 with 5 alarms and B 10 with 30: precision sags between them."""
    curve = PrecisionRecall.of_counts([5, 10], [5, 30], n_positives=20, n_negatives=2000)
    between = [curve.precision_at(recall) for recall in (0.3, 0.35, 0.4, 0.45)]
    assert between == pytest.approx([6 / 16, 7 / 22, 8 / 28, 9 / 34], rel=1e-14)
    assert [round(each, 3) for each in between] == [0.375, 0.318, 0.286, 0.265]
    assert round(curve.area_between(0.25, 0.5), 5) == 0.08017
    linear = (curve.precision_at(0.25) + curve.precision_at(0.5)) / 2 * 0.25
    assert linear == 0.09375


def test_interpolation_with_many_negatives():
    """Halfway from 500 to 1000 hits precision is 0.1364 and not 0.3; the area is 0.08463 and not 0.15."""
    curve = PrecisionRecall.of_counts([500], [500], n_positives=1000, n_negatives=9000)
    found = [curve.precision_at(recall) for recall in (0.5, 0.75, 1.0)]
    assert found == pytest.approx([0.5, 750 / 5500, 0.1], rel=1e-14)
    assert round(curve.area_between(0.5, 1.0), 5) == 0.08463
    assert curve.area_between(0.5, 1.0) == pytest.approx(
        (500 / 18 + 8000 / 324 * math.log(10)) / 1000, rel=1e-13
    )
    assert (found[0] + found[2]) / 2 * 0.5 == pytest.approx(0.15, rel=1e-14)
    by_rates = Roc.of_counts([500, 750, 1000], [500, 4750, 9000], n_positives=1000, n_negatives=9000)
    assert by_rates.hull().true_positives.tolist() == [0, 500, 1000]


def test_the_areas_disagree():
    """The better of two models by ROC is the worse by precision and recall."""
    y = [0, 1, 1, 0, 0]
    scores = [5, 4, 3, 2, 1]
    other = [4, 5, 1, 3, 2]  # ranks + - - - +
    assert roc(y, scores).area == pytest.approx(2 / 3, rel=1e-15)
    assert roc(y, other).area == 0.5
    assert precision_recall(y, scores).area == pytest.approx(1 - math.log(3) / 2, rel=1e-14)
    assert precision_recall(y, other).area == pytest.approx(1 - 1.5 * math.log(5 / 4), rel=1e-14)
    assert precision_recall(y, scores).area < 0.46 < 0.66 < precision_recall(y, other).area
    assert not roc(y, scores).dominates(roc(y, other))
    assert not roc(y, other).dominates(roc(y, scores))


def test_a_low_rate_of_many_negatives():
    """Among a million negatives a rate of 1% is ten thousand false alarms, more than there are positives."""
    point = Roc.of_counts([90], [10_000], n_positives=100, n_negatives=1_000_000).threshold(recall=0.9)
    assert (point.false_positive_rate, point.recall) == (0.01, 0.9)
    assert point.precision == pytest.approx(90 / 10_090, rel=1e-15)
