"""Levels as places in an order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.preprocessing import OrdinalEncoder

from heldout import Column, DataError, InputTypeError, Ordinal, RequestError, Table
from heldout.features import UnseenLevelWarning
from heldout.table.column import category_column

from .forms_of_x import NUMBERS, WORDS, gappy, mixed_table, pandas_words, polars_words

quiet = pytest.mark.filterwarnings("ignore::heldout.features.UnseenLevelWarning")


@pytest.mark.slow
@quiet
@given(training=st.lists(NUMBERS, min_size=1, max_size=12), later=gappy(NUMBERS))
def test_numbers_of_an_array_have_the_places_of_scikit_learn(
    training: list[float], later: list[float | None]
) -> None:
    """OrdinalEncoder that knows no unknown levels gives the same places, and NaN for all else."""
    theirs = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan)
    rows = np.array([[np.nan if value is None else value] for value in later])
    wanted = theirs.fit(np.array([training]).T).transform(rows)
    np.testing.assert_array_equal(Ordinal().fit(np.array([training]).T).transform(rows), wanted)


@pytest.mark.slow
@quiet
@given(
    training=gappy(WORDS, min_size=2),
    later=gappy(WORDS),
    order=st.permutations(sorted({"red", "green", "blue", "10", "9", "é", " "})),
)
def test_words_have_the_places_of_a_given_order(
    training: list[str | None], later: list[str | None], order: list[str]
) -> None:
    """OrdinalEncoder with the same categories gives the same, for a Table, frames and an array of objects."""
    if not set(training) - {None}:
        return
    theirs = OrdinalEncoder(categories=[order]).fit(np.array([order]).T)
    places = theirs.transform(np.array([[word or order[0] for word in later]]).T)[:, 0]
    wanted = np.where([word is None for word in later], np.nan, places)
    step = Ordinal(orders={"w": order}).fit(Table([category_column("w", training)]))
    found = step.transform(Table([category_column("w", later)]))
    np.testing.assert_array_equal(found["w"].values, wanted)
    for frame in (pandas_words, polars_words):
        encoder = Ordinal(orders={0: order}).fit(frame("w", training))
        np.testing.assert_array_equal(encoder.transform(frame("w", later))["w"].values, wanted)
    objects = Ordinal(orders={0: order}).fit(np.array([training], dtype=object).T)
    np.testing.assert_array_equal(objects.transform(np.array([later], dtype=object).T)[:, 0], wanted)


def test_without_an_order_levels_are_sorted() -> None:
    """By number where all are numbers, else by code point; booleans by what their words mean."""
    table = Table(
        [
            category_column("size", ["10", "9", "2", None]),
            category_column("name", ["b", "10", "9", "b"]),
            Column("paid", "boolean", np.array([0, 1, 0, -1], dtype=np.int32), ("true", "false")),
            Column("open", "boolean", np.array([0, 0, 0, -1], dtype=np.int32), ("yes",)),
            Column("age", "number", np.arange(4.0)),
        ]
    )
    found = Ordinal().fit_transform(table)
    assert found["size"].labels() == ["2", "1", "0", None]
    assert found["name"].labels() == ["2", "0", "1", "2"]
    assert found["paid"].labels() == ["1", "0", "1", None]
    assert found["open"].labels() == ["1", "1", "1", None]
    assert found["age"].labels() == ["0", "1", "2", "3"]
    assert set(found.kinds.values()) == {"number"}
    turned = Ordinal(orders={"paid": ["true", "false"]}).fit_transform(table)
    assert turned["paid"].labels() == ["0", "1", "0", None]


def test_levels_of_an_order_that_do_not_occur_are_known() -> None:
    """An order may name levels that no training row has: they are no surprise later."""
    step = Ordinal(orders={"size": ["S", "M", "L"]}).fit(Table([category_column("size", ["L", "S"])]))
    later = Table([category_column("size", ["M", "L"])])
    assert step.transform(later)["size"].labels() == ["1", "2"]
    assert step.unseen_levels(later) == ()


def test_a_level_that_was_not_seen_becomes_missing_and_is_counted() -> None:
    """The warning says so, once, and unseen_levels counts."""
    step = Ordinal().fit(mixed_table())
    later = Table(
        [
            *mixed_table(3).columns[:2],
            category_column("wind", ["storm", "weak", "storm"]),
            *mixed_table(3).columns[3:],
        ]
    )
    with pytest.warns(
        UnseenLevelWarning, match="Ordinal makes missing values of 2 values of 1 level"
    ) as caught:
        found = step.transform(later)
    assert len(caught) == 1
    assert found["wind"].labels() == [None, "1", None]
    assert [(each.level, each.n_rows, each.row) for each in step.unseen_levels(later)] == [("storm", 2, 0)]


def test_a_level_that_an_order_does_not_name_is_refused_at_fit() -> None:
    """The error says which, where, and what may have been meant."""
    table = Table([category_column("size", ["small", "large", "Large", "large"])])
    with pytest.raises(DataError) as refused:
        Ordinal(orders={"size": ["small", "large"]}).fit(table)
    assert "1 level in 1 of 4 rows, first 'Large' in row 3" in str(refused.value)
    assert "did you mean 'large'?" in str(refused.value)
    with pytest.raises(DataError, match="first '3' in row 2"):
        Ordinal(orders={0: [2, 1]}).fit(np.array([[1.0], [3.0]]))


@pytest.mark.parametrize(
    ("orders", "error", "word"),
    [
        ({"wnid": ["weak", "strong"]}, RequestError, "did you mean 'wind'?"),
        ({"age": [1, 2]}, RequestError, "does not act on column 'age'"),
        ({"wind": "weak"}, InputTypeError, "a list of levels"),
        ({"wind": ["weak", "strong", "weak"]}, RequestError, "level 'weak' has two places"),
        ({"wind": []}, RequestError, "needs levels"),
        ({"wind": ["weak", None]}, InputTypeError, "a word or a number"),
        ({"wind": ["weak", "strong"], 2: ["strong", "weak"]}, RequestError, "has two orders"),
        (["weak"], InputTypeError, "orders must be"),
    ],
)
def test_wrong_orders_are_refused(orders: Any, error: type[Exception], word: str) -> None:
    """Each refusal says what is wrong with the order."""
    with pytest.raises(error) as refused:
        Ordinal(orders=orders).fit(mixed_table())
    assert word in str(refused.value)


def test_orders_may_be_of_numbers_and_booleans() -> None:
    """Numbers of an array are matched by value, in any order."""
    step = Ordinal(orders={0: [3, 1.0, 2]}).fit(np.array([[1], [2], [3]]))
    np.testing.assert_array_equal(
        step.transform(np.array([[3.0], [1.0], [np.nan], [2.0]])), [[0], [1], [np.nan], [2]]
    )
    paid = pd.DataFrame({"paid": [True, False]})
    assert Ordinal(orders={"paid": [True, False]}).fit_transform(paid)["paid"].labels() == ["0", "1"]


def test_columns_restrict_it() -> None:
    """Only what is named is encoded."""
    found = Ordinal(columns=["paid"]).fit_transform(mixed_table())
    assert found.kinds["wind"] == "category"
    assert found["paid"].labels() == ["0", None, "1", "1", "1", "0"]
    np.testing.assert_array_equal(
        Ordinal(columns=[-1]).fit_transform([[5.0, 7.0], [6.0, 5.0]]), [[5, 1], [6, 0]]
    )


def test_frames_leave_with_their_index() -> None:
    """set_output gives pandas with the index of X."""
    frame = pd.DataFrame({"w": ["b", "a"], "n": [1, 2]}, index=["p", "q"])
    found = Ordinal().set_output(transform="pandas").fit_transform(frame)
    assert found.index.tolist() == ["p", "q"]
    assert found["w"].tolist() == [1.0, 0.0]


def test_it_can_be_read() -> None:
    """The text says the number of each level."""
    assert str(Ordinal().fit(mixed_table())) == (
        "places in an order for 2 columns\n  wind: strong = 0, weak = 1\n  paid: no = 0, yes = 1"
    )
    assert Ordinal().fit(mixed_table()).description_bits() == 0.0
