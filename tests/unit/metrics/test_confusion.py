"""The rates of a confusion matrix, beside scikit-learn's."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn import metrics as theirs

from heldout.errors import DataError, RequestError
from heldout.metrics.confusion import Confusion, confusion

AVERAGES = ("macro", "micro", "weighted")
ZERO_DIVISIONS = (0.0, 1.0, float("nan"))


@st.composite
def judged_rows(draw: st.DrawFn, most_labels: int = 4) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """True labels, answers, and weights or none; some labels may occur on one side only."""
    n_labels = draw(st.integers(1, most_labels))
    n_rows = draw(st.integers(1, 25))
    labels = st.lists(st.integers(0, n_labels - 1), min_size=n_rows, max_size=n_rows)
    y, predicted = np.array(draw(labels)), np.array(draw(labels))
    weight = st.one_of(st.just(0.0), st.floats(0.01, 10.0))
    weights = draw(st.none() | st.lists(weight, min_size=n_rows, max_size=n_rows))
    if weights is not None and not any(weights):
        weights[0] = 1.0
    return y, predicted, None if weights is None else np.array(weights)


@pytest.mark.slow
@given(judged_rows())
def test_counts_equal_those_of_scikit_learn(rows):
    """The matrix, its shares by row, accuracy and balanced accuracy are scikit-learn's."""
    y, predicted, weights = rows
    found = confusion(y, predicted, labels=range(4), weights=weights)
    matrix = theirs.confusion_matrix(y, predicted, labels=range(4), sample_weight=weights)
    np.testing.assert_allclose(found.counts, matrix, rtol=1e-12)
    shares = np.nan_to_num(matrix / np.maximum(matrix.sum(axis=1, keepdims=True), 1e-300))
    np.testing.assert_allclose(found.normalized(), shares, rtol=1e-12)
    assert found.accuracy == pytest.approx(theirs.accuracy_score(y, predicted, sample_weight=weights))
    assert found.error == pytest.approx(1 - found.accuracy)
    occurs = matrix.sum(axis=1) > 0
    recalls = np.diagonal(matrix)[occurs] / matrix.sum(axis=1)[occurs]
    assert found.balanced_accuracy == pytest.approx(recalls.mean())
    assert found.baseline == pytest.approx(matrix.sum(axis=1).max() / matrix.sum())


@given(
    judged_rows(), st.sampled_from(AVERAGES), st.sampled_from(ZERO_DIVISIONS), st.sampled_from([0.5, 1, 2])
)
def test_averages_equal_those_of_scikit_learn(rows, average, zero_division, beta):
    """Precision, recall and F averaged in every way, with every answer to 0/0, are scikit-learn's."""
    y, predicted, weights = rows
    found = confusion(y, predicted, weights=weights)
    asked = {"average": average, "zero_division": zero_division}
    wanted = theirs.precision_recall_fscore_support(y, predicted, beta=beta, sample_weight=weights, **asked)[
        :3
    ]
    ours = (found.precision(**asked), found.recall(**asked), found.f(beta, **asked))
    # scikit-learn takes the plain mean of classes without rows where those with rows have no rate.
    has_rate = any(
        each["n_true"] and each["precision"] == each["precision"] for each in found.per_class(math.nan)
    )
    assume(has_rate or average != "weighted")
    np.testing.assert_allclose(ours, wanted, rtol=1e-10, atol=1e-12)


@given(judged_rows(), st.sampled_from(ZERO_DIVISIONS), st.sampled_from([0.5, 1, 2]))
def test_classes_equal_those_of_scikit_learn(rows, zero_division, beta):
    """Precision, recall and F of every class, with labels that do not occur, are scikit-learn's."""
    y, predicted, weights = rows
    labels = [3, 0, 2, 1, 9]
    found = confusion(y, predicted, labels=labels, weights=weights)
    wanted = theirs.precision_recall_fscore_support(
        y,
        predicted,
        beta=beta,
        labels=labels,
        sample_weight=weights,
        average=None,
        zero_division=zero_division,
    )
    for place, label in enumerate(labels):
        ours = [
            found.precision(label, zero_division=zero_division),
            found.recall(label, zero_division=zero_division),
            found.f(beta, label, zero_division=zero_division),
        ]
        np.testing.assert_allclose(ours, [column[place] for column in wanted[:3]], rtol=1e-10, atol=1e-12)


@given(judged_rows(most_labels=4))
def test_rates_of_the_other_side(rows):
    """Specificity and NPV are recall and precision of everything that is not the class."""
    y, predicted, weights = rows
    found = confusion(y, predicted, weights=weights, labels=range(4))
    for label in range(4):
        other = confusion(y != label, predicted != label, labels=[False, True], weights=weights)
        assert found.specificity(label) == pytest.approx(other.recall(True), rel=1e-12)
        assert found.npv(label) == pytest.approx(other.precision(True), rel=1e-12)
        assert found.sensitivity(label) == found.recall(label)


