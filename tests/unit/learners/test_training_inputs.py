"""How X enters at fit."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from heldout import Column, DataError, InputTypeError, RequestError, Table, TreeClassifier
from heldout.table.column import category_column

from .same_tree import differing_fields
from .tables import FORMS, as_pandas, as_table, mixed_answers, mixed_cells

SETTINGS = [
    TreeClassifier.c45(),
    TreeClassifier.c45(prune=None),
    TreeClassifier.id3(),
    TreeClassifier.cart(),
    TreeClassifier.cart(prune=None),
    TreeClassifier(missing="class_mode", prune="reduced_error"),
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("tree", SETTINGS, ids=str)
def test_every_form_of_a_table_gives_the_same_tree(form, tree):
    """A Table and pandas, polars and Arrow frames with the same kinds give one tree."""
    cells = mixed_cells()
    y = mixed_answers(cells)
    expected = tree.fit(as_table(cells), y).tree_.grown
    found = tree.fit(FORMS[form](cells), y)
    assert differing_fields(expected, found.tree_.grown) == []
    assert list(found.feature_names_in_) == ["age", "town", "member", "joined"]


def test_numbers_in_an_array_a_frame_and_a_table_give_the_same_tree():
    """For numbers an array is one more form of the same table."""
    X = np.random.default_rng(0).normal(size=(80, 3)).round(1)
    X[::9, 1] = np.nan
    y = (X[:, 0] > 0.3).astype(int) + (X[:, 2] > 0)
    names = ["a", "b", "c"]
    table = Table([Column(name, "number", X[:, place]) for place, name in enumerate(names)])
    expected = TreeClassifier(prune=None).fit(X, y).tree_.grown
    for form in (
        table,
        pd.DataFrame(X, columns=names),
        X.tolist(),
        np.asfortranarray(X),
        X[::-1].copy()[::-1],
    ):
        assert differing_fields(expected, TreeClassifier(prune=None).fit(form, y).tree_.grown) == []


def test_float32_and_integers_are_taken_exactly():
    """Numbers of another dtype give the tree of their float64 values."""
    X = np.random.default_rng(1).integers(0, 9, size=(60, 2))
    y = (X.sum(axis=1) > 8).astype(int)
    expected = TreeClassifier(prune=None).fit(X.astype(np.float64), y).tree_.grown
    for dtype in (np.float32, np.int8, np.uint64):
        found = TreeClassifier(prune=None).fit(X.astype(dtype), y).tree_.grown
        assert differing_fields(expected, found) == []


@pytest.mark.parametrize("tree", SETTINGS, ids=str)
def test_a_fold_of_a_coded_table_gives_the_tree_of_its_rows_alone(tree):
    """Codes made on the whole table give bit for bit what codes made on the training rows give."""
    cells = mixed_cells(90)
    cells["town"][::11] = ["17", "9", "101", "17", "9", "101", "17", "9", "101"]
    whole, y = as_table(cells), mixed_answers(cells)
    whole.coded()
    for fold in range(3):
        rows = np.flatnonzero(np.arange(90) % 3 != fold)
        rows = rows[[cells["town"][row] not in ("Ulm", "Köln") for row in rows]]
        alone = as_table({name: [values[row] for row in rows] for name, values in cells.items()})
        shared = tree.fit(whole[rows], y[rows])
        found, levels = shared.tree_.grown, shared.inputs_.columns[1].levels
        expected = tree.fit(alone, y[rows])
        assert differing_fields(expected.tree_.grown, found) == []
        assert expected.inputs_.columns[1].levels == levels


def test_levels_are_ordered_as_in_a_table_of_the_training_rows():
    """Levels that are all numbers are ordered as numbers, though the whole table has words as well."""
    table = Table([category_column("code", ["9", "10", "x", "9", "10", "x"])])
    y = [0, 1, 0, 0, 1, 1]
    tree = TreeClassifier(min_leaf=1).fit(table[[0, 1, 3, 4]], [0, 1, 0, 1])
    assert tree.inputs_.columns[0].levels == ("9", "10")
    assert TreeClassifier(min_leaf=1).fit(table, y).inputs_.columns[0].levels == ("10", "9", "x")


def test_categorical_positions_make_levels_of_numbers():
    """Distinct numbers of a chosen column become levels, shown without decimals."""
    X = np.array([[1, 5.0], [2, 5.0], [3, 5.0], [1, 6.0], [2, 6.0], [3, 6.0]])
    y = np.array(["a", "b", "a", "a", "b", "a"])
    tree = TreeClassifier(categorical=[0]).fit(X, y)
    assert str(tree) == "x0 = 1: a (2)\nx0 = 2: b (2)\nx0 = 3: a (2)"
    assert tree.predict([[2, 5.0], [3, 5.0], [7, 5.0]]).tolist() == ["b", "a", "a"]


def test_categorical_names_work_on_frames_and_tables():
    """A number column of a frame becomes a category by its name, as by its position."""
    frame = pd.DataFrame({"zip": [10, 20, 30] * 4, "size": np.arange(12.0)})
    y = [0, 1, 0] * 4
    by_name = TreeClassifier(categorical=["zip"]).fit(frame, y)
    by_position = TreeClassifier(categorical=(0,)).fit(frame, y)
    assert by_name.inputs_.columns[0].levels == ("10", "20", "30")
    assert differing_fields(by_name.tree_.grown, by_position.tree_.grown) == []
    assert (by_name.predict(frame) == y).all()


def test_categorical_names_a_column_that_is_not_there():
    """The refusal shows what was asked for and what there is."""
    with pytest.raises(RequestError, match="x0, x1"):
        TreeClassifier(categorical=["age"]).fit(np.zeros((4, 2)), [0, 1, 0, 1])


def test_levels_of_rows_without_weight_do_not_exist():
    """A row of weight 0 leaves no trace, not even its level."""
    table = Table([category_column("town", ["a", "b", "c", "a", "b", "c"])])
    tree = TreeClassifier(min_leaf=1).fit(table, [0, 1, 1, 0, 1, 0], sample_weight=[1, 1, 0, 1, 1, 0])
    assert tree.inputs_.columns[0].levels == ("a", "b")
    expected = TreeClassifier(min_leaf=1).fit(table[[0, 1, 3, 4]], [0, 1, 0, 1])
    assert differing_fields(expected.tree_.grown, tree.tree_.grown) == []


@pytest.mark.parametrize("bad", [np.inf, -np.inf])
def test_infinity_is_refused_in_scikit_learn_words(bad):
    """An infinity in an array or a table is refused."""
    X = np.array([[1.0], [2.0], [bad], [np.nan]])
    for form in (X, X.tolist(), Table([Column("x", "number", X[:, 0])])):
        with pytest.raises(ValueError, match="Input X contains infinity"):
            TreeClassifier().fit(form, [0, 1, 0, 1])


def test_infinity_outside_the_selected_rows_does_not_matter():
    """What stands in rows that are not meant is not looked at."""
    table = Table([Column("x", "number", np.array([1.0, 2.0, np.inf, 4.0]))])
    assert TreeClassifier(min_leaf=1).fit(table[[0, 1, 3]], [0, 0, 1]).n_leaves_ == 2


def test_text_columns_are_named():
    """A text column cannot be learned from, and the error says which it is."""
    words = np.array(["a long story", "another one"], dtype=object)
    with pytest.raises(DataError, match="'notes' is text"):
        TreeClassifier().fit(Table([Column("notes", "text", words)]), [0, 1])


def test_strings_in_an_array_are_explained():
    """An array of strings gets scikit-learn's words and a way out."""
    with pytest.raises(DataError, match="could not convert string") as caught:
        TreeClassifier().fit(np.array([["red"], ["blue"]], dtype=object), [0, 1])
    assert "frame" in caught.value.fix


