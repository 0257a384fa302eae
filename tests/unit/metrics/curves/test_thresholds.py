"""Points chosen for a recall, a precision or costs, beside trying every threshold."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout.errors import InputTypeError, RequestError
from heldout.metrics.operating_point import OperatingPoint
from heldout.metrics.precision_recall import precision_recall
from heldout.metrics.roc import roc

from .exact_curves import labelled_scores


def every_point(curve) -> list[OperatingPoint]:
    """What happens at each threshold but the one that nothing reaches."""
    return [curve.at(threshold) for threshold in curve.thresholds[1:]]


@given(labelled_scores(), st.fractions(0, 1, max_denominator=30))
def test_for_a_recall(rows, wanted):
    """Of all thresholds with the recall the chosen one has the best precision, then the best recall."""
    curve = roc(*rows)
    point = curve.threshold(recall=float(wanted))
    able = [each for each in every_point(curve) if each.recall >= float(wanted)]
    best = max((each.precision, each.recall) for each in able)
    assert (point.precision, point.recall) == best
    assert precision_recall(*rows).threshold(recall=float(wanted)) == point


@given(labelled_scores(), st.fractions(0, 1, max_denominator=30))
def test_for_a_precision(rows, wanted):
    """Of all thresholds with the precision the chosen one has the best recall; if none has it, it is said."""
    curve = precision_recall(*rows)
    able = [each for each in every_point(curve) if each.precision >= float(wanted)]
    if not able:
        with pytest.raises(RequestError, match="no threshold has a precision"):
            curve.threshold(precision=float(wanted))
        return
    point = curve.threshold(precision=float(wanted))
    assert (point.recall, point.precision) == max((each.recall, each.precision) for each in able)
    assert roc(*rows).threshold(precision=float(wanted)) == point


@pytest.mark.slow
@given(labelled_scores(), st.integers(0, 20), st.integers(0, 20))
def test_for_costs(rows, of_alarm, of_miss):
    """No threshold is cheaper, calling nothing positive included; and a corner of the hull is as cheap."""
    if of_alarm + of_miss == 0:
        return
    curve = roc(*rows)
    point = curve.threshold(cost=(of_alarm, of_miss))
    nothing = of_miss * curve.n_positives
    cheapest = min([nothing, *(each.cost(of_alarm, of_miss) for each in every_point(curve))])
    assert point.cost(of_alarm, of_miss) == cheapest
    assert curve.hull().threshold(cost=(of_alarm, of_miss)).cost(of_alarm, of_miss) == cheapest


def test_rates_are_compared_as_they_are_written():
    """11 of 20 is a recall of 0.55, although 0.55 · 20 is more than 11."""
    y, scores = [1] * 11 + [0] + [1] * 9, -np.arange(21)
    assert roc(y, scores).threshold(recall=0.55).tp == 11
    assert precision_recall(y, scores).precision_at(0.55) == 1.0


def test_a_wanted_recall_is_not_bought_with_precision():
    """A lower threshold with better recall and better precision is taken, though it has more false alarms."""
    y = [1] * 2 + [0] * 2 + [1] * 7 + [0]
    scores = [5] * 4 + [4] * 8
    assert roc(y, scores).threshold(recall=0.2).threshold == 4


@pytest.mark.parametrize("asked", [
    {}, {"recall": 0.5, "precision": 0.5}, {"recall": 1.5}, {"precision": -0.1}, {"recall": "high"},
    {"cost": (0, 0)}, {"cost": (1, -1)}, {"cost": 5}, {"cost": (1, math.inf)}, {"cost": (1, 2, 3)},
])  # fmt: skip
def test_requests_that_cannot_be_met(asked):
    """Nothing, too much, and numbers that are no rates or costs are refused with a way to mend them."""
    with pytest.raises(RequestError) as caught:
        roc([0, 1], [1, 2]).threshold(**asked)
    assert caught.value.fix


def test_without_positives():
    """Recall cannot be asked for without positive rows; costs can, and call nothing positive."""
    curve = roc([0, 0], [1, 2])
    with pytest.raises(RequestError, match="no recall"):
        curve.threshold(recall=0.5)
    assert curve.threshold(cost=(1, 1)).fp == 0


@pytest.mark.parametrize("threshold", ["high", None, [1, 2]])
def test_a_threshold_is_a_number(threshold):
    """What is no number is no threshold, and neither is NaN."""
    with pytest.raises(InputTypeError, match="number"):
        roc([0, 1], [1, 2]).at(threshold)
    with pytest.raises(RequestError, match="NaN"):
        roc([0, 1], [1, 2]).at(math.nan)


def test_words_and_rates_of_a_point():
    """The sentence counts, the dict has the rates, and what is 0/0 is NaN."""
    point = roc(["no", "no", "yes"], [0.3, 0.6, 0.6]).at(0.5)
    assert str(point).startswith(
        "Called positive is what scores 0.5 or more: 1 of 1 positive rows are found, and 1 of 2 negative ones"
        " called positive too (recall 1.000, precision 0.500, false positive rate 0.500)."
    )
    assert point.to_dict()["specificity"] == 0.5
    nothing = roc([0, 1], [1, 2]).at(9)
    assert math.isnan(nothing.precision)
    assert (nothing.recall, nothing.f1, nothing.specificity) == (0.0, 0.0, 1.0)
    assert nothing.to_dict()["precision"] is None
    assert "predicted" in point.to_svg()
    assert "2.5" in roc([0, 1], [1, 2], weights=[1, 2.5]).at(2).to_svg()
