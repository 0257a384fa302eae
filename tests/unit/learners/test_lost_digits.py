"""Whole numbers that a float cannot tell apart."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from heldout import TreeClassifier

LARGE = [2**53, 2**53 + 1, 2**53 + 3, 1]
y = [0, 1, 0, 1]


@pytest.mark.parametrize(
    "X",
    [
        np.array(LARGE)[:, None],
        -np.array(LARGE)[:, None],
        np.array(LARGE, dtype=np.uint64)[:, None],
        pd.DataFrame({"x0": LARGE}),
        pd.DataFrame({"x0": pd.array(LARGE, dtype="Int64")}),
        pl.DataFrame({"x0": LARGE}),
        pa.table({"x0": LARGE}),
    ],
    ids=["array", "negative", "unsigned", "pandas", "nullable", "polars", "arrow"],
)
def test_lost_digits_are_warned_about(X):
    """The warning names the column, counts the numbers that change, and points at the call of fit."""
    with pytest.warns(UserWarning, match="column 'x0': 2 of 4 whole numbers lie beyond 2") as caught:
        TreeClassifier().fit(X, y)
    assert "make it strings" in str(caught[0].message)
    assert caught[0].filename == __file__


def test_missing_values_are_not_counted():
    """A frame's missing value is no whole number."""
    with pytest.warns(UserWarning, match="1 of 3 whole numbers"):
        TreeClassifier().fit(pl.DataFrame({"id": [2**53 + 1, None, 5, 7]}), y)


@pytest.mark.parametrize(
    "X",
    [
        np.array([[2**53], [2**60], [-(2**62)], [0]]),
        np.array([[3], [4], [5], [6]], dtype=np.int8),
        np.array([[1e300], [2e300], [3.0], [4.0]]),
        pd.DataFrame({"id": pd.array([None] * 4, dtype="Int64")}),
        pl.DataFrame({"id": [2**53, 2**53 - 1, None, 0]}),
    ],
    ids=["powers of two", "narrow", "floats", "no value", "at the edge"],
)
def test_nothing_lost_nothing_said(X):
    """Numbers that floats hold exactly pass without a word."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tree = TreeClassifier().fit(X, y)
    assert tree.n_features_in_ == 1
