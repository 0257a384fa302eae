"""Columns of paths have names that tell them apart, whatever the columns of X are called."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heldout import Column, Table, TreeClassifier, TreePaths
from heldout.features.tree_paths import path_names
from heldout.inputs.input_schema import InputColumn
from heldout.learners.rules.condition import Condition, Cut
from heldout.table.column import category_column

HOSTILE = [
    "x ≤ 0.5",
    "x",
    "'x ≤ 0.5'",
    "x ∧ y",
    " ",
    "' '",
    "a\nb",
    "x > 0.5 (2)",
    "x > 0.5",
    "∈",
    "{}",
    "x = y",
]


def below(threshold: float, kind: str = "number", gap: float = 1.0) -> tuple[Condition]:
    return (Condition(InputColumn("x", kind), 0, high=Cut(threshold, threshold - gap, threshold + gap)),)


def test_cuts_that_look_alike_are_shown_with_all_digits():
    """Two cuts that are rounded to one number have their own digits, and only they."""
    paths = [below(0.25), below(0.250000001), below(2 / 3)]
    assert path_names(paths, ["x"]) == ["x ≤ 0.25", "x ≤ 0.250000001", "x ≤ 0.666667"]


def test_dates_that_look_alike_get_their_time_and_then_a_number():
    """Cuts of one day show the time of day; what differs by less than a microsecond is counted."""
    morning, noon = below(18000.25, "date", 0.5), below(18000.5, "date", 0.5)
    assert path_names([morning, noon], ["x"]) == ["x ≤ 2019-04-14T06:00:00", "x ≤ 2019-04-14T12:00:00"]
    same = [below(18000.25, "date", 0.5), below(np.nextafter(18000.25, 18001.0), "date", 0.5)]
    assert path_names(same, ["x"]) == ["x ≤ 2019-04-14T06:00:00", "x ≤ 2019-04-14T06:00:00 (2)"]


def test_columns_that_are_there_keep_their_names():
    """A path that is called like a column of X gets a number, and the next free one."""
    assert path_names([below(0.5)], ["x"], taken=["x", "x ≤ 0.5", "x ≤ 0.5 (2)"]) == ["x ≤ 0.5 (3)"]


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("length", [1, 2, None])
def test_hostile_names_stay_distinct(keep, length):
    """Columns that are called like formulas, or like each other in quotes, give names without a repeat."""
    draw = np.random.default_rng(5)
    X = Table([Column(name, "number", draw.integers(0, 2, 200).astype(float)) for name in HOSTILE])
    paths = TreePaths(length=length, keep=keep).fit(X, draw.integers(0, 2, 200))
    names = paths.get_feature_names_out().tolist()
    assert len(set(names)) == len(names)
    assert paths.transform(X).names == tuple(names)


@given(st.lists(st.text(min_size=1, max_size=4), min_size=2, max_size=5, unique=True), st.integers(0, 999))
@settings(max_examples=60)
def test_any_names_and_levels_stay_distinct(words, seed):
    """Whatever columns and levels are called, the Table that leaves has no name twice."""
    draw = np.random.default_rng(seed)
    X = Table([category_column(word, draw.choice(words, 40).tolist()) for word in words])
    leaving = TreePaths(length=1).fit_transform(X, draw.integers(0, 2, 40))
    assert len(set(leaving.names)) == len(leaving.names) >= len(words)


def test_names_follow_the_names_that_are_asked_for():
    """Of an array get_feature_names_out takes the names that it is given."""
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    paths = TreePaths(keep=False).fit(X, [0, 1, 1, 0])
    assert paths.get_feature_names_out()[0] == "x0 ≤ 0.5 ∧ x1 ≤ 0.5"
    assert paths.get_feature_names_out(["rain", "wind"])[0] == "rain ≤ 0.5 ∧ wind ≤ 0.5"


def test_levels_are_sets():
    """Two groups of levels are told by the shorter list, with the sign that goes with it."""
    color = ["red", "blue", "green", "gray", "pink"] * 8
    y = [label in ("red", "blue") for label in color]
    X = Table([category_column("color", color), Column("x", "number", np.arange(40.0) % 3)])
    tree = TreeClassifier.cart(prune=None)
    names = TreePaths(length=1, keep=False, tree=tree).fit(X, y).get_feature_names_out().tolist()
    assert names == ["color ∈ {blue, red}", "color ∉ {blue, red}"]
