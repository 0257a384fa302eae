"""The interval of a cross-validated F1, through Jaccard's index."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t
from sklearn.metrics import f1_score

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.stats.cross_validated_interval import cross_validated_f1
from heldout.stats.rate_interval import wilson_ends

LABELS = st.integers(4, 40).flatmap(
    lambda n: st.tuples(
        st.lists(st.booleans(), min_size=n, max_size=n),
        st.lists(st.lists(st.booleans(), min_size=n, max_size=n), min_size=1, max_size=3),
    )
)


@pytest.mark.slow
@given(LABELS)
def test_it_is_wilsons_of_jaccard(drawn):
    """Counts are added over repeats; Wilson's interval of their share with fewer rows is carried over."""
    y, predicted = drawn
    found = cross_validated_f1(y, predicted, 4, positive=True)
    truth, called = np.tile(y, (len(predicted), 1)), np.array(predicted)
    n_hits, n_counted = int((truth & called).sum()), int((truth | called).sum())
    if not n_counted:
        assert math.isnan(found.estimate)
        assert (found.low, found.high) == (0, 1)
        assert "there is no F1" in str(found)
        return
    assert found.estimate == pytest.approx(f1_score(truth.ravel(), called.ravel()), abs=1e-12)
    ends = wilson_ends(n_hits / n_counted, n_counted / len(predicted) / (1 + 4 / 3))
    assert (found.low, found.high) == pytest.approx([2 * end / (1 + end) for end in ends], abs=1e-12)
    assert found.low <= found.estimate + 1e-12
    assert found.estimate <= found.high + 1e-12


def test_a_case_by_hand():
    """TP 3, FP 2, FN 1: J is ½ of 6 rows, with two folds of 2; Wilson's ½ ± ½·√(z²/(2 + z²))."""
    y, predicted = [1, 1, 1, 1, 0, 0, 0], [1, 1, 1, 0, 1, 1, 0]
    found = cross_validated_f1(y, predicted, 2)
    z2 = 1.959963984540054**2
    low, high = (0.5 + sign * 0.5 * math.sqrt(z2 / (2 + z2)) for sign in (-1, 1))
    assert found.estimate == pytest.approx(2 / 3)
    assert (found.low, found.high) == pytest.approx((2 * low / (1 + low), 2 * high / (1 + high)), abs=1e-12)


def test_true_negatives_do_not_count():
    """A thousand further rows that are rightly called negative change nothing."""
    y, predicted = [1, 1, 1, 0, 0] * 8, [1, 1, 0, 1, 0] * 8
    few = cross_validated_f1(y, predicted, 10)
    many = cross_validated_f1(y + [0] * 1000, predicted + [0] * 1000, 10)
    assert (few.low, few.high) == (many.low, many.high)


@pytest.mark.parametrize(("predicted", "wanted"), [([1, 1, 0, 0], 1.0), ([0, 0, 0, 0], 0.0)])
def test_all_right_and_none_spotted(predicted, wanted):
    """Perfect and useless answers have an end at the estimate and a width."""
    found = cross_validated_f1([1, 1, 0, 0], predicted, 2)
    assert found.estimate == wanted
    assert wanted in (found.low, found.high)
    assert found.width > 0.3


def test_words_and_repeats():
    """Labels may be words, in lists or arrays, one line per repeat; the positive class can be named."""
    y = np.array(["a", "b", "b", "a", "c"] * 6)
    predicted = np.array([["a", "b", "a", "a", "c"] * 6, ["b", "b", "b", "a", "a"] * 6])
    found = cross_validated_f1(y, predicted, 3, positive="a")
    same = cross_validated_f1(y.tolist(), predicted.tolist(), 3, positive="a")
    assert found == same
    assert found.estimate == pytest.approx(f1_score(np.tile(y, 2), predicted.ravel(), average=None)[0])
    assert found.n_repeats == 2


def test_copies_in_groups_add_nothing():
    """Each row five times in a group counts as one, but for Student's quantile and n − 1."""
    generator = np.random.default_rng(0)
    y = generator.random(40) < 0.5
    predicted = np.where(generator.random(40) < 0.8, y, ~y)
    found = cross_validated_f1(
        np.repeat(y, 5), np.repeat(predicted, 5), 10, positive=True, groups=np.repeat(np.arange(40), 5)
    )
    n_counted, share = (y | predicted).sum(), (y & predicted).sum() / (y | predicted).sum()
    factor = (t.isf(0.025, 39) / 1.959963984540054) ** 2
    ends = wilson_ends(share, n_counted * 39 / 40 / factor / (1 + 10 / 9))
    assert (found.low, found.high) == pytest.approx([2 * end / (1 + end) for end in ends], abs=1e-12)
    assert (found.n_rows, found.unit) == (40, "group")


def test_groups_without_a_counted_row():
    """Without a positive row, true or predicted, groups give no F1 either."""
    found = cross_validated_f1([0] * 8, [0] * 8, 4, positive=1, groups=np.arange(8) // 2)
    assert math.isnan(found.estimate)
    assert (found.low, found.high) == (0, 1)


@pytest.mark.parametrize(
    ("y", "predicted", "error"),
    [
        ([0, 1, 1], [0, 1], DataError),
        ([0, 1, 1], [[0, 1, 1], [0, 1]], DataError),
        ([0, 1, 1], [0, None, 1], DataError),
        ([0, 1, 1], np.zeros((2, 3, 1)), DataError),
        ([0, 1, 1], [], DataError),
        ([0, 1, 2], [0, 1, 1], RequestError),
        ([0, math.nan, 1.0], [0, 1, 1], DataError),
    ],
)
def test_what_is_refused(y, predicted, error):
    """Predictions that do not fit, gaps, and three classes without a positive one are refused."""
    with pytest.raises(error):
        cross_validated_f1(y, predicted, 2)


def test_answers_of_another_kind_are_refused() -> None:
    """Words never equal numbers: such answers are refused, not counted as an F1 of 0."""
    with pytest.raises(InputTypeError, match="predicted holds words, and y holds numbers"):
        cross_validated_f1([0, 1, 1, 0], ["0", "1", "1", "0"], n_folds=2)


def test_a_single_class_of_false() -> None:
    """Rows that are all False and are all called so have no positive row, true or predicted: no F1."""
    for y in ([False] * 4, [0] * 4, [0.0] * 4):
        found = cross_validated_f1(y, y, n_folds=2)
        assert math.isnan(found.estimate)
        assert (found.low, found.high) == (0.0, 1.0)
