"""The partition of a plane: the rectangles answer as the tree does."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix

from heldout import DataError, RequestError, Table, Task, TreeClassifier, TreeRegressor, datasets
from heldout.charts.axes import PicturePlane
from heldout.learners.pictures.tree_pictures import (
    MOST_POINTS,
    drawn_predictions,
    plane_columns,
    plane_of_tree,
)
from heldout.table.column import Column, category_column

TOWNS = ("Aachen", "Bonn", "Köln", "Trier", "Ulm")


def ring(n_rows: int = 400) -> tuple[np.ndarray, np.ndarray]:
    X = np.random.default_rng(1).normal(size=(n_rows, 2))
    return X, np.where(np.hypot(X[:, 0], X[:, 1]) > 1, "out", "in")


def towns_and_ages(n_rows: int = 300) -> tuple[Table, np.ndarray]:
    draw = np.random.default_rng(2)
    town, age = draw.integers(0, 5, n_rows), draw.integers(18, 80, n_rows).astype(float)
    y = np.where((np.isin(town, [0, 3]) & (age > 40)) ^ (draw.random(n_rows) < 0.1), "stays", "leaves")
    table = Table([category_column("town", [TOWNS[code] for code in town]), Column("age", "number", age)])
    return table, y


def answer_at(plane: PicturePlane, x: float, y: float) -> str:
    """The label of the one region in which a position lies."""
    found = [
        region.label
        for region in plane.regions
        if region.left < x < region.right and region.bottom < y < region.top
    ]
    assert len(found) == 1
    return found[0]


def test_regions_of_numbers_answer_as_the_tree_does():
    """At every row's position there is one rectangle, and it has the tree's answer."""
    X, y = ring()
    tree = TreeClassifier.cart(prune=None).fit(X, y)
    plane = plane_of_tree(tree, X, y, [0, 1])
    answers = tree.predict(X)
    assert len(plane.points) == len(X)
    for point, answer in zip(plane.points, answers, strict=True):
        assert answer_at(plane, point.x, point.y) == answer


@pytest.mark.parametrize("make", [TreeClassifier.id3, TreeClassifier.cart])
def test_bands_of_levels_answer_as_the_tree_does(make):
    """The same where one side has the levels of a category, one branch each or two groups."""
    table, y = towns_and_ages()
    tree = make(prune=None).fit(table, y)
    for columns in ([0, 1], [1, 0]):
        plane = plane_of_tree(tree, table, y, columns)
        for point, answer in zip(plane.points, tree.predict(table), strict=True):
            assert answer_at(plane, point.x, point.y) == answer


@pytest.mark.parametrize("make", [TreeClassifier.id3, TreeClassifier.cart])
def test_regions_tile_the_plane(make):
    """The areas of all rectangles add up to the plane, branches that no row took included."""
    table, y = towns_and_ages(60)
    plane = plane_of_tree(make(prune=None).fit(table, y), table, y, [0, 1])
    areas = [(region.right - region.left) * (region.top - region.bottom) for region in plane.regions]
    assert sum(areas) == pytest.approx(1)


def test_means_are_shades():
    """A regression tree's rectangles show its means, and both regions and points have shades."""
    X, _ = ring()
    targets = X[:, 0] + 2 * (X[:, 1] > 0)
    tree = TreeRegressor(max_depth=3, prune=None).fit(X, targets)
    plane = plane_of_tree(tree, X, targets, [0, 1])
    assert plane.shade_scale is not None
    for point, mean in zip(plane.points, tree.predict(X), strict=True):
        assert float(answer_at(plane, point.x, point.y)) == pytest.approx(mean, rel=1e-5)
    assert {point.index for point in plane.points} == set(range(7))


def test_rows_with_an_unknown_value_are_left_out_and_counted():
    """A row without a place in the plane is not drawn, and the caption says how many there are."""
    X, y = ring(100)
    tree = TreeClassifier.cart(prune=None).fit(X, y)
    X[:7, 1] = np.nan
    plane = plane_of_tree(tree, X, y, [0, 1])
    assert len(plane.points) == 93
    assert "93 rows, 7 with a missing value left out" in plane.caption


def test_many_rows_are_sampled_always_alike():
    """Of many rows so many are drawn, the same ones each time, and the caption says so."""
    X, y = ring(5000)
    tree = TreeClassifier.cart(max_depth=3, prune=None).fit(X, y)
    svg = tree.partition_svg(X, y, features=[0, 1])
    assert f"{MOST_POINTS:,} of 5,000 rows, drawn at random" in svg
    assert svg == tree.partition_svg(X, y, features=[0, 1])


def test_one_column_gives_a_strip():
    """A tree of one column is drawn along it, with the rows spread over the height."""
    X, y = ring()
    tree = TreeClassifier.cart(max_depth=1, prune=None).fit(X, y)
    [column] = plane_columns(tree.tree_, tree.inputs_, None)
    plane = plane_of_tree(tree, X, y, [column])
    assert plane.y.label == ""
    assert len({round(point.y, 3) for point in plane.points}) > 100
    assert [region.top - region.bottom for region in plane.regions] == [1.0, 1.0]


