"""Importance by permutation: what trees lose on rows out of their bags."""

import numpy as np
import pytest
from scipy import sparse

from heldout import DataError, ForestClassifier, ForestRegressor, RequestError, Task, datasets
from heldout.learners.forests import importances as room
from heldout.native import forests

from ..random_tables import random_classes, random_rows
from .same_forest import blobs, slopes


def test_columns_that_tell_something_are_found():
    """What tells the class is missed when it is shuffled, noise is not."""
    X, y = blobs(300)
    found = ForestClassifier(60).fit(X, y).permutation_importances(X, y)
    assert found.names == ("x0", "x1", "x2", "x3", "x4")
    assert found.mean[:3].min() > 2 * found.mean[3:].max()
    assert (found.mean[:3] > 3 * found.standard_error[:3]).all()
    assert (found.n_trees, found.loss) == (60, "share of wrong classes")


def test_a_regression_loses_squared_error():
    """A target 3·x0 + x1² + noise loses about twice the variance of a shuffled part."""
    X, y = slopes(600)
    found = ForestRegressor(60).fit(X, y).permutation_importances(X, y)
    assert found.loss == "mean squared error"
    assert found.mean.argsort()[::-1][:2].tolist() == [0, 1]
    assert 8 < found.mean[0] < 24


def test_mean_and_error_are_taken_over_the_trees():
    """They are those of the core's numbers, over the trees that have rows out of the bag."""
    X, y = blobs(8)
    forest = ForestClassifier(40).fit(X, y)
    bags = np.array([forests.in_bag_counts(forest._bagging, tree, 8, None) for tree in range(40)])
    losses = forests.permuted_losses(
        forest.forest_,
        X,
        forest.inputs_.number_of,
        np.empty((8, 0), dtype=np.int32, order="F"),
        y.astype(np.uint32),
        None,
        forest._bagging,
        None,
    )
    judged = losses[(bags == 0).any(axis=1)]
    found = forest.permutation_importances(X, y)
    assert found.n_trees == len(judged)
    np.testing.assert_allclose(found.mean, judged.mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(found.standard_error, judged.std(axis=0, ddof=1) / len(judged) ** 0.5)


def test_it_prints_a_table_in_the_original_names():
    """The most important column first, and only so many of them."""
    task = Task(datasets.load("penguins"), target="species")
    lines = str(ForestClassifier(30).fit(task.X, task.y).permutation_importances(task.X, task.y)).split("\n")
    assert lines[0] == "growth of the share of wrong classes out of the bag, 30 trees"
    assert lines[1].split() == ["column", "growth", "std.", "error"]
    assert {line.split()[0] for line in lines[2:]} == set(task.X.names)
    growths = [float(line.split()[1]) for line in lines[2:]]
    assert growths == sorted(growths, reverse=True)
    X, y = blobs(60, n_columns=40)
    assert str(ForestClassifier(3).fit(X, y).permutation_importances(X, y)).endswith("… (10 more columns)")


@pytest.mark.parametrize("missing", ["node_mode", "column_mode", "class_mode"])
def test_tables_with_gaps_and_weights(missing):
    """Categories, gaps and weights, some of them 0; unused columns lose nothing."""
    X, y = random_rows(0, 150), random_classes(0, 150)
    weights = np.random.default_rng(0).choice([0.0, 1.0, 2.0], 150)
    forest = ForestClassifier(20, missing=missing, max_depth=1).fit(X, y, weights)
    found = forest.permutation_importances(X, y, weights)
    used = np.unique(forest.forest_.feature[forest.forest_.feature >= 0])
    assert (np.delete(found.mean, used) == 0).all()
    assert np.isfinite(found.mean).all()


def test_a_sparse_matrix_gives_the_same():
    """Only the columns that are asked for are made dense."""
    draw = np.random.default_rng(0)
    X = draw.poisson(0.3, (150, 20)).astype(float)
    y = (X[:, 3] + X[:, 7] > 0).astype(int)
    for categorical in ("auto", [3]):
        dense, given = (
            ForestClassifier(10, max_depth=2, categorical=categorical)
            .fit(form, y)
            .permutation_importances(form, y)
            for form in (X, sparse.csr_array(X))
        )
        assert dense.mean.tobytes() == given.mean.tobytes()


def test_too_many_cells_are_refused(monkeypatch):
    """A sparse matrix is not made dense beyond a bound."""
    X = sparse.csr_array(np.random.default_rng(0).poisson(0.3, (150, 20)).astype(float))
    forest = ForestClassifier(10).fit(X, np.arange(150) % 2)
    monkeypatch.setattr(room, "MOST_CELLS", 100)
    with pytest.raises(DataError, match="too many to be shuffled"):
        forest.permutation_importances(X, np.arange(150) % 2)


def test_other_rows_than_those_of_fit_are_refused():
    """The bags are known by the numbers of the rows, so the rows must be the same ones."""
    X, y = blobs()
    forest = ForestClassifier(5).fit(X, y)
    for other in ((X[:-1], y[:-1]), (X[::-1], y[::-1]), (X, 2 - y), (X, y, np.arange(200) + 1.0)):
        with pytest.raises(DataError, match="not the rows that the forest was fitted on"):
            forest.permutation_importances(*other)
    with pytest.raises(DataError, match="200 rows and 2 columns, and 200 rows and 5 columns at fit"):
        forest.permutation_importances(X[:, :2], y)


def test_full_bags_are_refused():
    """Without rows out of the bag there is nothing to shuffle."""
    X, y = blobs()
    with pytest.raises(RequestError, match="no importance by permutation"):
        ForestClassifier(3, bootstrap=False).fit(X, y).permutation_importances(X, y)


def test_a_single_tree_has_no_standard_error():
    """With one tree the error of the mean is not known; of a single row nothing is, and that is refused."""
    X, y = blobs()
    found = ForestClassifier(1).fit(X, y).permutation_importances(X, y)
    assert np.isnan(found.standard_error).all()
    assert np.isfinite(found.mean).all()
    with pytest.raises(RequestError, match="no row is out of the bag"):
        ForestClassifier(3).fit([[1.0]], [0]).permutation_importances([[1.0]], [0])
