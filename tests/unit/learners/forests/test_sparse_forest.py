"""Forests of sparse matrices: as many documents and terms as a text has."""

import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

from heldout import ForestClassifier, ForestRegressor

from .same_forest import differing_parts


def documents(n_documents=1135, n_terms=25_199, n_words=150, seed=0):
    """Words drawn by Zipf's law; two classes differ in some of them."""
    draw = np.random.default_rng(seed)
    y = draw.integers(0, 2, n_documents)
    often = 1 / np.arange(1.0, n_terms + 1)
    columns = draw.choice(n_terms, (n_documents, n_words), p=often / often.sum())
    # A fifth of the words of one class are exchanged for others that are rarer.
    is_moved = (draw.random(columns.shape) < 0.2) & (y == 1)[:, np.newaxis]
    columns = np.where(is_moved, columns + 50, columns) % n_terms
    rows = np.repeat(np.arange(n_documents), n_words)
    X = sparse.csr_array((np.ones(rows.size), (rows, columns.ravel())), shape=(n_documents, n_terms))
    X.sum_duplicates()
    return X, y


@pytest.mark.slow
def test_a_text_of_1135_documents_and_25199_terms():
    """It grows, answers, and knows the training rows."""
    X, y = documents()
    forest = ForestClassifier(10, oob_score=True, sample_fraction=0.5).fit(X, y)
    assert forest.n_features_in_ == 25_199
    assert forest.score(X, y) > 0.8
    assert forest.oob_score_ > 0.6
    assert forest.feature_importances_.sum() == pytest.approx(1)


MEASURED = """
import re
import numpy as np
from scipy import sparse
from heldout import ForestClassifier

def peak():
    return int(re.search("VmHWM:[^0-9]*([0-9]+) kB", open("/proc/self/status").read())[1]) // 1024

draw = np.random.default_rng(0)
places = draw.integers(0, 1135, 150_000), draw.integers(0, 25_199, 150_000)
X = sparse.csr_array((np.ones(150_000), places), shape=(1135, 25_199))
ForestClassifier(2).fit(X[:50, :50], np.arange(50) % 2)
before = peak()
ForestClassifier(5).fit(X, np.arange(1135) % 2)
print(peak() - before)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells the peak")
def test_growing_takes_less_than_the_dense_matrix():
    """A byte for each cell and some more: the matrix as numbers would take 229 MB by itself."""
    told = subprocess.run([sys.executable, "-c", MEASURED], capture_output=True, text=True, check=True)
    assert 0 < int(told.stdout) < 200


@pytest.mark.slow
def test_the_forest_of_a_wide_matrix_is_small():
    """A forest has nothing for each tree and column."""
    X, y = documents(n_documents=200)
    forest = ForestClassifier(10).fit(X, y)
    n_bytes = sum(array.nbytes for array in vars(forest.forest_).values())
    assert n_bytes < 100 * forest.n_nodes_


@pytest.mark.parametrize("learner", [ForestClassifier(6), ForestRegressor(6)], ids=["classes", "means"])
def test_sparse_and_dense_give_the_same_forest(learner):
    """Zeros that are not stored are zeros."""
    draw = np.random.default_rng(0)
    X = draw.poisson(0.2, (200, 30)) * draw.choice([-1.0, 0.5, 2.0], (200, 30))
    X[::7, 1] = np.nan
    y = (X[:, 0] + X[:, 2] > 0).astype(int)
    dense = learner.fit(X, y)
    grown, answers = dense.forest_, dense.predict(X)
    given = learner.fit(sparse.csc_matrix(X), y)
    assert differing_parts(dense, given) == []
    assert np.array_equal(grown.threshold, given.forest_.threshold, equal_nan=True)
    assert np.array_equal(answers, given.predict(sparse.csr_matrix(X)))