@given(judged_rows(most_labels=2))
def test_specificity_is_the_recall_of_the_other_class(rows):
    """With two classes the numbers are the same to the last bit."""
    y, predicted, weights = rows
    found = confusion(y, predicted, labels=[0, 1], weights=weights)
    assert found.specificity(1) == found.recall(0)
    assert found.npv(1) == found.precision(0)


@given(judged_rows())
def test_micro_is_accuracy_where_each_row_has_one_label(rows):
    """Micro precision, recall and F1 all equal accuracy."""
    y, predicted, weights = rows
    found = confusion(y, predicted, weights=weights)
    each = [found.precision(average="micro"), found.recall(average="micro"), found.f(average="micro")]
    np.testing.assert_allclose(each, found.accuracy, rtol=1e-12)


@given(judged_rows(most_labels=2))
def test_beta_leads_from_precision_to_recall(rows):
    """β = 0 is precision and β = ∞ recall, and a huge β is near it."""
    y, predicted, weights = rows
    found = confusion(y, predicted, labels=[0, 1], weights=weights)
    assert found.f(0) == found.precision()
    assert found.f(math.inf) == found.recall() == found.f(1e200)
    assert found.f(1e6) == pytest.approx(found.recall(), abs=1e-6)


def test_f_without_hits():
    """F is 0 where the class was missed, and what was asked for only at 0/0."""
    missed = confusion([1, 0], [0, 0])
    assert [missed.f(zero_division=value) for value in (0, 1, math.nan)] == [0.0, 0.0, 0.0]
    absent = confusion([0, 0], [0, 0], labels=[0, 1])
    assert [absent.f(zero_division=value) for value in (0, 1)] == [0.0, 1.0]
    assert math.isnan(absent.f(zero_division=math.nan))
    assert absent.precision() == absent.recall() == 0.0
    assert absent.specificity() == absent.npv() == 1.0


def test_nan_is_left_out_of_averages():
    """A class without a rate does not count, and if none has one the mean is NaN."""
    found = confusion([0, 0], [0, 0], labels=[0, 1])
    assert found.recall(average="macro", zero_division=math.nan) == 1.0
    assert found.recall(average="macro") == 0.5
    assert math.isnan(confusion([0], [1]).precision(average="weighted", zero_division=math.nan))
    assert math.isnan(found.specificity(0, zero_division=math.nan))