def test_points_of_a_level_stay_in_its_band():
    """However they are spread, no point leaves the band of its level."""
    table, y = towns_and_ages()
    plane = plane_of_tree(TreeClassifier.id3(prune=None).fit(table, y), table, y, [0, 1])
    bands = [int(point.x * 5) for point in plane.points]
    assert bands == np.asarray(table["town"].values).tolist()


def test_forms_of_x_give_the_same_picture():
    """A frame, an array and a sparse matrix of the same values are drawn alike."""
    X, y = ring(80)
    X = np.round(X, 1)
    tree = TreeClassifier.cart(prune=None).fit(X, y)
    assert tree.partition_svg(csr_matrix(X), y) == tree.partition_svg(X, y)
    frame = pd.DataFrame(X, columns=["x0", "x1"])
    assert TreeClassifier.cart(prune=None).fit(frame, y).partition_svg(frame, y) == tree.partition_svg(X, y)


def test_looking_does_not_change_the_tree():
    """The picture leaves every attribute of the learner as it was."""
    table, y = towns_and_ages()
    tree = TreeClassifier.id3(prune=None).fit(table, y)
    before = dict(vars(tree))
    tree.partition_svg(table, y)
    tree.to_svg()
    assert vars(tree) == before


def test_the_picture_is_well_formed():
    """The penguins by flipper and bill, with the names of the columns on the axes."""
    task = Task(datasets.load("penguins"), target="species")
    X = task.X.select(["flipper_length_mm", "bill_length_mm"])
    svg = TreeClassifier.cart(prune=None).fit(X, task.y).partition_svg(X, task.y)
    root = ElementTree.fromstring(svg)
    shown = {text.text for text in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"flipper_length_mm", "bill_length_mm"} <= shown


def test_a_tree_of_three_columns_is_refused():
    """The error names the columns and says what can be done."""
    draw = np.random.default_rng(0)
    X = draw.normal(size=(400, 3))
    y = (X.sum(axis=1) > 0).astype(int)
    tree = TreeClassifier.cart(prune=None).fit(X, y)
    with pytest.raises(RequestError, match="asks for 3 columns, and a plane has two") as caught:
        tree.partition_svg(X, y)
    assert "x0" in caught.value.where
    assert "to_svg" in caught.value.fix


@pytest.mark.parametrize(
    ("features", "message"),
    [
        (["x0"], "not in the plane"),
        (["x0", "x0"], "names a column twice"),
        (["x0", "x1", "x2"], "one or two columns"),
        (["x0", "nowhere"], r"not fitted on\n  where: 'nowhere' is no name and no position of its 3 columns"),
        (["x0", 3], r"not fitted on\n  where: 3 is no name"),
        ([], "one or two columns, and has 0"),
        (3.5, "not fitted on"),
    ],
)
def test_columns_that_make_no_plane_are_refused(features, message):
    """One or two columns, and among them those that the tree asks for."""
    X, y = ring()
    X = np.column_stack([X, X[:, 0]])
    with pytest.raises(RequestError, match=message):
        TreeClassifier.cart(prune=None).fit(X, y).partition_svg(X, y, features=features)


def test_a_tree_of_one_leaf_needs_named_columns():
    """There is nothing to choose a plane by, but one can be named."""
    X, _ = ring(10)
    tree = TreeClassifier().fit(X, ["a"] * 10)
    with pytest.raises(RequestError, match="asks for no column"):
        tree.partition_svg(X, ["a"] * 10)
    assert "All rows: predicts a" in tree.partition_svg(X, ["a"] * 10, features=["x0", "x1"])


def test_answers_that_do_not_fit_are_refused():
    """An unknown class, a missing target and a wrong length each have their error."""
    X, y = ring(50)
    tree = TreeClassifier.cart(prune=None).fit(X, y)
    with pytest.raises(DataError, match="class that the tree does not know") as caught:
        tree.partition_svg(X, [*y[:-1], "beyond"], features=[0, 1])
    assert "1 of 50 rows, first 'beyond' in row 50" in caught.value.where
    with pytest.raises(DataError, match="differ in length"):
        tree.partition_svg(X, y[:-1], features=[0, 1])
    regressor = TreeRegressor(prune=None).fit(X, X[:, 0])
    with pytest.raises(DataError, match="missing or infinite"):
        regressor.partition_svg(X, np.full(50, np.nan), features=[0, 1])


def test_the_answers_of_a_tree_know_their_kind():
    """Classes are drawn as shares, means on a scale."""
    X, y = ring(50)
    assert drawn_predictions(TreeClassifier().fit(X, y)).kind == "Classification tree"
    assert drawn_predictions(TreeRegressor().fit(X, X[:, 0])).kind == "Regression tree"
