"""Folds and validation parts: stratified, seeded, whole groups, and blind to the order of rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout import TreeClassifier
from heldout.learners.pruning.set_aside import fold_masks, n_units, validation_mask


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
    counts = np.array(fold_masks(rows_of(X, y), n_folds, seed))
    assert counts.sum(axis=0).tolist() == [1] * n_rows
    assert np.ptp(counts.sum(axis=1)) <= 1
    for label in range(3):
        assert np.ptp(counts[:, y == label].sum(axis=1)) <= 1


@given(st.integers(8, 200), st.sampled_from([0.1, 0.25, 0.5]), st.integers(0, 99))
def test_the_part_to_validate_on_has_every_class_in_its_share(n_rows, fraction, seed):
    """Of each class the fraction is set aside, up to one row."""
    X, y = sample(n_rows, seed)
    held = validation_mask(rows_of(X, y), fraction, seed)
    assert abs(held.sum() - fraction * n_rows) <= 0.5
    for label in range(3):
        assert abs(held[y == label].sum() - fraction * (y == label).sum()) <= 1


def test_the_seed_decides_and_the_order_of_rows_does_not():
    """Equal seeds set the same rows aside wherever they stand; another seed sets others aside."""
    X, y = sample(100)
    X[:, 0] += np.arange(100) / 100
    order = np.random.default_rng(1).permutation(100)
    held = validation_mask(rows_of(X, y), 0.25, 7)
    moved = validation_mask(rows_of(X[order], y[order]), 0.25, 7)
    assert np.array_equal(held[order], moved)
    assert not np.array_equal(held, validation_mask(rows_of(X, y), 0.25, 8))


def test_chance_decides_and_no_column_does():
    """Over many seeds every row is set aside about as often, small values and large ones."""
    X, y = np.arange(60.0)[:, None], np.zeros(60, dtype=int)
    rows = rows_of(X, y)
    often = sum(validation_mask(rows, 0.25, seed) for seed in range(400)) / 400
    assert abs(often - 0.25).max() < 0.09
    assert abs(often[:30].mean() - 0.25) < 0.02


@given(st.lists(st.sampled_from([0, 1, 2, 2.5, 4]), min_size=6, max_size=30), st.integers(0, 50))
def test_a_row_lies_on_one_side_whatever_its_weight(weights, seed):
    """Weights change nothing in what is dealt: the unit is the row, and weight 2 is not two rows."""
    weights = np.array([*weights, 1, 2])
    X, y = sample(len(weights), seed)
    X[:, 0] += np.arange(len(weights)) / 64
    weighted, plain = rows_of(X, y, weights), rows_of(X[weights > 0], y[weights > 0])
    assert n_units(weighted) == n_units(plain) == np.count_nonzero(weights)
    assert np.array_equal(fold_masks(weighted, 3, seed), fold_masks(plain, 3, seed))
    is_held = validation_mask(weighted, 0.4, seed)
    assert np.array_equal(is_held, validation_mask(plain, 0.4, seed))
    grown, held = weighted.divide(is_held)
    assert grown.weights.tolist() == weights[weights > 0][~is_held].tolist()
    assert held.weights.tolist() == weights[weights > 0][is_held].tolist()


def test_rows_that_are_given_twice_are_two_rows():
    """Equal rows are observations of their own and are dealt one by one."""
    X, y = np.ones((40, 2)), np.zeros(40, dtype=int)
    assert [is_held.sum() for is_held in fold_masks(rows_of(X, y), 4, 0)] == [10] * 4


def test_equal_rows_of_unequal_weight_are_dealt_wherever_they_stand():
    """Which of them is set aside is told by their weight, not by their place."""
    X, y, weights = np.ones((20, 1)), np.zeros(20, dtype=int), np.arange(1.0, 21.0)
    order = np.random.default_rng(0).permutation(20)
    is_held = validation_mask(rows_of(X, y, weights), 0.3, 0)
    assert np.array_equal(is_held[order], validation_mask(rows_of(X, y, weights[order]), 0.3, 0))


def test_a_single_row_gives_no_folds():
    """There is nothing to set aside."""
    assert fold_masks(rows_of(np.ones((1, 1)), [0]), 10, 0) == []


def test_other_weights_stay_with_their_row():
    """A row of weight 2.5 is set aside as a whole or not at all, and no weight is lost."""
    X, y = sample(40)
    rows = rows_of(X, y, np.linspace(0.5, 2.5, 40))
    grown, held = rows.divide(validation_mask(rows, 0.25, 0))
    assert (grown.n_rows, held.n_rows) == (30, 10)
    assert grown.weights.sum() + held.weights.sum() == pytest.approx(60)


@given(st.integers(2, 9), st.integers(0, 50))
def test_groups_stay_together(n_folds, seed):
    """All rows of a group are in one fold, and no fold is empty."""
    draw = np.random.default_rng(seed)
    X, y = sample(80, seed)
    groups = np.append(np.arange(9), draw.integers(0, 12, 71))
    rows = rows_of(X, y, groups=groups.astype(str))
    counts = np.array(fold_masks(rows, n_folds, seed))
    assert counts.sum(axis=0).tolist() == [1] * 80
    assert counts.sum(axis=1).min() > 0
    for group in np.unique(groups):
        assert np.count_nonzero(counts[:, groups == group].sum(axis=1)) == 1
    held = validation_mask(rows, 0.3, seed)
    assert all(len(set(held[groups == group])) == 1 for group in np.unique(groups))
