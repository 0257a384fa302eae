"""Levels as columns of 0 and 1."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array, issparse
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from heldout import Column, DataError, OneHot, Ordinal, RequestError, Table, read_table
from heldout.features import UnseenLevelWarning, one_hot
from heldout.table.column import category_column

from .forms_of_x import NUMBERS, WORDS, gappy, labels, mixed_table, pandas_words, polars_words

quiet = pytest.mark.filterwarnings("ignore::heldout.features.UnseenLevelWarning")


@pytest.mark.slow
@quiet
@given(
    training=st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=12),
    later=st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=12),
)
def test_numbers_of_an_array_are_levels_as_in_scikit_learn(training: Any, later: Any) -> None:
    """OneHotEncoder that ignores what it does not know gives the same, dense and sparse."""
    wanted = OneHotEncoder(handle_unknown="ignore", sparse_output=False).fit(training).transform(later)
    step = OneHot().fit(np.array(training))
    np.testing.assert_array_equal(step.transform(np.array(later)), wanted)
    sparse = OneHot(sparse=True).fit(training).transform(later)
    assert isinstance(sparse, csr_array)
    np.testing.assert_array_equal(sparse.toarray(), wanted)


@pytest.mark.slow
@quiet
@pytest.mark.filterwarnings("ignore:Found unknown categories")
@given(training=st.lists(WORDS, min_size=2, max_size=12), later=st.lists(WORDS, min_size=1, max_size=12))
def test_words_are_levels_as_in_scikit_learn(training: list[str], later: list[str]) -> None:
    """Columns are those of OneHotEncoder for the same order of levels, with and without the first."""
    step = OneHot().fit(np.array([training], dtype=object).T)
    order = [list(step.levels_[0])]
    for drop in (None, "first"):
        theirs = OneHotEncoder(handle_unknown="ignore", categories=order, drop=drop, sparse_output=False)
        wanted = theirs.fit(np.array([training]).T).transform(np.array([later]).T)
        if not wanted.shape[1]:
            continue
        encoder = OneHot(drop_first=drop == "first").fit(Table([category_column("w", training)]))
        found = encoder.transform(Table([category_column("w", later)]))
        np.testing.assert_array_equal(np.asarray(found), wanted)
        assert list(found.names) == [f"w = {level}" for level in step.levels_[0]][drop == "first" :]


@pytest.mark.slow
@quiet
@given(training=gappy(WORDS, min_size=3), later=gappy(WORDS))
def test_all_forms_agree(training: list[str | None], later: list[str | None]) -> None:
    """A Table, pandas, polars and an array of objects give the same numbers and levels."""
    if len(set(training) - {None}) < 2:
        return
    table = OneHot().fit(Table([category_column("w", training)]))
    wanted = np.asarray(table.transform(Table([category_column("w", later)])))
    for frame in (pandas_words, polars_words):
        encoder = OneHot().fit(frame("w", training))
        np.testing.assert_array_equal(np.asarray(encoder.transform(frame("w", later))), wanted)
        assert encoder.levels_ == table.levels_
    objects = OneHot().fit(np.array([training], dtype=object).T)
    np.testing.assert_array_equal(objects.transform(np.array([later], dtype=object).T), wanted)
    sparse = OneHot(sparse=True).fit(Table([category_column("w", training)]))
    np.testing.assert_array_equal(sparse.transform(Table([category_column("w", later)])).toarray(), wanted)


def test_on_a_table_it_encodes_categories_and_booleans_in_place() -> None:
    """Others pass where they stand; a boolean becomes one column by what its words mean, gaps stay gaps."""
    table = mixed_table()
    found = OneHot().fit_transform(table)
    assert found.names == ("age", "day", "wind = strong", "wind = weak", "paid", "note", "id")
    assert found.kinds["day"] == "date"
    assert found["wind = weak"].labels() == ["1", "0", "0", "1", "1", "0"]
    assert found["wind = strong"].labels() == ["0", "0", "1", "0", "0", "1"]
    assert found["paid"].kind == "number"
    assert found["paid"].labels() == ["0", None, "1", "1", "1", "0"]
    turned = Table([Column("paid", "boolean", np.array([0, 1, -1], dtype=np.int32), ("Yes", "No"))])
    assert OneHot().fit_transform(turned)["paid"].labels() == ["1", "0", None]


def test_drop_first_leaves_a_boolean_alone() -> None:
    """The first level of each category has no column; a boolean has one column anyway."""
    step = OneHot(drop_first=True, columns=["wind", "paid"]).fit(mixed_table())
    assert step.get_feature_names_out().tolist() == ["age", "day", "wind = weak", "paid", "note", "id"]
    step.set_params(drop_first=False)
    assert step.transform(mixed_table()).names[2:4] == ("wind = weak", "paid")


def test_a_level_that_was_not_seen_is_zeros_and_counted() -> None:
    """One warning a call names column, level, count and row; unseen_levels says the same without one."""
    training = Table([category_column("wind", ["weak", "strong"]), category_column("sky", ["blue", "gray"])])
    later = Table(
        [
            category_column("wind", ["weak", "storm", None, "storm"]),
            category_column("sky", ["red", "blue", "gray", "pink"]),
        ]
    )
    step = OneHot().fit(training)
    with pytest.warns(UnseenLevelWarning) as caught:
        found = step.transform(later)
    assert [str(each.message) for each in caught] == [
        "OneHot makes zeros of 4 values of 3 levels that no training row had:"
        " wind = storm (2 rows, first row 2), sky = red (1 row, first row 1), sky = pink (1 row, first row 4)"
    ]
    assert caught[0].filename == __file__
    np.testing.assert_array_equal(np.asarray(found), [[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        unseen = step.unseen_levels(later)
        step.transform(training)
    assert [(each.column, each.level, each.n_rows, each.row) for each in unseen] == [
        ("wind", "storm", 2, 1),
        ("sky", "red", 1, 0),
        ("sky", "pink", 1, 3),
    ]


def test_many_levels_that_were_not_seen_are_not_all_named() -> None:
    """The warning names five of them and counts the others."""
    step = OneHot().fit(np.array([[1.0]]))
    with pytest.warns(UnseenLevelWarning, match=r"x0 = 0.5 .*, and 15 more levels"):
        step.transform(np.arange(0.5, 20).reshape(-1, 1))


def test_levels_are_matched_by_name_in_every_fold() -> None:
    """Another selection of rows, or another order of levels, has other positions and the same columns."""
    whole = Table([category_column("w", ["c", "a", "b", "c", "a"])])
    step = OneHot().fit(whole[[0, 1]])
    assert step.levels_ == (("a", "c"),)
    other = Column("w", "category", np.array([0, 1], dtype=np.int32), ("c", "a"))
    np.testing.assert_array_equal(np.asarray(step.transform(Table([other]))), [[0, 1], [1, 0]])
    np.testing.assert_array_equal(np.asarray(step.transform(whole[[3, 4]])), [[0, 1], [1, 0]])


def test_names_are_distinct_whatever_levels_are_called() -> None:
    """Names that meet get a number; columns that pass keep theirs."""
    table = Table(
        [
            category_column("a", ["b = c", "x"]),
            category_column("a = b", ["c", "c"]),
            Column("a = x", "number", np.zeros(2)),
            category_column("e", ["", "  "]),
        ]
    )
    step = OneHot().fit(table)
    names = step.get_feature_names_out().tolist()
    assert names == ["a = b = c", "a = x (2)", "a = b = c (2)", "a = x", "e = ", "e =   "]
    assert step.transform(table).names == tuple(names)
    assert step.transform(table)["a = x"].labels() == ["0", "0"]


def test_columns_of_an_array_that_are_not_named_pass() -> None:
    """columns= restricts it; words that pass make an array of objects."""
    rows = np.array([[1.5, 2.0], [np.nan, 3.0]])
    np.testing.assert_array_equal(
        OneHot(columns=[1]).fit_transform(rows), [[1.5, 1.0, 0.0], [np.nan, 0.0, 1.0]]
    )
    words = np.array([["a", 2.0], [None, 3.0]], dtype=object)
    assert OneHot(columns=[1]).fit_transform(words).tolist() == [["a", 1.0, 0.0], [None, 0.0, 1.0]]
    sparse = OneHot(columns=["x1"], sparse=True).fit_transform(rows)
    np.testing.assert_array_equal(sparse.toarray(), [[1.5, 1.0, 0.0], [np.nan, 0.0, 1.0]])


def test_a_row_of_objects_is_read_alike_alone_and_among_others() -> None:
    """A number among words is a level, also where no word stands beside it."""
    step = OneHot().fit(np.array([["a"], [2.0], ["b"]], dtype=object))
    assert step.levels_ == (("2", "a", "b"),)
    assert step.transform(np.array([[2.0]], dtype=object)).tolist() == [[1.0, 0.0, 0.0]]
    assert step.transform([[2], ["b"]]).tolist() == [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]


def test_sparse_holds_numbers_only() -> None:
    """Booleans, numbers and dates stand beside the levels; a text is refused with advice."""
    table = mixed_table()
    found = OneHot(sparse=True).fit_transform(table.drop(["note", "id"]))
    np.testing.assert_array_equal(
        found.toarray(), np.asarray(OneHot().fit_transform(table.drop(["note", "id"])))
    )
    with pytest.raises(DataError, match="numbers only"):
        OneHot(sparse=True).fit_transform(table)
    with pytest.raises(RequestError, match="Pandas output does not support sparse data"):
        OneHot(sparse=True).set_output(transform="pandas").fit_transform(table.drop(["note", "id"]))


def test_frames_leave_with_index_and_kinds() -> None:
    """set_output gives pandas with the index of X, or polars."""
    cells = {"w": ["a", "b", "a"], "n": [1, 2, 3]}
    found = OneHot().set_output(transform="pandas").fit_transform(pd.DataFrame(cells, index=[7, 8, 9]))
    assert found.index.tolist() == [7, 8, 9]
    assert found.columns.tolist() == ["w = a", "w = b", "n"]
    assert found["w = a"].tolist() == [1.0, 0.0, 1.0]
    polar = OneHot().set_output(transform="polars").fit_transform(pl.DataFrame(cells))
    assert polar.columns == ["w = a", "w = b", "n"]


def test_no_column_left_is_refused() -> None:
    """Categories without a level to make a column of are an error if nothing else is there."""
    nothing = Column("w", "category", np.full(3, -1, dtype=np.int32), ())
    with pytest.raises(DataError, match="no column is left"):
        OneHot().fit(Table([nothing]))
    with pytest.raises(DataError, match="drop_first"):
        OneHot(drop_first=True).fit([["a"], ["a"]])
    kept = OneHot().fit(Table([nothing, Column("n", "number", np.arange(3.0))]))
    assert kept.get_feature_names_out().tolist() == ["n"]
    assert "no known value" in str(kept)


def test_a_dense_result_that_would_fill_the_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The advice is sparse=True, which takes it."""
    monkeypatch.setattr(one_hot, "MOST_CELLS", 20)
    rows = np.arange(5.0).reshape(-1, 1)
    with pytest.raises(DataError, match="use sparse=True"):
        OneHot().fit(rows).transform(rows)
    assert OneHot(sparse=True).fit(rows).transform(rows).shape == (5, 5)


