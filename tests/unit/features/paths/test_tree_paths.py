"""TreePaths as a transformer: forms, names, refusals, and its place in a pipeline."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array, issparse
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from heldout import (
    Column,
    DataError,
    HeldoutError,
    InputTypeError,
    Perceptron,
    RequestError,
    RidgeRegressor,
    Table,
    TreeClassifier,
    TreePaths,
)
from heldout.learners.rules.condition import Condition
from heldout.table.column import category_column

from .path_tables import answers, path_table

XOR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
CORNERS = ["x0 ≤ 0.5 ∧ x1 ≤ 0.5", "x0 ≤ 0.5 ∧ x1 > 0.5", "x0 > 0.5 ∧ x1 ≤ 0.5", "x0 > 0.5 ∧ x1 > 0.5"]
Y = [0, 1, 1, 0]


def test_an_array_leaves_as_an_array():
    """The columns of X come first, then those of the paths, all of float64."""
    made = TreePaths().fit_transform(XOR.astype(np.float32), Y)
    assert made.dtype == np.float64
    assert made.tolist() == np.column_stack([XOR, np.eye(4)]).tolist()


def test_a_table_leaves_as_a_table():
    """Columns keep their kinds, paths are numbers, and texts pass."""
    X = path_table(3, 40)
    note = Column("note", "text", np.array(["a b"] * 40, dtype=object))
    paths = TreePaths().fit(Table([note, *X.columns]), answers(3, 40))
    leaving = paths.transform(Table([note, *X.columns]))
    assert leaving.names[:5] == ("note", "size", "town", "mass", "member")
    assert list(leaving.kinds.values())[:5] == ["text", "number", "category", "number", "boolean"]
    assert set(list(leaving.kinds.values())[5:]) == {"number"}
    assert leaving.names == tuple(paths.get_feature_names_out())
    assert "note" not in {condition.column.name for path in paths.paths_ for condition in path}


def test_paths_are_conditions_in_the_places_of_x():
    """paths_ has tuples of conditions that name the columns of X by name and by place."""
    X = path_table(4, 60)
    paths = TreePaths(columns=["member", "mass"]).fit(X, answers(4, 60))
    conditions = [condition for path in paths.paths_ for condition in path]
    assert all(type(condition) is Condition for condition in conditions)
    assert {(condition.position, condition.column.name) for condition in conditions} == {
        (2, "mass"),
        (3, "member"),
    }
    assert paths.tree_.inputs_.names == ["mass", "member"]


def test_some_columns_of_an_array_keep_their_names():
    """With columns=… of an array, conditions have the names of the whole of it."""
    X = np.column_stack([np.zeros(4), XOR])
    paths = TreePaths(columns=[2, -2], keep=False).fit(X, Y)
    assert paths.get_feature_names_out()[0] == "x1 ≤ 0.5 ∧ x2 ≤ 0.5"
    assert paths.transform(X).tolist() == np.eye(4).tolist()


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("columns", [None, [1, 4]])
def test_a_sparse_matrix_leaves_as_one(keep, columns):
    """Sparse rows give what dense rows give, and stay sparse, also where they come in several blocks."""
    draw = np.random.default_rng(6)
    dense = np.where(draw.random((90, 6)) < 0.6, 0.0, draw.random((90, 6)))
    y = (dense[:, 1] > 0.3) ^ (dense[:, 4] > 0.3)
    settings = {"keep": keep, "columns": columns}
    expected = TreePaths(**settings).fit_transform(dense, y)
    made = TreePaths(**settings).fit_transform(csr_array(dense), y)
    assert issparse(made)
    assert made.format == "csr"
    assert np.array_equal(made.toarray(), expected)


def test_blocks_of_sparse_rows_are_put_together(monkeypatch):
    """Rows of a sparse matrix that are looked at few by few come out whole and in order."""
    monkeypatch.setattr("heldout.inputs.sparse_inputs.CELLS_PER_BLOCK", 3)
    made = TreePaths(keep=False).fit_transform(csr_array(XOR), Y)
    assert made.toarray().tolist() == np.eye(4).tolist()


def test_objects_with_words_are_categories():
    """An array of objects has categories where it has words, and leaves as objects beside the paths."""
    X = np.array([["wet", 1.0], ["dry", 2.0], ["dry", 1.0], ["wet", 2.0]], dtype=object)
    made = TreePaths().fit_transform(X, Y)
    assert made.dtype == object
    assert made[:, :2].tolist() == X.tolist()
    assert TreePaths(keep=False).fit_transform(X, Y).dtype == np.float64


def test_frames_and_set_output():
    """Frames leave as Tables, or as the frames that set_output asks for, with the index of pandas."""
    frame = pd.DataFrame(XOR, columns=["a", "b"], index=[5, 7, 9, 11])
    assert isinstance(TreePaths().fit_transform(frame, Y), Table)
    pandas = TreePaths().set_output(transform="pandas").fit_transform(frame, Y)
    assert pandas.index.tolist() == [5, 7, 9, 11]
    assert pandas.columns[2] == "a ≤ 0.5 ∧ b ≤ 0.5"
    polars = TreePaths(keep=False).set_output(transform="polars").fit_transform(pl.DataFrame(frame), Y)
    assert polars.to_numpy().tolist() == np.eye(4).tolist()


def test_text_length_and_bits():
    """A fitted TreePaths prints its paths, few of many if asked, and is as long as its tree."""
    paths = TreePaths().fit(XOR, Y)
    assert str(paths).splitlines() == ["4 conjunctions along the branches of a tree with 4 leaves", *CORNERS]
    assert paths.to_text(max_paths=1).splitlines()[1:] == [CORNERS[0], "… (3 more)"]
    assert paths.to_text(max_paths=None) == str(paths)
    assert paths.description_bits() == paths.tree_.description_bits()
    with pytest.raises(RequestError, match="max_paths must be"):
        paths.to_text(max_paths=-1)


def test_clone_and_pickle():
    """A clone is unfitted and equal in settings, a pickle answers the same."""
    paths = TreePaths(length=3, tree=TreeClassifier.id3(max_depth=2), keep=False)
    assert repr(clone(paths)) == repr(paths)
    X = path_table(7, 40, gaps=0.1)
    paths.fit(X, answers(7, 40))
    again = pickle.loads(pickle.dumps(paths))
    assert again.transform(X).digest == paths.transform(X).digest
    assert again.to_text() == paths.to_text()


def test_without_a_split_x_passes_and_nothing_else_is_refused():
    """A tree that is one leaf gives no paths: X passes, and keep=False would leave nothing."""
    paths = TreePaths().fit(XOR, [1, 1, 1, 1])
    assert paths.transform(XOR).tolist() == XOR.tolist()
    assert TreePaths().fit_transform(csr_array(XOR), [1, 1, 1, 1]).toarray().tolist() == XOR.tolist()
    assert str(paths) == "0 conjunctions along the branches of a tree with 1 leaf"
    with pytest.raises(DataError, match="no split, so no column would be left") as caught:
        TreePaths(keep=False).fit(XOR, [1, 1, 1, 1])
    assert "keep=True" in caught.value.fix


def test_y_is_needed():
    """Without answers there is nothing that a tree could learn."""
    with pytest.raises(DataError, match="requires y to be passed, but the target y is None"):
        TreePaths().fit(XOR)
    assert TreePaths().__sklearn_tags__().target_tags.required


def test_columns_of_words_alone_are_refused():
    """A table of texts has nothing that a tree can ask for."""
    X = Table([Column("note", "text", np.array(["a", "b", "c", "d"], dtype=object))])
    with pytest.raises(DataError, match="no column that a tree could ask for"):
        TreePaths().fit(X, Y)


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"length": 0}, RequestError, "length must be None or an integer of at least 1"),
        ({"length": 1.5}, RequestError, "length must be"),
        ({"length": "2"}, RequestError, "length must be"),
        ({"keep": 1}, InputTypeError, "keep must be True or False"),
        ({"columns": ["rain"]}, RequestError, "there is no column 'rain'"),
    ],
)
def test_wrong_settings_are_refused(settings, error, words):
    """Each parameter says what it may be."""
    with pytest.raises(error, match=words):
        TreePaths(**settings).fit(XOR, Y)


@pytest.mark.parametrize(
    "y", [[0, 1], [0, 1, 1, None], [1 + 2j, 2, 3, 4], [[0, 1]] * 4, [np.nan, 1.0, 0.5, 2.0]], ids=repr
)
def test_wrong_answers_are_refused(y):
    """Answers that are too few, missing, or several to a row are refused as the tree refuses them."""
    with pytest.raises((HeldoutError, ValueError)):
        TreePaths().fit(XOR, y)


def test_a_new_table_without_rows_passes():
    """No rows go in, and none come out, with all columns."""
    X = path_table(8, 40)
    paths = TreePaths().fit(X, answers(8, 40))
    assert paths.transform(X[:0]).shape == (0, 4 + len(paths.paths_))


def test_unseen_levels_count_as_unknown():
    """A level that was not there at fit meets conditions as a missing value does."""
    X = Table([category_column("town", ["Ulm", "Ulm", "Bonn", "Bonn", "Bonn"])])
    paths = TreePaths(length=1, keep=False).fit(X, [0, 0, 1, 1, 1])
    made = paths.transform(Table([category_column("town", ["Mars", None, "Ulm"])]))
    assert [column.values.tolist() for column in made.columns] == [[0.6, 0.6, 0.0], [0.4, 0.4, 1.0]]


def test_a_pipeline_learns_what_the_perceptron_cannot():
    """With the corners as columns the perceptron separates XOR, with conditions of one column it does not."""
    pipeline = make_pipeline(TreePaths(), Perceptron(epochs=50))
    assert pipeline.fit(XOR, Y).score(XOR, Y) == 1.0
    pipeline.set_params(treepaths__tree=TreeClassifier.id3(max_depth=1, min_gain=None))
    assert pipeline.fit(XOR, Y).score(XOR, Y) < 1.0


@pytest.mark.slow
def test_a_regression_gains_from_paths():
    """A product of two signs, which no plane fits, is fitted by ridge on the paths, on rows held out."""
    draw = np.random.default_rng(9)
    X = draw.uniform(-1, 1, (400, 2))
    y = np.sign(X[:, 0]) * np.sign(X[:, 1]) + 0.1 * draw.normal(size=400)
    alone = cross_val_score(RidgeRegressor(), X, y, cv=5).mean()
    with_paths = cross_val_score(make_pipeline(TreePaths(), RidgeRegressor()), X, y, cv=5).mean()
    assert alone < 0.1
    assert with_paths > 0.9


def test_a_conjunction_is_one_line_of_the_text_whatever_its_columns_are_called():
    """A line break in a name, or a name without end, does not tear the text apart."""
    table = Table([Column("new\nline" + 500 * "!", "number", np.array([0.0, 1.0]))])
    lines = TreePaths().fit(table, [0, 1]).to_text().splitlines()
    assert len(lines) == 3
    assert max(map(len, lines)) <= 400
