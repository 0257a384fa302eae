"""Cuts by entropy, beside the definition in exact sums."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout.features.cut_points import cuts_by_entropy, is_worth_its_bits

from .exact_entropy_cuts import exact_cuts, is_accepted

random_rows = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3)), min_size=1, max_size=24)
# Values that tell the class mostly, so that several cuts are accepted.
telling_rows = st.lists(
    st.tuples(st.integers(0, 23), st.integers(0, 9)).map(
        lambda pair: (pair[0], pair[0] // 6 if pair[1] else 1)
    ),
    min_size=8,
    max_size=40,
)
few_rows = random_rows | telling_rows


def ours(rows: list[tuple[int, int]], most: int | None = None) -> list[float]:
    values = np.array([value for value, _ in rows], dtype=np.float64)
    return cuts_by_entropy(values, np.array([c for _, c in rows]), most).tolist()


@pytest.mark.slow
@given(few_rows)
def test_cuts_are_those_of_the_definition(rows: list[tuple[int, int]]) -> None:
    """The lowest of the best cuts is taken, and accepted by the inequality, as exact sums decide it."""
    assert ours(rows) == exact_cuts(rows)


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=1, max_size=4))
def test_the_inequality_is_decided_as_by_exact_sums(counts: list[tuple[int, int]]) -> None:
    """Whatever the counts of the classes on both sides are, the cut is accepted or not as it should be."""
    left, right = (np.array(side) for side in zip(*counts, strict=True))
    if not left.any() or not right.any():
        return
    sides = [np.repeat(np.arange(len(counts)), side).tolist() for side in (left, right)]
    assert is_worth_its_bits(left, right) == is_accepted(*sides)


@given(few_rows, st.randoms(use_true_random=False))
def test_neither_the_order_of_rows_nor_the_names_of_classes_matter(
    rows: list[tuple[int, int]], random: object
) -> None:
    """Shuffled rows and renamed classes have the same cuts."""
    shuffled = list(rows)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    renamed = [(value, 3 - c) for value, c in shuffled]
    assert ours(shuffled) == ours(renamed) == ours(rows)


@given(few_rows)
def test_a_limit_takes_some_of_the_cuts(rows: list[tuple[int, int]]) -> None:
    """With a limit the cuts are some of those without it, and stay with a higher one."""
    everything = ours(rows)
    taken: set[float] = set()
    for most in range(2, len(everything) + 3):
        limited = ours(rows, most)
        assert len(limited) == min(most - 1, len(everything))
        assert taken <= set(limited) <= set(everything)
        taken = set(limited)


def test_the_cut_that_gains_most_comes_first() -> None:
    """Of three accepted cuts the one that parts most rows is made first."""
    rows = [(value, 0) for value in range(4)] + [(value, 1) for value in range(4, 40)]
    rows += [(value, 2) for value in range(40, 70)]
    assert ours(rows) == [3.5, 39.5]
    assert ours(rows, 2) == [39.5]


def test_pure_and_single_rows_are_not_cut() -> None:
    """One class, one row, one value or no row has nothing to part."""
    assert ours([(value, 2) for value in range(9)]) == []
    assert ours([(1, 0)]) == []
    assert ours([(1, 0), (1, 1), (1, 0)]) == []
    assert cuts_by_entropy(np.empty(0), np.empty(0, dtype=np.int64)).tolist() == []


def test_a_cut_between_neighboring_numbers_parts_them() -> None:
    """Where there is no number between two values the cut is the lower one, which lies below it."""
    upper = float(np.nextafter(1.0, 2.0))
    values = np.array([1.0] * 20 + [upper] * 20)
    cuts = cuts_by_entropy(values, np.repeat([0, 1], 20))
    assert cuts.tolist() == [1.0]
    huge = np.array([-1.7e308] * 20 + [1.7e308] * 20)
    assert cuts_by_entropy(huge, np.repeat([0, 1], 20)).tolist() == [0.0]


def test_symmetric_rows_are_cut_at_the_lower_of_equal_cuts() -> None:
    """Two cuts that are mirror images part the classes equally well, and the lower one is made."""
    classes = np.array([0] * 30 + [1] * 41 + [0] * 30)
    assert cuts_by_entropy(np.arange(101.0), classes, 2).tolist() == [29.5]
    assert cuts_by_entropy(np.arange(101.0), classes).tolist() == [29.5, 70.5]


@pytest.mark.parametrize("n_classes", [2, 5000])
def test_many_rows_and_many_classes_are_cut_as_well(n_classes: int) -> None:
    """A hundred thousand rows take no quadratic time, however many classes there are."""
    random = np.random.default_rng(0)
    values = random.random(100_000)
    classes = np.where(values < 0.25, 0, 1 + random.integers(0, n_classes - 1, len(values)))
    cuts = cuts_by_entropy(values, classes)
    assert len(cuts) == 1
    assert cuts[0] == pytest.approx(0.25, abs=1e-4)
