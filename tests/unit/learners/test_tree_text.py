"""Trees as text."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout import Column, RequestError, Table, TreeClassifier, TreeRegressor
from heldout.learners.trees.tree_text import shown_count, shown_label, shown_level, shown_number
from heldout.table.column import category_column


def test_leaves_show_weight_and_errors():
    """A leaf shows its weight and, after a slash, the weight of the other classes."""
    tree = TreeClassifier(min_leaf=4).fit(np.arange(8.0)[:, None], list("aaabbbbb"))
    assert str(tree) == "x0 <= 3.5: a (4/1)\nx0 > 3.5: b (4)"


def test_fractional_weights_are_shown_short():
    """Weights are called weights, beside the rows, and need not be whole."""
    tree = TreeClassifier.cart(max_depth=1, prune=None).fit(
        [[0.0], [1.0]], ["a", "b"], sample_weight=[1.5, 2.25]
    )
    assert str(tree) == "x0 <= 0.5: a (1 row, weight 1.5)\nx0 > 0.5: b (1 row, weight 2.25)"


def test_a_tree_of_one_leaf_is_its_answer():
    """Without a split there is one line."""
    assert str(TreeClassifier().fit([[1.0], [2.0]], ["a", "a"])) == "a (2)"


def test_level_sets_are_named_from_both_sides():
    """A group of levels is shown with in and not in, a single one with = and !=."""
    table = Table([category_column("town", list("aabbccdd"))])
    tree = TreeClassifier.cart().fit(table, [0, 0, 1, 1, 0, 0, 1, 1])
    assert str(tree) == "town in {a, c}: 0 (4)\ntown not in {a, c}: 1 (4)"
    single = TreeClassifier.cart().fit(table, [0, 0, 1, 1, 0, 0, 0, 0])
    assert str(single) == "town = b: 1 (2)\ntown != b: 0 (6)"


def test_regression_leaves_show_the_weight_of_parts_and_of_weighted_rows():
    """Where the weight is not the number of rows, a leaf shows both, as a rule does."""
    X, y = [[1.0], [2.0], [8.0], [float("nan")]], [1.0, 1.0, 7.0, 4.0]
    parts = TreeRegressor(missing="fractional", min_leaf=1, prune=None).fit(X, y)
    assert str(parts) == "x0 <= 5: 1.75 (3 rows of weight 2.67)\nx0 > 5: 6.25 (2 rows of weight 1.33)"
    assert [rule.outcome() for rule in parts.rules()] == [
        "1.75 (3 rows of weight 2.67)",
        "6.25 (2 rows of weight 1.33)",
    ]
    weighted = TreeRegressor(min_leaf=1, prune=None).fit(X[:3], y[:3], [2.0, 0.5, 3.0])
    assert str(weighted) == "x0 <= 5: 1 (2 rows of weight 2.5)\nx0 > 5: 7 (1 row of weight 3)"


def test_regression_leaves_show_the_mean_and_the_rows():
    """A leaf of a regression tree shows its mean and how many rows made it."""
    tree = TreeRegressor(min_leaf=1, prune=None).fit([[1.0], [2.0], [3.0]], [1.0, 1.0, 2.5])
    assert str(tree) == "x0 <= 2.5: 1 (2 rows)\nx0 > 2.5: 2.5 (1 row)"


def test_dates_are_shown_as_dates():
    """A cut between two days is the earlier day, one within a day has a time."""
    days = pd.to_datetime(["2020-02-27", "2020-02-28", "2020-02-29", "2020-03-01"])
    tree = TreeClassifier(min_leaf=1).fit(pd.DataFrame({"joined": days}), [0, 0, 1, 1])
    assert str(tree) == "joined <= 2020-02-28: 0 (2)\njoined > 2020-02-28: 1 (2)"
    hours = pd.to_datetime(["2020-02-27 08:00", "2020-02-27 12:00"])
    tree = TreeClassifier(min_leaf=1).fit(pd.DataFrame({"joined": hours}), [0, 1])
    assert str(tree) == "joined <= 2020-02-27T10:00:00: 0 (1)\njoined > 2020-02-27T10:00:00: 1 (1)"


def test_deep_parts_are_folded():
    """Past the given depth one line stands for the rest, with its size."""
    X = np.arange(8.0)[:, None]
    tree = TreeClassifier.cart(prune=None).fit(X, [0, 1] * 4)
    folded = tree.to_text(max_depth=1)
    assert len(folded.splitlines()) == 2
    assert "leaves in" in folded
    assert "folded]" in folded
    assert len(tree.to_text(max_depth=None).splitlines()) == tree.tree_.n_nodes - 1
    assert tree.to_text() == tree.to_text(max_depth=None)


def test_depth_zero_folds_to_the_root():
    """With no depth at all one line stands for the tree, and a tree of one leaf has nothing to fold."""
    tree = TreeClassifier(min_leaf=1).fit([[0.0], [1.0], [2.0]], ["a", "b", "b"])
    assert tree.to_text(max_depth=0) == "b (3/1) [2 leaves in 1 more level folded]"
    assert TreeClassifier().fit([[1.0], [2.0]], ["a", "a"]).to_text(max_depth=0) == "a (2)"


@pytest.mark.parametrize("max_depth", [-1, 1.5, True, "all"])
def test_a_depth_that_is_none_is_refused(max_depth):
    """The error says which depths there are."""
    tree = TreeClassifier().fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(RequestError, match="max_depth must be None or an integer of at least 0") as caught:
        tree.to_text(max_depth=max_depth)
    assert caught.value.where == f"to_text(max_depth={max_depth!r})"


def test_long_groups_of_levels_are_cut_short():
    """Ten levels of a group are named on both sides, and all of them where everything is shown."""
    table = Table([category_column("town", [f"t{k:02}" for k in range(40)] * 2)])
    tree = TreeClassifier.cart().fit(table, [0, 1] * 40)
    named = ", ".join(f"t{k:02}" for k in range(0, 20, 2))
    assert str(tree).splitlines() == [
        f"town in {{{named}, … (10 more)}}: 0 (40)",
        f"town not in {{{named}, … (10 more)}}: 1 (40)",
    ]
    assert tree.to_text(max_depth=None).count("t38") == 2


@pytest.mark.parametrize(
    ("targets", "shown"),
    [
        ([1e9, 1e9 + 1], ["1000000000", "1000000001"]),
        ([1 / 3, 2 / 3], ["0.333333", "0.666667"]),
        ([0.0, 1e-9], ["0", "1e-09"]),
        ([123456.789, 123456.791], ["123456.789", "123456.791"]),
    ],
)
def test_regression_leaves_can_be_told_apart(targets, shown):
    """Means get six digits, or as many as show four digits of their spread."""
    lines = str(TreeRegressor(min_leaf=1, prune=None).fit([[0.0], [1.0]], targets)).splitlines()
    assert lines == [f"x0 <= 0.5: {shown[0]} (1 row)", f"x0 > 0.5: {shown[1]} (1 row)"]


def test_an_unfitted_tree_prints_as_its_settings():
    """print() shows the tree once there is one, repr() always the settings."""
    tree = TreeClassifier(max_depth=3)
    assert str(tree) == repr(tree) == "TreeClassifier(max_depth=3)"
    tree.fit([[0.0], [1.0]], [0, 1])
    assert repr(tree) == "TreeClassifier(max_depth=3)"
    assert str(tree) != repr(tree)


def test_labels_that_would_be_misread_are_quoted():
    """A line break in a level cannot break the line."""
    table = Table([category_column("note", ["a\nb", " c", "a\nb", " c"])])
    tree = TreeClassifier(min_leaf=1).fit(table, [0, 1, 0, 1])
    assert str(tree) == "note = ' c': 1 (2)\nnote = 'a\\nb': 0 (2)"
    assert shown_label("") == "''"


@pytest.mark.parametrize("level", ["Ulm: old", "Ulm (old)", "a, b", "a:", "{a}", "'a'", ""])
def test_levels_that_look_like_a_part_of_the_line_are_quoted(level):
    """A level with what separates the parts of a line stands in quotes, a column's name does not."""
    assert shown_level(level) == repr(level)
    table = Table([category_column("size (cm)", [level, "b", level, "b"])])
    tree = TreeClassifier.id3().fit(table, [0, 1, 0, 1])
    assert f"size (cm) = {level!r}: 0 (2)" in str(tree).splitlines()


