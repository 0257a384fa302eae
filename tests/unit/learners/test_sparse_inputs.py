"""How a sparse X enters."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

from heldout import DataError, TreeClassifier, TreeRegressor
from heldout.inputs import sparse_inputs

from .same_tree import differing_fields


def counts(n_rows=300, n_columns=40, seed=0):
    draw = np.random.default_rng(seed)
    X = draw.poisson(0.15, (n_rows, n_columns)) * draw.choice([-1.0, 0.5, 2.0], (n_rows, n_columns))
    return X, (X[:, 0] + X[:, 1] + draw.normal(size=n_rows) > 0).astype(int)


@pytest.mark.parametrize("form", ["csr_matrix", "csc_array", "coo_array", "lil_matrix"])
def test_every_sparse_form_gives_the_tree_of_the_dense_array(form):
    """Zeros that are not stored are zeros, in every form of sparse matrix."""
    X, y = counts()
    whole = TreeClassifier(prune=None)
    dense, given = clone(whole).fit(X, y), clone(whole).fit(getattr(sparse, form)(X), y)
    assert differing_fields(dense.tree_.grown, given.tree_.grown) == []
    assert np.array_equal(given.predict_proba(getattr(sparse, form)(X)), dense.predict_proba(X))


def test_missing_values_and_full_columns():
    """A stored NaN is unknown, and a column without zeros has none."""
    X, y = counts(120, 5)
    X[::7, 1] = np.nan
    X[:, 2] = np.arange(120) + 1.0
    dense = TreeRegressor(prune=None).fit(X, y + X[:, 2])
    given = TreeRegressor(prune=None).fit(sparse.csr_array(X), y + X[:, 2])
    assert differing_fields(dense.tree_.grown, given.tree_.grown) == []
    assert np.array_equal(given.predict(sparse.csr_array(X)), dense.predict(X))


def test_entries_stored_twice_are_added_and_x_is_left_alone():
    """Duplicates count as SciPy counts them, in a copy."""
    X = sparse.coo_array(([1.0, 1.0, 1.0], ([0, 0, 1], [0, 0, 0])), shape=(4, 1)).tocsc()
    X.has_canonical_format = False
    tree = TreeRegressor(min_leaf=1, prune=None).fit(X, [5.0, 1.0, 0.0, 0.0])
    assert tree.predict(np.array([[2.0], [1.0], [0.0]])).tolist() == [5.0, 1.0, 0.0]


def test_rows_come_in_blocks(monkeypatch):
    """However the rows are cut into blocks, the answers are the same."""
    X, y = counts(101, 7)
    tree = TreeClassifier(min_leaf=1).fit(X, y)
    whole = tree.apply(X)
    monkeypatch.setattr(sparse_inputs, "CELLS_PER_BLOCK", 70)
    assert np.array_equal(tree.apply(sparse.csr_array(X)), whole)


def test_a_matrix_with_too_many_cells_is_refused():
    """What would not fit into memory is refused before anything is made of it."""
    X = sparse.csr_array((40_000, 30_000))
    with pytest.raises(DataError, match=r"1,200,000,000 cells") as refusal:
        TreeClassifier().fit(X, np.arange(40_000) % 2)
    assert "800,000,000" in refusal.value.where


def test_codes_of_a_sparse_column_are_narrow():
    """Few distinct numbers take a byte a cell."""
    X, _ = counts()
    (first, *_) = sparse_inputs.sparse_columns(TreeClassifier(), sparse.csc_array(X))
    assert first.codes.dtype == np.uint8
    assert not first.is_category
    assert np.array_equal(first.distinct_numbers()[first.codes], X[:, 0])
