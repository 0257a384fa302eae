"""ROC curves beside scikit-learn's and beside pairs counted in fractions."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score, roc_curve

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.metrics.roc import Roc, roc
from heldout.native import ranking
from heldout.table.column import Column

from .exact_curves import exact_points, labelled_scores, share_of_pairs

ANY_NUMBER = st.floats(allow_nan=False)


@pytest.mark.slow
@given(labelled_scores())
def test_the_area_is_the_share_of_pairs(rows):
    """The area is the fraction of won pairs, rounded once, and what the kernel finds by itself."""
    y, scores = rows
    area = roc(y, scores).area
    assert area == float(share_of_pairs(y, scores))
    assert area == ranking.auc(scores, y == 1)


@given(labelled_scores(scores=ANY_NUMBER))
def test_any_number_is_a_score(rows):
    """Infinities, zeros of both signs and the smallest numbers are ranked as Python compares them."""
    y, scores = rows
    curve = roc(y, scores)
    assert curve.area == float(share_of_pairs(y, scores))
    assert list(zip(curve.false_positives, curve.true_positives, strict=True)) == exact_points(y, scores)
    assert curve.thresholds[1:].tolist() == sorted(set(scores.tolist()), reverse=True)
    for place, threshold in enumerate(curve.thresholds):
        called = scores >= threshold
        assert (called & (y == 1)).sum() == curve.true_positives[place]
        assert (called & (y == 0)).sum() == curve.false_positives[place]


@pytest.mark.slow
@given(labelled_scores(), st.data())
def test_curves_and_areas_of_scikit_learn(rows, data):
    """Thresholds, rates and area are scikit-learn's, with and without weights, some of which are 0."""
    y, scores = rows
    weights = None
    if data.draw(st.booleans()):
        drawn = st.lists(st.sampled_from([0.0, 0.3, 1.0, 2.7]), min_size=len(y), max_size=len(y))
        weights = np.array(data.draw(drawn.filter(lambda each: {1, 0} <= {*y[np.array(each) > 0]})))
    false, true, thresholds = roc_curve(y, scores, sample_weight=weights, drop_intermediate=False)
    curve = roc(y, scores, weights=weights)
    assert curve.thresholds.tolist() == thresholds.tolist()
    np.testing.assert_allclose(curve.false_positive_rates, false, rtol=1e-12)
    np.testing.assert_allclose(curve.true_positive_rates, true, rtol=1e-12)
    assert curve.area == pytest.approx(roc_auc_score(y, scores, sample_weight=weights), rel=1e-12)


@given(labelled_scores(most=12), st.data())
def test_a_weight_is_a_number_of_rows(rows, data):
    """Whole weights give the curve of repeated rows, and the area of weighted pairs."""
    y, scores = rows
    drawn = st.lists(st.integers(0, 3), min_size=len(y), max_size=len(y))
    weights = data.draw(drawn.filter(lambda each: {1, 0} <= {*y[np.array(each) > 0]}))
    weighted, repeated = (
        roc(y, scores, weights=weights),
        roc(np.repeat(y, weights), np.repeat(scores, weights)),
    )
    assert weighted.true_positives.tolist() == repeated.true_positives.tolist()
    assert weighted.false_positives.tolist() == repeated.false_positives.tolist()
    assert weighted.area == pytest.approx(float(share_of_pairs(y, scores, weights)), rel=1e-15)


@given(labelled_scores())
def test_the_other_class(rows):
    """The other class by turned scores has the same area; by the same scores, what is missing to 1."""
    y, scores = rows
    area = roc(y, scores).area
    assert roc(y, -scores, positive=0).area == area
    assert roc(y, scores, positive=0).area == pytest.approx(1 - area, abs=1e-15)


@given(labelled_scores(), st.floats(-1, 61))
def test_what_happens_at_a_threshold(rows, threshold):
    """The counts at any threshold are those of comparing every score with it."""
    y, scores = rows
    point = roc(y, scores).at(threshold)
    called = scores >= threshold
    counts = [(called & (y == 1)).sum(), (called & (y == 0)).sum(), (~called & (y == 1)).sum()]
    assert [point.tp, point.fp, point.fn] == counts
    assert point.tp + point.fp + point.fn + point.tn == len(y)
    assert point.accuracy == (called == (y == 1)).mean()


def test_infinite_scores_have_thresholds():
    """A row of infinite score is reached by an infinite threshold, and NaN stands where nothing is."""
    curve = roc([1, 0, 1, 0], [np.inf, np.inf, 0.0, -np.inf])
    assert math.isnan(curve.thresholds[0])
    assert curve.thresholds[1:].tolist() == [np.inf, 0.0, -np.inf]
    assert (curve.at(np.inf).tp, curve.at(np.inf).fp, curve.at(-np.inf).fp) == (1, 1, 2)
    assert roc([0, 1], [0.0, 1.0]).at(np.inf).tp == 0


def test_constant_scores():
    """All rows in one step have half of the area."""
    curve = roc([0, 1, 1], [0.5, 0.5, 0.5])
    assert (curve.area, len(curve.thresholds), curve.hull().area) == (0.5, 2, 0.5)


@pytest.mark.parametrize(("y", "positive", "sizes"), [
    ([0, 0], None, (0, 2)),
    ([1, 1], None, (2, 0)),
    ([False, False], None, (0, 2)),
    ([0.0, 0.0], None, (0, 2)),
    (["ill", "ill"], "ill", (2, 0)),
    (["ill", "ill"], "well", (0, 2)),
])  # fmt: skip
def test_one_class_has_no_area(y, positive, sizes):
    """Without rows of both classes the area is NaN, the sentence says why, and nothing warns."""
    curve = roc(y, [0.1, 0.2], positive=positive)
    assert (curve.n_positives, curve.n_negatives) == sizes
    assert math.isnan(curve.area)
    assert math.isnan(curve.hull().area)
    assert "without rows of both classes" in str(curve)
    assert "no curve" in curve.to_svg()
    assert curve.to_dict()["area"] is None