def test_a_number_is_no_category_on_a_table() -> None:
    """Numbers pass; to name one in columns is refused, and a changed kind too."""
    table = read_table({"n": [1, 2], "w": ["a", "b"]}, kinds={"w": "category"})
    assert OneHot().fit(table).get_feature_names_out().tolist() == ["n", "w = a", "w = b"]
    with pytest.raises(DataError, match="which OneHot is not for"):
        OneHot(columns=["n"]).fit(table)
    with pytest.raises(DataError, match="was a category at fit"):
        OneHot().fit(table).transform(read_table({"n": [1, 2], "w": [1, 2]}))
    with pytest.raises(RequestError, match="drop_first must be"):
        OneHot(drop_first="yes").fit(table)


def test_sparse_rows_are_refused_with_advice() -> None:
    """A sparse matrix comes too late for this step, whatever it was fitted on."""
    with pytest.raises(DataError, match="dense data only"):
        OneHot().fit(csr_array(np.eye(3)))


def test_it_can_be_read() -> None:
    """The text names columns and levels, and what is left out."""
    assert str(OneHot(drop_first=True).fit(mixed_table())) == (
        "columns of 0 and 1 for 2 columns\n  wind: strong, weak, the first left out\n  paid: no, yes"
    )
    assert ", … (30 levels)" in str(OneHot().fit(np.arange(30).reshape(-1, 1)))
    assert OneHot().fit(mixed_table()).description_bits() == 0.0


