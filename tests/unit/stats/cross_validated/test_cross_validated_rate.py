"""The corrected Wilson interval of a cross-validated rate."""

from __future__ import annotations

import json
import math
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, t

from heldout.errors import DataError, HeldoutError, InputTypeError, RequestError
from heldout.stats.bootstrap import bootstrap
from heldout.stats.cross_validated_interval import cross_validated_rate


def wilson(share: float, n_rows: float, z: float = 1.959963984540054) -> tuple[float, float]:
    """The textbook's formula."""
    middle = (share + z * z / (2 * n_rows)) / (1 + z * z / n_rows)
    half = z / (1 + z * z / n_rows) * math.sqrt(share * (1 - share) / n_rows + z * z / (4 * n_rows**2))
    return middle - half, middle + half


RIGHT = st.integers(2, 60).flatmap(
    lambda n: st.lists(st.lists(st.booleans(), min_size=n, max_size=n), min_size=1, max_size=4)
)


@given(RIGHT, st.integers(2, 12))
def test_it_is_wilsons_with_fewer_rows(right, n_folds):
    """At the mean over the repeats it is the textbook's formula with n / (1 + K/(K−1)) rows."""
    n_rows = len(right[0])
    if n_folds > n_rows:
        return
    found = cross_validated_rate(right, n_folds)
    share = np.mean(right)
    assert found.estimate == pytest.approx(share, abs=1e-15)
    wanted = wilson(share, n_rows / (1 + n_folds / (n_folds - 1)))
    assert (found.low, found.high) == pytest.approx(wanted, abs=1e-12)
    assert 0 <= found.low <= found.estimate <= found.high <= 1
    assert (found.n_repeats, found.n_folds, found.n_rows) == (len(right), n_folds, n_rows)


def test_a_case_by_hand():
    """80% of 300 rows in two folds have the interval that SciPy gives for 80 of 100 rows."""
    found = cross_validated_rate([1] * 240 + [0] * 60, n_folds=2)
    wanted = binomtest(80, 100).proportion_ci(method="wilson")
    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high), abs=1e-12)


def test_repeats_do_not_shorten_it():
    """The same predictions three times have the interval of one time: they say nothing more."""
    right = np.random.default_rng(0).random(80) < 0.7
    once, thrice = cross_validated_rate(right, 10), cross_validated_rate([right] * 3, 10)
    assert (once.low, once.high) == (thrice.low, thrice.high)


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_all_right_and_all_wrong(share):
    """Where all rows agree the interval starts at the estimate and still has a width."""
    found = cross_validated_rate(np.full((3, 30), share), 10)
    assert found.estimate == share
    assert (found.high, found.low)[int(share == 0)] == share
    assert found.width == pytest.approx(3.8415 / (30 / (1 + 10 / 9) + 3.8415), abs=1e-4)


def test_leave_one_out_is_allowed():
    """As many folds as rows are allowed; one row more in folds is not."""
    assert cross_validated_rate([1, 0, 1], 3).n_folds == 3
    with pytest.raises(RequestError, match="more folds than rows"):
        cross_validated_rate([1, 0, 1], 4)


def test_the_sentence_says_what_is_estimated():
    """The sentence names the estimand, method, folds and rows, and what such intervals were seen to hold."""
    text = str(cross_validated_rate(np.ones((3, 50)), 10, what="accuracy of tree"))
    assert text.startswith(
        "accuracy of tree 1.000, 95% interval 0.860 to 1.000 (corrected Wilson, 3 × 10 folds"
    )
    assert "trained on 9/10 of these rows, about 45" in text
    assert "held the true value in simulations" in text


def test_it_becomes_a_dict_and_a_picture():
    """The dict is plain JSON, the picture is XML that names the method."""
    found = cross_validated_rate([1, 0, 1, 1], 2)
    assert json.loads(json.dumps(found.to_dict()))["held"] == list(found.held)
    assert "corrected Wilson" in ElementTree.tostring(
        ElementTree.fromstring(found.to_svg()), encoding="unicode"
    )


