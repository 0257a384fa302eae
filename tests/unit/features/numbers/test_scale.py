"""Centering and scaling, beside exact fractions and scikit-learn's scalers."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csc_matrix, csr_array
from sklearn.preprocessing import MaxAbsScaler, StandardScaler

import heldout as ho
from heldout.table.column import Column

EPSILON = float(np.finfo(np.float64).eps)
LARGEST = float(np.finfo(np.float64).max)
RANDOM = np.random.default_rng(5)

columns = st.lists(
    st.floats(-1e300, 1e300, allow_nan=False, allow_subnormal=False), min_size=1, max_size=12
) | st.builds(
    lambda start, steps: [start + step for step in steps],
    st.sampled_from([1e6, -1e9, 1e15]),
    st.lists(st.integers(0, 9), min_size=2, max_size=12),
)


def exact_moments(values: list[float]) -> tuple[float, float]:
    """Mean and deviation, rounded once."""
    numbers = [Fraction(value) for value in values]
    mean = sum(numbers, Fraction(0)) / len(numbers)
    variance = sum(((number - mean) ** 2 for number in numbers), Fraction(0)) / len(numbers)
    with localcontext() as context:
        context.prec = 60
        deviation = (Decimal(variance.numerator) / Decimal(variance.denominator)).sqrt()
    return float(mean), float(deviation)


@given(columns)
def test_center_and_scale_are_those_of_exact_fractions(values: list[float]) -> None:
    """The mean is off by rounding of the largest value and the deviation by a few last digits at most."""
    scale = ho.Scale().fit(np.array(values).reshape(-1, 1))
    mean, deviation = exact_moments(values)
    assert abs(scale.center_[0] - mean) <= EPSILON * (abs(mean) + 4 * deviation)
    if max(values) / 2 - min(values) / 2 > 0.5e-15 * max(map(abs, values)):
        assert scale.scale_[0] == pytest.approx(deviation, rel=8 * EPSILON, abs=0)
    else:
        assert scale.scale_[0] == 1.0


@pytest.mark.slow
@given(columns)
def test_sparse_deviation_is_that_of_exact_fractions(values: list[float]) -> None:
    """A sparse column has the same divisor as the dense one, zeros counted, by variance and by maximum."""
    values = [*values, 0.0, 0.0, 0.0]
    by_variance = ho.Scale(center=False).fit(csr_array(np.array(values).reshape(-1, 1)))
    by_max = ho.Scale(center=False, by="max").fit(csr_array(np.array(values).reshape(-1, 1)))
    _, deviation = exact_moments(values)
    assert by_variance.scale_[0] == pytest.approx(deviation or 1.0, rel=8 * EPSILON, abs=0)
    assert by_max.scale_[0] == (max(map(abs, values)) or 1.0)


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(1, 40))
def test_a_constant_column_becomes_exactly_zero(value: float, n_rows: int) -> None:
    """Whatever the constant is and however often it stands there, nothing is left of it."""
    X = np.full((n_rows, 1), value)
    for by in ("variance", "max", None):
        scale = ho.Scale(by=by).fit(X)
        assert scale.scale_.tolist() == [1.0]
        assert not scale.transform(X).any()


def test_rounding_is_no_spread_but_small_differences_are() -> None:
    """Values that agree in 15 digits are not blown up; a billion and a billion and one differ."""
    rounding = np.array([[0.1 + 0.2], [0.3], [0.3]])
    assert ho.Scale().fit(rounding).scale_.tolist() == [1.0]
    assert np.abs(ho.Scale(by="max").fit_transform(rounding)).max() < 1e-15
    small = np.array([[1e9], [1e9 + 1.0]])
    assert ho.Scale().fit_transform(small).ravel().tolist() == [-1.0, 1.0]
    # scikit-learn takes more rows for a reason to see no spread; we do not.
    many = np.tile([[1.0], [1.0 + 1e-11]], (10**5, 1))
    assert StandardScaler().fit(many).scale_.tolist() == [1.0]
    assert ho.Scale().fit(many).scale_[0] == pytest.approx(5e-12, rel=1e-4)


def test_it_is_the_standard_scaler() -> None:
    """On usual numbers with gaps means, deviations and results are scikit-learn's."""
    X = RANDOM.normal(3.0, 20.0, (200, 6))
    X[::7, 2] = np.nan
    ours, theirs = ho.Scale().fit(X), StandardScaler().fit(X)
    np.testing.assert_allclose(ours.center_, theirs.mean_, rtol=1e-13)
    np.testing.assert_allclose(ours.scale_, theirs.scale_, rtol=1e-13)
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X), rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(
        ho.Scale(center=False).fit_transform(X), StandardScaler(with_mean=False).fit_transform(X), rtol=1e-12
    )
    np.testing.assert_allclose(
        ho.Scale(by=None).fit_transform(X), StandardScaler(with_std=False).fit_transform(X), rtol=1e-11
    )


