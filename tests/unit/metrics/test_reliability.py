"""The reliability diagram, beside scikit-learn's and SciPy's numbers."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from sklearn.calibration import calibration_curve

from heldout.errors import RequestError
from heldout.metrics.reliability import reliability


@given(st.integers(0, 2**32 - 1), st.integers(1, 12))
def test_bins_by_width_equal_those_of_scikit_learn(seed, n_bins):
    """Means and shares of bins of equal width are those of calibration_curve."""
    draw = np.random.default_rng(seed)
    said = draw.random(200)
    y = (draw.random(200) < said).astype(int)
    shares, means = calibration_curve(y, said, n_bins=n_bins, strategy="uniform")
    found = reliability(y, said, n_bins=n_bins, by="width")
    np.testing.assert_allclose([each.share for each in found.bins], shares)
    np.testing.assert_allclose([each.mean_probability for each in found.bins], means)


@given(st.integers(0, 2**32 - 1), st.integers(1, 12))
def test_bins_by_frequency_are_equally_full(seed, n_bins):
    """Without ties no bin has more than one row more than another, and all rows are there in order."""
    draw = np.random.default_rng(seed)
    said = draw.random(101)
    found = reliability(draw.integers(0, 2, 101), said, n_bins=n_bins, labels=[0, 1])
    sizes = [each.n_rows for each in found.bins]
    assert (len(sizes), sum(sizes)) == (n_bins, 101)
    assert max(sizes) - min(sizes) <= 1
    assert all(first.high < second.low for first, second in zip(found.bins[:-1], found.bins[1:], strict=True))


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 5)), min_size=1, max_size=40), st.integers(1, 8))
def test_intervals_are_wilsons(rows, n_bins):
    """Every bin has the interval that SciPy gives, and equal probabilities share a bin."""
    y, said = np.array([row[0] for row in rows]), np.array([row[1] / 5 for row in rows])
    found = reliability(y, said, n_bins=n_bins, labels=[0, 1])
    highest = -1.0
    for each in found.bins:
        assert each.low > highest
        highest = each.high
        is_in = (said >= each.low) & (said <= each.high)
        assert is_in.sum() == each.n_rows
        wanted = binomtest(int(y[is_in].sum()), int(is_in.sum())).proportion_ci(method="wilson")
        assert (each.share_low, each.share_high) == pytest.approx((wanted.low, wanted.high), abs=1e-9)


def test_weights():
    """Equal weights change nothing, and unequal ones widen the interval by the effective rows."""
    y, said = [0, 1, 0, 1], [0.2, 0.2, 0.7, 0.7]
    plain, doubled = reliability(y, said, n_bins=2), reliability(y, said, n_bins=2, weights=[2.0] * 4)
    assert [each.share_low for each in plain.bins] == [each.share_low for each in doubled.bins]
    uneven = reliability(y, said, n_bins=2, weights=[3.0, 1.0, 1.0, 1.0]).bins[0]
    wanted = binomtest(1, 4).proportion_ci(method="wilson")
    assert uneven.share == 0.25
    assert uneven.share_high > wanted.high


def test_calibration_error_by_hand():
    """The mean distance is weighed by the rows of the bins."""
    found = reliability([0, 0, 1, 1], [0.1, 0.1, 0.1, 0.8], n_bins=10, by="width")
    assert found.calibration_error == pytest.approx(0.75 * abs(0.1 - 1 / 3) + 0.25 * 0.2)
    assert found.n_within == 2


@pytest.mark.parametrize("said", [[0.5] * 4, [0.0] * 4, [1.0] * 4])
def test_constant_probabilities(said):
    """One value makes one bin."""
    for by in ("frequency", "width"):
        found = reliability([0, 1, 0, 1], said, by=by)
        assert [(each.n_rows, each.share) for each in found.bins] == [(4, 0.5)]
        ElementTree.fromstring(found.to_svg())


def test_one_row_and_one_class():
    """A single row has a bin with a wide interval."""
    found = reliability([0], [0.25])
    assert (found.bins[0].share, found.bins[0].share_low) == (0.0, 0.0)
    assert found.bins[0].share_high > 0.7


def test_two_columns_and_the_class_to_spot():
    """Two columns are read by their labels, and the other class can be asked for."""
    table = np.array([[0.9, 0.1], [0.2, 0.8]])
    assert reliability(["a", "b"], table).positive == "b"
    turned = reliability(["a", "b"], table, positive="a", n_bins=1)
    assert turned.bins[0].mean_probability == pytest.approx(0.55)
    with pytest.raises(RequestError, match="one class"):
        reliability([0, 1, 2], np.full((3, 3), 1 / 3))


def test_words_and_picture():
    """The sentence says how it was made and what it does not say; every bin has its words in the picture."""
    draw = np.random.default_rng(0)
    said = draw.random(300)
    found = reliability(draw.random(300) < said, said)
    text = str(found)
    assert text.startswith("Reliability of the probabilities of True (10 bins by frequency, 300 rows):")
    assert "need not tell the classes apart" in text
    picture = found.to_svg()
    ElementTree.fromstring(picture)
    assert picture.count("<title>said") == 10
    assert len(found.to_dict()["bins"]) == 10


@pytest.mark.parametrize(
    ("asked", "hint"),
    [({"by": "freqency"}, "frequency"), ({"confidence": 95}, "confidence"), ({"n_bins": -1}, "n_bins")],
)
def test_requests_that_cannot_be_met(asked, hint):
    """Misspelled ways, confidences above 1 and negative numbers of bins are refused."""
    with pytest.raises(RequestError, match=hint):
        reliability([0, 1], [0.5, 0.5], **asked)


@pytest.mark.parametrize("by", ["width", "frequency"])
def test_too_many_bins(by):
    """A number of bins that no memory holds is refused in words."""
    with pytest.raises(RequestError, match="from 1 to 10,000"):
        reliability([0, 1], [0.1, 0.2], n_bins=10**12, by=by)
