"""Booleans in other words than at fit."""

import numpy as np
import pandas as pd
import pytest

from heldout import DataError, Table, TreeClassifier, read_table
from heldout.inputs.input_schema import InputColumn
from heldout.inputs.mixed_arrays import boolean_codes


@pytest.fixture(scope="module")
def tree():
    table = read_table({"paid": ["true", "false", "true", "false"]})
    return TreeClassifier(min_leaf=1).fit(table, ["good", "bad", "good", "bad"])


@pytest.mark.parametrize("words", [["yes", "no"], ["Y", "N"], ["On", "OFF"], ["TRUE", "False"]])
def test_a_boolean_in_other_words_means_the_same(tree, words):
    """yes is true and no is false, however they are spelled."""
    assert tree.predict(read_table({"paid": words})).tolist() == ["good", "bad"]


@pytest.mark.parametrize("words", [["1", "0", None], ["yes", None, None], ["f"]])
def test_words_that_are_asked_to_be_booleans_are_matched_too(tree, words):
    """A column read as boolean on request is matched by meaning, with one word as with two."""
    new = read_table({"paid": words}, kinds={"paid": "boolean"})
    expected = {"1": "good", "0": "bad", "yes": "good", "f": "bad"}
    found = tree.predict(new).tolist()
    assert [answer for answer, word in zip(found, words, strict=True) if word] == [
        expected[word] for word in words if word
    ]


def test_a_boolean_of_a_frame_answers_as_the_words_of_a_file():
    """A tree fitted on yes and no takes a frame's True and False."""
    table = read_table({"paid": ["Yes", "No", "Yes", "No"]})
    tree = TreeClassifier(min_leaf=1).fit(table, [1, 0, 1, 0])
    assert tree.predict(pd.DataFrame({"paid": [True, False]})).tolist() == [1, 0]


def test_words_that_say_neither_yes_nor_no_are_refused(tree):
    """Where no word says which level is which the error shows both pairs and the way out."""
    new = read_table({"paid": ["up", "down", None]}, kinds={"paid": "boolean"})
    with pytest.raises(DataError) as caught:
        tree.predict(new)
    assert caught.value.what == "boolean column 'paid' has other levels than at fit"
    assert caught.value.where == (
        "2 of 3 rows have 'down' and 'up' now, 'false' and 'true' were there at fit"
    )
    assert caught.value.fix


def test_a_boolean_without_values_is_missing(tree):
    """Levels that no row has are no change of levels."""
    column = read_table({"paid": ["up", "down", None]}, kinds={"paid": "boolean"})["paid"]
    assert len(tree.predict(Table([column.take(slice(2, 3))]))) == 1


def test_other_words_of_a_column_with_one_level_do_not_matter():
    """A column that was constant at fit is in no split, so it is not refused."""
    given = read_table({"paid": ["up", "down"]}, kinds={"paid": "boolean"})["paid"]
    assert boolean_codes(given, InputColumn("paid", "boolean", ("true",))) == [-1, -1]


def test_own_words_are_matched_as_they_are():
    """Two words that mean nothing to anybody else match themselves, in any order."""
    new = read_table({"door": ["open", "shut"]}, kinds={"door": "boolean"})
    tree = TreeClassifier(min_leaf=1).fit(new[np.array([0, 1, 0, 1])], [0, 1, 0, 1])
    assert tree.predict(new[[1, 0]]).tolist() == [1, 0]