def test_groups_of_single_rows_are_rows():
    """With one row in each of many groups the interval is nearly that of rows, and groups are counted."""
    right = np.random.default_rng(1).random((1, 2000)) < 0.8
    rows, groups = cross_validated_rate(right, 10), cross_validated_rate(right, 10, groups=np.arange(2000))
    assert (groups.low, groups.high) == pytest.approx((rows.low, rows.high), abs=5e-5)
    assert (groups.n_rows, groups.unit) == (2000, "group")


def test_copies_in_groups_add_nothing():
    """Each row ten times in a group has the interval of the rows, but for Student's quantile."""
    right = np.random.default_rng(2).random(50) < 0.7
    found = cross_validated_rate(np.repeat(right, 10), 10, groups=np.repeat(np.arange(50), 10))
    share = right.mean()
    factor = (t.isf(0.025, 49) / 1.959963984540054) ** 2
    # The variance between groups is divided by n − 1, and that of a rate by n.
    wanted = wilson(share, 49 / factor / (1 + 10 / 9))
    assert (found.low, found.high) == pytest.approx(wanted, abs=1e-12)


def test_the_spread_between_groups_is_that_of_a_bootstrap():
    """The effective rows that the note names are those of a bootstrap of whole groups, within its noise."""
    generator = np.random.default_rng(3)
    groups = np.repeat(np.arange(120), generator.integers(1, 9, 120))
    right = generator.random(len(groups)) < generator.beta(2, 1, 120)[groups]
    drawn = []
    bootstrap(lambda rows: drawn.append(rows.mean()) or drawn[-1], right.astype(float), groups=groups)
    share = right.mean()
    wanted = share * (1 - share) / np.var(drawn[1:]) / (t.isf(0.025, 119) / 1.96) ** 2
    note = cross_validated_rate(right, 10, groups=groups).notes[0]
    shown = float(note.split(" as ")[1].split()[0])
    assert shown == pytest.approx(wanted, rel=0.08)
    assert shown < 0.8 * len(right)


@pytest.mark.parametrize("share", [0, 1])
def test_groups_that_all_agree_count_once_each(share):
    """Where every row is right, or none, a group counts as one row: its rows may all be copies."""
    found = cross_validated_rate(np.full(100, share), 5, groups=np.arange(100) % 20)
    factor = (t.isf(0.025, 19) / 1.959963984540054) ** 2
    assert found.width == pytest.approx(3.841459 / (20 / factor / 2.25 + 3.841459), abs=1e-6)


def test_two_groups_say_next_to_nothing():
    """From two groups the interval is nearly all of 0 … 1, instead of an error or a lie."""
    found = cross_validated_rate([1] * 90 + [0] * 10, 2, groups=[0] * 50 + [1] * 50)
    assert found.low < 0.03
    assert found.high > 0.97


@pytest.mark.parametrize(
    ("right", "n_folds", "options", "error"),
    [
        ([1.0, math.nan, 0.0], 2, {}, DataError),
        ([1, 2, 0], 2, {}, DataError),
        ([], 2, {}, DataError),
        ([[[1, 0]]], 2, {}, DataError),
        (["yes", "no"], 2, {}, InputTypeError),
        ([[1, 0], [1]], 2, {}, InputTypeError),
        ([1, 0], 1, {}, RequestError),
        ([1, 0], 2.5, {}, RequestError),
        ([1, 0], "ten", {}, InputTypeError),
        ([1], 2, {}, RequestError),
        ([1, 0], 2, {"confidence": 95}, RequestError),
        ([1, 0], 2, {"groups": ["a"]}, DataError),
        ([1, 0], 2, {"groups": ["a", None]}, DataError),
        ([1, 0], 2, {"groups": ["a", "a"]}, RequestError),
    ],
)
def test_what_is_refused(right, n_folds, options, error):
    """Labels, gaps, other numbers, wrong shapes, folds and groups are refused with all three parts."""
    with pytest.raises(error) as raised:
        cross_validated_rate(right, n_folds, **options)
    assert isinstance(raised.value, HeldoutError)
    assert "where:" in str(raised.value)
    assert "fix:" in str(raised.value)


def test_the_error_says_where_the_first_gap_is():
    """Counting repeats and rows from 1, as sentences do."""
    with pytest.raises(DataError, match="2 of 6, first in repeat 2, row 1"):
        cross_validated_rate([[1, 0, 1], [math.nan, 0, math.inf]], 2)
