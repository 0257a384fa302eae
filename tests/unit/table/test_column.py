"""Columns: what they hold, what they refuse, and how they print."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from heldout.errors import DataError, RequestError
from heldout.table.column import Column, category_column, date_label, number_label, sort_levels


def test_missing_values_are_counted_in_every_kind() -> None:
    """NaN, -1 and None are missing in numbers, levels and strings."""
    number = Column("a", "number", np.array([1.0, np.nan]))
    level = Column("b", "boolean", np.array([1, -1], dtype=np.int32), ("false", "true"))
    text = Column("c", "text", np.array(["x", None], dtype=object))
    assert [column.n_missing for column in (number, level, text)] == [1, 1, 1]
    assert [column.labels()[1] for column in (number, level, text)] == [None, None, None]


def test_values_cannot_be_changed() -> None:
    """A column's values are read-only, while the caller's own array stays writable."""
    mine = np.array([1.0, 2.0])
    column = Column("a", "number", mine)
    with pytest.raises(ValueError, match="read-only"):
        column.values[0] = 5.0
    mine[0] = 1.0


def test_slice_shares_memory_and_positions_copy() -> None:
    """Taking a slice makes a view of the same memory."""
    column = Column("a", "number", np.arange(10.0))
    assert np.shares_memory(column.take(slice(2, 5)).values, column.values)
    assert column.take(np.array([9, 0], dtype=np.uint32)).values.tolist() == [9.0, 0.0]


@pytest.mark.parametrize(
    ("kind", "values", "levels", "message"),
    [
        ("colour", np.zeros(2), (), "unknown kind 'colour'"),
        ("category", np.array([0, 2]), ("a", "b"), "level code is out of range"),
        ("category", np.array([-2, 0]), ("a", "b"), "level code is out of range"),
        ("category", np.array([0, 1]), ("a", "a"), "a level occurs twice"),
        ("number", np.zeros(2), ("a",), "only a category or boolean has levels"),
        ("number", np.zeros((2, 2)), (), "one value per row"),
    ],
)
def test_what_does_not_fit_is_refused(
    kind: str, values: np.ndarray, levels: tuple[str, ...], message: str
) -> None:
    """A wrong kind, code, level list or shape is an error with all three parts."""
    with pytest.raises((DataError, RequestError), match=message) as caught:
        Column("x", kind, values, levels)
    assert caught.value.where
    assert caught.value.fix


def test_levels_are_sorted_by_number_where_all_are_numbers() -> None:
    """The order of levels is numeric for numbers, else by code point, and never that of the rows."""
    assert sort_levels(["10", "9", "-1"]) == ("-1", "9", "10")
    assert sort_levels(["b", "B", "10", "é"]) == ("10", "B", "b", "é")
    assert sort_levels(["nan", "2", "10"]) == ("10", "2", "nan")
    labels = ["z", "a", None, "m"]
    assert category_column("x", labels).levels == category_column("x", labels[::-1]).levels


def test_numbers_and_dates_are_spelled_shortly() -> None:
    """Whole numbers have no point, and a date has a time only where there is one."""
    assert [number_label(7.0), number_label(0.1), number_label(1e300)] == ["7", "0.1", "1e+300"]
    assert number_label(float("inf")) == "inf"
    assert [date_label(0), date_label(18321.5), date_label(-1)] == [
        "1970-01-01",
        "2020-02-29T12:00:00",
        "1969-12-31",
    ]


def test_pickle_keeps_everything_and_copies_share() -> None:
    """A pickled column comes back equal and read-only; copying what cannot change is free."""
    column = category_column("wind", ["weak", None, "strong"], "few distinct strings")
    again = pickle.loads(pickle.dumps(column))
    assert (again.name, again.kind, again.levels, again.reason) == (
        column.name,
        column.kind,
        column.levels,
        column.reason,
    )
    assert again.labels() == column.labels()
    assert not again.values.flags.writeable
    assert copy.deepcopy(column) is column


def test_array_of_a_column() -> None:
    """NumPy gets floats from numbers and labels from levels."""
    assert np.asarray(Column("a", "number", np.array([1.0, 2.0]))).dtype == np.float64
    assert np.asarray(category_column("b", ["x", None])).tolist() == ["x", None]
    assert "2 levels" in repr(category_column("b", ["x", "y"]))


def test_a_selection_knows_what_its_column_has_nowhere() -> None:
    """Gaps and infinities are counted once: a part of a column without any has none, others are looked at."""
    whole = Column("size", "number", np.array([1.0, 2.0, 3.0]))
    odd = Column("size", "number", np.array([1.0, np.nan, np.inf]))
    for column in (whole, odd):
        _ = column.n_missing, column.has_infinity
    places = np.array([0, 1], dtype=np.uint32)
    assert [(each.take(places).n_missing, each.take(places).has_infinity) for each in (whole, odd)] == [
        (0, False),
        (1, False),
    ]
    assert (odd.n_missing, odd.has_infinity, odd.take(slice(2, 3)).has_infinity) == (1, True, True)
    assert not Column("note", "text", np.array(["inf"], dtype=object)).has_infinity
