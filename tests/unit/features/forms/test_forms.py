"""What goes in comes out: forms, kinds, names and columns that are asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import csr_array, csr_matrix, issparse
from sklearn import config_context
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

import heldout as ho
from heldout import Column, DataError, InputTypeError, RequestError, Table
from heldout.features.transformer_outputs import stacked_sparse
from heldout.table.column import category_column


def mixed(levels: tuple[str | None, ...] = ("red", "blue", None, "red")) -> Table:
    """A number, a category, a boolean, a date, a text and an identifier."""
    return Table(
        [
            Column("size", "number", np.array([1.0, 2.0, np.nan, 6.0])),
            category_column("color", list(levels)),
            Column("paid", "boolean", np.array([0, 1, 1, -1], dtype=np.int32), ("no", "yes")),
            Column("day", "date", np.array([0.0, 10.0, 20.0, 30.0])),
            Column("note", "text", np.array(["a b", None, "c", "d"], dtype=object)),
            Column("id", "identifier", np.array(list("wxyz"), dtype=object)),
        ]
    )


def test_a_table_leaves_as_a_table_and_other_columns_pass() -> None:
    """Scale acts on the number and the date; the rest stays what it was, in its place."""
    table = mixed()
    scaled = ho.Scale().fit_transform(table)
    assert isinstance(scaled, Table)
    assert scaled.names == table.names
    assert scaled.kinds == table.kinds | {"day": "number"}
    for name in ("color", "paid", "note", "id"):
        assert scaled[name].labels() == table[name].labels()
    assert scaled["size"].values[[0, 1, 3]].sum() == pytest.approx(0.0)


@pytest.mark.parametrize("form", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "arrow"])
def test_a_frame_leaves_as_a_table(form: Any) -> None:
    """A frame keeps its kinds on the way through several steps."""
    frame = form({"size": [1.0, 3.0, None], "color": ["red", None, "red"]})
    steps = make_pipeline(ho.FillMissing(), ho.Scale(), ho.OneHot())
    made = steps.fit_transform(frame)
    assert isinstance(made, Table)
    assert list(made.names) == ["size", "color = red"]
    assert steps.get_feature_names_out().tolist() == list(made.names)
    assert made["color = red"].values.tolist() == [1.0, 1.0, 1.0]


def test_arrays_and_sparse_matrices_stay_what_they_are() -> None:
    """An array gives an array and a sparse matrix, of either class, a csr_array, with the same numbers."""
    X = np.array([[0.0, 2.0], [3.0, 0.0], [0.0, 4.0]])
    dense = ho.Scale(center=False).fit_transform(X)
    assert type(dense) is np.ndarray
    for form in (csr_array, csr_matrix):
        made = ho.Scale(center=False).fit_transform(form(X))
        assert issparse(made)
        assert made.nnz == 3
        assert made.toarray().tolist() == dense.tolist()


def test_lists_of_numbers_are_arrays() -> None:
    """Nested lists are taken as scikit-learn takes them."""
    assert ho.Scale().fit_transform([[1.0], [3.0]]).tolist() == [[-1.0], [1.0]]


def test_columns_named_by_numbers_leave_under_their_names() -> None:
    """A pandas frame without names has them as words, and they are those of the Table that leaves."""
    frame = pd.DataFrame([[1.0, 2.0], [3.0, 5.0]])
    scale = ho.Scale().fit(frame)
    assert scale.get_feature_names_out().tolist() == list(scale.transform(frame).names) == ["0", "1"]


def test_set_output_gives_frames_with_kinds() -> None:
    """A pandas frame keeps its index, and what passes keeps its type."""
    frame = pd.DataFrame(
        {"size": [1.0, 3.0], "color": pd.Categorical(["red", "blue"]), "paid": [True, False]}, index=[7, 9]
    )
    made = ho.Scale().set_output(transform="pandas").fit_transform(frame)
    assert made.index.tolist() == [7, 9]
    assert made["size"].tolist() == [-1.0, 1.0]
    assert made["color"].tolist() == ["red", "blue"]
    assert made["paid"].tolist() == [True, False]
    assert isinstance(made["color"].dtype, pd.CategoricalDtype)
    with config_context(transform_output="polars"):
        other = ho.Scale().fit_transform(frame)
    assert isinstance(other, pl.DataFrame)
    assert other["paid"].to_list() == [True, False]


def test_columns_are_chosen_by_name_and_by_place() -> None:
    """Only the columns that are asked for change, of a Table, an array and a sparse matrix."""
    table = ho.read_table({"a": [1.0, 3.0], "b": [1.0, 3.0]})
    made = ho.Scale(columns=["b"]).fit_transform(table)
    assert made["a"].values.tolist() == [1.0, 3.0]
    assert made["b"].values.tolist() == [-1.0, 1.0]
    X = np.array([[1.0, 1.0], [3.0, 3.0]])
    assert ho.Scale(columns=[-1]).fit_transform(X).tolist() == [[1.0, -1.0], [3.0, 1.0]]
    made = ho.Scale(center=False, by="max", columns=(0,)).fit_transform(csr_array(X))
    assert made.toarray() == pytest.approx(np.array([[1 / 3, 1.0], [1.0, 3.0]]))


def test_wrong_columns_are_refused_with_advice() -> None:
    """A typo, a kind it is not for, a column named twice, and what is no name: each says what to do."""
    table = mixed()
    with pytest.raises(RequestError) as typo:
        ho.Scale(columns=["sise"]).fit(table)
    assert typo.value.fix == "did you mean 'size'?"
    with pytest.raises(DataError) as kind:
        ho.Scale(columns=["color"]).fit(table)
    assert "'color' is category" in kind.value.what
    with pytest.raises(RequestError, match="twice"):
        ho.Scale(columns=["size", 0]).fit(table)
    with pytest.raises(RequestError, match="no column 9"):
        ho.Scale(columns=[9]).fit(table)
    with pytest.raises(RequestError) as alone:
        ho.Scale(columns="size").fit(table)
    assert alone.value.fix == "write columns=['size']"
    with pytest.raises(InputTypeError, match="columns must be"):
        ho.Scale(columns=[None]).fit(table)


def test_a_changed_kind_is_refused_and_a_column_without_values_is_not() -> None:
    """A category where a number was is an error; a column that is empty may be read as anything."""
    fitted = ho.FillMissing().fit(mixed().select(["size", "color"]))
    wrong = Table([category_column("size", ["a"]), category_column("color", ["red"])])
    with pytest.raises(DataError, match="'size' is a category now and was a number at fit"):
        fitted.transform(wrong)
    empty = Table([category_column("size", [None]), Column("color", "number", np.array([np.nan]))])
    made = fitted.transform(empty)
    assert made["size"].labels() == ["3"]
    assert made["color"].labels() == ["red"]


def test_booleans_are_matched_by_what_they_say() -> None:
    """False and true later are no and yes at fit."""
    fitted = ho.OneHot().fit(mixed().select(["paid"]))
    later = Table([Column("paid", "boolean", np.array([1, 0], dtype=np.int32), ("false", "true"))])
    assert fitted.transform(later)["paid"].values.tolist() == [1.0, 0.0]


def test_names_and_numbers_of_columns_are_checked() -> None:
    """Reordered, missing and additional columns are refused in scikit-learn's words."""
    table = ho.read_table({"a": [1.0, 3.0], "b": [1.0, 3.0]})
    fitted = ho.Scale().fit(table)
    with pytest.raises(DataError, match="same order"):
        fitted.transform(table.select(["b", "a"]))
    with pytest.raises(DataError, match="missing"):
        fitted.transform(table.select(["a"]))
    with pytest.raises(ValueError, match="expecting 2 features"):
        ho.Scale().fit(np.ones((2, 2))).transform(np.ones((2, 3)))


