"""Hulls, achievable curves and dominance, beside brute force in fractions."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout.errors import InputTypeError, RequestError
from heldout.metrics import curve_hull
from heldout.metrics.curve_hull import hull_corners
from heldout.metrics.precision_recall import precision_recall
from heldout.metrics.roc import Roc, roc

from .exact_curves import (
    dominates_in_precision_space,
    dominates_in_roc_space,
    exact_points,
    height_at,
    labelled_scores,
)


@st.composite
def two_curves(draw: st.DrawFn):
    """The same labels with two scores; often one is the other with a few swaps or ties."""
    y, first = draw(labelled_scores(most=10))
    second = first.copy()
    if draw(st.booleans()):
        for _ in range(draw(st.integers(1, 3))):
            a, b = draw(st.integers(0, len(y) - 1)), draw(st.integers(0, len(y) - 1))
            second[[a, b]] = second[[b, a]] if draw(st.booleans()) else second[a]
    else:
        second = np.array(draw(st.lists(st.integers(0, 9), min_size=len(y), max_size=len(y))), dtype=float)
    return y, first, second


@pytest.mark.slow
@given(two_curves())
def test_dominance_is_the_same_in_both_planes(curves):
    """A curve dominates in ROC space if and only if it does in PR space (Davis & Goadrich), by counts."""
    y, first, second = curves
    points, others = exact_points(y, first), exact_points(y, second)
    in_roc_space = dominates_in_roc_space(points, others)
    assert dominates_in_precision_space(points, others) == in_roc_space
    assert roc(y, first).dominates(roc(y, second)) == in_roc_space
    assert precision_recall(y, first).dominates(precision_recall(y, second)) == in_roc_space


@given(two_curves())
def test_who_dominates_has_no_smaller_area(curves):
    """Dominance orders both areas, and equal curves dominate each other."""
    y, first, second = curves
    assert roc(y, first).dominates(roc(y, 2 * first + 1))
    if roc(y, first).dominates(roc(y, second)):
        assert roc(y, first).area >= roc(y, second).area
        assert precision_recall(y, first).area >= precision_recall(y, second).area - 1e-12
    if roc(y, first).dominates(roc(y, second)) and roc(y, second).dominates(roc(y, first)):
        assert roc(y, first).area == roc(y, second).area


@pytest.mark.slow
@given(labelled_scores())
def test_the_hull_is_convex_above_the_curve_and_touches_it(rows):
    """Slopes fall, every point of the curve lies on or below the hull, and its corners are such points."""
    y, scores = rows
    points = exact_points(y, scores)
    hull = roc(y, scores).hull()
    corners = list(zip(hull.false_positives, hull.true_positives, strict=True))
    assert corners[0] == points[0]
    assert corners[-1] == points[-1]
    assert set(corners) <= set(points)
    steps = np.diff(np.array(corners), axis=0)
    assert all(a[0] * b[1] < a[1] * b[0] for a, b in itertools.pairwise(steps))
    exact = [points[points.index(corner)] for corner in corners]
    assert all(y_there <= height_at(exact, x_there) for x_there, y_there in points)
    called = [(scores >= threshold).sum() for threshold in hull.thresholds]
    assert called == [sum(corner) for corner in corners]


@pytest.mark.slow
@given(labelled_scores())
def test_the_hull_dominates_in_both_planes(rows):
    """Hull and achievable curve dominate what they are made of, and no area shrinks."""
    y, scores = rows
    curve, precision = roc(y, scores), precision_recall(y, scores)
    assert curve.hull().dominates(curve)
    assert precision.achievable().dominates(precision)
    assert curve.hull().area >= curve.area
    assert precision.achievable().area >= precision.area - 1e-12
    assert curve.hull().hull().thresholds.tolist() == curve.hull().thresholds.tolist()
    recalls = np.linspace(0.01, 1, 23)
    best = precision.achievable()
    assert all(best.precision_at(recall) >= precision.precision_at(recall) - 1e-12 for recall in recalls)


@pytest.mark.slow
@given(labelled_scores(), st.data())
def test_weights_do_not_break_hulls(rows, data):
    """With weights that cannot be summed exactly the hull still dominates, but for rounding."""
    y, scores = rows
    weights = data.draw(st.lists(st.floats(0.01, 10), min_size=len(y), max_size=len(y)))
    curve = roc(y, scores, weights=weights)
    assert curve.hull().dominates(curve)
    assert curve.dominates(roc(y, 3 * scores, weights=weights))
    assert curve.hull().area >= curve.area - 1e-12


@pytest.mark.parametrize("n_scores", [30, 100_000])
def test_sweeps_find_the_corners_of_the_walk(n_scores, monkeypatch):
    """Long curves are thinned by sweeps first, and have the same corners as when every point is walked."""
    draw = np.random.default_rng(1)
    y = draw.integers(0, 2, 50_000)
    curve = roc(y, np.round(n_scores * (draw.random(50_000) ** (1 + y))))
    swept = hull_corners(curve.false_positives, curve.true_positives)
    monkeypatch.setattr(curve_hull, "FEW_POINTS", 10**9)
    walked = hull_corners(curve.false_positives, curve.true_positives)
    assert swept.tolist() == walked.tolist()
    monkeypatch.setattr(curve_hull, "FEW_POINTS", 2)
    assert hull_corners(curve.false_positives, curve.true_positives).tolist() == walked.tolist()


def test_a_curve_below_the_diagonal():
    """Scores that are all wrong have the diagonal as hull: calling by lot is better."""
    hull = roc([1, 1, 0, 0], [1, 2, 3, 4]).hull()
    assert hull.false_positive_rates.tolist() == [0.0, 1.0]
    assert hull.area == 0.5


def test_curves_that_cross_dominate_neither_way():
    """Two curves with a crossing between their points are told from two that touch."""
    first = Roc.of_counts([1, 2], [0, 3], 4, 4)
    second = Roc.of_counts([2], [1], 4, 4)
    assert not first.dominates(second)
    assert not second.dominates(first)
    touching = Roc.of_counts([2], [2], 4, 4)
    assert second.dominates(touching)
    assert not touching.dominates(second)


def test_what_cannot_be_compared():
    """Curves of other rows, and curves of the other plane, are refused."""
    with pytest.raises(RequestError, match="same rows"):
        roc([0, 1], [1, 2]).dominates(roc([0, 1, 1], [1, 2, 3]))
    with pytest.raises(InputTypeError, match="compared with another"):
        roc([0, 1], [1, 2]).dominates(precision_recall([0, 1], [1, 2]))


def test_thresholds_of_a_hull():
    """A hull answers for its corners alone; between them lots are drawn, and it says so."""
    hull = roc([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4]).hull()
    assert hull.at(0.4).tp == 1
    with pytest.raises(RequestError, match="corners"):
        hull.at(0.35)
    assert "drawing lots" in str(hull)
    achievable = precision_recall([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4]).achievable()
    assert "drawing lots" in str(achievable)


def test_points_that_stand_twice_lose_no_corner():
    """Weights too small to change a sum leave equal points, also where the hull is swept and not walked."""
    n = 2 * curve_hull.FEW_POINTS
    y = np.tile([1, 0, 1], n)
    scores = np.repeat(np.arange(n, 0, -1) * 2.0, 3) - np.tile([0.0, 0.0, 1.0], n)
    weights = np.tile([1.0, 1.0, 1e-30], n)
    weights[::3] = np.arange(n, 0, -1)
    curve = roc(y, scores, weights=weights)
    assert (np.diff(curve.true_positives) + np.diff(curve.false_positives) == 0).any()
    hull = curve.hull()
    assert len(hull.thresholds) == n + 1
    assert hull.dominates(curve)
