"""Scores of columns and impurities of counts."""

import numpy as np
import pytest

from heldout import DataError, RequestError, Table
from heldout.learners import entropy, error_share, gini, score_attributes
from heldout.table.column import category_column


def test_impurities_of_counts():
    """Two equal classes have entropy 1, Gini 1/2 and error 1/2; one class has none of it."""
    assert (entropy([4, 4]), gini([4, 4]), error_share([4, 4])) == (1.0, 0.5, 0.5)
    assert (entropy([7, 0]), gini([7]), error_share([0, 7, 0])) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("counts", [[], [0, 0], [-1, 2], [np.nan], [[1, 2]]], ids=str)
def test_counts_must_be_counts(counts):
    """What cannot be counted is refused."""
    with pytest.raises(DataError, match="counts are numbers"):
        entropy(counts)


def test_a_constant_column_scores_nothing():
    """A column of one value has no cut."""
    constant, other = score_attributes(np.array([[1.0, 0.0], [1.0, 1.0]]), [0, 1])
    assert (constant.gain, constant.split_info, constant.gain_ratio, constant.cut) == (0, 0, 0, "")
    assert constant.errors == 1
    assert (other.gain, other.cut) == (1, "x1 <= 0.5")


def test_cuts_are_shown_in_the_users_names():
    """A multiway split lists its levels, a subset the group."""
    table = Table([category_column("town", list("aabbcc"))])
    y = [0, 0, 1, 1, 0, 0]
    assert score_attributes(table, y)[0].cut == "town = a | b | c"
    assert score_attributes(table, y, categorical_splits="subset")[0].cut == "town = b"


def test_unknown_values_count_as_the_tree_counts_them():
    """As parts, the gain is a part of the known rows' and they are a branch; by the mode they are in one."""
    X, y = [[0.0], [0.0], [1.0], [np.nan]], [0, 0, 1, 1]
    (parts,) = score_attributes(X, y)
    assert parts.gain == pytest.approx(3 / 4 * entropy([2, 1]))
    assert parts.split_info == pytest.approx(entropy([2, 1, 1]))
    assert parts.errors == pytest.approx(2 / 3)
    (mode,) = score_attributes(X, y, missing="node_mode")
    assert mode.gain == pytest.approx(1 - 3 / 4 * entropy([2, 1]))
    assert mode.split_info == pytest.approx(entropy([3, 1]))
    assert mode.errors == 1


def test_a_column_of_one_value_and_gaps_scores_nothing():
    """Rows of missing value make no branch where there is no other."""
    for values in ([[1.0], [1.0], [np.nan]], [[np.nan], [np.nan], [np.nan]]):
        (score,) = score_attributes(values, [0, 1, 1])
        assert (score.gain, score.split_info, score.gain_ratio, score.cut) == (0, 0, 0, "")


def test_unknown_ways_with_missing_values_are_refused():
    """A column is scored before anything could be filled in."""
    with pytest.raises(RequestError, match="missing must be 'fractional' or 'node_mode'"):
        score_attributes([[0.0], [1.0]], [0, 1], missing="column_mode")


def test_unknown_criteria_are_refused():
    """The criterion is one of the classifier's."""
    with pytest.raises(RequestError, match="criterion must be"):
        score_attributes([[0.0], [1.0]], [0, 1], "twoing")
