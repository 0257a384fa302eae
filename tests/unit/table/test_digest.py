"""The digest says whether two tables hold the same data."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout.table.column import Column, category_column
from heldout.table.table import Table


def digest_of(*columns: Column) -> str:
    return Table(columns).digest


def test_order_and_presence_of_levels_leave_no_trace() -> None:
    """Levels in another order, or that do not occur, give the same digest."""
    one = Column("x", "category", np.array([0, 1, -1]), ("a", "b"))
    other = Column("x", "category", np.array([2, 0, -1]), ("b", "unused", "a"))
    assert digest_of(one) == digest_of(other)


def test_zeros_and_nans_have_one_form() -> None:
    """Minus zero is zero, and every NaN is the same missing value, whatever the strides."""
    strange_nan = np.array([0x7FF8000000000001], dtype=np.uint64).view(np.float64)[0]
    one = Column("x", "number", np.array([0.0, np.nan]))
    other = Column("x", "number", np.array([-0.0, 9.0, strange_nan, 9.0])[::2])
    assert digest_of(one) == digest_of(other)


def test_dates_count_to_the_microsecond() -> None:
    """A moment has one digest although the division that made it rounded differently."""
    moment = 19_000 + 43_200.000001 / 86_400
    one = Column("x", "date", np.array([moment, np.nan]))
    other = Column("x", "date", np.array([np.nextafter(moment, 0), np.nan]))
    assert digest_of(one) == digest_of(other)


def test_true_and_TRUE_are_one_boolean() -> None:  # noqa: N802
    """The spelling of booleans differs between formats and does not count."""
    one = Column("x", "boolean", np.array([0, 1]), ("false", "true"))
    other = Column("x", "boolean", np.array([0, 1]), ("FALSE", "TRUE"))
    assert digest_of(one) == digest_of(other)


@pytest.mark.parametrize(
    "other",
    [
        category_column("y", ["ab", "c", None]),
        category_column("x", ["a", "bc", None]),
        category_column("x", ["ab", None, "c"]),
        category_column("x", ["ab", "c"]),
        Column("x", "text", np.array(["ab", "c", None], dtype=object)),
        Column("x", "identifier", np.array(["ab", "c", None], dtype=object)),
    ],
)
def test_whatever_differs_changes_the_digest(other: Column) -> None:
    """Another name, value, order of rows, length or kind is another table."""
    assert digest_of(category_column("x", ["ab", "c", None])) != digest_of(other)


def test_order_of_columns_counts() -> None:
    """The same columns in another order are another table."""
    one, two = Column("a", "number", np.zeros(2)), Column("b", "number", np.ones(2))
    assert digest_of(one, two) != digest_of(two, one)


@given(st.lists(st.none() | st.text(), max_size=6), st.lists(st.none() | st.text(), max_size=6))
def test_strings_never_run_together(first: list[str | None], second: list[str | None]) -> None:
    """Two lists of strings have the same digest only if they are the same list."""
    one = Column("x", "text", np.array([*first, None], dtype=object)[:-1])
    other = Column("x", "text", np.array([*second, None], dtype=object)[:-1])
    assert (digest_of(one) == digest_of(other)) == (first == second)


def test_a_selection_has_the_digest_of_its_rows() -> None:
    """Selected rows and the same rows in a table of their own have one digest."""
    table = Table([Column("a", "number", np.arange(5.0)), category_column("b", list("vwxyz"))])
    own = Table([Column("a", "number", np.array([3.0, 1.0])), category_column("b", ["y", "w"])])
    assert table[[3, 1]].digest == own.digest
    assert table[1:3].digest == table[[1, 2]].digest
    assert len(table.digest) == 64
