"""The Brier score and its parts."""

from __future__ import annotations

import math
from fractions import Fraction
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as theirs

from heldout.errors import RequestError
from heldout.metrics.brier import brier

ROWS = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 8), st.integers(0, 4)), min_size=1, max_size=40
).filter(lambda rows: any(weight for _, _, weight in rows))


def exact_parts(rows):
    """Score, reliability, resolution and uncertainty in fractions, groups by equal probability."""
    total = Fraction(sum(weight for _, _, weight in rows))
    share = Fraction(sum(weight * y for y, _, weight in rows)) / total
    score = sum(weight * (Fraction(p, 8) - y) ** 2 for y, p, weight in rows) / total
    reliability = resolution = Fraction(0)
    for value in range(9):
        inside = [(y, weight) for y, p, weight in rows if p == value]
        size = sum(weight for _, weight in inside)
        if size:
            of_group = Fraction(sum(weight * y for y, weight in inside), size)
            reliability += size * (Fraction(value, 8) - of_group) ** 2 / total
            resolution += size * (of_group - share) ** 2 / total
    return score, reliability, resolution, share * (1 - share)


@given(ROWS)
def test_parts_are_exact(rows):
    """Score and parts agree with fractions, and the three parts add up to the score."""
    y, p, weights = (np.array(column) for column in zip(*rows, strict=True))
    found = brier(y, p / 8, labels=[0, 1], weights=weights)
    wanted = exact_parts(rows)
    ours = (found.score, found.reliability, found.resolution, found.uncertainty)
    np.testing.assert_allclose(ours, [float(part) for part in wanted], rtol=1e-12, atol=1e-15)
    assert found.reliability - found.resolution + found.uncertainty == pytest.approx(found.score, abs=1e-14)
    assert found.within_bins == 0.0


@given(ROWS, st.integers(1, 6), st.sampled_from(["frequency", "width"]))
def test_four_parts_add_up_with_bins(rows, n_bins, by):
    """With bins the fourth part makes up for what they hide, exactly."""
    y, p, weights = (np.array(column) for column in zip(*rows, strict=True))
    found = brier(y, p / 8, labels=[0, 1], weights=weights, n_bins=n_bins, by=by)
    added = found.reliability - found.resolution + found.uncertainty + found.within_bins
    assert added == pytest.approx(found.score, abs=1e-14)
    assert found.n_groups <= n_bins
    assert found.score == brier(y, p / 8, labels=[0, 1], weights=weights).score


@pytest.mark.slow
@given(st.integers(0, 2**32 - 1), st.integers(2, 4), st.booleans())
def test_scores_equal_those_of_scikit_learn(seed, n_classes, is_weighted):
    """Two classes have scikit-learn's score, several its sum over the classes."""
    draw = np.random.default_rng(seed)
    y = draw.integers(0, n_classes, 30)
    table = draw.dirichlet(np.ones(n_classes), 30)
    weights = draw.random(30) if is_weighted else None
    labels = list(range(n_classes))
    answers = table[:, 1] if n_classes == 2 else table
    wanted = theirs.brier_score_loss(y, answers, sample_weight=weights, labels=labels)
    found = brier(y, table, labels=labels, weights=weights)
    assert found.score == pytest.approx(wanted, rel=1e-12)
    assert found.reliability - found.resolution + found.uncertainty == pytest.approx(found.score, abs=1e-12)
    assert found.n_classes == n_classes


def test_several_classes_share_predictions():
    """Rows with the same three probabilities are one group."""
    table = np.array([[0.5, 0.25, 0.25]] * 4 + [[0.1, 0.1, 0.8]] * 2)
    found = brier([0, 0, 1, 2, 2, 2], table)
    assert found.n_groups == 2
    assert found.reliability == pytest.approx((2 * (0.01 + 0.01 + 0.04)) / 6)
    assert found.reliability - found.resolution + found.uncertainty == pytest.approx(found.score, abs=1e-15)


def test_perfect_and_constant():
    """Perfect answers score 0 with a skill of 1, the share of all rows has a skill of 0."""
    assert brier([0, 1], [0.0, 1.0]).score == 0.0
    assert brier([0, 1], [0.0, 1.0]).skill == 1.0
    constant = brier([0, 0, 0, 1], [0.25] * 4)
    assert (constant.skill, constant.reliability, constant.resolution) == (0.0, 0.0, 0.0)
    assert float(constant) == constant.score == 0.1875


def test_one_class_has_no_skill():
    """Without uncertainty there is nothing to be better than."""
    found = brier([0, 0], [0.5, 0.25])
    assert (found.uncertainty, found.resolution) == (0.0, 0.0)
    assert math.isnan(found.skill)


def test_words_and_picture():
    """The sentence names score, baseline and parts; the picture is well-formed."""
    found = brier([0, 0, 1, 1], [0.2, 0.2, 0.2, 0.8])
    assert str(found).startswith(
        "Brier score 0.190 (4 rows; always saying the share gets 0.250) = reliability"
    )
    assert "n_bins=10" in str(brier([0, 1, 1], [0.1, 0.2, 0.3]))
    assert "within bins" in str(brier([0, 1, 1], [0.1, 0.2, 0.3], n_bins=2))
    ElementTree.fromstring(found.to_svg())
    assert found.to_dict()["score"] == found.score


@pytest.mark.parametrize(
    "asked", [{"n_bins": 0}, {"n_bins": 2.5}, {"by": "widht"}, {"n_bins": True}], ids=lambda asked: str(asked)
)
def test_requests_that_cannot_be_met(asked):
    """Bins are counted by whole numbers of at least 1, and cut in ways that are known."""
    with pytest.raises(RequestError):
        brier([0, 1], [0.5, 0.5], **asked)


def test_bins_are_of_one_class():
    """Several columns cannot be binned."""
    with pytest.raises(RequestError, match="one class"):
        brier([0, 1, 2], np.full((3, 3), 1 / 3), n_bins=2)
