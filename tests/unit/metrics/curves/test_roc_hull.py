"""The hull over several models."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout.errors import InputTypeError, RequestError
from heldout.metrics.roc import roc
from heldout.metrics.roc_hull import EVERYTHING, NOTHING, roc_hull

from .exact_curves import labelled_scores


@st.composite
def several_scores(draw: st.DrawFn):
    """The same labels with one to four scores."""
    y, first = draw(labelled_scores(most=15))
    row = st.lists(st.integers(0, 9), min_size=len(y), max_size=len(y))
    return y, [first, *(np.array(each, dtype=float) for each in draw(st.lists(row, max_size=3)))]


@pytest.mark.slow
@given(several_scores(), st.integers(0, 12), st.integers(0, 12))
def test_no_model_is_better_than_the_hull(rows, of_alarm, of_miss):
    """It dominates every curve, and for any costs its corner is the cheapest point of all models."""
    y, scores = rows
    curves = {f"m{place}": roc(y, each) for place, each in enumerate(scores)}
    found = roc_hull(curves)
    assert all(found.hull.dominates(curve) for curve in curves.values())
    assert found.area >= max(curve.hull().area for curve in curves.values()) - 1e-15
    if of_alarm + of_miss:
        point = found.threshold(cost=(of_alarm, of_miss))
        costs = [
            curve.threshold(cost=(of_alarm, of_miss)).cost(of_alarm, of_miss) for curve in curves.values()
        ]
        assert point.cost(of_alarm, of_miss) == min(costs)
        if point.model in curves:
            there = curves[point.model].at(point.threshold)
            assert (there.tp, there.fp) == (point.tp, point.fp)


@given(several_scores())
def test_ranges_cover_all_slopes(rows):
    """From infinity to 0 one range follows the other, each with corners of its model, left to right."""
    y, scores = rows
    found = roc_hull([roc(y, each) for each in scores])
    assert found.ranges[0].model == NOTHING
    assert found.ranges[-1].model == EVERYTHING
    assert found.ranges[0].slopes[1] == math.inf
    assert found.ranges[-1].slopes[0] == 0.0
    for before, after in zip(found.ranges[:-1], found.ranges[1:], strict=True):
        assert before.slopes[0] == after.slopes[1]
        assert before.false_positive_rates[1] <= after.false_positive_rates[0]
        assert before.model != after.model
    assert all(each.slopes[0] <= each.slopes[1] for each in found.ranges)
    assert {*found.never_best} | {*found.models} == {*found.curves, NOTHING, EVERYTHING}


def test_the_model_of_a_slope_is_the_cheapest():
    """Costs whose slope lies within the range of a model are served best by that model."""
    y = [0] * 4 + [1] * 4
    curves = {"careful": roc(y, [1, 2, 3, 4, 0, 5, 6, 7]), "eager": roc(y, [0, 1, 2, 5, 4, 3, 6, 7])}
    found = roc_hull(curves)
    for part in found.ranges[1:-1]:
        slope = (part.slopes[0] + min(part.slopes[1], 100)) / 2
        assert found.threshold(cost=(slope, 1)).model == part.model


def test_of_one_curve():
    """The hull over one curve is its hull, and a list is numbered."""
    curve = roc([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4])
    found = roc_hull([curve])
    assert found.hull.thresholds.tolist() == curve.hull().thresholds.tolist()
    assert list(found.curves) == ["model 1"]
    assert found.never_best == ()


def test_weights_that_cannot_be_summed_exactly():
    """Totals that differ in the last digit are the same rows; the hull ends once."""
    draw = np.random.default_rng(3)
    y, weights = draw.integers(0, 2, 200), draw.random(200)
    curves = [roc(y, draw.random(200) + y, weights=weights) for _ in range(4)]
    found = roc_hull(curves)
    assert found.models.count(EVERYTHING) == 1
    assert (np.diff(found.hull.false_positives) >= 0).all()
    assert all(found.hull.dominates(curve) for curve in curves)


def test_words_dict_and_picture():
    """The sentence names where each model is best and which never is; a single class has no area."""
    y = [0, 0, 1, 1]
    found = roc_hull({"stump": roc(y, [0, 1, 1, 1]), "coin": roc(y, [0, 1, 0, 1])})
    assert "Best are stump at false positive rates 0.500. Never best: coin." in str(found)
    assert json.loads(json.dumps(found.to_dict()))["curves"] == {"stump": 0.75, "coin": 0.5}
    assert found.to_svg().count("<circle") == len(found.models)
    assert "No model is better than guessing" in str(roc_hull([roc([1, 0], [1, 2])]))
    empty = roc_hull([roc([0, 0], [1, 2])])
    assert "without rows of both classes" in str(empty)
    assert "no curve" in empty.to_svg()


def test_refused():
    """Nothing, other things than curves, and curves of other rows are refused."""
    with pytest.raises(RequestError, match="no curve"):
        roc_hull([])
    for wrong in ([1, 2], {"a": None}, "curve", 5):
        with pytest.raises(InputTypeError, match="made of ROC curves"):
            roc_hull(wrong)
    with pytest.raises(RequestError, match="same rows"):
        roc_hull([roc([0, 1], [1, 2]), roc([0, 1, 1], [1, 2, 3])])
