"""Missing values: filled at fit and afterwards, or sent down every branch."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heldout import Column, Table, TreeClassifier, TreeRegressor
from heldout.table.column import category_column

from .plain_walk import plain_answer
from .same_tree import differing_fields
from .tables import as_table, mixed_answers
from .test_pruning_kernels import many_towns, new_rows

GAP = np.nan


def filled_by(fit_missing, X, y, weights=None):
    return [column.fill for column in TreeClassifier(missing=fit_missing).fit(X, y, weights).inputs_.columns]


def test_modes_are_the_most_common_level_and_the_lower_median():
    """Ties go to the first level, and of an even number of numbers the lower middle one is taken."""
    table = Table(
        [
            Column("age", "number", np.array([7.0, 1.0, GAP, 3.0, 5.0])),
            category_column("town", ["Ulm", "Bonn", "Ulm", None, "Bonn"]),
        ]
    )
    assert filled_by("column_mode", table, [0, 1, 0, 1, 0]) == [3.0, 0.0]


def test_weights_count_in_modes_and_rows_without_weight_do_not():
    """The middle is that of the weight; a row of weight 0 has no say."""
    X = np.array([[1.0], [2.0], [3.0], [9.0], [GAP]])
    assert filled_by("column_mode", X, [0, 1, 0, 1, 0], [1, 1, 1, 5, 1]) == [9.0]
    assert filled_by("column_mode", X, [0, 1, 0, 1, 0], [1, 1, 1, 0, 1]) == [2.0]


def test_rows_set_aside_have_no_say_in_modes():
    """The mode is that of the rows that the tree grows from."""
    draw = np.random.default_rng(0)
    X = draw.permutation(200).astype(float)[:, None]
    y = draw.integers(0, 2, 200)
    tree = TreeClassifier(missing="column_mode", prune="reduced_error", validation_fraction=0.5).fit(X, y)
    assert tree.tree_.grown.weight[0] == 100
    assert tree.inputs_.columns[0].fill not in (99.0, 100.0)


@pytest.mark.parametrize("missing", ["column_mode", "class_mode"])
def test_filling_is_what_filling_by_hand_does(missing):
    """The tree is bit for bit that of the filled table."""
    draw = np.random.default_rng(1)
    X = draw.integers(0, 30, size=(120, 3)).astype(float)
    y = (X[:, 0] + X[:, 1] > 30).astype(int)
    X[draw.random(X.shape) < 0.2] = GAP
    by_hand = X.copy()
    for column in range(3):
        for label in (0, 1):
            inside = y == label if missing == "class_mode" else np.ones(120, dtype=bool)
            known = np.sort(X[inside, column][~np.isnan(X[inside, column])])
            by_hand[(y == label) & np.isnan(X[:, column]), column] = known[(len(known) - 1) // 2]
    found = TreeClassifier.cart(missing=missing, prune=None).fit(X, y)
    expected = TreeClassifier.cart(prune=None).fit(by_hand, y)
    assert differing_fields(found.tree_.grown, expected.tree_.grown) == []


def test_new_rows_are_filled_by_the_column():
    """An unknown number, and a level that was never seen, count as the mode."""
    frame = pd.DataFrame({"age": [1.0, 2.0, 8.0, 9.0, 9.0], "town": pd.Categorical(list("aabbb"))})
    tree = TreeClassifier.id3(missing="column_mode").fit(frame, [0, 0, 1, 1, 1])
    new = pd.DataFrame({"age": [GAP, 1.0], "town": pd.Categorical(["z", None])})
    filled = pd.DataFrame({"age": [8.0, 1.0], "town": pd.Categorical(["b", "b"])})
    assert tree.predict(new).tolist() == tree.predict(filled).tolist() == [1, 0]
    assert np.isnan(new["age"][0])


def test_class_mode_says_that_it_cannot_fill_new_rows_by_class():
    """A prediction that fills warns, at the line that asked for it; one that does not is silent."""
    X = np.array([[1.0], [GAP], [8.0], [9.0]])
    tree = TreeClassifier.id3(missing="class_mode").fit(X, [0, 0, 1, 1])
    assert tree.tree_.grown.value[1].tolist() == [2, 0]
    with pytest.warns(UserWarning, match="1 missing value was filled by the mode of its column") as caught:
        tree.predict(X)
    assert caught[0].filename == __file__
    assert tree.predict(X[2:]).tolist() == [1, 1]


def test_rows_chosen_twice_may_have_two_classes():
    """By class a row of the table is filled differently each time it is meant."""
    table = Table([Column("size", "number", np.array([1.0, GAP, 9.0]))])
    tree = TreeClassifier.id3(missing="class_mode").fit(table[[0, 1, 1, 2]], [0, 0, 1, 1])
    assert str(tree) == "size <= 5: 0 (2)\nsize > 5: 1 (2)"


def test_a_column_without_a_value_stays_unknown():
    """There is nothing to fill it with, at fit and later."""
    X = np.column_stack([np.full(6, GAP), np.arange(6.0)])
    tree = TreeClassifier.id3(missing="column_mode").fit(X, [0, 0, 0, 1, 1, 1])
    assert [column.fill for column in tree.inputs_.columns] == [None, 2.0]
    assert tree.predict([[GAP, 0.0], [5.0, 5.0]]).tolist() == [0, 1]


def test_a_class_without_a_value_takes_the_columns_mode():
    """The mode of a class that has no known value is that of the column."""
    X = np.array([[1.0], [1.0], [3.0], [GAP], [GAP]])
    tree = TreeClassifier.id3(missing="class_mode").fit(X, [0, 0, 0, 1, 1])
    assert tree.tree_.grown.value[0].tolist() == [3, 2]
    assert str(tree) == "x0 <= 2: 0 (4/2)\nx0 > 2: 0 (1)"


@given(st.integers(0, 30), st.booleans())
@settings(max_examples=40)
def test_answers_of_parts_are_added_up(seed, is_regression):
    """Probabilities, classes and means are those of fragments that fall one by one."""
    cells = many_towns(60, seed)
    y = mixed_answers(cells, seed)
    if is_regression:
        learner = TreeRegressor(missing="fractional", min_leaf=2).fit(as_table(cells), (y == "stays") * 1.0)
    else:
        learner = TreeClassifier(prune=None, min_leaf=1, smoothing=0).fit(as_table(cells), y)
    _, rows = new_rows(learner, seed)
    new = as_table(many_towns(30, seed + 50))
    expected = np.array([plain_answer(learner.tree_.grown, row, True, is_regression) for row in rows])
    if is_regression:
        assert learner.predict(new) == pytest.approx(expected[:, 0], rel=1e-12)
        return
    assert learner.predict_proba(new) == pytest.approx(expected, rel=1e-12, abs=1e-14)
    shares = learner.predict_proba(new)
    first = [next(k for k, share in enumerate(row) if share > max(row) - 1e-12) for row in shares.tolist()]
    assert np.array_equal(learner.predict(new), learner.classes_[first])


def test_a_rows_answer_does_not_depend_on_its_company():
    """A row without gaps is answered alike beside rows with and without gaps, to the last bit."""
    draw = np.random.default_rng(0)
    X, y = draw.normal(size=(300, 3)), draw.integers(0, 11, 300)
    X[draw.random(X.shape) < 0.1] = GAP
    tree = TreeClassifier(prune=None, min_leaf=2).fit(X, y)
    together = tree.predict_proba(X)
    for rows in (np.flatnonzero(~np.isnan(X).any(axis=1)), np.arange(7)):
        assert np.array_equal(tree.predict_proba(X[rows]), together[rows])


def test_apply_follows_the_heaviest_branch():
    """A node is one answer, so the row that would be split goes where most rows went."""
    X = np.array([[0.0]] * 3 + [[1.0]] * 5)
    tree = TreeClassifier(min_leaf=1, prune=None, smoothing=0).fit(X, [0] * 3 + [1] * 5)
    assert tree.apply([[GAP]]).tolist() == [2]
    assert tree.predict_proba([[GAP]]).tolist() == [[3 / 8, 5 / 8]]
