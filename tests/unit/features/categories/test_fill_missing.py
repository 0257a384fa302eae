"""Gaps are filled by what the training rows say."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from scipy.sparse import csr_array
from sklearn.impute import SimpleImputer

from heldout import Column, DataError, FillMissing, InputTypeError, RequestError, Table, datasets
from heldout.table.column import category_column

from .forms_of_x import NUMBERS, WORDS, gappy, labels, mixed_table, numbers_table

SKLEARN_WORD = {"mean": "mean", "median": "median", "mode": "most_frequent", "constant": "constant"}


def gaps_array(n_rows: int = 40, n_columns: int = 5) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Numbers of few values, a fifth of them missing, none column without a gap but the last."""
    rng = np.random.default_rng(3)
    rows = rng.integers(-3, 4, (n_rows, n_columns)) * 0.5
    rows[rng.random(rows.shape) < 0.2] = np.nan
    rows[:, -1] = rng.random(n_rows)
    return rows


@pytest.mark.parametrize("numbers", ["mean", "median", "mode", "constant"])
def test_arrays_are_filled_as_scikit_learn_fills_them(numbers: str) -> None:
    """SimpleImputer gives the same numbers, for training rows and for others."""
    rows = gaps_array()
    ours = FillMissing(numbers=numbers, number=7.0).fit(rows[:30])
    theirs = SimpleImputer(strategy=SKLEARN_WORD[numbers], fill_value=7.0).fit(rows[:30])
    np.testing.assert_allclose(ours.transform(rows[30:]), theirs.transform(rows[30:]), rtol=1e-15)
    np.testing.assert_allclose(ours.fills_, theirs.statistics_.astype(np.float64), rtol=1e-15)


def test_indicators_are_those_of_scikit_learn() -> None:
    """A column with a gap in training has a 0/1 column behind it; SimpleImputer has the same at the end."""
    rows = gaps_array()
    ours = FillMissing(indicators=True).fit(rows[:30])
    theirs = SimpleImputer(add_indicator=True).fit(rows[:30])
    found, wanted = ours.transform(rows[30:]), theirs.transform(rows[30:])
    assert ours.has_indicator_.tolist() == [True] * 4 + [False]
    np.testing.assert_array_equal(found[:, [1, 3, 5, 7]], wanted[:, 5:])
    np.testing.assert_allclose(found[:, [0, 2, 4, 6, 8]], wanted[:, :5], rtol=1e-15)
    assert ours.get_feature_names_out()[:2].tolist() == ["x0", "x0 is missing"]


@given(values=gappy(NUMBERS), words=gappy(WORDS))
def test_nothing_is_missing_afterwards(values: list[float | None], words: list[str | None]) -> None:
    """Any mixture of gaps is filled, known values stay, and kinds and names are as before."""
    n_rows = min(len(values), len(words))
    numbers = np.array([np.nan if value is None else value for value in values[:n_rows]])
    table = Table([Column("x", "number", numbers), category_column("w", words[:n_rows])])
    for step in (
        FillMissing(),
        FillMissing(numbers="median", categories="constant"),
        FillMissing(numbers="mode"),
    ):
        filled = step.fit_transform(table)
        assert [column.n_missing for column in filled.columns] == [0, 0]
        assert filled.kinds == table.kinds
        for name in table.names:
            was, now = table[name].labels(), filled[name].labels()
            assert all(before in (None, after) for before, after in zip(was, now, strict=True))


def test_every_kind_has_its_fill() -> None:
    """Numbers and dates get the mean, categories and booleans the mode; texts and identifiers pass."""
    table = mixed_table()
    step = FillMissing().fit(table)
    assert step.fills_ == (35.8, 18_005.2, "weak", "yes")
    assert step.n_missing_.tolist() == [1, 1, 1, 1]
    second = labels(step.transform(table[1:2]))
    assert second["wind"] == ["weak"]
    assert second["paid"] == ["yes"]
    assert second["note"] == second["id"] == [None]


def test_a_constant_says_nothing_of_dates_and_booleans() -> None:
    """With constants a date gets its median, a boolean its mode, and a category the level."""
    step = FillMissing(numbers="constant", number=-1.0, categories="constant", level="none").fit(
        mixed_table()
    )
    assert step.fills_ == (-1.0, 18_004.0, "none", "yes")
    assert step.transform(mixed_table())["wind"].levels == ("none", "strong", "weak")


def test_ties_go_to_the_first_in_order() -> None:
    """Of equally frequent levels the first by number or code point fills, whatever order a column has."""
    sizes = Column("size", "category", np.array([0, 1, 2, -1], dtype=np.int32), ("9", "10", "2"))
    assert FillMissing().fit(Table([sizes])).fills_ == ("2",)


