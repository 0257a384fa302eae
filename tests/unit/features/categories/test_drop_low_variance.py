"""Columns that hardly vary are dropped."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.feature_selection import VarianceThreshold

from heldout import Column, DataError, DropLowVariance, RequestError, Table

from .forms_of_x import NUMBERS, gappy, mixed_table, numbers_table


@pytest.mark.parametrize("threshold", [0.0, 0.01, 0.2, 1.0])
def test_columns_are_kept_as_by_scikit_learn(threshold: float) -> None:
    """VarianceThreshold keeps the same columns of random numbers, with gaps too, by the same variances."""
    rng = np.random.default_rng(5)
    rows = rng.normal(size=(50, 30)) * rng.exponential(0.5, 30)
    rows[:, 3], rows[:, 4] = 0.1, 1e10
    rows[rng.random(rows.shape) < 0.1] = np.nan
    theirs = VarianceThreshold(threshold).fit(rows)
    ours = DropLowVariance(threshold=threshold).fit(rows)
    assert ours.kept_.tolist() == theirs.get_support().tolist()
    np.testing.assert_allclose(ours.variances_, np.nanvar(rows, axis=0), rtol=1e-12, atol=1e-30)
    np.testing.assert_array_equal(ours.transform(rows), theirs.transform(rows))


@pytest.mark.slow
@given(values=gappy(NUMBERS), percent=st.integers(min_value=0, max_value=200))
def test_the_threshold_is_met_exactly(values: list[float | None], percent: int) -> None:
    """For any numbers a column stays if its exact variance is above the threshold, dense and sparse."""
    known = [Fraction(value) for value in values if value is not None]
    mean = sum(known) / len(known) if known else Fraction(0)
    variance = sum((value - mean) ** 2 for value in known) / len(known) if known else Fraction(0)
    threshold = percent / 100
    rows = np.array([[np.nan if value is None else value, float(row)] for row, value in enumerate(values)])
    rows = np.vstack([rows, [[np.nan, 1e9]]])
    for X in (rows, csr_array(rows), numbers_table(rows)):
        step = DropLowVariance(threshold=threshold).fit(X)
        assert step.kept_.tolist() == [variance > Fraction(threshold), True]


def test_shares_at_the_threshold_are_dropped() -> None:
    """A 0/1 column that is 1 in half of the rows has the variance 0.25, which is not above 0.25."""
    rows = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 0.0], [1.0, 2.0]])
    step = DropLowVariance(threshold=0.25).fit(rows)
    assert step.variances_.tolist() == [0.25, 0.6875]
    assert step.kept_.tolist() == [False, True]


@pytest.mark.parametrize("value", [0.1, 1 / 3, 1e300, -1e-300])
def test_constant_columns_have_no_variance(value: float) -> None:
    """Rounding makes no constant column vary, and no varying column constant."""
    varying = np.full(1001, value)
    varying[500] = np.nextafter(value, np.inf)
    rows = np.column_stack([np.full(1001, value), varying])
    for X in (rows, csr_array(rows), numbers_table(rows)):
        step = DropLowVariance().fit(X)
        assert step.variances_[0] == 0.0
        assert step.kept_.tolist() == [False, True]


def test_all_forms_agree() -> None:
    """Table, pandas, polars, array and sparse matrix keep the same columns and leave in their form."""
    rows = np.array([[1.0, np.nan, 0.0, -2.0], [1.0, 5.0, 0.0, 0.0], [1.0, np.nan, 0.0, 1.0]])
    cells = {f"x{place}": rows[:, place] for place in range(4)}
    sparse = csr_array(rows)
    for X in (rows, sparse, numbers_table(rows), pd.DataFrame(cells), pl.DataFrame(cells)):
        step = DropLowVariance().fit(X)
        assert step.get_feature_names_out().tolist() == ["x3"]
        left = step.transform(X)
        np.testing.assert_array_equal(left.toarray() if X is sparse else np.asarray(left), rows[:, [3]])


def test_on_a_table_it_judges_numbers_dates_and_booleans() -> None:
    """Others pass; columns= restricts it."""
    table = mixed_table()[[0, 1, 5]]
    step = DropLowVariance(threshold=1.0).fit(table)
    assert step.transform(table).names == ("age", "day", "wind", "note", "id")
    assert [(each.name, each.found) for each in step.dropped_] == [("paid", 0.0)]
    assert DropLowVariance(threshold=1e6, columns=["day"]).fit(table).dropped_[0].reason == (
        "variance 4, not above 1e+06"
    )


def test_what_was_dropped_and_why_can_be_read() -> None:
    """The text says the constant value, the variance, or that nothing is known."""
    rows = np.array([[7.0, np.nan, 0.0, 1.0], [7.0, np.nan, 0.5, 9.0]])
    step = DropLowVariance(threshold=0.1).fit(rows)
    assert str(step) == (
        "3 of 4 columns dropped, judged by 2 training rows\n"
        "  x0  always 7\n"
        "  x1  no known value\n"
        "  x2  variance 0.0625, not above 0.1"
    )
    assert step.description_bits() == 4.0


def test_dropping_every_column_is_refused() -> None:
    """In scikit-learn's words, with the largest variance there is."""
    with pytest.raises(DataError, match=r"No feature in X meets the variance threshold 3\.00000") as refused:
        DropLowVariance(threshold=3.0).fit([[1.0, 5.0], [2.0, 5.0]])
    assert "the largest variance 0.25" in str(refused.value)
    with pytest.raises(DataError, match="only one sample"):
        DropLowVariance().fit([[1.0, 5.0]])
    with pytest.raises(DataError, match="none with a known value"):
        DropLowVariance().fit([[np.nan], [np.nan]])


@pytest.mark.parametrize("threshold", [-0.1, np.inf, np.nan, "low"])
def test_wrong_thresholds_are_refused(threshold: Any) -> None:
    """A threshold is a number of at least 0."""
    with pytest.raises(RequestError, match="threshold must be a number of at least 0"):
        DropLowVariance(threshold=threshold).fit([[1.0], [2.0]])


def test_infinity_is_refused() -> None:
    """The variance of an infinite number is not known."""
    with pytest.raises(DataError, match="infinity"):
        DropLowVariance().fit(Table([Column("x", "number", np.array([1.0, np.inf]))]))
