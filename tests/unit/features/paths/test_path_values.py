"""The columns of TreePaths hold what their conditions say, row by row."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heldout import Table, TreeClassifier, TreePaths, TreeRegressor
from heldout.table.column import category_column

from .path_tables import answers, known_rows, other_rows, path_table
from .plain_paths import is_true, plain_columns

SEEDS = st.integers(0, 2**20)
LENGTHS = st.sampled_from([1, 2, 3, 7, None])
SPLITS = st.sampled_from(["multiway", "subset", "one_vs_rest"])
MISSING = st.sampled_from(["fractional", "node_mode", "column_mode"])
N_ROWS = 50


def bushy(splits: str, missing: str, is_regression: bool = False) -> TreeClassifier | TreeRegressor:
    """A tree that learns by heart."""
    learner = TreeRegressor if is_regression else TreeClassifier
    changes = {} if is_regression else {"numeric_cuts": "plain"}
    return learner(
        categorical_splits=splits, missing=missing, min_leaf=1, min_gain=None, prune=None, **changes
    )


def made_columns(paths: TreePaths, table: Table) -> np.ndarray:
    """Rows × paths."""
    leaving = paths.transform(table)
    names = paths.get_feature_names_out()[-len(paths.paths_) :] if paths.paths_ else []
    return np.column_stack([leaving[name].values for name in names])


def distinct_columns(columns: np.ndarray) -> list[bytes]:
    """The columns, each once, in an order that says nothing; -0 is 0."""
    return sorted({np.ascontiguousarray(column + 0.0).round(12).tobytes() for column in columns.T})


@pytest.mark.slow
@given(SEEDS, LENGTHS, SPLITS, st.booleans())
@settings(max_examples=40)
def test_columns_are_those_of_a_row_by_row_walk(seed, length, splits, is_regression):
    """On rows of known values the columns are the runs of the tree, asked branch by branch."""
    X, y = path_table(seed, N_ROWS), answers(seed, N_ROWS, 3)
    paths = TreePaths(length=length, tree=bushy(splits, "node_mode", is_regression)).fit(X, y)
    for table in (X, path_table(seed + 5, N_ROWS)):
        expected = plain_columns(paths.tree_, table, length)
        made = made_columns(paths, table)
        assert set(np.unique(made)) <= {0.0, 1.0}
        assert distinct_columns(made) == distinct_columns(expected)


@pytest.mark.slow
@given(SEEDS, LENGTHS, SPLITS, MISSING)
@settings(max_examples=40)
def test_unknown_values_do_what_the_tree_does_with_them(seed, length, splits, missing):
    """With gaps and new levels each column is that of a run that says the same of known values."""
    X, y = path_table(seed, N_ROWS, gaps=0.15), answers(seed, N_ROWS)
    paths = TreePaths(length=length, tree=bushy(splits, missing)).fit(X, y)
    # Rows of known values tell runs apart that say different things.
    probes = path_table(seed + 9, 120)
    alike = plain_columns(paths.tree_, probes, length)
    on_probes = made_columns(paths, probes)
    for table in (X, other_rows(seed)):
        expected, made = plain_columns(paths.tree_, table, length), made_columns(paths, table)
        for place in range(len(paths.paths_)):
            is_same = (alike == on_probes[:, [place]]).all(axis=0)
            differences = np.abs(expected[:, is_same] - made[:, [place]])
            assert (differences < 1e-12).all(axis=0).any()


@pytest.mark.slow
@given(SEEDS, SPLITS)
@settings(max_examples=40)
def test_a_name_says_which_rows_have_a_one(seed, splits):
    """The name of every column, read as a formula, is true of the rows that have 1 and of no other."""
    X, y = path_table(seed, N_ROWS), answers(seed, N_ROWS)
    paths = TreePaths(length=2, tree=bushy(splits, "node_mode"), keep=False).fit(X, y)
    leaving = paths.transform(X)
    for name in leaving.names:
        said = [is_true(name, row) for row in known_rows(X)]
        assert leaving[name].values.tolist() == [float(truth) for truth in said], name


@pytest.mark.slow
@given(SEEDS, SPLITS, MISSING)
@settings(max_examples=40)
def test_whole_branches_part_the_rows(seed, splits, missing):
    """With length=None every training row has exactly one 1, in parts where a value is unknown."""
    X, y = path_table(seed, N_ROWS, gaps=0.1), answers(seed, N_ROWS)
    paths = TreePaths(length=None, tree=bushy(splits, missing)).fit(X, y)
    made = made_columns(paths, X)
    assert made.sum(axis=1) == pytest.approx(1.0, abs=1e-12)
    is_whole = [not any(value is None or value != value for value in row.values()) for row in known_rows(X)]
    assert (made[is_whole].max(axis=1) == 1.0).all()
    assert made.shape[1] == paths.tree_.n_leaves_


@given(SEEDS)
@settings(max_examples=20)
def test_whole_branches_are_the_leaves(seed):
    """With length=None the column of a row's 1 goes with the leaf that the tree finds for it."""
    X, y = path_table(seed, N_ROWS), answers(seed, N_ROWS)
    paths = TreePaths(length=None).fit(X, y)
    ends = paths.tree_.apply(X)
    ones = made_columns(paths, X).argmax(axis=1)
    pairs = set(zip(ends.tolist(), ones.tolist(), strict=True))
    assert len(pairs) == len(set(ends.tolist())) == len(set(ones.tolist()))


def test_a_level_without_a_branch_meets_nothing_there():
    """A row whose level no branch of its node has stops there, and has no 1 at all."""
    rows = [("a", "x", 0), ("a", "y", 1), *[("b", level, 1) for level in "xyzz"], *[("c", "z", 0)] * 4]
    X = Table(
        [category_column(name, [row[place] for row in rows]) for place, name in enumerate(("up", "low"))]
    )
    paths = TreePaths(length=None, keep=False).fit(X, [row[2] for row in rows])
    assert paths.get_feature_names_out().tolist() == [
        "up = a ∧ low = x",
        "up = a ∧ low = y",
        "up = b",
        "up = c",
    ]
    stranger = Table([category_column("up", ["a"]), category_column("low", ["z"])])
    assert [column.values.tolist() for column in paths.transform(stranger).columns] == [[0.0]] * 4