def test_columns_that_are_never_known_are_named() -> None:
    """A number gets 0, a category the level, a boolean what means false; the text says so."""
    nothing = np.full(3, -1, dtype=np.int32)
    table = Table(
        [
            Column("age", "number", np.full(3, np.nan)),
            Column("wind", "category", nothing, ()),
            Column("paid", "boolean", nothing, ("Yes", "No")),
            Column("open", "boolean", nothing, ()),
            Column("size", "number", np.array([1.0, 2.0, 3.0])),
        ]
    )
    step = FillMissing(numbers="median").fit(table)
    assert step.fills_ == (0.0, "missing", "No", "false", 2.0)
    assert step.never_known_ == ("age", "wind", "paid", "open")
    assert "no known value in the training rows, 3 missing" in step.to_text()
    filled = step.transform(table)
    assert filled["wind"].labels() == ["missing"] * 3
    assert filled["paid"].labels() == ["No"] * 3
    assert filled["open"].levels == ("false", "true")
    assert FillMissing(numbers="constant", number=5.0).fit(table).fills_[0] == 5.0


def test_a_boolean_that_was_always_true_keeps_what_is_false_later() -> None:
    """A word that training rows did not have is a value and no gap."""
    yes = Table([Column("paid", "boolean", np.array([0, -1], dtype=np.int32), ("yes",))])
    later = Table([Column("paid", "boolean", np.array([0, 1, -1], dtype=np.int32), ("no", "yes"))])
    assert FillMissing().fit(yes).transform(later)["paid"].labels() == ["no", "yes", "yes"]


def test_what_a_fold_never_saw_stays() -> None:
    """Levels are matched by name: a held-out row keeps a level that no training row has."""
    table = mixed_table()
    step = FillMissing().fit(table[[0, 3, 4]])
    assert step.fills_[2] == "weak"
    assert step.transform(table[[1, 2]])["wind"].labels() == ["weak", "strong"]


def test_indicators_of_a_table_are_booleans_behind_their_columns() -> None:
    """They are made for columns with a gap in training only, and get a name that is free."""
    table = mixed_table()
    step = FillMissing(indicators=True, columns=["age", "wind"]).fit(table)
    filled = step.transform(table)
    assert filled.names == ("age", "age is missing", "day", "wind", "wind is missing", "paid", "note", "id")
    assert filled["age is missing"].kind == "boolean"
    assert filled["wind is missing"].labels() == ["false", "true", *["false"] * 4]
    assert FillMissing(indicators=True).fit(table[2:]).transform(table).names == table.names
    taken = Table([Column("age is missing", "number", np.arange(6.0)), table["age"]])
    named = FillMissing(indicators=True).fit(taken)
    assert named.get_feature_names_out().tolist() == ["age is missing", "age", "age is missing (2)"]
    assert named.transform(taken)["age is missing"].labels()[5] == "5"


@pytest.mark.slow
@given(values=gappy(NUMBERS, min_size=2))
@pytest.mark.parametrize("numbers", ["mean", "median", "mode", "constant"])
def test_sparse_rows_are_filled_as_dense_ones(numbers: str, values: list[float | None]) -> None:
    """Zeros that are not stored are known: a sparse matrix gives what the array of it gives."""
    rows = np.array([[np.nan if value is None else value, 1.0] for value in values])
    dense, sparse = FillMissing(numbers=numbers).fit(rows), FillMissing(numbers=numbers).fit(csr_array(rows))
    # A mean is a rounded sum of other parts; all else is one of the numbers, or the mean of two.
    slack = 1e-15 * np.nanmax(np.abs(rows)) if numbers == "mean" else 0.0
    np.testing.assert_allclose(sparse.fills_, dense.fills_, rtol=0, atol=slack)
    assert (sparse.n_missing_.tolist(), sparse.never_known_) == (
        dense.n_missing_.tolist(),
        dense.never_known_,
    )
    found = sparse.transform(csr_array(rows))
    assert isinstance(found, csr_array)
    np.testing.assert_allclose(found.toarray(), dense.transform(rows), rtol=0, atol=slack)


def test_only_the_named_columns_of_a_sparse_matrix_are_filled() -> None:
    """columns= leaves the gaps of others, and the user's matrix is as before."""
    rows = csr_array(np.array([[np.nan, 2.0, np.nan], [4.0, 0.0, 1.0]]))
    found = FillMissing(columns=[0]).fit_transform(rows)
    np.testing.assert_array_equal(found.toarray(), [[4.0, 2.0, np.nan], [4.0, 0.0, 1.0]])
    assert np.isnan(rows.data).sum() == 2


