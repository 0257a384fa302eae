"""Training parts made smaller: nested, stratified, with whole groups, the latest in time."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from heldout.split.row_facts import RowFacts
from heldout.study.curves.learning_curve import shrunken

FRACTIONS = [0.1, 0.25, 0.5, 0.9, 1.0]


def facts_of(n_rows: int, seed: int, n_groups: int = 0, has_time: bool = False) -> RowFacts:
    random = np.random.default_rng(seed)
    return RowFacts(
        random.choice(["a", "b", "c"], n_rows, p=[0.6, 0.3, 0.1]),
        "classification",
        random.integers(0, n_groups, n_rows) if n_groups else None,
        random.integers(0, 30, n_rows).astype(float) if has_time else None,
    )


@given(st.integers(2, 200), st.integers(0, 9), st.sampled_from([0, 1, 4, 40]), st.booleans())
def test_parts_are_nested_and_whole(n_rows: int, seed: int, n_groups: int, has_time: bool) -> None:
    """A smaller part is part of a larger one, rows ascend, and the whole fraction is the whole part."""
    facts = facts_of(n_rows, seed, n_groups, has_time)
    rows = np.flatnonzero(np.random.default_rng(seed).random(n_rows) < 0.8)
    if not len(rows):
        return
    parts = shrunken(facts, rows, FRACTIONS, seed)
    for smaller, larger in itertools.pairwise(parts):
        assert len(smaller)
        assert np.isin(smaller, larger).all()
        assert (np.diff(smaller) > 0).all()
    assert parts[-1].tolist() == rows.tolist()


@given(st.integers(10, 200), st.integers(0, 9))
def test_classes_keep_their_shares(n_rows: int, seed: int) -> None:
    """In a part of any size each class has its share of the rows, up to one row of each."""
    facts = facts_of(n_rows, seed)
    for fraction, part in zip(FRACTIONS, shrunken(facts, np.arange(n_rows), FRACTIONS, seed), strict=True):
        for label in np.unique(facts.y):
            share = np.count_nonzero(facts.y == label) * fraction
            assert abs(np.count_nonzero(facts.y[part] == label) - share) <= 2


@given(st.integers(5, 200), st.integers(0, 9), st.integers(2, 30))
def test_groups_stay_whole(n_rows: int, seed: int, n_groups: int) -> None:
    """A group is in a part as a whole or not at all, and the size is as near as whole groups allow."""
    facts = facts_of(n_rows, seed, n_groups)
    assert facts.groups is not None
    largest = np.bincount(facts.groups).max()
    for fraction, part in zip(FRACTIONS, shrunken(facts, np.arange(n_rows), FRACTIONS, seed), strict=True):
        left = np.setdiff1d(np.arange(n_rows), part)
        assert not np.intersect1d(facts.groups[part], facts.groups[left]).size
        assert abs(len(part) - fraction * n_rows) <= largest


def test_of_rows_in_time_the_latest_are_kept() -> None:
    """Nothing that is left out is later than anything that is kept."""
    facts = facts_of(100, 3, has_time=True)
    assert facts.time is not None
    for part in shrunken(facts, np.arange(100), FRACTIONS[:-1], 0):
        left = np.setdiff1d(np.arange(100), part)
        assert facts.time[left].max() < facts.time[part].min()


def test_seed_and_fold_decide_the_draw() -> None:
    """The same seed and fold give the same rows, another fold gives others."""
    facts, rows = facts_of(80, 1), np.arange(80)
    first, again, other = (shrunken(facts, rows, [0.3], 5, fold)[0] for fold in ((0, 1), (0, 1), (0, 2)))
    assert first.tolist() == again.tolist()
    assert first.tolist() != other.tolist()


def test_a_number_to_predict_is_stratified_too() -> None:
    """A quarter of the rows of a regression has about the mean of all."""
    y = np.sort(np.random.default_rng(0).lognormal(size=400))
    [part] = shrunken(RowFacts(y, "regression"), np.arange(400), [0.25], 0)
    low, high = np.quantile(y, [0.1, 0.9])
    assert np.count_nonzero(y[part] < low) == 10
    assert np.count_nonzero(y[part] > high) == 10
