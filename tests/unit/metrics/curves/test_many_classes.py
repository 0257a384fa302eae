"""Areas of more than two classes beside scikit-learn's."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.metrics.many_classes import hand_till, one_vs_rest_auc


def drawn_rows(seed: int, n_classes: int, n_ties: int):
    """Every class at least once, and probabilities of few values."""
    draw = np.random.default_rng(seed)
    y = np.concatenate([np.arange(n_classes), draw.integers(0, n_classes, draw.integers(0, 40))])
    votes = 1 + draw.integers(0, n_ties, (len(y), n_classes))
    return y, votes / votes.sum(axis=1, keepdims=True), draw


@pytest.mark.slow
@given(
    st.integers(0, 2**32 - 1),
    st.integers(3, 4),
    st.sampled_from([2, 5, 1000]),
    st.sampled_from(["macro", "weighted"]),
)
def test_equal_to_scikit_learn(seed, n_classes, n_ties, average):
    """One against the rest and all pairs, by both averages and with weights, are scikit-learn's."""
    y, table, draw = drawn_rows(seed, n_classes, n_ties)
    names = np.array(list("fbadce"))[:n_classes]
    labels = np.sort(names)
    words = labels[y]
    weights = draw.random(len(y))
    given = {"multi_class": "ovr", "average": average, "labels": labels}
    wanted = roc_auc_score(words, table, sample_weight=weights, **given)
    assert one_vs_rest_auc(words, table, labels, average, weights) == pytest.approx(wanted, rel=1e-12)
    wanted = roc_auc_score(words, table, multi_class="ovo", average=average, labels=labels)
    assert hand_till(words, table, labels, average) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_each_class_of_scikit_learn(seed):
    """Without an average there is one area per class."""
    y, table, _ = drawn_rows(seed, 4, 6)
    each = roc_auc_score(y, table, multi_class="ovr", average=None)
    np.testing.assert_allclose(one_vs_rest_auc(y, table, average=None), each, rtol=1e-12)


@pytest.mark.slow
@given(st.integers(0, 2**32 - 1))
def test_two_classes_are_one_curve(seed):
    """With two columns that sum to 1 both means are the area of the one curve."""
    y, table, _ = drawn_rows(seed, 2, 7)
    wanted = roc_auc_score(y, table[:, 1])
    assert one_vs_rest_auc(y, table) == pytest.approx(wanted, rel=1e-12)
    assert hand_till(y, table) == pytest.approx(wanted, rel=1e-12)


def test_a_class_that_does_not_occur():
    """It has no area and is left out of the means; its column has to be named."""
    y, table = ["a", "a", "b", "b"], np.array([[3, 1, 9], [2, 2, 9], [1, 3, 9], [2, 1, 9]])
    each = one_vs_rest_auc(y, table, ["a", "b", "c"], average=None)
    assert each[:2].tolist() == [0.875, 0.625]
    assert math.isnan(each[2])
    assert one_vs_rest_auc(y, table, ["a", "b", "c"]) == 0.75
    assert one_vs_rest_auc(y, table, ["a", "b", "c"], "weighted") == 0.75
    assert hand_till(y, table, ["a", "b", "c"]) == 0.75
    with pytest.raises(DataError, match="one column for each of 2 classes"):
        hand_till(y, table)


def test_one_class():
    """Rows of a single class have no area at all."""
    assert math.isnan(one_vs_rest_auc([1, 1], [[0.5, 0.5], [0.2, 0.8]], [0, 1]))
    assert math.isnan(hand_till([1, 1], [[0.5, 0.5], [0.2, 0.8]], [0, 1]))


def test_refused():
    """NaN, other shapes, unknown classes and misspelled averages are refused."""
    table = [[0.5, 0.5], [0.2, 0.8]]
    with pytest.raises(DataError, match="1 of 2 rows, first in row 2"):
        hand_till([0, 1], [[0.5, 0.5], [np.nan, 0.8]])
    with pytest.raises(DataError, match="one column"):
        one_vs_rest_auc([0, 1], [0.5, 0.8])
    with pytest.raises(DataError, match="differ in length"):
        one_vs_rest_auc([0, 1, 1], table)
    with pytest.raises(DataError, match="not among the labels"):
        one_vs_rest_auc([0, 7], table, [0, 1])
    with pytest.raises(RequestError, match="did you mean 'weighted'"):
        one_vs_rest_auc([0, 1], table, average="weigthed")
    with pytest.raises(InputTypeError, match="must hold numbers"):
        hand_till([0, 1], [["a", "b"], ["c", "d"]])