def test_weights_of_zero_leave_rows_out_but_not_labels():
    """A label whose rows weigh nothing has a row of zeros, and balanced accuracy leaves it out."""
    found = confusion(["a", "b", "c"], ["a", "b", "a"], weights=[2.0, 1.0, 0.0])
    assert found.labels == ("a", "b", "c")
    assert found.counts.tolist() == [[2, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert found.balanced_accuracy == 1.0


def test_exact_whole_weights():
    """A weight of 3 is the row three times."""
    y, predicted, weights = [0, 1, 1, 0], [0, 1, 0, 1], [3, 1, 2, 1]
    repeated = confusion(np.repeat(y, weights), np.repeat(predicted, weights))
    assert confusion(y, predicted, weights=weights).counts.tolist() == repeated.counts.tolist()


def test_positive_is_the_last_of_two_in_sorted_order():
    """The order of the labels changes the matrix and not the positive class."""
    y, predicted = ["yes", "no", "yes"], ["yes", "yes", "no"]
    found = confusion(y, predicted, labels=["yes", "no"])
    assert found.positive == "yes"
    assert found.counts.tolist() == [[1, 1], [1, 0]]
    assert confusion(y, predicted, positive="no").recall() == 0.0


def test_a_class_has_to_be_named_among_many():
    """With three classes a rate without label or average is refused with advice."""
    found = confusion([0, 1, 2], [0, 1, 1])
    with pytest.raises(RequestError, match="average"):
        found.precision()
    assert found.precision(1) == 0.5
    assert confusion([0, 1, 2], [0, 1, 1], positive=1).precision() == 0.5


@pytest.mark.parametrize(
    ("asked", "hint"),
    [
        ({"average": "marco"}, "did you mean 'macro'"),
        ({"average": "macro", "label": 1}, "leave one of them out"),
        ({"label": 7}, "it is one of"),
        ({"zero_division": 0.5}, "zero_division=0.0"),
        ({"zero_division": "warn"}, "zero_division=0.0"),
    ],
)
def test_requests_that_cannot_be_met(asked, hint):
    """What is misspelled is refused and the right word suggested."""
    with pytest.raises(RequestError, match=hint):
        confusion([0, 1], [0, 1]).recall(**asked)


@pytest.mark.parametrize("beta", [-1, math.nan, "1", True])
def test_beta_must_be_a_number(beta):
    """A negative β, NaN and a word are refused."""
    with pytest.raises(RequestError, match="β"):
        confusion([0, 1], [0, 1]).f(beta)


def test_majority_of_equal_classes_is_the_first():
    """Of equally frequent labels the first of `labels` is named."""
    assert confusion(["b", "a"], ["a", "a"]).majority == "a"
    assert confusion(["b", "a"], ["a", "a"], labels=["b", "a"]).majority == "b"


def test_words():
    """The sentence has the accuracy beside its baseline, the positive class, and what it does not say."""
    y = ["no"] * 32 + ["yes"] * 18
    predicted = ["no"] * 28 + ["yes"] * 4 + ["no"] * 7 + ["yes"] * 11
    text = str(confusion(y, predicted))
    assert text.startswith("accuracy 0.780 (39 of 50 rows; always saying 'no' gets 0.640), balanced accuracy")
    assert "With 'yes' as the positive class: precision 0.733, recall 0.611, F1 0.667." in text
    assert "rate_interval" in text
    weighted = str(confusion(y, predicted, weights=np.full(50, 0.5)))
    assert weighted.startswith("accuracy 0.780 (weight 19.5 of 25, 50 rows;")


def test_words_of_what_is_not_known():
    """0/0 is printed as such."""
    assert "precision 0/0, recall 0.000, F1 0.000" in str(confusion([0, 1], [0, 0]))


def test_text_has_rates_at_its_sides():
    """The table shows counts, recalls, precisions and, in the corner, the accuracy."""
    lines = confusion(["a", "b", "b"], ["a", "a", "b"], labels=["a", "b", "c"]).to_text().split("\n")
    assert [line.split() for line in lines[1:]] == [
        ["a", "1", "0", "0", "1.000"],
        ["b", "1", "1", "0", "0.500"],
        ["c", "0", "0", "0", "–"],
        ["precision", "0.500", "1.000", "–", "0.667"],
    ]


def test_dict_is_json():
    """Fields and rates come out as JSON can hold them, labels of dates as words."""
    days = np.array(["2020-01-01", "2020-01-02"], dtype="M8[D]")
    found = confusion(days, days[[0, 0]]).to_dict()
    assert json.loads(json.dumps(found)) == found
    assert found["labels"] == ["2020-01-01", "2020-01-02"]
    assert found["accuracy"] == found["baseline"] == 0.5
    assert found["per_class"][1]["recall"] == 0.0


def test_counts_cannot_be_changed():
    """The matrix is read-only."""
    found = confusion([0, 1], [0, 1])
    with pytest.raises(ValueError, match="read-only"):
        found.counts[0, 0] = 7


def test_from_counts():
    """A matrix that was counted elsewhere gives the same rates."""
    found = Confusion.of_counts([[2, 2], [1, 3]], ["no", "yes"])
    assert (found.n_rows, found.positive, found.precision()) == (8, "yes", 0.6)


@pytest.mark.parametrize(
    "counts",
    [[[1, 2]], [[1, -1], [0, 1]], [[0, 0], [0, 0]], [[1, math.nan], [0, 1]], [["a", "b"], ["c", "d"]]],
)
def test_counts_that_are_no_counts(counts):
    """A matrix of another shape, negative, empty or not of numbers is refused."""
    with pytest.raises(DataError, match="counts"):
        Confusion.of_counts(counts, [0, 1])


@pytest.mark.parametrize("counts", [[[1], [2, 3]], [[1e308, 1e308], [0.0, 1e308]]])
def test_ragged_or_endless_counts(counts):
    """Rows of several lengths, and counts whose sum is no number, end in words and not in a warning."""
    with pytest.raises(DataError, match="counts"):
        Confusion.of_counts(counts, [0, 1])


def test_more_labels_listed_than_a_matrix_can_have():
    """Labels that are only listed are limited too, before any memory is asked for."""
    with pytest.raises(DataError, match="100,000 different labels"):
        confusion([0], [0], labels=range(100_000))


@pytest.mark.parametrize("labels", ["ab", []])
def test_labels_that_list_nothing(labels):
    """A word is no list of labels, and neither is an empty one."""
    with pytest.raises(RequestError, match="no labels are listed"):
        confusion(["a", "b"], ["a", "b"], labels=labels)


def test_advice_writes_labels_as_they_are():
    """Numbers are not advised as words."""
    with pytest.raises(RequestError, match=r"it is one of 0, 1, 2$"):
        confusion([0, 1, 2], [0, 1, 2]).recall(7)