def test_forms_agree() -> None:
    """Table, pandas, polars, array and array of objects are filled alike."""
    rows = gaps_array()[:, :3]
    wanted = FillMissing(numbers="median").fit_transform(rows)
    table = FillMissing(numbers="median").fit_transform(numbers_table(rows))
    np.testing.assert_array_equal(np.asarray(table), wanted)
    cells = {f"x{place}": rows[:, place] for place in range(3)}
    for frame in (pd.DataFrame(cells), pl.DataFrame(cells)):
        np.testing.assert_array_equal(np.asarray(FillMissing(numbers="median").fit_transform(frame)), wanted)
    words = np.empty((40, 4), dtype=object)
    words[:, :3], words[:, 3] = rows, ["a", None, "b", "a"] * 10
    mixed = FillMissing(numbers="median", indicators=True).fit_transform(words)
    np.testing.assert_array_equal(mixed[:, [0, 2, 4]].astype(np.float64), wanted)
    assert mixed[:4, 6:].tolist() == [["a", 0.0], ["a", 1.0], ["b", 0.0], ["a", 0.0]]


def test_frames_leave_with_index_and_kinds() -> None:
    """set_output gives pandas with the index of X, or polars, with dtypes that say the kinds."""
    cells = {"age": [41.0, None, 29.0], "wind": ["weak", None, "weak"], "paid": [True, None, True]}
    frame = pd.DataFrame(cells, index=["a", "b", "c"])
    found = FillMissing(indicators=True).set_output(transform="pandas").fit_transform(frame)
    assert found.index.tolist() == ["a", "b", "c"]
    assert found["age"].tolist() == [41.0, 35.0, 29.0]
    assert found["age is missing"].dtype == bool
    assert found["wind"].tolist() == ["weak"] * 3
    assert found["paid"].tolist() == [True] * 3
    polar = FillMissing().set_output(transform="polars").fit_transform(pl.DataFrame(cells))
    assert polar["paid"].dtype == pl.Boolean
    assert polar["wind"].to_list() == ["weak"] * 3


def test_its_length_counts_what_was_learned() -> None:
    """Half of log2(rows) for a number or date, log2(levels) for a level, a bit for a possible indicator."""
    half = 0.5 * math.log2(6)
    assert FillMissing().fit(mixed_table()).description_bits() == pytest.approx(2 * half + 2)
    assert FillMissing(indicators=True).fit(mixed_table()).description_bits() == pytest.approx(2 * half + 6)
    constant = FillMissing(numbers="constant", categories="constant").fit(mixed_table())
    assert constant.description_bits() == pytest.approx(half + 1)


def test_it_can_be_read() -> None:
    """The text names every fill as the table would write it."""
    assert FillMissing(numbers="median").fit(mixed_table()).to_text() == (
        "fills learned from 6 rows\n"
        "  age   30          median, 1 missing\n"
        "  day   2019-04-18  median, 1 missing\n"
        "  wind  weak        mode, 1 missing\n"
        "  paid  yes         mode, 1 missing"
    )
    only_text = Table([Column("note", "text", np.array(["a", None], dtype=object))])
    assert "no column to fill" in str(FillMissing().fit(only_text))


@pytest.mark.parametrize(
    ("parameters", "error", "word"),
    [
        ({"numbers": "most_frequent"}, RequestError, "did you mean 'mode'?"),
        ({"number": np.nan}, RequestError, "number must be a number"),
        ({"categories": "mean"}, RequestError, "categories must be"),
        ({"level": 3}, InputTypeError, "level must be a word"),
        ({"level": " "}, RequestError, "can be read"),
        ({"indicators": 1}, InputTypeError, "indicators must be"),
        ({"columns": ["aeg"]}, RequestError, "did you mean 'age'?"),
        ({"columns": ["note"]}, DataError, "which FillMissing is not for"),
    ],
)
def test_wrong_parameters_are_refused(parameters: dict[str, Any], error: type[Exception], word: str) -> None:
    """Each refusal says what is allowed, or what was probably meant."""
    with pytest.raises(error) as refused:
        FillMissing(**parameters).fit(mixed_table())
    assert word in str(refused.value)


def test_indicators_and_sparse_data_do_not_go_together() -> None:
    """At fit and at transform a sparse matrix is refused with advice where indicators are asked for."""
    rows = np.array([[np.nan, 1.0], [2.0, 3.0]])
    with pytest.raises(RequestError, match="indicators=False"):
        FillMissing(indicators=True).fit(csr_array(rows))
    with pytest.raises(RequestError, match="indicators=False"):
        FillMissing(indicators=True).fit(rows).transform(csr_array(rows))


def test_infinity_is_refused() -> None:
    """An infinite number is no value that a mean could be made of."""
    with pytest.raises(DataError, match="infinity"):
        FillMissing().fit(Table([Column("x", "number", np.array([1.0, np.inf]))]))


def test_a_real_table_is_filled() -> None:
    """The penguins have gaps, and none after the step."""
    penguins = datasets.load("penguins")
    filled = FillMissing(numbers="median").fit_transform(penguins)
    assert sum(column.n_missing for column in penguins.columns) > 0
    assert sum(column.n_missing for column in filled.columns) == 0