def test_it_is_the_scaler_of_absolute_maxima() -> None:
    """Without centering `by="max"` is scikit-learn's MaxAbsScaler, dense bit for bit, and sparse."""
    X = RANDOM.normal(3.0, 20.0, (200, 6))
    X[:, 4] = 0.0
    X[3, 1] = np.nan
    np.testing.assert_array_equal(
        ho.Scale(center=False, by="max").fit_transform(X), MaxAbsScaler().fit_transform(X)
    )
    sparse = csr_array(np.where(X > 10, X, 0.0))
    ours = ho.Scale(center=False, by="max").fit_transform(sparse)
    theirs = MaxAbsScaler().fit_transform(sparse)  # which multiplies by the reciprocal
    np.testing.assert_allclose(ours.toarray(), theirs.toarray(), rtol=4 * EPSILON)


def test_centered_values_reach_one() -> None:
    """With centering the largest absolute value is 1 after it, as the seed's formula wants it."""
    X = RANDOM.exponential(5.0, (100, 3))
    made = ho.Scale(by="max").fit_transform(X)
    np.testing.assert_allclose(made.mean(axis=0), 0.0, atol=1e-15)
    np.testing.assert_array_equal(np.abs(made).max(axis=0), 1.0)


def test_sparse_deviations_are_scikit_learns() -> None:
    """Many sparse columns with gaps, explicit zeros, and empty columns give scikit-learn's divisors."""
    dense = np.where(RANDOM.random((300, 40)) < 0.1, RANDOM.normal(5.0, 2.0, (300, 40)), 0.0)
    dense[:, 7] = 0.0
    dense[5:9, 3] = np.nan
    X = csr_array(dense)
    X.data[::10] = 0.0
    ours = ho.Scale(center=False).fit(X)
    theirs = StandardScaler(with_mean=False).fit(X)
    np.testing.assert_allclose(ours.scale_, theirs.scale_, rtol=1e-13)
    made = ours.transform(X)
    assert isinstance(made, csr_array)
    np.testing.assert_allclose(made.toarray(), theirs.transform(X).toarray(), rtol=1e-13)
    np.testing.assert_allclose(ho.Scale(center=False).fit(X.toarray()).scale_, ours.scale_, rtol=1e-13)


def test_a_sparse_column_without_zeros_keeps_its_digits() -> None:
    """A full column far from 0 in a sparse matrix has the deviation of the dense one."""
    X = 1e8 + np.arange(10.0).reshape(-1, 1)
    assert ho.Scale(center=False).fit(csc_matrix(X)).scale_[0] == pytest.approx(np.sqrt(8.25), rel=1e-15)
    assert ho.Scale(center=False).fit(csc_matrix(np.full((9, 1), 0.1))).scale_.tolist() == [1.0]


def test_sparse_data_are_not_centered() -> None:
    """The error tells what was asked and what to do instead, at fit and afterwards."""
    X = csr_array(np.eye(3))
    with pytest.raises(ho.DataError, match="cannot be centered") as caught:
        ho.Scale().fit(X)
    assert caught.value.where == "a sparse matrix of shape (3, 3), 3 of 9 cells stored"
    assert "Scale(center=False)" in caught.value.fix
    dense = ho.Scale().fit(np.eye(3))
    for step in (dense.transform, dense.inverse_transform):
        with pytest.raises(ho.DataError, match="cannot be centered"):
            step(X)