def test_infinity_is_refused_everywhere() -> None:
    """At fit and afterwards, in a Table and in an array, with the column and the row."""
    table = ho.read_table({"a": [1.0, 3.0]})
    far = Table([Column("a", "number", np.array([1.0, np.inf]))])
    for attempt in (lambda: ho.Scale().fit(far), lambda: ho.Scale().fit(table).transform(far)):
        with pytest.raises(DataError, match="infinity") as caught:
            attempt()
        assert caught.value.where == "column 'a', 1 of 2 rows, first in row 2"
    with pytest.raises(ValueError, match="infinity"):
        ho.Scale().fit(np.array([[np.inf]]))


def test_a_prepared_table_feeds_foreign_learners() -> None:
    """scikit-learn's own classifier takes the Table that leaves, and cross-validates with it."""
    task = ho.Task(ho.datasets.load("penguins"), target="species")
    steps = make_pipeline(ho.FillMissing(), ho.Scale(), ho.OneHot(), LogisticRegression())
    assert cross_val_score(steps, task.X, task.y, cv=3).mean() > 0.97


def test_pieces_of_a_sparse_matrix_are_numbers() -> None:
    """Booleans count by what they say, and a category is refused with advice."""
    table = mixed()
    stacked = stacked_sparse([table["paid"], csr_array(np.eye(4))], n_rows=4)
    assert np.isnan(stacked.toarray()[3, 0])
    assert stacked.toarray()[:3, 0].tolist() == [0.0, 1.0, 1.0]
    assert stacked_sparse([], n_rows=3).shape == (3, 0)
    with pytest.raises(DataError, match="numbers only") as caught:
        stacked_sparse([table["color"]], n_rows=4)
    assert "OneHot" in caught.value.fix


def test_a_column_that_was_made_says_by_what() -> None:
    """The printed table names the step that made a column, and leaves the others as they were read."""
    table = ho.read_table(
        {"age": [31, None, 47], "city": ["Ulm", "Bonn", "Ulm"], "note": ["so so", "fine", "so"]},
        kinds={"city": "category", "note": "text"},
    )
    steps = [ho.FillMissing(indicators=True), ho.Scale(), ho.OneHot(), ho.BagOfWords(sparse=False)]
    for step in steps:
        table = step.fit_transform(table)
    assert {column.name: column.reason for column in table.columns} == {
        "age": "made by Scale",
        "age is missing": "made by OneHot",
        "city = Bonn": "made by OneHot",
        "city = Ulm": "made by OneHot",
        "note: fine": "made by BagOfWords",
        "note: so": "made by BagOfWords",
    }
    gaps = steps[0].fit_transform(ho.read_table({"age": [31, None, 47]}))
    assert [column.reason for column in gaps.columns] == ["every value is a number", "made by FillMissing"]