def test_usual_levels_are_not_quoted():
    """Apostrophes, spaces and brackets of their own do no harm."""
    for level in ("Coeur d'Alene", "New York", "(18,30]", "10:30", "a/b"):
        assert shown_level(level) == level


@given(
    st.floats(-1e12, 1e12, allow_subnormal=False),
    st.floats(1e-9, 1e6),
)
def test_a_shown_threshold_still_separates(below, width):
    """The number shown lies in the gap, so it sends every training value where the tree sends it."""
    above = below + width
    if not below < above:
        return
    middle = below + (above - below) / 2
    middle = middle if middle < above else below
    assert below <= float(shown_number(middle, below, above)) < above


@pytest.mark.parametrize(
    ("number", "below", "above", "shown"),
    [
        (2.4499999999999997, 1.9, 3.0, "2.45"),
        (1 / 3, 0.0, 1.0, "0.333333"),
        (1234567.5, 1234567, 1234568, "1234567.5"),
        (1.5e6, 1e6, 2e6, "1500000"),
        (1e-7, 0.0, 2e-7, "1e-07"),
        (-0.0, -1.0, 1.0, "0"),
    ],
)
def test_shown_numbers(number, below, above, shown):
    """Six digits where they suffice, more where they do not."""
    assert shown_number(number, below, above) == shown


def test_counts_are_whole_where_they_can_be():
    """A million rows are not written with an exponent."""
    assert shown_count(1_000_000.0) == "1000000"


def test_boolean_columns_show_their_spelling():
    """A boolean is shown by its levels."""
    smoker = Column("smoker", "boolean", np.array([0, 1, 0, 1], dtype=np.int32), ("false", "true"))
    tree = TreeClassifier(min_leaf=1).fit(Table([smoker]), ["well", "ill", "well", "ill"])
    assert str(tree) == "smoker = false: well (2)\nsmoker = true: ill (2)"
