"""How X enters after fit."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from heldout import Column, DataError, Table, TreeClassifier
from heldout.inputs.prediction_inputs import prediction_blocks
from heldout.table.column import category_column

from .tables import FORMS, as_pandas, as_polars, as_table, mixed_answers, mixed_cells


@pytest.fixture(scope="module")
def cells():
    return mixed_cells()


@pytest.fixture(scope="module")
def tree(cells):
    return TreeClassifier(min_leaf=1).fit(as_table(cells), mixed_answers(cells))


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_answered_alike(tree, cells, form):
    """A tree fitted on a Table answers frames of every make as it answers the Table."""
    expected = tree.predict_proba(as_table(cells))
    assert np.array_equal(tree.predict_proba(FORMS[form](cells)), expected)


def test_an_unseen_level_goes_where_an_unknown_one_goes():
    """A level that was not in training is like a missing value."""
    table = Table([category_column("town", ["a", "a", "a", "b", "b"])])
    tree = TreeClassifier(min_leaf=1).fit(table, [0, 0, 0, 1, 1])
    new = Table([category_column("town", ["zzz", None, "b"])])
    assert tree.predict(new).tolist() == [0, 0, 1]
    assert tree.apply(new)[0] == tree.apply(new)[1] == tree.tree_.grown.default_child[0]


def test_a_level_that_its_node_never_saw_gets_the_majority_of_the_node():
    """A known level without a branch stops at the node: ID3's empty branch."""
    table = Table(
        [
            category_column("shape", ["round"] * 5 + ["square"] * 3),
            category_column("color", ["red", "red", "blue", "blue", "red", "green", "green", "green"]),
        ]
    )
    tree = TreeClassifier.id3().fit(table, [1, 1, 0, 0, 1, 0, 0, 0])
    assert tree.inputs_.columns[1].levels == ("blue", "green", "red")
    new = Table([category_column("shape", ["round"]), category_column("color", ["green"])])
    root_child = int(tree.apply(new)[0])
    assert tree.predict(new).tolist() == [int(tree.tree_.grown.value[root_child].argmax())]


def test_columns_in_another_order_raise_scikit_learn_error(tree, cells):
    """Reordered columns are refused, word for word in the first part."""
    message = "The feature names should match those that were passed during fit."
    for form in (as_pandas, as_table, as_polars):
        X = form(cells)
        X = (
            X.select(["town", "age", "member", "joined"])
            if hasattr(X, "select")
            else X[["town", "age", "member", "joined"]]
        )
        with pytest.raises(DataError) as caught:
            tree.predict(X)
        assert caught.value.what.startswith(message)
        assert caught.value.fix


def test_a_missing_column_is_named(tree, cells):
    """The column that is not there is named, as scikit-learn names it."""
    with pytest.raises(DataError, match="yet now missing:\n- joined"):
        tree.predict(as_table(cells).drop("joined"))


def test_a_column_of_another_kind_is_refused(tree, cells):
    """A category that has become a number cannot be read, and the error says so."""
    frame = as_pandas(cells).assign(town=1.0)
    with pytest.raises(DataError) as caught:
        tree.predict(frame)
    assert caught.value.what == "column 'town' is a number now and was a category at fit"
    assert caught.value.where == "60 of 60 rows have a value"
    assert "read_table(new, kinds={'town': 'category'})" in caught.value.fix
    with pytest.raises(DataError, match="'age' is a category now"):
        tree.predict(as_pandas(cells).assign(age="old"))


def test_a_column_with_nothing_in_it_may_be_of_any_kind(tree, cells):
    """All missing is all missing, whatever the dtype."""
    frame = as_pandas(cells)
    empty = frame.assign(town=np.nan, age=None)
    same = frame.assign(town=pd.Series([None] * 60, dtype="str"), age=np.nan)
    assert np.array_equal(tree.predict_proba(empty), tree.predict_proba(same))


@pytest.mark.parametrize("name", ["age", "town", "member", "joined"])
def test_a_column_of_the_type_of_nulls_is_missing(tree, cells, name):
    """A column of nulls of polars or Arrow is answered as the same rows with gaps."""
    emptied = cells | {name: [None] * len(cells[name])}
    wanted = tree.predict_proba(as_table(emptied))
    assert np.array_equal(tree.predict_proba(pl.DataFrame(emptied)), wanted)
    assert np.array_equal(tree.predict_proba(pa.table(emptied)), wanted)


def test_a_column_of_the_type_of_nulls_can_be_fitted(cells):
    """The tree is that of a column of NaN: the column is in no split."""
    emptied, y = cells | {"age": [None] * len(cells["age"])}, mixed_answers(cells)
    wanted = TreeClassifier(prune=None).fit(as_pandas(emptied), y)
    for frame in (pl.DataFrame(emptied), pa.table(emptied)):
        found = TreeClassifier(prune=None).fit(frame, y)
        assert str(found) == str(wanted)
        assert found.inputs_.columns[0].kind == "number"


def test_an_array_for_a_tree_with_categories_is_refused(tree):
    """An array has no categories, so it cannot stand for a table that has."""
    with (
        pytest.warns(UserWarning, match="does not have valid feature names"),
        pytest.raises(DataError, match="'town' is a number now"),
    ):
        tree.predict(np.zeros((2, 4)))


def test_names_for_a_tree_without_names_only_warn():
    """scikit-learn's warning about names comes as it does from its own estimators."""
    tree = TreeClassifier().fit(np.array([[0.0], [1.0]]), [0, 1])
    with pytest.warns(UserWarning, match="X has feature names, but"):
        tree.predict(pd.DataFrame({"a": [0.5]}))


def test_infinity_is_refused():
    """An infinity at prediction is refused in an array and in a table."""
    tree = TreeClassifier().fit(np.array([[0.0], [1.0]]), [0, 1])
    with pytest.raises(ValueError, match="Input X contains infinity"):
        tree.predict(np.array([[np.nan], [np.inf]]))
    named = TreeClassifier().fit(pd.DataFrame({"a": [0.0, 1.0]}), [0, 1])
    with pytest.raises(DataError, match="infinity"):
        named.predict(Table([Column("a", "number", np.array([-np.inf, 0.0]))]))


def test_large_sums_are_no_infinity():
    """Numbers whose sum overflows are numbers still, and nothing is warned about."""
    tree = TreeClassifier(min_leaf=1).fit(np.array([[-1e308], [1e308]]), [0, 1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tree.predict(np.array([[1e308], [1.7e308], [-1.7e308]])).tolist() == [1, 1, 0]


@pytest.mark.parametrize("order", ["C", "F"])
def test_a_plain_array_is_not_copied(order):
    """A float64 array goes to the core as it is."""
    X = np.asarray(np.random.default_rng(0).normal(size=(50, 3)), order=order)
    tree = TreeClassifier().fit(X, X[:, 0] > 0)
    assert np.shares_memory(next(prediction_blocks(tree, X, tree.inputs_)).numbers, X)


def test_levels_of_numbers_that_were_not_seen_are_unknown():
    """A number between two levels is no level."""
    X = np.array([[1.0], [2.0], [2.0], [2.0]])
    tree = TreeClassifier(categorical=[0], min_leaf=1).fit(X, [0, 1, 1, 1])
    inputs = next(prediction_blocks(tree, np.array([[1.0], [1.5], [9.0], [np.nan], [2.0]]), tree.inputs_))
    assert inputs.levels[:, 0].tolist() == [0, -1, -1, -1, 1]
