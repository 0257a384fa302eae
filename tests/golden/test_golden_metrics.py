"""Rates that are known from elsewhere."""

import statistics

import pytest

from heldout.metrics.confusion import Confusion, confusion
from heldout.metrics.metric_registry import METRICS


def test_eight_predictions():
    """Three hits, one miss, two alarms, two rejections."""
    y = ["+", "+", "+", "+", "-", "-", "-", "-"]
    predicted = ["+", "+", "+", "-", "+", "+", "-", "-"]
    found = confusion(y, predicted, positive="+")
    assert found.counts.tolist() == [[3, 1], [2, 2]]  # "+" comes before "-"
    assert found.accuracy == 0.625
    assert found.precision() == 0.6
    assert found.recall() == found.sensitivity() == 0.75
    assert found.f() == pytest.approx(2 / 3, rel=1e-15)
    assert found.specificity() == 0.5


def test_an_imbalanced_matrix():
    """Ten positive rows and a negative one: the rates look fine, and guessing is better."""
    found = Confusion.of_counts([[0, 1], [3, 7]], [0, 1])
    assert found.recall() == 0.7
    assert found.precision() == 0.875
    assert found.f() == pytest.approx(7 / 9, rel=1e-15)
    assert round(found.f(), 3) == 0.778
    assert round(found.accuracy, 3) == 0.636
    assert round(found.baseline, 3) == 0.909
    assert found.balanced_accuracy == 0.35


def test_five_f_scores():
    """Their mean and standard deviation; each score is that of a matrix."""
    percent = [92.4, 93.9, 96.1, 92.2, 94.4]
    scores = []
    for score in percent:
        # 2·TP / (2·TP + FP + FN) with 2·TP + FP + FN = 2000 rows
        n_hits = round(10 * score)
        matrix = Confusion.of_counts([[500, 2000 - 2 * n_hits], [0, n_hits]], ["no", "yes"])
        scores.append(100 * matrix.f())
    assert scores == pytest.approx(percent, rel=1e-14)
    assert statistics.mean(scores) == pytest.approx(93.8, rel=1e-14)
    assert statistics.stdev(scores) == pytest.approx(1.595306, abs=5e-7)


def test_beta_the_right_way_round():
    """β = 0 is precision and β → ∞ is recall; two of the sources have it reversed."""
    found = Confusion.of_counts([[2, 2], [1, 3]], ["-", "+"], positive="+")
    assert (found.f(0), found.f(float("inf"))) == (found.precision(), found.recall()) == (0.6, 0.75)


def test_specificity_is_no_precision():
    """Specificity is the recall of the negative class; its precision is the NPV."""
    found = Confusion.of_counts([[2, 2], [1, 3]], ["-", "+"], positive="+")
    assert found.specificity() == found.recall("-") == 0.5
    assert found.npv() == found.precision("-") == 2 / 3


def test_by_name():
    """The same numbers by the names of the metrics."""
    y, predicted = [1, 1, 1, 1, 0, 0, 0, 0], [1, 1, 1, 0, 1, 1, 0, 0]
    wanted = {"accuracy": 0.625, "error": 0.375, "precision": 0.6, "recall": 0.75, "specificity": 0.5}
    assert {name: METRICS[name](y, predicted) for name in wanted} == wanted
