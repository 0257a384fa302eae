"""Rows are drawn so that classes are equally frequent, and only from those that were given."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import heldout as ho

LABELS = st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=1, max_size=60)
SEEDS = st.integers(0, 2**40)


@given(labels=LABELS, seed=SEEDS)
def test_down_gives_every_class_the_size_of_the_smallest(labels: list[str], seed: int) -> None:
    """No row is drawn twice, and each class has as many rows as the smallest."""
    rows = ho.resample_rows(labels, "down", seed)
    assert len(set(rows.tolist())) == len(rows)
    smallest = min(Counter(labels).values())
    assert Counter(labels[row] for row in rows) == dict.fromkeys(set(labels), smallest)


@given(labels=LABELS, seed=SEEDS)
def test_up_loses_no_row_and_gives_every_class_the_size_of_the_largest(labels: list[str], seed: int) -> None:
    """Each row is there at least once, and those of the largest class exactly once."""
    rows = ho.resample_rows(labels, "up", seed)
    counts, largest = Counter(labels), max(Counter(labels).values())
    assert Counter(labels[row] for row in rows) == dict.fromkeys(set(labels), largest)
    times = Counter(rows.tolist())
    assert set(times) == set(range(len(labels)))
    assert all(times[row] == 1 for row in times if counts[labels[row]] == largest)


@given(labels=LABELS, seed=SEEDS, how=st.sampled_from(["down", "up"]))
def test_positions_ascend_and_come_again_with_the_seed(labels: list[str], seed: int, how: str) -> None:
    """The positions are sorted integers, and the same seed gives the same ones."""
    rows = ho.resample_rows(labels, how, seed)
    assert rows.dtype == np.intp
    assert (np.diff(rows) >= 0).all()
    assert (rows == ho.resample_rows(labels, how, seed)).all()


@given(labels=LABELS, order=st.randoms(use_true_random=False), how=st.sampled_from(["down", "up"]))
def test_the_order_of_rows_does_not_change_the_counts(labels: list[str], order: object, how: str) -> None:
    """Shuffled labels give as many rows of each class."""
    shuffled = list(labels)
    order.shuffle(shuffled)  # type: ignore[attr-defined]
    before = Counter(labels[row] for row in ho.resample_rows(labels, how))
    assert before == Counter(shuffled[row] for row in ho.resample_rows(shuffled, how))


def test_a_class_is_drawn_without_looking_at_the_names_of_others() -> None:
    """Renaming one class, which then stands elsewhere in the order, does not move the draw of another."""
    labels = np.array(["m"] * 30 + ["n"] * 10)
    renamed = np.where(labels == "n", "a", labels)
    drawn, again = ho.resample_rows(labels, "down", 7), ho.resample_rows(renamed, "down", 7)
    assert drawn[drawn < 30].tolist() == again[again < 30].tolist()


@pytest.mark.slow
def test_other_seeds_draw_other_rows() -> None:
    """Each row of the larger class is drawn about as often as any other, over many seeds."""
    labels = [0] * 12 + [1] * 3
    times = Counter(row for seed in range(2000) for row in ho.resample_rows(labels, "down", seed).tolist())
    shares = np.array([times[row] for row in range(12)]) / 2000
    assert np.abs(shares - 0.25).max() < 0.04
    assert all(times[row] == 2000 for row in (12, 13, 14))


@pytest.mark.parametrize("how", ["down", "up"])
def test_one_class_keeps_all_rows(how: str) -> None:
    """With one class there is nothing to balance."""
    assert ho.resample_rows(["a", "a", "a"], how).tolist() == [0, 1, 2]


def test_every_form_of_labels_gives_the_same_rows() -> None:
    """A list, an array, a series and a Column with the same labels give the same positions."""
    sex = ho.datasets.load("penguins")["species"]
    words = sex.labels()
    forms = [words, np.array(words), np.array(words, dtype=object), pd.Series(words), sex]
    drawn = [ho.resample_rows(form, "down", 3).tolist() for form in forms]
    assert all(rows == drawn[0] for rows in drawn)
    assert len(drawn[0]) == 3 * min(Counter(words).values())


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ([], "no rows"),
        ([0.5, 1.5, 2.25], "Unknown label type"),
        (["a", None], "contains NaN"),
        ([1.0, np.nan], "NaN"),
        (np.ones((2, 2)), "1d array"),
        (5, "1d array"),
    ],
)
def test_labels_that_are_no_classes_are_refused(labels: object, words: str) -> None:
    """Empty, missing, fractional and shapeless labels are refused with all three parts."""
    with pytest.raises(ho.DataError, match=words) as caught:
        ho.resample_rows(labels)
    assert caught.value.where
    assert caught.value.fix


def test_fractional_numbers_get_advice() -> None:
    """A target of a regression is told to be cut into classes."""
    with pytest.raises(ho.DataError) as caught:
        ho.resample_rows([0.5, 1.5, 2.25])
    assert "Discretize" in caught.value.fix


def test_typos_get_suggestions() -> None:
    """A word that is nearly right, or that others use, is answered by the right one."""
    for word, meant in (("downn", "down"), ("oversample", "up")):
        with pytest.raises(ho.RequestError) as caught:
            ho.resample_rows(["a"], word)
        assert meant in caught.value.fix
    with pytest.raises(ho.RequestError, match="seed"):
        ho.resample_rows(["a"], seed=-1)