def test_a_single_class_must_be_named():
    """Of one class that is neither 0 nor 1 it is not known whether it is the positive one."""
    with pytest.raises(RequestError, match="one class"):
        roc(["ill", "ill"], [0.1, 0.2])
    with pytest.raises(RequestError, match="one class"):
        roc([7, 7], [0.1, 0.2])


@pytest.mark.parametrize(("arguments", "error", "words"), [
    (([], []), DataError, "no rows"),
    (([0, 1], [0.1]), DataError, "does not fit"),
    (([0, 1], [[0.1, 0.9], [0.2, 0.8]]), DataError, r"probabilities\[:, 1\]"),
    (([0, 1], [0.1, np.nan]), DataError, "1 of 2 rows, first in row 2"),
    (([0, None], [0.1, 0.2]), DataError, "missing labels"),
    (([0, 1, 2], [0.1, 0.2, 0.3]), RequestError, "more than two classes"),
    (([0, 1], ["a", "b"]), InputTypeError, "must hold numbers"),
    (([0, 1], [1, 2], "yes"), RequestError, "no class 'yes'"),
    (([0, 1], [1, 2], None, [1, -1]), DataError, "negative"),
    (([0, 1], [1, 2], None, [0, 0]), DataError, "all weights are 0"),
])  # fmt: skip
def test_refused(arguments, error, words):
    """What has no curve is refused with what is wrong and how to mend it."""
    with pytest.raises(error, match=words) as caught:
        roc(*arguments)
    assert caught.value.where
    assert caught.value.fix


def test_forms_of_y():
    """Columns, series, words, booleans and numbers of any type give the same curve."""
    pandas = pytest.importorskip("pandas")
    scores = np.array([0.1, 0.4, 0.35, 0.8], dtype=np.float32)
    column = Column("play", "category", np.array([0, 0, 1, 1], dtype=np.int32), ("no", "yes"))
    forms = [
        column,
        ["no", "no", "yes", "yes"],
        pandas.Series([False, False, True, True]),
        np.array([3, 3, 9, 9]),
    ]
    assert {roc(y, scores).area for y in forms} == {0.75}
    assert roc(column, pandas.Series(scores)).positive == "yes"
    assert roc(["a", "b", "c"], [1, 3, 2], positive="b").area == 1.0


def test_arrays_cannot_be_changed():
    """A curve stays what it is."""
    curve = roc([0, 1], [0.1, 0.2])
    with pytest.raises(ValueError, match="read-only"):
        curve.true_positives[0] = 5.0


def test_counts_from_elsewhere():
    """Points from a published table give a curve with both ends, and unknown thresholds are said to be so."""
    curve = Roc.of_counts([4, 5], [1, 3], n_positives=5, n_negatives=5)
    assert curve.true_positives.tolist() == [0, 4, 5, 5]
    assert curve.false_positives.tolist() == [0, 1, 3, 5]
    assert math.isnan(curve.threshold(recall=0.8).threshold)
    assert curve.threshold(recall=0.8).fp == 1
    with pytest.raises(RequestError, match="not known"):
        curve.at(0.5)
    known = Roc.of_counts([4], [1], 5, 5, thresholds=[0.65])
    assert known.at(0.7).tp == 0
    assert known.at(0.65).tp == 4
    for hits, alarms in (([4, 3], [1, 2]), ([6], [1]), ([4, 4], [1, 1])):
        with pytest.raises(DataError, match="must rise"):
            Roc.of_counts(hits, alarms, 5, 5)
    with pytest.raises(DataError, match="must fall"):
        Roc.of_counts([1, 2], [1, 2], 5, 5, thresholds=[0.1, 0.2])
    with pytest.raises(DataError, match="same length"):
        Roc.of_counts([1, 2], [1], 5, 5)


def test_words():
    """The sentence has the area, the rows of each class and what is not said; weights show as weights."""
    text = str(roc(["no", "yes", "yes"], [0.1, 0.2, 0.3]))
    assert text.startswith("ROC curve of 3 rows, 2 positive ('yes') and 1 negative: area 1.000")
    assert "says nothing about which threshold" in text
    assert "1.5 positive (1) and 2 negative" in str(roc([1, 0], [2, 1], weights=[1.5, 2.0]))


def test_nothing_warns():
    """A curve of rows of weights that differ by 300 orders is made without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert roc([0, 1, 0, 1], [1, 2, 3, 4], weights=[1e-300, 1e-300, 1.0, 1.0]).area == pytest.approx(1.0)


@pytest.mark.parametrize("positive", [["a", "b"], ("a",), np.array(["a", "b"]), {"a"}])
def test_one_class_is_spotted(positive):
    """Several classes are refused: compared row by row they would look like labels."""
    with pytest.raises(RequestError, match="one class"):
        roc(["a", "b"], [1.0, 2.0], positive=positive)


@pytest.mark.parametrize(
    ("points", "totals", "thresholds"),
    [
        ((["a"], [1]), (2, 2), None),
        (([1], [1j]), (2, 2), None),
        (([1], [1]), ("2", 2), None),
        (([1], [1]), (2, 2), "a"),
    ],
)
def test_counts_that_are_no_numbers(points, totals, thresholds):
    """Counts, totals and thresholds of another kind end in words."""
    with pytest.raises(InputTypeError, match="number"):
        Roc.of_counts(*points, *totals, thresholds=thresholds)
