"""Labels coded and counted in pairs, against np.unique and scikit-learn."""

from __future__ import annotations

from math import fsum
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix

from heldout.native import ranking

TYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
WORDS = st.lists(st.tuples(st.text("abß", max_size=3), st.text("abß", max_size=3)), max_size=30)


@pytest.mark.slow
@given(st.sampled_from(TYPES), st.data())
def test_whole_numbers_of_every_type_are_counted(name: str, data: st.DataObject) -> None:
    """Narrow and wide ranges, the ends of each type, and the labels in their order and type."""
    dtype = np.dtype(name)
    least, most = (0, 1) if name == "bool" else (int(np.iinfo(dtype).min), int(np.iinfo(dtype).max))
    some = st.sampled_from(sorted({least, most, max(least, most - 3), min(most, least + 2), 0, 1}))
    pairs = data.draw(st.lists(st.tuples(some, some), max_size=30))
    rows, columns = (np.array([pair[at] for pair in pairs], dtype=dtype) for at in (0, 1))
    labels, counts = ranking.count_label_pairs(rows, columns)
    assert labels.dtype == dtype
    assert labels.tolist() == sorted(
        {label for pair in pairs for label in np.array(pair, dtype=dtype).tolist()}
    )
    assert counts.dtype == np.int64
    assert counts.sum() == len(pairs)
    if len(labels) > 1:
        expected = confusion_matrix(
            rows.astype(object).astype(str),
            columns.astype(object).astype(str),
            labels=labels.astype(object).astype(str),
        )
        np.testing.assert_array_equal(counts, expected)


@given(WORDS)
def test_words_are_counted_whatever_their_width(pairs: list[tuple[str, str]]) -> None:
    """Strings of NumPy and Python objects give the same matrix."""
    rows, columns = (np.array([pair[at] for pair in pairs], dtype=np.str_) for at in (0, 1))
    labels, counts = ranking.count_label_pairs(rows, columns)
    assert labels.tolist() == sorted({word for pair in pairs for word in pair})
    for at, true in enumerate(labels):
        for answer_at, answer in enumerate(labels):
            assert counts[at, answer_at] == pairs.count((str(true), str(answer)))
    of_objects, same = ranking.count_label_pairs(rows.astype(object), columns.astype(object))
    assert of_objects.tolist() == labels.tolist()
    np.testing.assert_array_equal(same, counts)


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 2), st.floats(0, 1e9)),
        max_size=30,
    )
)
def test_weights_of_a_cell_are_summed_to_the_last_place(rows: list[tuple[int, int, float]]) -> None:
    """Large weights beside tiny ones: a cell holds the exact sum, but for one unit of the last place."""
    true, answers = (np.array([row[at] for row in rows], dtype=np.uint32) for at in (0, 1))
    weights = np.array([row[2] for row in rows], dtype=np.float64)
    found = ranking.count_pairs(true, answers, 4, 3, weights)
    assert found.dtype == np.float64
    for at in range(4):
        for answer_at in range(3):
            cell = [weight for row, column, weight in rows if (row, column) == (at, answer_at)]
            assert abs(found[at, answer_at] - fsum(cell)) <= np.spacing(fsum(cell))


@pytest.mark.parametrize(
    "labels",
    [
        np.array([3.5, -0.0, 0.0, 3.5, np.inf]),
        np.array([np.nan, 1.0, np.nan]),
        np.array(["2020-01-02", "2020-01-01"], dtype="datetime64[D]"),
        np.array([b"yes", b"no"]),
        np.array([5, 3, 5], dtype=">i4"),
        np.array([], dtype=np.int64),
        np.array(["", ""]),
        np.arange(9_000)[::-1] % 5_000,
        np.arange(20)[::2],
    ],
)
def test_codes_are_those_of_unique(labels: Any) -> None:
    """Numbers, gaps, dates, bytes, other byte orders, empty arrays and steps: codes as np.unique has them."""
    codes, distinct = ranking.code_labels(labels)
    expected, inverse = np.unique(labels, return_inverse=True)
    np.testing.assert_array_equal(distinct, expected)
    np.testing.assert_array_equal(codes, inverse)
    assert codes.dtype == np.uint32


def test_codes_outside_the_matrix_are_refused() -> None:
    """No code is counted in a cell that it does not belong to."""
    good, bad = np.array([0, 1], dtype=np.uint32), np.array([0, 2], dtype=np.uint32)
    for rows, columns in ((bad, good), (good, bad), (np.array([-1, 0]), good), (good[:1], good)):
        with pytest.raises(ValueError, match=r"outside|pairs"):
            ranking.count_pairs(rows, columns, 2, 2)