def test_gaps_stay_and_count_for_nothing() -> None:
    """A missing value is not learned from, and a column without any value passes as it is."""
    X = np.array([[1.0, np.nan], [np.nan, np.nan], [3.0, np.nan]])
    scale = ho.Scale().fit(X)
    assert scale.center_.tolist() == [2.0, 0.0]
    assert scale.scale_.tolist() == [1.0, 1.0]
    np.testing.assert_array_equal(scale.transform(X), [[-1.0, np.nan], [np.nan, np.nan], [1.0, np.nan]])
    np.testing.assert_array_equal(scale.transform([[5.0, 7.0]]), [[3.0, 7.0]])


def test_very_large_and_very_small_numbers_do_not_overflow() -> None:
    """Means, deviations, results and the way back are finite wherever they can be."""
    huge = 0.99 * np.array([[-LARGEST], [LARGEST], [LARGEST], [LARGEST]])
    scale = ho.Scale().fit(huge)
    made = scale.transform(huge)
    np.testing.assert_allclose(made.ravel(), [-np.sqrt(3), *[1 / np.sqrt(3)] * 3], rtol=1e-15)
    np.testing.assert_allclose(scale.inverse_transform(made), huge, rtol=1e-15)
    tiny = np.array([[0.0], [5e-324], [1e-320]])
    assert np.isfinite(ho.Scale().fit_transform(tiny)).all()
    assert np.isfinite(ho.Scale().fit_transform(tiny[:2])).all()
    pair = np.array([[1e-310], [3e-310]])
    np.testing.assert_allclose(ho.Scale().fit_transform(pair).ravel(), [-1.0, 1.0], rtol=1e-12)
    with pytest.raises(ho.DataError, match="distance from the mean is too large"):
        ho.Scale(by="max").fit(huge)


def test_what_cannot_be_held_is_refused() -> None:
    """A value that scaling makes infinite is named with its column and row."""
    scale = ho.Scale().fit(np.array([[0.0, 1.0], [0.0, 1.0 + 1e-12]]))
    with pytest.raises(ho.DataError, match="after scaling a value is too large") as caught:
        scale.transform([[0.0, 1.0], [0.0, 1e300]])
    assert caught.value.where == "column 'x1', 1 of 2 rows, first 1e+300 in row 2"
    with pytest.raises(ho.DataError, match="after scaling back"):
        ho.Scale().fit([[0.0], [1e300]]).inverse_transform([[1e300]])


def test_every_form_gives_the_same_bits() -> None:
    """A Table, a pandas, polars and an array of numbers in any order are scaled alike."""
    X = RANDOM.normal(size=(50, 3))
    expected = ho.Scale().fit_transform(X)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    np.testing.assert_array_equal(ho.Scale().fit_transform(np.asfortranarray(X)), expected)
    for form in (frame, pl.from_pandas(frame), ho.read_table(frame)):
        made = ho.Scale().fit_transform(form)
        assert isinstance(made, ho.Table)
        np.testing.assert_array_equal(np.asarray(made), expected)


def mixed_table() -> ho.Table:
    return ho.Table(
        [
            Column("age", "number", np.array([20.0, 40.0, np.nan])),
            Column("city", "category", np.array([0, 1, 0], dtype=np.int32), ("Bonn", "Ulm")),
            Column("day", "date", np.array([18000.0, 18002.0, 18004.0])),
        ]
    )


def test_other_columns_pass_and_columns_restricts() -> None:
    """Categories stay where they stand, and so do numbers that were not named."""
    table = mixed_table()
    made = ho.Scale().fit_transform(table)
    assert made.kinds == {"age": "number", "city": "category", "day": "number"}
    assert made["age"].values.tolist()[:2] == [-1.0, 1.0]
    only = ho.Scale(columns=["age"]).fit(table)
    assert only.columns_.tolist() == [0]
    assert only.transform(table)["day"].kind == "date"
    X = np.array([[1.0, 10.0], [3.0, 30.0]])
    assert ho.Scale(columns=[1]).fit_transform(X).tolist() == [[1.0, -1.0], [3.0, 1.0]]
    sparse = ho.Scale(center=False, by="max", columns=[1]).fit_transform(csr_array(X))
    assert sparse.toarray().tolist() == [[1.0, 1 / 3], [3.0, 1.0]]


