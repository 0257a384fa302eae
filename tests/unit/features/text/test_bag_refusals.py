"""What is no list of documents, or no sensible setting, is refused with its reason."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

import heldout as ho
from heldout.features.text import word_counts as leaving_bags


@pytest.mark.parametrize(
    ("X", "error", "what", "where"),
    [
        ("one text", ho.InputTypeError, "string object received", "characters would be documents"),
        (b"one text", ho.InputTypeError, "string object received", "characters"),
        (["a", 3, 4], ho.InputTypeError, "must be strings", "2 of 3 rows, first row 2, a int: 3"),
        (["a", b"b"], ho.InputTypeError, "must be strings", "first row 2, a bytes"),
        ([["a"]], ho.InputTypeError, "must be strings", "first row 1, a list"),
        (np.array([1.5]), ho.InputTypeError, "must be strings", "first row 1, a float: 1.5"),
        (np.array([["a"]]), ho.DataError, "another shape", "shape (1, 1)"),
        (np.array("a"), ho.DataError, "another shape", "shape ()"),
        (csr_array((2, 2)), ho.InputTypeError, "sparse matrix", "shape (2, 2)"),
        ({"a": "b"}, ho.InputTypeError, "made of dicts", "dict"),
        ([{"a": "b"}], ho.InputTypeError, "made of dicts", "list"),
        ({"a", "b"}, ho.InputTypeError, "holds no documents", "a set"),
        (7, ho.InputTypeError, "holds no documents", "a int"),
        ([], ho.DataError, "no documents", "empty list"),
        (["a", "b \ud83d"], ho.DataError, "lone surrogate", "1 of 2 rows, first row 2"),
        (["", "!?"], ho.DataError, "empty vocabulary", "2 documents"),
        (ho.Column("n", "number", np.zeros(2)), ho.InputTypeError, "holds no documents", "2 rows"),
    ],
)
def test_what_is_no_list_of_documents(X: Any, error: type[Exception], what: str, where: str) -> None:
    """Each wrong X is refused by what it is, with the row where there is one."""
    with pytest.raises(error, match=what) as caught:
        ho.BagOfWords().fit(X)
    assert isinstance(caught.value, ho.HeldoutError)
    assert where in caught.value.where
    assert caught.value.fix


@pytest.mark.parametrize(
    ("setting", "error"),
    [
        ({"lowercase": "yes"}, "lowercase must be"),
        ({"ngrams": 0}, "ngrams must be"),
        ({"ngrams": 21}, "ngrams must be"),
        ({"ngrams": 1.5}, "ngrams must be"),
        ({"ngrams": (2, 1)}, "a pair of ngrams"),
        ({"ngrams": (1, 2, 3)}, "a pair of ngrams"),
        ({"ngrams": (1, "2")}, "a pair of ngrams"),
        ({"ngrams": (True, 2)}, "a pair of ngrams"),
        ({"stop_words": "englisch"}, "stop_words must be"),
        ({"stop_words": [3]}, "stop words must be strings"),
        ({"stop_words": ["New York"]}, "not one word"),
        ({"stop_words": ["!"]}, "not one word"),
        ({"min_count": 0}, "min_count must be"),
        ({"min_count": 1.0}, "strictly between 0 and 1"),
        ({"min_count": 2.5}, "strictly between 0 and 1"),
        ({"max_count": 0}, "max_count must be"),
        ({"max_count": -0.5}, "strictly between 0 and 1"),
        ({"max_words": 0}, "max_words must be"),
        ({"max_words": 1.5}, "max_words must be"),
        ({"binary": None}, "binary must be"),
        ({"log": 2}, "log must be"),
        ({"unit_length": "l2"}, "unit_length must be"),
        ({"sparse": 1.5}, "sparse must be"),
        ({"columns": "note"}, "columns must be"),
        ({"columns": ["note"]}, "no columns to name"),
    ],
)
def test_settings_that_cannot_be(setting: dict[str, Any], error: str) -> None:
    """Each parameter is checked by fit, and the error says what it may be."""
    with pytest.raises(ho.HeldoutError, match=error):
        ho.BagOfWords(**setting).fit(["a b"])


def test_a_misspelled_list_of_stop_words_gets_a_suggestion() -> None:
    """The word that was probably meant is named."""
    with pytest.raises(ho.RequestError) as caught:
        ho.BagOfWords(stop_words="englsh").fit(["a"])
    assert caught.value.fix == "did you mean 'english'?"


def test_nothing_left_after_pruning() -> None:
    """If every word is dropped, the error says how many by which reason."""
    with pytest.raises(ho.DataError, match="After pruning, no terms remain") as caught:
        ho.BagOfWords(stop_words=["a"], min_count=2).fit(["a b", "a c"])
    assert caught.value.where == "2 documents; dropped: 2 too rare, 1 stop word"


def test_frames_cannot_be_sparse() -> None:
    """A frame that was asked for of a sparse bag is refused with the way out."""
    bag = ho.BagOfWords().set_output(transform="pandas")
    with pytest.raises(ho.RequestError, match="cannot hold a sparse matrix"):
        bag.fit_transform(["a"])


def test_too_many_dense_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dense result that would fill the memory is refused before it is made."""
    assert leaving_bags.MOST_CELLS == 100_000_000
    monkeypatch.setattr(leaving_bags, "MOST_CELLS", 5)
    with pytest.raises(ho.DataError, match="6 cells, too many"):
        ho.BagOfWords(sparse=False).fit_transform(["a b c", ""])


def test_a_failed_fit_leaves_what_was_learned() -> None:
    """A second fit that is refused changes nothing of the first."""
    bag = ho.BagOfWords().fit(["a b"])
    with pytest.raises(ho.DataError):
        bag.fit(["!"])
    assert bag.vocabulary_ == ("a", "b")
    assert bag.transform(["b"]).toarray().tolist() == [[0, 1]]
