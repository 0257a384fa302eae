"""Rows of length 1."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.sparse import csr_array, random_array
from sklearn.preprocessing import Normalizer

import heldout as ho

RANDOM = np.random.default_rng(6)
any_float = st.floats(allow_nan=False, allow_infinity=False)


def test_it_is_the_normalizer() -> None:
    """On usual rows the result is that of scikit-learn's Normalizer, dense and sparse."""
    X = RANDOM.normal(size=(100, 7))
    X[4] = 0.0
    np.testing.assert_allclose(ho.UnitLength().fit_transform(X), Normalizer().fit_transform(X), rtol=1e-14)
    sparse = random_array((50, 20), density=0.2, rng=RANDOM, format="csr")
    ours = ho.UnitLength().fit_transform(sparse)
    assert isinstance(ours, csr_array)
    np.testing.assert_allclose(ours.toarray(), Normalizer().fit_transform(sparse).toarray(), rtol=1e-14)


@given(hnp.arrays(np.float64, st.tuples(st.integers(1, 6), st.integers(1, 9)), elements=any_float))
def test_lengths_are_one_for_all_sizes_of_numbers(X: np.ndarray) -> None:
    """From the smallest numbers to the largest a row has length 1 and its direction, and zeros stay zeros."""
    made = ho.UnitLength().fit_transform(X)
    for row, result in zip(X, made, strict=True):
        if not row.any():
            assert not result.any()
            continue
        assert math.hypot(*result) == pytest.approx(1.0, rel=1e-14)
        largest = np.abs(row).max()
        np.testing.assert_allclose(result / np.abs(result).max(), row / largest, rtol=1e-14, atol=1e-300)


@pytest.mark.slow
@given(hnp.arrays(np.float64, st.tuples(st.integers(1, 8), st.integers(1, 30)), elements=any_float))
def test_a_row_has_the_same_bits_alone_among_others_and_sparse(X: np.ndarray) -> None:
    """What a row becomes does not depend on other rows, on the order in memory or on being sparse."""
    unit = ho.UnitLength().fit(X)
    together = unit.transform(X)
    alone = np.vstack([unit.transform(row.reshape(1, -1)) for row in X])
    np.testing.assert_array_equal(alone, together)
    np.testing.assert_array_equal(unit.transform(np.asfortranarray(X)), together)
    np.testing.assert_array_equal(unit.transform(csr_array(X)).toarray(), together)


def test_the_largest_numbers_of_both_signs_pass() -> None:
    """Sums of all cells overflow to both sides, and nobody is warned of it."""
    largest = float(np.finfo(np.float64).max)
    X = np.array([[-1.0, -largest, largest / 2, largest / 2], [largest / 2] * 4] * 8)
    np.testing.assert_array_equal(ho.UnitLength().fit_transform(X)[1], 0.5)


def test_many_rows_and_columns_are_taken_in_blocks() -> None:
    """More cells than a block holds give what single rows give."""
    X = RANDOM.normal(size=(700, 900))
    unit = ho.UnitLength().fit(X)
    made = unit.transform(X)
    for row in (0, 290, 291, 292, 699):
        np.testing.assert_array_equal(unit.transform(X[[row]])[0], made[row])


def test_it_acts_on_some_columns_of_every_form() -> None:
    """The length is that of the columns that are acted on, and the others pass."""
    frame = pd.DataFrame({"a": [3.0, 0.0], "b": [4.0, 0.0], "c": [9.0, 9.0], "word": ["u", "v"]})
    for form in (frame, pl.from_pandas(frame), ho.read_table(frame)):
        made = ho.UnitLength(columns=["a", "b"]).fit_transform(form)
        assert made["a"].values.tolist() == [0.6, 0.0]
        assert made["b"].values.tolist() == [0.8, 0.0]
        assert made["c"].values.tolist() == [9.0, 9.0]
        assert made["word"].labels() == ["u", "v"]
    X = frame[["a", "b", "c"]].to_numpy()
    expected = [[0.6, 0.8, 9.0], [0.0, 0.0, 9.0]]
    assert ho.UnitLength(columns=[0, 1]).fit_transform(X).tolist() == expected
    assert ho.UnitLength(columns=[0, 1]).fit_transform(csr_array(X)).toarray().tolist() == expected
    kept = ho.UnitLength().set_output(transform="pandas").fit_transform(frame.set_index("word"))
    assert kept.index.tolist() == ["u", "v"]


def test_a_gap_is_refused_with_its_place() -> None:
    """At fit and afterwards, dense and sparse, the column, the count and the first row are told."""
    X = np.array([[1.0, 2.0, 3.0], [1.0, np.nan, 0.0], [1.0, np.nan, np.nan]])
    known = ho.UnitLength().fit(np.eye(3))
    for step in (ho.UnitLength().fit, known.transform):
        for form in (X, csr_array(X)):
            with pytest.raises(ho.DataError, match="contains NaN") as caught:
                step(form)
            assert caught.value.where == "column 'x1', 2 of 3 rows, first in row 2, and 1 more column"
            assert "FillMissing" in caught.value.fix
    np.testing.assert_array_equal(ho.UnitLength(columns=[0]).fit_transform(X)[:, 0], 1.0)


def test_it_says_what_it_does_and_learns_nothing() -> None:
    """The text names the columns, and there is nothing to write down."""
    unit = ho.UnitLength().fit([[1.0, 2.0]])
    assert str(unit) == "each row divided by its length over 2 columns: x0, x1"
    assert unit.description_bits() == 0.0
    assert "over no column" in str(ho.UnitLength().fit(ho.read_table({"word": ["a", "b", "a"]})))