def test_no_rows_give_no_rows() -> None:
    """A selection without rows leaves with all columns."""
    step = OneHot().fit(mixed_table())
    empty = step.transform(mixed_table()[[False] * 6])
    assert empty.shape == (0, 7)
    assert set(labels(empty)) == set(step.get_feature_names_out())


def test_a_cross_validation_warns_at_the_line_of_the_user() -> None:
    """Lines of scikit-learn and joblib stand between, and the warning names none of them."""
    table = Table([category_column("wind", ["weak", "strong", "weak", "storm"])])
    with pytest.warns(UnseenLevelWarning) as caught:
        cross_val_score(make_pipeline(OneHot(), LogisticRegression()), table, [0, 1, 1, 0], cv=2)
    assert {each.filename for each in caught} == {__file__}


@pytest.mark.parametrize("encoder", [OneHot(), OneHot(sparse=True), Ordinal()], ids=repr)
def test_a_boolean_that_was_always_true_may_be_false_later(encoder: Any) -> None:
    """False is 0 and no new level, alone and among others; what is missing stays missing."""
    kinds = {"paid": "boolean"}
    encoder = clone(encoder).fit(read_table({"paid": ["yes", "yes"]}, kinds=kinds))
    later = read_table({"paid": ["yes", "no", None]}, kinds=kinds)
    alone = read_table({"paid": ["no"]}, kinds=kinds)
    found = [encoder.transform(rows) for rows in (later, alone)]
    values = [rows.toarray() if issparse(rows) else np.asarray(rows) for rows in found]
    np.testing.assert_array_equal(values[0], [[1.0], [0.0], [np.nan]])
    np.testing.assert_array_equal(values[1], [[0.0]])
    assert encoder.unseen_levels(later) == ()


def test_na_of_pandas_is_a_missing_value_of_an_array() -> None:
    """pd.NA among words is like None."""
    step = OneHot().fit(np.array([["a"], [pd.NA], ["b"]], dtype=object))
    assert step.levels_ == (("a", "b"),)
    np.testing.assert_array_equal(step.transform(np.array([[pd.NA], ["b"]], dtype=object)), [[0, 0], [0, 1]])
