"""Texts of a table become words where they stand, the other columns stay."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array

import heldout as ho
from heldout.table.column import category_column

TABLE = ho.Table(
    [
        ho.Column("age", "number", np.array([41.0, 0.0, np.nan])),
        ho.Column("note", "text", np.array(["Fit, fit", None, "ill"], dtype=object)),
        ho.Column("paid", "boolean", np.array([1, 0, 1], dtype=np.int32), ("no", "yes")),
        ho.Column("plan", "text", np.array(["rest", "go on", "go"], dtype=object)),
    ]
)
NAMES = ["age", "note: fit", "note: ill", "paid", "plan: go", "plan: on", "plan: rest"]


def test_sparse_tables() -> None:
    """Numbers and booleans stand beside the words in one sparse matrix."""
    bag = ho.BagOfWords()
    found = bag.fit_transform(TABLE)
    assert isinstance(found, csr_array)
    assert bag.get_feature_names_out().tolist() == NAMES
    expected = [[41, 2, 0, 1, 0, 0, 1], [0, 0, 0, 0, 1, 1, 0], [np.nan, 0, 1, 1, 1, 0, 0]]
    np.testing.assert_array_equal(found.toarray(), expected)
    np.testing.assert_array_equal(bag.transform(TABLE).toarray(), expected)


def test_dense_tables() -> None:
    """sparse=False gives a Table with kinds: words are numbers, other columns are untouched."""
    bag = ho.BagOfWords(sparse=False).fit(TABLE)
    found = bag.transform(TABLE)
    assert isinstance(found, ho.Table)
    assert list(found.names) == NAMES
    assert found.kinds["note: fit"] == "number"
    assert found["paid"] is TABLE["paid"]
    assert found["note: fit"].values.tolist() == [2, 0, 0]
    assert ho.BagOfWords(sparse=False).fit_transform(TABLE).digest == found.digest


def test_what_is_learned_of_a_table() -> None:
    """Vocabularies, counts and what was dropped are told by column; length is that of each text by itself."""
    bag = ho.BagOfWords(unit_length=True).fit(TABLE)
    assert bag.vocabulary_ == {"note": ("fit", "ill"), "plan": ("go", "on", "rest")}
    assert bag.document_counts_["plan"].tolist() == [2, 1, 1]
    assert set(bag.dropped_) == {"note", "plan"}
    assert (bag.n_features_in_, bag.feature_names_in_.tolist()) == (4, list(TABLE.names))
    squares = bag.transform(TABLE).toarray()[:, [1, 2]] ** 2
    assert squares.sum(axis=1).tolist() == [1, 0, 1]
    assert bag.to_text().splitlines()[0] == "note: 2 words in 3 documents, here the documents that have each"
    assert bag.unseen_words(TABLE).n_words == 0


def test_some_columns_only() -> None:
    """columns names the texts that are meant; another text stays, which a sparse matrix cannot hold."""
    found = ho.BagOfWords(columns=["plan"], sparse=False).fit_transform(TABLE)
    assert found.names == ("age", "note", "paid", "plan: go", "plan: on", "plan: rest")
    assert found["note"] is TABLE["note"]
    with pytest.raises(ho.DataError, match="a sparse matrix has numbers only"):
        ho.BagOfWords(columns=[-1]).fit_transform(TABLE)


@pytest.mark.parametrize("frame_of", [pd.DataFrame, pl.DataFrame])
def test_frames(frame_of: Any) -> None:
    """Strings of a frame are texts where columns names them, and frames come out where they are asked for."""
    frame = frame_of({"n": [1.0, 2.0], "note": ["a b", None]})
    new = frame_of({"n": [3.0], "note": ["b a b c"]})
    with pytest.raises(ho.DataError, match="no column of kind text") as caught:
        ho.BagOfWords().fit(frame)
    assert caught.value.fix == "name them: BagOfWords(columns=['note'])"
    bag = ho.BagOfWords(columns=["note"], sparse=False).fit(frame)
    assert bag.inputs_.columns[1].levels == ()
    assert bag.transform(new).names == ("n", "note: a", "note: b")
    assert np.asarray(bag.transform(new)).tolist() == [[3, 1, 2]]
    name = "pandas" if frame_of is pd.DataFrame else "polars"
    made = bag.set_output(transform=name).transform(new)
    assert isinstance(made, frame_of)
    assert list(made.columns) == ["n", "note: a", "note: b"]


def test_a_missing_text_column_has_no_words() -> None:
    """A text column without a value among new rows gives zeros."""
    bag = ho.BagOfWords(columns=["note"]).fit(TABLE[["age", "note"]])
    assert bag.transform(TABLE[["age", "note"]][[1]]).toarray().tolist() == [[0, 0, 0]]


def test_a_text_that_was_read_as_a_category_later() -> None:
    """New rows may hold the text as a category or an identifier: its words are what counts."""
    bag = ho.BagOfWords().fit(TABLE[["note"]])
    for column in (
        category_column("note", ["ill fit"]),
        ho.Column("note", "identifier", np.array(["ill fit"], dtype=object)),
    ):
        assert bag.transform(ho.Table([column])).toarray().tolist() == [[1, 1]]


def test_refusals_of_tables() -> None:
    """Wrong kinds, other columns, other forms and equal names are refused with their reason."""
    bag = ho.BagOfWords().fit(TABLE)
    with pytest.raises(ho.InputTypeError, match="learned from a table"):
        bag.transform(["a"])
    with pytest.raises(ho.DataError, match="feature names"):
        bag.transform(TABLE.drop("age"))
    with pytest.raises(ho.InputTypeError, match="learned from documents"):
        ho.BagOfWords().fit(["a"]).transform(TABLE)
    with pytest.raises(ho.DataError, match="is number, which BagOfWords is not for"):
        ho.BagOfWords(columns=["age"]).fit(TABLE)
    with pytest.raises(ho.RequestError, match="no column 'nota'"):
        ho.BagOfWords(columns=["nota"]).fit(TABLE)
    with pytest.raises(ho.DataError, match="no column of kind text"):
        ho.BagOfWords().fit(TABLE[["age"]])
    twice = ho.Table([ho.Column("note: ill", "number", np.zeros(3)), TABLE["note"]])
    with pytest.raises(ho.DataError, match="two columns would be called 'note: ill'"):
        ho.BagOfWords().fit(twice)


def test_a_text_without_words_is_named() -> None:
    """An empty vocabulary is refused with the name of its column."""
    table = ho.Table([TABLE["note"], ho.Column("void", "text", np.array([None, "!", ""], dtype=object))])
    with pytest.raises(ho.DataError, match="empty vocabulary") as caught:
        ho.BagOfWords().fit(table)
    assert "column 'void'" in caught.value.where


def test_a_bad_text_is_found_by_column_and_row() -> None:
    """A value that is no string, or has no bytes, is told by its column and row."""
    for value, error in ((3, ho.InputTypeError), ("\ud800", ho.DataError)):
        bad = ho.Table([ho.Column("note", "text", np.array(["a", value], dtype=object))])
        with pytest.raises(error) as caught:
            ho.BagOfWords().fit(bad)
        assert "column 'note', 1 of 2 rows, first row 2" in caught.value.where