@pytest.mark.parametrize(
    ("X", "fix"),
    [
        ({"a": [1, 2, 3, 4]}, "read_table(X)"),
        ([{"a": 1}, {"a": 2}, {"a": 3}, {"a": 4}], "read_table(X)"),
        (pl.LazyFrame({"a": [1, 2, 3, 4]}), "collect()"),
    ],
    ids=["columns", "rows", "lazy"],
)
def test_tables_in_foreign_clothes_are_refused(X, fix):
    """Dicts and lazy frames get an error with the way out, at fit and later."""
    with pytest.raises(InputTypeError) as caught:
        TreeClassifier().fit(X, [0, 1, 0, 1])
    assert caught.value.where
    assert fix in caught.value.fix
    with pytest.raises(InputTypeError):
        TreeClassifier().fit(np.zeros((2, 1)), [0, 1]).predict(X)


def test_a_table_without_rows_is_refused():
    """No rows, no tree."""
    with pytest.raises(DataError, match="Found array with 0 sample"):
        TreeClassifier().fit(as_table(mixed_cells())[:0], np.array([], dtype=int))


def test_refitting_without_names_forgets_them():
    """feature_names_in_ is that of the last fit."""
    cells = mixed_cells()
    tree = TreeClassifier().fit(as_pandas(cells), mixed_answers(cells))
    tree.fit(np.array([[0.0], [1.0]]), [0, 1])
    assert not hasattr(tree, "feature_names_in_")
    assert tree.n_features_in_ == 1
