"""Columns that are seen too rarely, or too often, are dropped."""

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
from sklearn.feature_extraction.text import CountVectorizer

from heldout import Column, DataError, DropRare, RequestError, Table

from .forms_of_x import mixed_table, numbers_table


def columns_seen(counts: list[int], n_rows: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """A column for each count, seen in so many rows."""
    return np.array([[2.0 if row < count else 0.0 for count in counts] for row in range(n_rows)])


def kept(step: DropRare, counts: list[int], n_rows: int) -> list[int]:
    """Which of these counts are kept."""
    mask = step.fit(columns_seen(counts, n_rows)).kept_
    return [count for count, is_kept in zip(counts, mask.tolist(), strict=True) if is_kept]


def test_counts_mean_fewer_and_more() -> None:
    """min_count drops what is seen in fewer rows, max_count what is seen in more, -K all but K of them."""
    counts = list(range(11))
    assert kept(DropRare(), counts, 10) == list(range(2, 11))
    assert kept(DropRare(min_count=0), counts, 10) == counts
    assert kept(DropRare(min_count=1), counts, 10) == list(range(1, 11))
    assert kept(DropRare(min_count=5, max_count=7), counts, 10) == [5, 6, 7]
    assert kept(DropRare(max_count=-1), counts, 10) == list(range(2, 10))
    assert kept(DropRare(max_count=-3), counts, 10) == list(range(2, 8))


@given(
    n_rows=st.integers(min_value=1, max_value=40),
    percent=st.integers(min_value=1, max_value=99),
    is_lower=st.booleans(),
)
def test_shares_are_taken_as_they_are_written(n_rows: int, percent: int, is_lower: bool) -> None:
    """A share of p per cent drops exactly the counts below, or above, p·n/100, and rounds nothing."""
    counts = list(range(n_rows + 1))
    share = percent / 100
    bound = Fraction(percent, 100) * n_rows
    wanted = [count for count in counts if (count >= bound if is_lower else count <= bound)]
    step = DropRare(min_count=share) if is_lower else DropRare(min_count=0, max_count=share)
    assert kept(step, counts, n_rows) == wanted


def test_a_product_that_is_rounded_up_drops_nothing_more() -> None:
    """0.07 of 100 rows is 7, where the product of floats is above it."""
    assert 0.07 * 100 > 7
    assert kept(DropRare(min_count=0.07), [6, 7, 8], 100) == [7, 8]


@pytest.mark.slow
@given(
    words=st.lists(st.lists(st.sampled_from("abcdefg"), max_size=8).map(" ".join), min_size=3, max_size=12),
    fewest=st.integers(min_value=1, max_value=3),
    spare=st.integers(min_value=0, max_value=2),
)
def test_words_are_kept_as_by_scikit_learn(words: list[str], fewest: int, spare: int) -> None:
    """On counts of words it keeps the columns that CountVectorizer's min_df and max_df keep."""
    most = max(len(words) - spare, fewest)
    every = CountVectorizer(token_pattern=r"\w").fit([*words, "a"])
    theirs = CountVectorizer(token_pattern=r"\w", min_df=fewest, max_df=most)
    try:
        theirs.fit(words)
    except ValueError:
        return
    rows = every.transform(words)
    step = DropRare(min_count=fewest, max_count=most).fit(rows)
    names = every.get_feature_names_out()
    assert names[step._leaving_indices()].tolist() == theirs.get_feature_names_out().tolist()
    np.testing.assert_array_equal(step.transform(rows).toarray(), theirs.transform(words).toarray())


def test_all_forms_agree() -> None:
    """Gaps and stored zeros are not seen; Table, pandas, polars, array and sparse matrix keep the same."""
    rows = np.array([[1.0, np.nan, 0.0, -2.0], [3.0, 5.0, 0.0, 0.0], [1.0, np.nan, 0.0, 1.0]])
    sparse = csr_array(rows)
    sparse.data[0] = 0.0
    rows[0, 0] = 0.0
    cells = {f"x{place}": rows[:, place] for place in range(4)}
    for X in (rows, sparse, numbers_table(rows), pd.DataFrame(cells), pl.DataFrame(cells)):
        step = DropRare().fit(X)
        assert step.n_seen_.tolist() == [2, 1, 0, 2]
        assert step.get_feature_names_out().tolist() == ["x0", "x3"]
        left = step.transform(X)
        np.testing.assert_array_equal(left.toarray() if X is sparse else np.asarray(left), rows[:, [0, 3]])
    assert isinstance(DropRare().fit(sparse).transform(sparse), csr_array)
    assert DropRare().fit(rows).transform(rows).flags.c_contiguous


def test_on_a_table_it_judges_numbers_and_booleans() -> None:
    """Others pass with their kinds; a boolean is seen where it is true, whatever its words."""
    table = Table(
        [*mixed_table().columns, Column("flag", "boolean", np.array([1, 0, 1, 1, 1, -1]), ("Yes", "No"))]
    )
    step = DropRare(min_count=3).fit(table)
    assert step.n_seen_.tolist() == [5, 3, 1]
    assert step.transform(table).kinds == table.drop("flag").kinds
    assert step.transform(table)["paid"] is table["paid"]
    assert DropRare(min_count=3, columns=["age"]).fit(table).dropped_ == ()


def test_what_was_dropped_and_why_can_be_read() -> None:
    """dropped_ has a record for each column, and the text says the same."""
    step = DropRare(min_count=2, max_count=-2).fit(columns_seen([1, 3, 5], 5))
    assert [(each.name, each.found) for each in step.dropped_] == [("x0", 1), ("x2", 5)]
    assert step.dropped_[0].reason == "seen in 1 of 5 rows, fewer than 2"
    assert step.to_text() == (
        "2 of 3 columns dropped, judged by 5 training rows\n"
        "  x0  seen in 1 of 5 rows, fewer than 2\n"
        "  x2  seen in 5 of 5 rows, more than 3"
    )
    assert step.description_bits() == 3.0
    assert (
        str(DropRare().fit(columns_seen([3, 4], 5))) == "none of 2 columns dropped, judged by 5 training rows"
    )
    assert str(DropRare().fit(columns_seen([1] * 60 + [2], 5))).endswith("\n  and 10 more")


def test_dropping_every_column_is_refused() -> None:
    """The error says what was seen; columns that pass are enough to go on."""
    with pytest.raises(DataError, match="seen in 0 to 1 of them"):
        DropRare().fit(columns_seen([0, 1], 4))
    with pytest.raises(DataError, match="only one sample"):
        DropRare().fit([[1.0]])
    table = mixed_table().select(["age", "wind"])
    assert DropRare(min_count=6).fit_transform(table).names == ("wind",)


@pytest.mark.parametrize(
    ("parameters", "error", "word"),
    [
        ({"min_count": -1}, RequestError, "of at least 0"),
        ({"min_count": 2.0}, RequestError, "write 2 for a number of rows"),
        ({"min_count": True}, RequestError, "min_count must be"),
        ({"max_count": 0}, RequestError, "other than 0"),
        ({"max_count": -0.5}, RequestError, "a share of the rows above 0 and below 1"),
        ({"max_count": 1.0}, RequestError, "a share of the rows above 0 and below 1"),
        ({"max_count": "all"}, RequestError, "max_count must be"),
    ],
)
def test_wrong_counts_are_refused(parameters: dict[str, Any], error: type[Exception], word: str) -> None:
    """A count is an integer, a share is between 0 and 1, and nothing is in between."""
    with pytest.raises(error) as refused:
        DropRare(**parameters).fit(columns_seen([1, 2], 4))
    assert word in str(refused.value)


def test_frames_leave_with_their_index() -> None:
    """set_output gives pandas with the index of X, also where an array came."""
    frame = pd.DataFrame({"a": [1.0, 2.0], "b": [0.0, 1.0], "w": ["x", "y"]}, index=["p", "q"])
    found = DropRare().set_output(transform="pandas").fit_transform(frame)
    assert found.index.tolist() == ["p", "q"]
    assert found.columns.tolist() == ["a", "w"]
    array = DropRare().set_output(transform="pandas").fit_transform(frame[["a", "b"]].to_numpy())
    assert array.columns.tolist() == ["x0"]
