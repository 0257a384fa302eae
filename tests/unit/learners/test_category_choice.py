"""What `categorical` may be."""

import numpy as np
import pytest

from heldout import RequestError, TreeClassifier
from heldout.inputs.training_inputs import category_positions

NAMES = ["a", "b", "c"]


@pytest.mark.parametrize(
    "categorical",
    [["a", "c"], (0, 2), np.array([0, 2]), [True, False, True], np.array([True, False, True]), ["a", 2]],
    ids=str,
)
def test_columns_are_named_in_three_ways(categorical):
    """Names, positions and a mask of bools mean the same columns."""
    assert category_positions(categorical, NAMES) == [0, 2]


def test_a_mask_reaches_the_tree():
    """A mask makes categories of the columns it marks, and of no other."""
    X = np.array([[1.0, 2.0], [2.0, 2.0], [1.0, 3.0], [2.0, 3.0]])
    tree = TreeClassifier(categorical=[True, False]).fit(X, [0, 1, 0, 1])
    assert [column.kind for column in tree.inputs_.columns] == ["category", "number"]


@pytest.mark.parametrize("categorical", [[True, False], [True] * 4, [True, 1, False], [True]], ids=str)
def test_bools_that_are_no_mask_are_refused(categorical):
    """A bool is no position, so a mask of another length or a mixture is refused."""
    with pytest.raises(RequestError, match="no mask of the columns") as caught:
        category_positions(categorical, NAMES)
    assert "3 columns" in caught.value.where
    assert caught.value.fix


@pytest.mark.parametrize("categorical", [["d"], [3], [-1], [1.0], [None], [[0]], np.eye(3)], ids=repr)
def test_what_names_no_column_is_refused(categorical):
    """Neither a name nor a position gets the list of columns, never a bare error."""
    with pytest.raises(RequestError, match="the columns are a, b, c"):
        category_positions(categorical, NAMES)
