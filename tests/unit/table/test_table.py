"""Tables: selection without copying, what scikit-learn needs, and errors that help."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import GroupKFold, KFold, cross_val_score, train_test_split
from sklearn.utils import _safe_indexing

import heldout
from heldout.errors import DataError, InputTypeError, RequestError
from heldout.table.column import Column, category_column
from heldout.table.table import Table


def make_table(n_rows: int = 12) -> Table:
    numbers = np.arange(n_rows, dtype=np.float64)
    numbers[3] = np.nan
    words = Column("note", "text", np.array([f"remark {row}" for row in range(n_rows)], dtype=object))
    colors = category_column("color", [("red", "green", "blue")[row % 3] for row in range(n_rows)])
    return Table([Column("size", "number", numbers), colors, words], notes=["made by hand"])


def test_names_shape_and_columns() -> None:
    """A table knows its names, its shape, its kinds, and gives a column by its name."""
    table = make_table()
    assert table.names == ("size", "color", "note")
    assert (table.shape, len(table), table.n_rows, table.n_columns) == ((12, 3), 12, 12, 3)
    assert list(table) == ["size", "color", "note"]
    assert "color" in table
    assert "colour" not in table
    assert table["color"].levels == ("blue", "green", "red")
    assert table.kinds == {"size": "number", "color": "category", "note": "text"}


def test_an_unknown_name_gets_a_suggestion() -> None:
    """The error for a wrong name has three parts, the last of which is the probable name."""
    table = make_table()
    for ask in (
        lambda: table["colour"],
        lambda: table.select(["colour"]),
        lambda: table.drop("colour"),
        lambda: table[:, "colour"],
    ):
        with pytest.raises(RequestError, match="no column 'colour'") as caught:
            ask()
        assert "3: size, color, note" in caught.value.where
        assert caught.value.fix == "did you mean 'color'?"
    with pytest.raises(RequestError) as caught:
        table["SIZE"]
    assert caught.value.fix == "did you mean 'size'?"


def test_selecting_rows_copies_nothing_until_values_are_asked_for() -> None:
    """Selections of selections keep the very columns they came from; a slice stays a view."""
    table = make_table()
    nested = table[np.arange(10)][2:8][[0, 2]]
    assert nested._base is table._base
    assert nested["size"].values.tolist() == [2.0, 4.0]
    assert np.shares_memory(table[2:8]["size"].values, table["size"].values)
    assert np.shares_memory(table[2:8][1:3]["size"].values, table["size"].values)
    assert nested["size"] is nested["size"]


def test_selecting_columns_shares_them() -> None:
    """Choosing and dropping columns keeps the same column objects, in the order asked for."""
    table = make_table()
    chosen = table.select(["note", "size"])
    assert chosen.names == ("note", "size")
    assert chosen["size"] is table["size"]
    assert table.drop(["note"]).names == ("size", "color")
    assert table.drop("note").names == ("size", "color")
    assert table[["color"]].names == ("color",)
    assert table[3:5].select(["size"])["size"].n_missing == 1
    assert table.select([]).shape == (12, 0)


def to_rows(table: Table) -> list[list[str | None]]:
    return [list(row) for row in zip(*(column.labels() for column in table.columns), strict=True)]


@pytest.mark.slow
@given(data=st.data())
def test_chained_selections_equal_those_of_a_list(data: st.DataObject) -> None:
    """Any chain of slices, masks and positions gives the rows that a list of rows would give."""
    table = make_table()
    rows = to_rows(table)
    for _ in range(data.draw(st.integers(1, 4))):
        n_rows = len(rows)
        style = data.draw(st.sampled_from(["slice", "mask", "positions"]))
        if style == "slice":
            key: Any = data.draw(st.slices(n_rows))
            rows = rows[key]
        elif style == "mask":
            mask = data.draw(st.lists(st.booleans(), min_size=n_rows, max_size=n_rows))
            key = np.array(mask, dtype=bool)
            rows = [row for row, is_kept in zip(rows, mask, strict=True) if is_kept]
        else:
            positions = st.lists(st.integers(-n_rows, n_rows - 1), max_size=8) if n_rows else st.just([])
            key = data.draw(positions)
            rows = [rows[position] for position in key]
        table = table[key]
        assert table.n_rows == len(rows)
    assert to_rows(table) == rows


@pytest.mark.parametrize(
    ("key", "error", "message"),
    [
        ([0, 12], RequestError, "no row 12"),
        ([-13], RequestError, "no row -13"),
        (np.array([True, False]), RequestError, "mask does not fit"),
        (np.array([0.5]), InputTypeError, "rows are chosen by"),
        (np.zeros((2, 2), dtype=int), InputTypeError, "rows are chosen by"),
        ((0, 1, 2), RequestError, "rows and columns"),
        ((slice(None), 3), RequestError, "no column 3"),
    ],
)
def test_wrong_rows_are_refused(key: Any, error: type[Exception], message: str) -> None:
    """Positions outside the table, masks of another length and floats are errors, not surprises."""
    with pytest.raises(error, match=message):
        make_table()[key]


def test_rows_and_columns_at_once() -> None:
    """table[rows, columns] takes names, positions, masks and slices of columns."""
    table = make_table()
    assert table[0, ...].shape == (1, 3)
    assert table[:, "size"] is table["size"]
    assert table[[1, 2], 0].values.tolist() == [1.0, 2.0]
    assert table[:, [0, 1]].names == ("size", "color")
    assert table[:, -2:].names == ("color", "note")
    assert table[:, np.array([True, False, True])].names == ("size", "note")
    assert table[:3, ["note", "size"]].shape == (3, 2)


def test_columns_must_fit_together() -> None:
    """Two columns of one name, of different lengths, or without a name are refused."""
    one, two = Column("a", "number", np.zeros(2)), Column("b", "number", np.zeros(3))
    with pytest.raises(DataError, match="two columns are called 'a'"):
        Table([one, one])
    with pytest.raises(DataError, match="differ in length"):
        Table([one, two])
    with pytest.raises(DataError, match="has no name"):
        Table([Column("", "number", np.zeros(2))])
    with pytest.raises(RequestError, match="selected twice"):
        Table([one]).select(["a", "a"])
    assert Table([]).shape == (0, 0)


def test_notes_can_be_replaced() -> None:
    """with_notes leaves the old table as it was, and keeps the selection of rows."""
    table = make_table()
    part = table[:2].with_notes(["other"])
    assert (part.notes, part.n_rows) == (("other",), 2)
    assert table.notes != part.notes


def test_an_array_is_made_of_numbers_only() -> None:
    """NumPy gets floats where every column is a number, and else an error that names the first other."""
    table = make_table()
    array = np.asarray(table[:3].select(["size"]))
    assert array.tolist() == [[0.0], [1.0], [2.0]]
    assert np.asarray(table[:3].select(["size"]), dtype=np.float32).dtype == np.float32
    with pytest.raises(DataError, match="not numbers") as caught:
        np.asarray(table)
    assert caught.value.where == "2 of 3 columns, first 'color', category"


def test_pickle_leaves_unselected_rows_behind() -> None:
    """A pickled selection holds its own rows only, so that sealed rows never travel with it."""
    table = make_table(1000)
    part = pickle.loads(pickle.dumps(table[5:7]))
    assert to_rows(part) == to_rows(table[5:7])
    assert part._n_base_rows == 2
    assert part.notes == ("made by hand",)
    assert part.digest == table[5:7].digest
    assert copy.deepcopy(table) is table
    assert pickle.loads(pickle.dumps(table.select([]))).shape == (1000, 0)


class Witness(ClassifierMixin, BaseEstimator):
    """A learner that takes tables only."""

    def fit(self, X: Table, y: np.ndarray) -> Witness:
        assert isinstance(X, Table)
        assert X.n_rows == len(y)
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Table) -> np.ndarray:
        assert isinstance(X, Table)
        return np.array(["odd" if value % 2 == 1 else "even" for value in X["size"].values])


def test_scikit_learn_splits_tables() -> None:
    """cross_val_score, train_test_split, KFold and GroupKFold hand tables on as tables."""
    table = make_table()
    y = np.array(["odd" if row % 2 else "even" for row in range(12)])
    groups = np.arange(12) // 3
    scores = cross_val_score(Witness(), table, y, cv=KFold(3, shuffle=True, random_state=0))
    assert scores.mean() > 0.9
    assert len(cross_val_score(Witness(), table, y, groups=groups, cv=GroupKFold(4))) == 4
    train, test, y_train, _ = train_test_split(table, y, random_state=0, stratify=y)
    assert isinstance(train, Table)
    assert train.n_rows + test.n_rows == 12
    assert all(
        (value % 2 == 1) == (label == "odd") or value != value
        for value, label in zip(train["size"].values, y_train, strict=True)
    )
    assert [len(rows) for rows, _ in KFold(4).split(table)] == [9, 9, 9, 9]


def test_scikit_learn_indexes_rows_and_columns() -> None:
    """_safe_indexing gives tables for rows, for masks and for columns by position."""
    table = make_table()
    assert _safe_indexing(table, [0, 5]).n_rows == 2
    assert _safe_indexing(table, np.arange(12) > 9).n_rows == 2
    assert _safe_indexing(table, slice(0, 3)).n_rows == 3
    assert _safe_indexing(table, [0, 1], axis=1).names == ("size", "color")
    assert _safe_indexing(table, 0, axis=1) is table["size"]


def test_a_selection_knows_no_level_of_the_rows_that_stay_behind():
    """Neither its levels, nor its text, nor its pickle name a value of a row that was not selected."""
    column = category_column("c", ["plain", "secret", "plain", None])
    selection = Table([column])[[0, 2, 3]]
    assert selection["c"].levels == ("plain",)
    assert b"secret" not in pickle.dumps(selection)
    assert "secret" not in str(selection)
    assert pickle.loads(pickle.dumps(selection)).digest == selection.digest


@pytest.mark.parametrize("rows", [slice(None, None, 2), slice(None, None, -1), slice(3, 9)])
def test_every_slice_of_rows_can_be_learned_from(rows: slice) -> None:
    """A tree takes every second row, or the rows turned around, as the same rows by their positions."""
    numbers = np.arange(12.0)
    table = heldout.read_table({"size": numbers, "other": numbers % 5})
    labels = np.arange(12) % 3
    tree = heldout.TreeClassifier(prune=None, min_leaf=1)
    by_slice = tree.fit(table[rows], labels[rows]).predict(table)
    by_index = tree.fit(table[np.arange(12)[rows]], labels[rows]).predict(table)
    assert by_slice.tolist() == by_index.tolist()
