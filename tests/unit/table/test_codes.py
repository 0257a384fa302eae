"""Codes: dense ranks of numbers, positions of levels, made once for all selections."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from heldout.errors import DataError
from heldout.table.codes import code_levels, code_numbers
from heldout.table.column import Column, category_column
from heldout.table.table import Table


@given(
    hnp.arrays(
        np.float64, st.integers(0, 60), elements=st.sampled_from([-np.inf, -1.5, 0.0, 2.0, 7.0, np.nan])
    )
)
def test_ranks_keep_the_order_and_lose_nothing(values: np.ndarray) -> None:
    """The codes lead back to the very numbers, sorted, with NaN in the code after the last."""
    coded = code_numbers(values)
    distinct = coded.distinct_numbers()
    known = ~np.isnan(values)
    assert np.array_equal(distinct, np.unique(values[known]))
    assert np.array_equal(distinct[coded.codes[known]], values[known])
    assert (coded.codes[~known] == coded.n_codes).all()


@pytest.mark.parametrize(
    ("n_distinct", "width"), [(255, np.uint8), (256, np.uint16), (65_535, np.uint16), (65_536, np.uint32)]
)
def test_codes_are_as_narrow_as_can_be(n_distinct: int, width: type) -> None:
    """The type holds every code and the one for missing, for ranks and for levels alike."""
    assert code_numbers(np.arange(n_distinct, dtype=np.float64)).codes.dtype == width
    positions = np.array([n_distinct - 1, -1], dtype=np.int32)
    coded = code_levels(positions, tuple(map(str, range(n_distinct))))
    assert coded.codes.dtype == width
    assert coded.codes.tolist() == [n_distinct - 1, n_distinct]


def make_table() -> Table:
    days = Column("day", "date", np.array([5.0, np.nan, 4.0, 5.0]))
    return Table([days, category_column("color", ["red", "blue", None, "red"])])


def test_selections_share_the_codes_of_their_table() -> None:
    """Every selection of rows or columns refers to the same codes, by positions in the whole."""
    table = make_table()
    whole = table.coded()
    assert whole.rows is None
    assert [column.is_category for column in whole.columns] == [False, True]
    part = table[[3, 0]].coded()
    assert part.columns[0] is whole.columns[0]
    assert part.rows is not None
    assert (part.rows.dtype, part.rows.tolist(), part.n_rows) == (np.uint32, [3, 0], 2)
    assert table[1:3].select(["color"]).coded().columns[0] is whole.columns[1]
    assert np.array_equal(table[1:3].coded().rows, [1, 2])


def test_a_selection_made_first_fills_the_codes_of_the_table() -> None:
    """It does not matter whether the whole or a part is asked first."""
    table = make_table()
    part = table[[0]].coded()
    assert table.coded(n_threads=2).columns[1] is part.columns[1]
    assert pickle.loads(pickle.dumps(table)).coded().columns[0].codes.tolist() == [1, 2, 0, 1]


def test_strings_have_no_codes() -> None:
    """Text and identifiers are refused by name, with what to do."""
    words = np.array(["a", "b", "c", "d"], dtype=object)
    strings = [Column("id", "identifier", words), Column("say", "text", words)]
    table = Table([*make_table().columns, *strings])
    with pytest.raises(DataError, match="column 'id' is identifier") as caught:
        table.coded()
    assert caught.value.where == "2 such of 4 columns: 'id', 'say'"
    assert "kinds={'id': 'category'}" in caught.value.fix
    with pytest.raises(DataError, match="column 'say' is text"):
        table["say"].coded()
