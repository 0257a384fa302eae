"""Arrays with words in them."""

import numpy as np
import pandas as pd
import pytest

from heldout import DataError, TreeClassifier

from .same_tree import differing_fields

CELLS = [["red", 1.0], ["blue", 2.0], [None, 3.0], ["red", np.nan], ["blue", 2.5], ["red", 9.0]]
y = [0, 1, 1, 0, 1, 1]


def grown(X, categorical):
    return TreeClassifier(categorical=categorical, min_leaf=1).fit(X, y)


@pytest.mark.parametrize("form", [lambda X: np.array(X, dtype=object), list], ids=["objects", "list"])
def test_named_columns_of_words_are_categories(form):
    """An array whose columns of words are named gives the tree of the frame."""
    expected = grown(pd.DataFrame(CELLS, columns=["x0", "x1"]), "auto")
    tree = grown(form(CELLS), [0])
    assert differing_fields(expected.tree_.grown, tree.tree_.grown) == []
    assert (
        tree.apply(form(CELLS)).tolist() == expected.apply(pd.DataFrame(CELLS, columns=["x0", "x1"])).tolist()
    )
    assert not hasattr(tree, "feature_names_in_")
    assert tree.n_features_in_ == 2


def test_numbers_in_an_array_of_strings_are_numbers():
    """A column of an array of strings that is not named is read as numbers."""
    X = np.array([["red", "1"], ["blue", "2.5"], ["red", "nan"], ["blue", "4"], ["red", "5"], ["blue", "6"]])
    tree = grown(X, [True, False])
    assert [column.kind for column in tree.inputs_.columns] == ["category", "number"]
    assert tree.apply(X).tolist() == tree.apply(X.astype(object)).tolist()


def test_named_columns_of_numbers_keep_their_numbers():
    """A named column without words has numbers for levels, as in an array of numbers."""
    X = np.array([["a", 1], ["b", 2], ["a", 1], ["b", 2], ["a", 3], ["b", 3]], dtype=object)
    tree = grown(X, [0, 1])
    assert tree.inputs_.columns[1].level_values.tolist() == [1.0, 2.0, 3.0]
    assert tree.apply([["a", 1.0]]).tolist() == tree.apply(X[:1]).tolist()


def test_words_that_are_not_named_are_pointed_at():
    """The error names the column, the row and what to write."""
    with pytest.raises(DataError, match="column 'x0' is no column of numbers") as caught:
        grown(np.array(CELLS, dtype=object), [1])
    assert caught.value.where == "5 of 6 rows, first 'red' in row 1"
    assert "categorical, as [0]" in caught.value.fix
    with pytest.raises(DataError, match="could not convert string") as caught:
        grown(np.array(CELLS, dtype=object), "auto")
    assert "categorical" in caught.value.fix


def test_new_rows_are_checked_like_others():
    """Another number of columns, words where numbers were and numbers where words were are refused."""
    tree = grown(CELLS, [0])
    with pytest.raises(ValueError, match="X has 1 features"):
        tree.predict([["red"]])
    with pytest.raises(DataError, match="column 'x1' is no column of numbers"):
        tree.predict([["red", "big"]])
    with pytest.raises(DataError, match="'x0' is a number now"):
        tree.predict(np.zeros((1, 2)))


def test_rows_without_a_word_are_missing():
    """A row of an array whose category is unknown needs no word in it."""
    tree = grown(CELLS, [0])
    assert tree.predict(np.array([[None, 3.0]], dtype=object)).tolist() == [1]


def test_rows_without_words_are_read_as_at_fit():
    """A batch whose named column happens to hold numbers only is labelled as the others are."""
    X = np.array([["a", 1.0], ["b", 2.0], [1, 3.0], [2, 4.0], ["a", 5.0], ["b", 6.0]], dtype=object)
    tree = TreeClassifier(categorical=[0], min_leaf=1).fit(X, [0, 1, 0, 1, 0, 1])
    assert tree.predict(X[2:4]).tolist() == tree.predict(X)[2:4].tolist() == [0, 1]
