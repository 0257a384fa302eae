"""Log loss and what is asked of probabilities."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as theirs

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.metrics.brier import brier
from heldout.metrics.probability_inputs import log_loss
from heldout.metrics.reliability import reliability


@st.composite
def judged_tables(draw: st.DrawFn, n_classes: int):
    """Labels of so many classes, a table of probabilities, and weights or none."""
    n_rows = draw(st.integers(1, 20))
    y = draw(st.lists(st.integers(0, n_classes - 1), min_size=n_rows, max_size=n_rows))
    cell = st.floats(0.001, 1.0)
    raw = np.array(
        draw(
            st.lists(st.lists(cell, min_size=n_classes, max_size=n_classes), min_size=n_rows, max_size=n_rows)
        )
    )
    weight = st.one_of(st.just(0.0), st.floats(0.01, 10.0))
    weights = draw(st.none() | st.lists(weight, min_size=n_rows, max_size=n_rows))
    if weights is not None:
        weights[0] = 1.0
    return np.array(y), raw / raw.sum(axis=1, keepdims=True), weights


@pytest.mark.slow
@given(judged_tables(n_classes=3))
def test_log_loss_of_three_classes(rows):
    """A table of probabilities has scikit-learn's loss, with weights and absent classes."""
    y, table, weights = rows
    wanted = theirs.log_loss(y, table, labels=[0, 1, 2], sample_weight=weights)
    assert log_loss(y, table, labels=[0, 1, 2], weights=weights) == pytest.approx(wanted, rel=1e-10)


@pytest.mark.slow
@given(judged_tables(n_classes=2))
def test_log_loss_of_two_classes(rows):
    """One column, two columns and turned columns all have scikit-learn's loss."""
    y, table, weights = rows
    wanted = theirs.log_loss(y, table, labels=[0, 1], sample_weight=weights)
    assert log_loss(y, table[:, 1], labels=[0, 1], weights=weights) == pytest.approx(wanted, rel=1e-10)
    assert log_loss(y, table, labels=[0, 1], weights=weights) == pytest.approx(wanted, rel=1e-10)
    turned = log_loss(y, table[:, ::-1], labels=[1, 0], weights=weights)
    assert turned == pytest.approx(wanted, rel=1e-10)
    other = log_loss(y, table[:, 0], labels=[0, 1], weights=weights, positive=0)
    assert other == pytest.approx(wanted, rel=1e-10)


def test_sure_and_wrong_is_infinite():
    """A probability of 0 for what happened loses everything; clipping is asked for."""
    assert log_loss([0, 1], [0.5, 0.0]) == math.inf
    assert log_loss([0, 1], [[0.5, 0.5], [1.0, 0.0]]) == math.inf
    clipped = log_loss([0, 1], [0.5, 0.0], clip=1e-15)
    assert clipped == pytest.approx((math.log(2) + 15 * math.log(10)) / 2)
    assert log_loss([0, 1], [0.5, 0.0], weights=[1.0, 0.0]) == pytest.approx(math.log(2))


def test_sure_and_right_is_zero():
    """Perfect probabilities lose nothing, and tiny ones keep their digits."""
    assert str(log_loss([0, 1], [0.0, 1.0])) == "0.0"
    assert log_loss([0, 0, 1], [1e-20, 1e-20, 1.0]) == pytest.approx(2e-20 / 3)


def test_one_against_the_rest():
    """With several classes, one probability per row belongs to the class that is named."""
    y = ["a", "b", "c"]
    assert log_loss(y, [0.9, 0.2, 0.1], positive="a") == pytest.approx(
        theirs.log_loss([1, 0, 0], [0.9, 0.2, 0.1])
    )
    with pytest.raises(RequestError, match="of which class"):
        log_loss(y, [0.9, 0.2, 0.1])


def test_one_class_only():
    """0 and 1 and booleans need no names; of words it must be said whose probabilities these are."""
    assert (
        log_loss([0, 0], [0.1, 0.1]) == log_loss([False, False], [0.1, 0.1]) == pytest.approx(-math.log(0.9))
    )
    assert log_loss([1, 1], [0.1, 0.1]) == pytest.approx(-math.log(0.1))
    with pytest.raises(RequestError, match="one label"):
        log_loss(["no", "no"], [0.1, 0.1])
    assert log_loss(["no", "no"], [0.1, 0.1], positive="yes") == pytest.approx(-math.log(0.9))
    assert log_loss(["no", "no"], [0.1, 0.1], positive="no") == pytest.approx(-math.log(0.1))
    assert log_loss(["no", "no"], [0.1, 0.1], labels=["no", "yes"]) == pytest.approx(-math.log(0.9))


def test_frames_are_taken():
    """A frame of probabilities and a series of labels are as good as arrays."""
    table = pd.DataFrame({"a": [0.5, 0.25], "b": [0.5, 0.75]})
    wanted = -(math.log(0.5) + math.log(0.75)) / 2
    assert log_loss(pd.Series(["a", "b"]), table) == pytest.approx(wanted)


@pytest.mark.parametrize("function", [log_loss, brier, reliability])
@pytest.mark.parametrize(
    ("y", "probabilities", "hint"),
    [
        ([0, 1], [0.5, math.nan], "between 0 and 1"),
        ([0, 1], [0.5, 1.5], "between 0 and 1"),
        ([0, 1], [0.5, -0.5], "between 0 and 1"),
        ([0, 1], [0.5], "differ in length"),
        ([0, 1], ["a", "b"], "numbers"),
        ([0, 1], [[[0.5]], [[0.5]]], "one column per label"),
        ([0, 1], [[0.5, 0.6], [0.5, 0.5]], "sum to 1"),
        ([0, 1], [[0.5, 0.3, 0.2], [0.5, 0.3, 0.2]], "3 columns for 2 labels"),
        ([], [], "no rows"),
        (["a", None], [0.5, 0.5], "missing"),
    ],
)
def test_what_is_no_probability(function, y, probabilities, hint):
    """NaN, numbers outside 0 … 1, other shapes and sums are refused with the row."""
    with pytest.raises((DataError, InputTypeError), match=hint):
        function(y, probabilities)


@pytest.mark.parametrize("clip", [-0.1, 0.5, math.nan, "auto"])
def test_clip_is_small(clip):
    """Clipping is by a number of at least 0 and below ½."""
    with pytest.raises(RequestError, match="clip"):
        log_loss([0, 1], [0.5, 0.5], clip=clip)


def test_sums_that_are_off_by_rounding_are_taken():
    """Four-byte probabilities that sum to 0.9999999 are probabilities."""
    table = np.full((4, 3), 1 / 3, dtype=np.float32)
    assert log_loss([0, 1, 2, 0], table) == pytest.approx(math.log(3), rel=1e-6)
