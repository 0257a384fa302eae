"""log2(x + 1) and back."""

from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.sparse import csr_array

import heldout as ho
from heldout.table.column import Column

EPSILON = float(np.finfo(np.float64).eps)
above_minus_one = st.floats(-1.0, 1e308, exclude_min=True, allow_nan=False)


def exact_log(x: float) -> float:
    """log2(x + 1), rounded once."""
    with localcontext() as context:
        context.prec = 400 if abs(x) < 1e-20 else 60
        return float((Decimal(x) + 1).ln() / Decimal(2).ln())


def logs(values: list[float]) -> list[float]:
    return ho.LogTransform().fit_transform(np.array(values).reshape(-1, 1)).ravel().tolist()


@given(above_minus_one)
@example(1e-17)
@example(-1e-9)
@example(float(np.nextafter(-1.0, 0.0)))
@example(float(np.nextafter(1.0, 0.0)))
@example(float(np.nextafter(-0.5, 0.0)))
def test_logarithms_have_all_their_digits(x: float) -> None:
    """Near 0, near -1 and far away the result is off by two units of the last digit at most."""
    assert logs([x])[0] == pytest.approx(exact_log(x), rel=2 * EPSILON, abs=5e-324)


def test_powers_of_two_less_one_are_exact() -> None:
    """log2(7 + 1) is 3, and so on as far as double precision has such numbers."""
    powers = np.arange(54)
    assert logs((2.0**powers - 1).tolist()) == powers.tolist()
    assert logs([2.0**1000]) == [1000.0]
    fractions = np.arange(1, 54)
    assert logs((2.0**-fractions - 1).tolist()) == (-fractions).tolist()


@given(st.lists(above_minus_one, min_size=2, max_size=8))
def test_order_is_kept(values: list[float]) -> None:
    """A larger number never gets a smaller logarithm."""
    assert np.all(np.diff(logs(sorted(values))) >= 0)


@given(above_minus_one)
def test_the_way_back_is_the_way_back(x: float) -> None:
    """Up to the digits that a logarithm has, inverse_transform gives x again."""
    transform = ho.LogTransform().fit([[1.0]])
    back = transform.inverse_transform(transform.transform([[x]]))[0, 0]
    n_doublings = abs(exact_log(x))
    assert back + 1 == pytest.approx(x + 1, rel=4 * EPSILON * max(n_doublings, 1.0))
    if abs(x) < 1e-3:
        assert back == pytest.approx(x, rel=8 * EPSILON)


def test_the_way_back_keeps_forms_and_refuses_what_is_too_large() -> None:
    """Tables come back as tables and sparse data as sparse; 2^1100 is no number in double precision."""
    table = ho.read_table({"income": [0.0, 7.0, 1.5], "word": ["a", "b", "a"]})
    transform = ho.LogTransform().fit(table)
    back = transform.inverse_transform(transform.transform(table))
    assert back["income"].values.tolist()[:2] == [0.0, 7.0]
    assert back["word"].labels() == ["a", "b", "a"]
    sparse = csr_array(np.diag([1.0, 3.0]))
    on_sparse = ho.LogTransform().fit(sparse)
    assert on_sparse.inverse_transform(on_sparse.transform(sparse)).toarray().tolist() == [[1, 0], [0, 3]]
    with pytest.raises(ho.DataError, match="too large for double precision"):
        on_sparse.inverse_transform([[1100.0, 0.0]])


def test_sparse_stays_sparse_and_gaps_stay_gaps() -> None:
    """Only stored cells are touched, with the bits of the dense ones; NaN passes."""
    dense = np.array([[0.0, 7.0], [np.nan, 0.0], [2.5, 0.1]])
    made = ho.LogTransform().fit_transform(csr_array(dense))
    assert isinstance(made, csr_array)
    assert made.nnz == 4
    np.testing.assert_array_equal(made.toarray(), ho.LogTransform().fit_transform(dense))


@pytest.mark.parametrize("form", [np.asarray, csr_array], ids=["dense", "sparse"])
def test_minus_one_and_below_is_refused_with_its_place(form: type) -> None:
    """At fit and afterwards the column, the count, the first value and its row are told."""
    X = np.array([[0.5, 2.0], [-0.5, -1.0], [3.0, -2.5]])
    known = ho.LogTransform().fit(np.ones((2, 2)))
    for step in (ho.LogTransform().fit, known.transform):
        with pytest.raises(ho.DataError, match="of -1 and below") as caught:
            step(form(X))
        assert caught.value.where == "column 'x1', 2 of 3 rows, first -1 in row 2"
        assert "columns" in caught.value.fix
    assert ho.LogTransform(columns=[0]).fit(form(X)).n_rows_ == 3


def test_dates_are_left_alone() -> None:
    """A date passes as it is, and is refused where it is asked for."""
    table = ho.Table(
        [
            Column("amount", "number", np.array([0.0, 3.0])),
            Column("day", "date", np.array([-5.0, 18000.0])),
        ]
    )
    made = ho.LogTransform().fit_transform(table)
    assert made["amount"].values.tolist() == [0.0, 2.0]
    assert made["day"] is table["day"]
    with pytest.raises(ho.DataError, match="column 'day' is date, which LogTransform is not for"):
        ho.LogTransform(columns=["day"]).fit(table)


def test_every_form_gives_the_same_bits() -> None:
    """A Table, frames of pandas and polars and an array have the same logarithms."""
    frame = pd.DataFrame({"a": [0.1, 5.0, 1e9], "b": [0.0, 1e-12, 3.3]}, index=[7, 8, 9])
    expected = ho.LogTransform().fit_transform(frame.to_numpy())
    for form in (frame, pl.from_pandas(frame), ho.read_table(frame)):
        np.testing.assert_array_equal(np.asarray(ho.LogTransform().fit_transform(form)), expected)
    kept = ho.LogTransform().set_output(transform="pandas").fit_transform(frame)
    assert kept.index.tolist() == [7, 8, 9]


def test_it_says_what_it_does_and_learns_nothing() -> None:
    """The text names the columns, and there is nothing to write down."""
    transform = ho.LogTransform().fit(pd.DataFrame({"income": [1.0], "debt": [2.0]}))
    assert str(transform) == "log2(x + 1) of 2 columns: income, debt"
    assert transform.description_bits() == 0.0
    many = ho.LogTransform().fit(np.ones((1, 30)))
    assert str(many).endswith("x10, x11, …")
