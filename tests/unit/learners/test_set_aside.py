"""Folds and validation parts: stratified, seeded, whole groups, and blind to the order of rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout import TreeClassifier
from heldout.learners.pruning.set_aside import fold_counts, n_units, validation_counts


def rows_of(X, y, weights=None, groups=None):
    """The rows as a tree learns from them."""
    return TreeClassifier()._rows(X, y, weights, groups).with_weight()


def sample(n_rows, seed=0):
    draw = np.random.default_rng(seed)
    return draw.integers(0, 50, size=(n_rows, 2)).astype(float), draw.integers(0, 3, n_rows)


@given(st.integers(2, 60), st.integers(2, 10), st.integers(0, 99))
def test_every_row_is_in_one_fold(n_rows, n_folds, seed):
    """Folds cover the rows once, and their sizes and classes differ by one at most."""
    X, y = sample(n_rows, seed)
    counts = np.array(fold_counts(rows_of(X, y), n_folds, seed))
    assert counts.sum(axis=0).tolist() == [1] * n_rows
    assert np.ptp(counts.sum(axis=1)) <= 1
    for label in range(3):
        assert np.ptp(counts[:, y == label].sum(axis=1)) <= 1


@given(st.integers(8, 200), st.sampled_from([0.1, 0.25, 0.5]), st.integers(0, 99))
def test_the_part_to_validate_on_has_every_class_in_its_share(n_rows, fraction, seed):
    """Of each class the fraction is set aside, up to one row."""
    X, y = sample(n_rows, seed)
    held = validation_counts(rows_of(X, y), fraction, seed)
    assert abs(held.sum() - fraction * n_rows) <= 0.5
    for label in range(3):
        assert abs(held[y == label].sum() - fraction * (y == label).sum()) <= 1


def test_the_seed_decides_and_the_order_of_rows_does_not():
    """Equal seeds set the same rows aside wherever they stand; another seed sets others aside."""
    X, y = sample(100)
    X[:, 0] += np.arange(100) / 100
    order = np.random.default_rng(1).permutation(100)
    held = validation_counts(rows_of(X, y), 0.25, 7)
    moved = validation_counts(rows_of(X[order], y[order]), 0.25, 7)
    assert np.array_equal(held[order], moved)
    assert not np.array_equal(held, validation_counts(rows_of(X, y), 0.25, 8))


def test_chance_decides_and_no_column_does():
    """Over many seeds every row is set aside about as often, small values and large ones."""
    X, y = np.arange(60.0)[:, None], np.zeros(60, dtype=int)
    rows = rows_of(X, y)
    often = sum(validation_counts(rows, 0.25, seed) for seed in range(400)) / 400
    assert abs(often - 0.25).max() < 0.09
    assert abs(often[:30].mean() - 0.25) < 0.02


@given(st.lists(st.integers(0, 4), min_size=6, max_size=30), st.integers(0, 50))
def test_a_whole_weight_is_so_many_rows(weights, seed):
    """Copies are dealt one by one, as if the rows had been repeated."""
    weights = np.array([*weights, 1, 1])
    X, y = sample(len(weights), seed)
    X[:, 0] += np.arange(len(weights)) / 64
    weighted, repeated = rows_of(X, y, weights), rows_of(X.repeat(weights, 0), y.repeat(weights))
    assert n_units(weighted) == n_units(repeated) == weights.sum()
    owner = np.arange(len(weights)).repeat(weights)
    for one, many in zip(fold_counts(weighted, 3, seed), fold_counts(repeated, 3, seed), strict=True):
        assert one.tolist() == np.bincount(owner, many, len(weights))[weights > 0].tolist()


def test_other_weights_stay_with_their_row():
    """A row of weight 2.5 is set aside as a whole or not at all."""
    X, y = sample(40)
    rows = rows_of(X, y, np.linspace(0.5, 2.5, 40))
    grown, held = rows.divided(validation_counts(rows, 0.25, 0))
    assert (grown.n_rows, held.n_rows) == (30, 10)
    assert grown.weights.sum() + held.weights.sum() == pytest.approx(60)


@given(st.integers(2, 9), st.integers(0, 50))
def test_groups_stay_together(n_folds, seed):
    """All rows of a group are in one fold, and no fold is empty."""
    draw = np.random.default_rng(seed)
    X, y = sample(80, seed)
    groups = np.append(np.arange(9), draw.integers(0, 12, 71))
    rows = rows_of(X, y, groups=groups.astype(str))
    counts = np.array(fold_counts(rows, n_folds, seed))
    assert counts.sum(axis=0).tolist() == [1] * 80
    assert counts.sum(axis=1).min() > 0
    for group in np.unique(groups):
        assert np.count_nonzero(counts[:, groups == group].sum(axis=1)) == 1
    held = validation_counts(rows, 0.3, seed)
    assert all(len(set(held[groups == group])) == 1 for group in np.unique(groups))


def test_parts_are_weighed_by_their_copies():
    """Of a row seen four times, one copy aside leaves three."""
    rows = rows_of(np.array([[1.0], [2.0]]), [0, 1], np.array([4, 1]))
    grown, held = rows.divided(np.array([1, 1]))
    assert (grown.weights.tolist(), held.weights.tolist()) == ([3.0], [1.0, 1.0])
    assert grown.frequencies.tolist() == [3]