def test_the_way_back() -> None:
    """inverse_transform gives arrays, tables with their kinds, and sparse matrices back."""
    X = RANDOM.normal(100.0, 3.0, (30, 2))
    scale = ho.Scale().fit(X)
    np.testing.assert_allclose(scale.inverse_transform(scale.transform(X)), X, rtol=1e-14)
    table = mixed_table()
    on_table = ho.Scale(by="max").fit(table)
    back = on_table.inverse_transform(on_table.transform(table))
    assert back.kinds == table.kinds
    assert back["age"].labels() == ["20", "40", None]
    assert back["day"].labels() == table["day"].labels()
    sparse = csr_array(np.diag([1.0, 2.0, 3.0]))
    on_sparse = ho.Scale(center=False).fit(sparse)
    there = on_sparse.transform(sparse)
    np.testing.assert_allclose(on_sparse.inverse_transform(there).toarray(), sparse.toarray(), rtol=1e-15)


def test_frames_keep_index_and_kinds() -> None:
    """With set_output a pandas frame comes with the index of X and with its categories."""
    frame = pd.DataFrame(
        {"age": [20.0, 40.0], "city": pd.Categorical(["Ulm", "Bonn"])}, index=["first", "second"]
    )
    made = ho.Scale().set_output(transform="pandas").fit_transform(frame)
    assert made.index.tolist() == ["first", "second"]
    assert made["age"].tolist() == [-1.0, 1.0]
    assert made["city"].tolist() == ["Ulm", "Bonn"]
    scale = ho.Scale().set_output(transform="pandas").fit(frame)
    pd.testing.assert_frame_equal(scale.inverse_transform(scale.transform(frame)), frame)
    assert isinstance(ho.Scale().set_output(transform="polars").fit_transform(frame), pl.DataFrame)


def test_it_says_what_it_does() -> None:
    """Means and divisors are shown in the names of the table, dates as dates, and have a length in bits."""
    table = mixed_table()
    scale = ho.Scale().fit(table)
    assert str(scale) == "age  (x - 30) / 10\nday  (x - 2019-04-16) / 1.63299 days"
    assert scale.description_bits() == pytest.approx(4 * 0.5 * np.log2(3))
    assert str(ho.Scale(center=False, by="max", columns=["age"]).fit(table)) == "age  x / 40"
    assert str(ho.Scale(by=None).fit([[-3.0], [-5.0]])) == "x0  x + 4"
    assert str(ho.Scale().fit(table[["city"]])) == "no column to scale"
    many = ho.Scale(by=None, center=False).fit(np.eye(25))
    assert str(many).splitlines()[-1] == "… and 5 more columns"
    assert many.description_bits() == 0.0


def test_wrong_words_are_answered_with_the_right_ones() -> None:
    """What scikit-learn's users would say is understood well enough to be corrected."""
    with pytest.raises(ho.RequestError) as caught:
        ho.Scale(by="std").fit([[1.0]])
    assert caught.value.fix == "did you mean 'variance'?"
    with pytest.raises(ho.InputTypeError, match="center must be True or False"):
        ho.Scale(center=1).fit([[1.0]])


def test_the_smallest_numbers_have_a_spread() -> None:
    """0 and the smallest number that there is differ, and are brought to a distance of 1."""
    scale = ho.Scale(center=False, by="max")
    assert scale.fit_transform([[0.0], [5e-324]]).ravel().tolist() == [0.0, 1.0]
    centered = ho.Scale(by="max").fit([[0.0], [5e-324], [5e-324]])
    assert centered.scale_.tolist() == [5e-324]


def test_what_left_a_frame_named_by_numbers_goes_back_without_a_warning() -> None:
    """The names that such columns get when they leave are known to be theirs."""
    scale = ho.Scale()
    made = scale.fit_transform(pd.DataFrame({3: [1.0, 2.0], 1: [5.0, 9.0]}))
    assert made.names == ("3", "1")
    assert scale.inverse_transform(made)["1"].values.tolist() == [5.0, 9.0]
