"""McNemar's test, and Tango's interval beside it."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.stats.mcnemar import likeliest_share, mcnemar, mcnemar_of_counts, score, tango_ends
from heldout.table.column import Column

from .brute_force import likeliest, mid_p, sign_p

Counts = tuple[int, int, int]
COUNTS = st.tuples(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40)).filter(any)


@given(st.integers(0, 60), st.integers(0, 60))
def test_both_p_values_are_those_of_counting(only_a: int, only_b: int) -> None:
    """Exact and mid-p equal the fractions; without a discordant row both are 1."""
    exact = mcnemar_of_counts(only_a, only_b, 200).p_value
    middle = mcnemar_of_counts(only_a, only_b, 200, "mid_p").p_value
    assert exact == pytest.approx(float(sign_p(only_a, only_b)), rel=1e-12)
    expected = float(mid_p(only_a, only_b)) if only_a + only_b else 1.0
    assert middle == pytest.approx(expected, rel=1e-9)
    assert middle <= exact


@given(COUNTS, st.floats(-0.95, 0.95))
def test_the_supposed_share_is_the_likeliest(counts: Counts, delta: float) -> None:
    """The closed form of Tango's constrained estimate equals what a search finds."""
    only_a, only_b, both = counts
    n_rows = only_a + only_b + both
    found = likeliest_share(delta, only_a, only_b, n_rows)
    assert found == pytest.approx(likeliest(delta, only_a, only_b, n_rows), abs=2e-5)


@given(COUNTS, st.sampled_from([0.8, 0.95, 0.999]))
def test_the_ends_are_where_the_score_test_turns(counts: Counts, confidence: float) -> None:
    """Just inside the ends the score test does not reject, just outside it does."""
    only_a, only_b, both = counts
    n_rows = only_a + only_b + both
    low, high = tango_ends(only_a, only_b, n_rows, confidence)
    z = norm.isf((1 - confidence) / 2)
    estimate = (only_a - only_b) / n_rows
    assert -1 <= low <= estimate <= high <= 1
    for end, inward in ((low, 1e-7), (high, -1e-7)):
        if -1 + 1e-6 < end < 1 - 1e-6:
            assert abs(score(end + inward, only_a, only_b, n_rows)) < z + 1e-9
            assert abs(score(end - inward, only_a, only_b, n_rows)) > z - 1e-9


@given(COUNTS)
def test_the_two_can_change_places(counts: Counts) -> None:
    """B against A is A against B turned around."""
    only_a, only_b, both = counts
    n_rows = only_a + only_b + both
    low, high = tango_ends(only_a, only_b, n_rows)
    assert tango_ends(only_b, only_a, n_rows) == pytest.approx((-high, -low), abs=1e-12)


def test_no_discordant_row() -> None:
    """Where both are right together p is 1, and the interval z² / (n + z²) wide on each side."""
    found = mcnemar([1, 0, 1, 1], [1, 0, 1, 0], [1, 0, 1, 0])
    assert found.p_value == 1.0
    assert found.difference is not None
    z = norm.isf(0.025)
    assert found.difference.high == pytest.approx(z * z / (4 + z * z))
    assert found.difference.low == -found.difference.high
    assert "There is no row that only one of the two has right" in str(found)


def test_no_rows_at_all() -> None:
    """Of no rows nothing is contradicted: p is 1, the interval is everything, the estimate unknown."""
    found = mcnemar([], [], [])
    assert found.difference is not None
    assert (found.p_value, found.difference.low, found.difference.high) == (1.0, -1.0, 1.0)
    assert math.isnan(found.difference.estimate)
    json.dumps(found.to_dict(), allow_nan=False)


def test_one_row() -> None:
    """A single row that one has right leaves everything open."""
    found = mcnemar(["a"], ["a"], ["b"])
    assert found.difference is not None
    assert (found.p_value, found.difference.estimate, found.difference.high) == (1.0, 1.0, 1.0)
    assert found.difference.low < 0


@pytest.mark.parametrize("wrap", [list, np.array, pd.Series, lambda values: np.array(values, dtype=object)])
def test_labels_come_in_any_form(wrap) -> None:
    """Lists, arrays, Series and objects give the same; more than two classes too."""
    y, a, b = ["x", "y", "z", "x"], ["x", "y", "x", "x"], ["y", "y", "z", "z"]
    found = mcnemar(wrap(y), wrap(a), wrap(b), names=("tree", "rule"))
    assert found.seen == "2 rows only tree has right, 1 only rule"


def test_a_column_is_taken() -> None:
    """The target of a table is compared by its words; an unknown label in it is refused."""
    column = Column("wind", "category", np.array([1, 0, 1], dtype=np.int32), ("strong", "weak"))
    found = mcnemar(column, ["weak", "strong", "weak"], ["weak", "weak", "strong"])
    assert found.details == {"only_a": 2.0, "only_b": 0.0}


def test_bytes_booleans_and_numbers() -> None:
    """A truth of booleans fits answers of 0 and 1, and whole numbers fit the same as floats."""
    assert mcnemar([True, False], [1, 0], [0, 0]).details["only_a"] == 1
    assert mcnemar([1, 2], [1.0, 2.0], [1.0, 3.0]).details["only_a"] == 1


def test_the_difference_stands_first() -> None:
    """The sentence begins with the difference and its interval, says how it was made, and p behind."""
    text = str(mcnemar_of_counts(16, 6, 161, names=("tree", "rule")))
    assert text.startswith(
        "accuracy of tree minus accuracy of rule 0.062, 95% interval 0.00543 to 0.124"
        " (Tango's score interval, paired, 161 rows). exact McNemar test of whether"
    )
    assert "p = 0.052" in text
    assert "two sides of the line" in text


def test_what_is_refused() -> None:
    """Misspelled methods, wrong lengths, missing labels and words against numbers are refused."""
    with pytest.raises(RequestError, match="did you mean 'exact'"):
        mcnemar([1], [1], [1], method="exakt")
    with pytest.raises(RequestError, match="did you mean 'mid_p'"):
        mcnemar([1], [1], [1], method="mid-p")
    with pytest.raises(DataError, match="predicted_b has 2 rows, y has 1"):
        mcnemar([1], [1], [1, 0])
    with pytest.raises(DataError, match="1 of 2 rows, first in row 2"):
        mcnemar([1, 0], [1, math.nan], [1, 0])
    with pytest.raises(InputTypeError, match="predicted_a holds words, and y holds numbers"):
        mcnemar([1, 0], ["1", "0"], [1, 0])
    with pytest.raises(InputTypeError, match="no order"):
        mcnemar(np.array(["a", 1], dtype=object), ["a", "b"], ["a", "b"])
    with pytest.raises(DataError, match="only_a=3, only_b=3, n_rows=5"):
        mcnemar_of_counts(3, 3, 5)
    with pytest.raises(InputTypeError):
        mcnemar("abc", [1], [1])
