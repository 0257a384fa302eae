"""Labels of every type, and those that are refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.metrics.confusion import confusion
from heldout.metrics.label_counts import label_codes, label_counts
from heldout.table.column import Column, category_column

WORDS = ["no", "yes", "yes", "no", "yes"]
ANSWERS = ["no", "no", "yes", "yes", "yes"]
MATRIX = [[1, 1], [1, 2]]


@pytest.mark.parametrize(
    "made",
    [
        list,
        tuple,
        np.array,
        lambda words: np.array(words, dtype=object),
        lambda words: np.array(words, dtype="S"),
        pd.Series,
        lambda words: pd.Series(words, dtype="category"),
        lambda words: pd.Series(words, index=[9, 8, 7, 6, 5], dtype="string"),
        pl.Series,
        lambda words: category_column("ripe", words),
    ],
)
def test_words_in_every_form(made):
    """Lists, arrays, series and columns of the same words give the same matrix."""
    found = confusion(made(WORDS), made(ANSWERS))
    assert found.counts.tolist() == MATRIX
    assert [str(label).strip("b'") for label in found.labels] == ["no", "yes"]


@pytest.mark.parametrize(
    "made",
    [
        list,
        np.array,
        lambda codes: np.array(codes, dtype=np.uint8),
        lambda codes: np.array(codes, dtype=np.int32),
        lambda codes: np.array(codes, dtype=np.float32),
        lambda codes: np.array(codes, dtype=bool),
        lambda codes: np.array(codes, dtype=object),
        lambda codes: [bool(code) for code in codes],
        lambda codes: [np.int64(code) for code in codes],
        lambda codes: pd.Series(codes, dtype="Int64"),
        lambda codes: pd.Series(codes, dtype="boolean"),
        lambda codes: Column("ripe", "number", np.array(codes, dtype=float)),
    ],
)
def test_numbers_in_every_form(made):
    """Whole numbers of every width, floats and booleans give the same matrix, and may be mixed."""
    codes, answers = [int(word == "yes") for word in WORDS], [int(word == "yes") for word in ANSWERS]
    assert confusion(made(codes), made(answers)).counts.tolist() == MATRIX
    assert confusion(made(codes), answers).counts.tolist() == MATRIX
    assert confusion(made(codes), answers, labels=[0, 1]).labels == (0, 1)


def test_strides_do_not_matter():
    """Every second row of an array is counted as its copy."""
    y, predicted = np.arange(20) % 3, np.arange(20) % 2
    found = confusion(y[::2], predicted[::-2])
    assert found.counts.tolist() == confusion(y[::2].copy(), predicted[::-2].copy()).counts.tolist()


@given(
    st.lists(
        st.tuples(st.integers(-(2**63), 2**63 - 1), st.integers(-3, 3), st.booleans()),
        min_size=1,
        max_size=30,
    )
)
def test_far_and_near_whole_numbers(rows):
    """Labels far apart, labels close together and both mixed are counted as Python counts them."""
    y = [far if is_far else near for far, near, is_far in rows]
    predicted = [near for _, near, _ in rows]
    found = confusion(y, predicted)
    assert found.labels == tuple(sorted({*y, *predicted}))
    for row, true in enumerate(found.labels):
        for column, answer in enumerate(found.labels):
            n_pairs = sum(pair == (true, answer) for pair in zip(y, predicted, strict=True))
            assert found.counts[row, column] == n_pairs


def test_large_unsigned_numbers_keep_their_digits():
    """2⁶³ and 2⁶³ + 1 are different labels, beside negative ones too."""
    y = np.array([2**63, 2**63 + 1], dtype=np.uint64)
    assert confusion(y, y).accuracy == 1.0
    assert confusion(y, np.array([-1, 5])).labels == (-1, 5, 2**63, 2**63 + 1)


def test_whole_numbers_and_floats_are_compared_exactly():
    """2⁵³ + 1 is not taken for the float 2⁵³."""
    found = confusion(np.array([2**53 + 1]), np.array([float(2**53)]))
    assert found.accuracy == 0.0


def test_labels_that_do_not_occur_have_zeros():
    """The matrix has the order of `labels`, with rows of zeros for those that were not seen."""
    found = confusion([1, 2], [2, 2], labels=[3, 2, 1])
    assert found.counts.tolist() == [[0, 0, 0], [0, 1, 0], [0, 1, 0]]


@pytest.mark.parametrize(
    ("y", "predicted", "where"), [([0, 5, 5], [0, 0, 0], "2 of 3"), ([0], [5], "predicted")]
)
def test_labels_left_out_are_refused(y, predicted, where):
    """A label that occurs and is not listed is named, with its first row."""
    with pytest.raises(DataError, match="5") as caught:
        confusion(y, predicted, labels=[0, 1])
    assert where in caught.value.where


def test_labels_listed_twice():
    """A label may be listed once."""
    with pytest.raises(RequestError, match="twice"):
        confusion([0], [0], labels=[0, 1, 0])


@pytest.mark.parametrize(
    "y",
    [
        ["a", None],
        ["a", float("nan")],
        [1.0, float("nan")],
        np.array(["2020", "NaT"], dtype="M8[D]"),
        pd.Series([1, None], dtype="Int64"),
        pd.Series(["a", None], dtype="string"),
        category_column("ripe", ["a", None]),
    ],
)
def test_missing_labels_are_refused(y):
    """None, NaN, NaT, NA and gaps of columns are counted, with the first row."""
    with pytest.raises(DataError, match="missing") as caught:
        confusion(y, [1, 1])
    assert "1 of 2 rows, first in row 2" in caught.value.where


@pytest.mark.parametrize(
    ("y", "predicted"),
    [(["1", "0"], [1, 0]), (["a", 1], ["a", "a"]), ([1, 2], ["a", "b"]), ([(1,), "a"], ["a", "a"])],
)
def test_words_beside_numbers_are_refused(y, predicted):
    """The label "1" is not the label 1, and nobody is let to think so."""
    with pytest.raises((InputTypeError, DataError)):
        confusion(y, predicted)


@pytest.mark.parametrize(
    ("y", "predicted"),
    [
        ([], []),
        ([0, 1], [0]),
        ([[0, 1]], [[0, 1]]),
        ([0, 1], np.ones((2, 2))),
        ("ab", "ab"),
        (None, [1]),
        (3, 3),
    ],
)
def test_what_is_no_pair_of_label_lists(y, predicted):
    """No rows, several lengths, matrices, a word and nothing are refused cleanly."""
    with pytest.raises((DataError, InputTypeError)):
        confusion(y, predicted)


@pytest.mark.parametrize(
    "weights", [[1.0], [1.0, -1.0], [0.0, 0.0], [1.0, np.nan], [1.0, np.inf], ["a", "b"], [1e308, 1e308]]
)
def test_weights_that_are_refused(weights):
    """Weights are finite numbers of at least 0, one per row, with a sum that is a number above 0."""
    with pytest.raises((DataError, InputTypeError), match="weight"):
        confusion([0, 1], [0, 1], weights=weights)


def test_too_many_labels():
    """Numbers that are hardly labels are refused with a hint to errors of numbers."""
    with pytest.raises(DataError, match="too many") as caught:
        confusion(np.arange(5000) * 3, np.arange(5000))
    assert "mse" in caught.value.fix
    with pytest.raises(DataError, match="too many"):
        confusion(np.random.default_rng(0).normal(size=5000), np.zeros(5000))


def test_one_row_and_one_label():
    """The smallest matrix has one cell."""
    found = confusion(["a"], ["a"])
    assert (found.accuracy, found.balanced_accuracy, found.baseline) == (1.0, 1.0, 1.0)
    assert found.positive is None


def test_codes_of_labels():
    """Places follow the given order; what is not among them is refused with its row."""
    assert label_codes(["b", "a"], "y", ("b", "a")).tolist() == [0, 1]
    with pytest.raises(DataError, match="'c'") as caught:
        label_codes(["b", "c"], "y", ("b", "a"))
    assert "row 2" in caught.value.where


def test_counts_are_whole_without_weights():
    """int64 without weights, float64 with them."""
    assert label_counts([0, 1], [0, 1])[0].dtype == np.int64
    assert label_counts([0, 1], [0, 1], weights=[1, 1])[0].dtype == np.float64


def test_the_class_to_spot_may_be_missing():
    """Where one label occurs, another may be named as the positive one; among two, a stranger is refused."""
    found = confusion(["no", "no"], ["no", "no"], positive="yes")
    assert (found.labels, found.recall(), found.specificity()) == (("no", "yes"), 0.0, 1.0)
    with pytest.raises(RequestError, match="there is no label 'ye'"):
        confusion(["no", "yes"], ["no", "no"], positive="ye")
    with pytest.raises(InputTypeError):
        confusion(["no", "no"], ["no", "no"], positive=1)


def test_labels_of_several_types():
    """What is listed must have an order too."""
    with pytest.raises(InputTypeError, match="words"):
        confusion(["a"], ["a"], labels=[1, "a"])
    assert confusion([1, 2], [1, 1], labels={2, 1}).labels == (1, 2)


def test_objects_of_ones_own():
    """Anything that can be looked up and sorted is a label; what cannot is refused."""
    found = confusion(np.array([3, 10**30], dtype=object), np.array([3, 3], dtype=object))
    assert found.labels == (3, 10**30)
    rows = np.empty(2, dtype=object)
    rows[:] = [[1], [2]]
    with pytest.raises(InputTypeError, match="looked up"):
        confusion(rows, rows)
    rows[:] = [1j, 2j]
    with pytest.raises(InputTypeError, match="no order"):
        confusion(rows, rows)
    with pytest.raises(InputTypeError, match="cannot be a label"):
        confusion(np.array([1j]), np.array([1j]))
