"""Documents become counts: values, limits, stop words, names, and what is said about it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

import heldout as ho
from heldout.features.text.vocabulary import ENGLISH, DroppedWords

REVIEWS = ["A good film, a good joke", "not good, not bad", "", "the film"]


@pytest.mark.parametrize(
    "documents",
    [
        REVIEWS,
        tuple(REVIEWS),
        np.array(REVIEWS),
        np.array(REVIEWS, dtype=object),
        pd.Series(REVIEWS),
        pd.Series(REVIEWS, dtype="category"),
        pl.Series(REVIEWS),
        pa.array(REVIEWS),
        pa.chunked_array([REVIEWS[:1], REVIEWS[1:]]),
        ho.Column("review", "text", np.array(REVIEWS, dtype=object)),
        (review for review in REVIEWS),
    ],
    ids=lambda documents: type(documents).__name__,
)
def test_documents_come_in_many_forms(documents: object) -> None:
    """Every kind of sequence of strings gives the same matrix."""
    found = ho.BagOfWords().fit_transform(documents)
    assert isinstance(found, csr_array)
    assert found.toarray().tolist() == [
        [2, 0, 1, 2, 1, 0, 0],
        [0, 1, 0, 1, 0, 2, 0],
        [0, 0, 0, 0, 0, 0, 0],
        [0, 0, 1, 0, 0, 0, 1],
    ]


@pytest.mark.parametrize("missing", [None, np.nan, float("nan"), pd.NA])
def test_a_missing_document_is_empty(missing: object) -> None:
    """None and NaN count as a document without words."""
    bag = ho.BagOfWords().fit(["a b", missing])
    assert bag.n_rows_ == 2
    assert bag.transform([missing, "b"]).toarray().tolist() == [[0, 0], [0, 1]]


def test_what_counts_become() -> None:
    """Counts are plain, 0 and 1, logarithms, or divided by the length of the row."""
    documents = ["a a a b", "b", ""]
    values = {
        "plain": [[3, 1], [0, 1], [0, 0]],
        "binary": [[1, 1], [0, 1], [0, 0]],
        "log": [[2, 1], [0, 1], [0, 0]],
    }
    for setting, expected in values.items():
        options = {} if setting == "plain" else {setting: True}
        assert ho.BagOfWords(**options).fit_transform(documents).toarray().tolist() == expected
        unit = ho.BagOfWords(**options, unit_length=True).fit_transform(documents).toarray()
        lengths = np.linalg.norm(expected, axis=1, keepdims=True)
        np.testing.assert_allclose(unit * lengths, expected, rtol=1e-15)


@given(st.integers(1, 3000))
def test_logarithms_are_those_of_numpy(count: int) -> None:
    """log gives log2(count + 1)."""
    found = ho.BagOfWords(log=True).fit_transform(["a " * count]).data[0]
    np.testing.assert_allclose(found, np.log2(count + 1), rtol=4e-16)


def test_runs_of_words() -> None:
    """A number means exactly so many words, a pair the least and the most."""
    documents = ["to be or not to be", "be"]
    assert ho.BagOfWords(ngrams=2).fit(documents).vocabulary_ == ("be or", "not to", "or not", "to be")
    assert ho.BagOfWords(ngrams=[2, 2]).fit(documents).vocabulary_ == ("be or", "not to", "or not", "to be")
    both = ho.BagOfWords(ngrams=(1, 2)).fit(documents)
    assert both.vocabulary_ == ("be", "be or", "not", "not to", "or", "or not", "to", "to be")
    assert both.document_counts_.tolist() == [2, 1, 1, 1, 1, 1, 1, 1]


def test_limits_and_what_was_dropped() -> None:
    """Rare, common, stopped and surplus words are counted by their reason."""
    documents = ["the a b c", "the a b d", "the a e d", "the a"]
    bag = ho.BagOfWords(min_count=2, max_count=-1, stop_words=["The", "nowhere"], max_words=1)
    assert bag.fit(documents).vocabulary_ == ("b",)
    assert bag.dropped_ == DroppedWords(n_too_rare=2, n_too_common=1, n_stop_words=1, n_beyond=1)


@pytest.mark.parametrize(
    ("limits", "kept"),
    [
        ({"max_count": -1}, ("b", "c")),
        ({"max_count": -2}, ("c",)),
        ({"max_count": -3}, None),
        ({"max_count": 2}, ("b", "c")),
        ({"max_count": 99}, ("a", "b", "c")),
        ({"max_count": 0.4}, ("c",)),
        ({"min_count": 0.4}, ("a", "b")),
        ({"min_count": 3}, ("a",)),
        ({"min_count": np.int64(3)}, ("a",)),
        ({"min_count": 4}, None),
    ],
)
def test_limits(limits: dict[str, float], kept: tuple[str, ...] | None) -> None:
    """Numbers, shares and "all but so many" keep what they say; a range without a number is refused."""
    documents = ["a b c", "a b", "a"]
    if kept is None:
        with pytest.raises(ho.RequestError, match="no word would stay"):
            ho.BagOfWords(**limits).fit(documents)
    else:
        assert ho.BagOfWords(**limits).fit(documents).vocabulary_ == kept


def test_a_share_is_taken_as_it_was_written() -> None:
    """0.07 of 100 documents are 7, although 0.07 * 100 is a trifle more in binary."""
    documents = ["a"] * 7 + ["b"] * 93
    assert 0.07 * 100 > 7
    assert ho.BagOfWords(min_count=0.07).fit(documents).vocabulary_ == ("a", "b")


def test_max_words_takes_the_first_of_equals() -> None:
    """Words in equally many documents are taken in the order of their code points."""
    assert ho.BagOfWords(max_words=2).fit(["d c b a", "d"]).vocabulary_ == ("a", "d")
    assert ho.BagOfWords(max_words=9).fit(["d c b a", "d"]).vocabulary_ == ("a", "b", "c", "d")


def test_stop_words_stop_capitals_too() -> None:
    """With capitals kept, a stop word is stopped in every spelling, in new documents as well."""
    bag = ho.BagOfWords(lowercase=False, stop_words=["the", "ÜBER"], ngrams=2).fit(["Cat The über Dog"])
    assert bag.vocabulary_ == ("Cat Dog",)
    assert bag.stop_words_ == ("the", "über")
    assert bag.transform(["Cat thE Über Dog", "Cat the, Dog"]).toarray().tolist() == [[1], [1]]


@pytest.mark.parametrize(
    "stop_words", [["b"], ("B",), {"b"}, np.array(["b"]), np.array("b"), np.array(["b"], object)]
)
def test_stop_words_come_in_many_forms(stop_words: object) -> None:
    """A list, a set and an array stop the same, an array of no dimension too."""
    assert ho.BagOfWords(stop_words=stop_words).fit(["a b"]).vocabulary_ == ("a",)


def test_english_stop_words() -> None:
    """The list has function words, each of which is one word, and leaves negations alone."""
    bag = ho.BagOfWords(stop_words="english").fit(["It's the film that we didn’t like, and not good"])
    assert bag.vocabulary_ == ("didn't", "film", "good", "like", "not")
    assert set(ho.BagOfWords().fit(sorted(ENGLISH)).vocabulary_) == ENGLISH
    assert not {"no", "not", "never", "nor", "don't"} & ENGLISH


def test_unseen_words_are_ignored_and_counted() -> None:
    """New words give no column; how many they are, and how much of the text, can be asked."""
    bag = ho.BagOfWords(stop_words=["the"]).fit(["good film"])
    new = ["the good new film, new", "newer", None]
    assert bag.transform(new).toarray().tolist() == [[1, 1], [0, 0], [0, 0]]
    unseen = bag.unseen_words(new)
    assert (unseen.n_words, unseen.n_tokens, unseen.n_all) == (2, 3, 5)
    assert (unseen.share, unseen.examples) == (0.6, ("new", "newer"))
    assert str(unseen) == "2 words without a column, 60% of 5 words in the text: new, newer"
    assert bag.unseen_words([""]).share == 0
    assert bag.unseen_words(["good"]).n_words == 0


def test_names_are_the_words() -> None:
    """The names of the columns are the terms themselves."""
    bag = ho.BagOfWords(ngrams=(1, 2)).fit(["a b"])
    assert bag.get_feature_names_out().tolist() == ["a", "a b", "b"]


def test_dense_documents() -> None:
    """sparse=False gives an array, and frames with the words as names where they are asked for."""
    documents = pd.Series(["a b", "b b"], index=[7, 9])
    bag = ho.BagOfWords(sparse=False)
    dense = bag.fit_transform(documents)
    assert isinstance(dense, np.ndarray)
    assert dense.flags.c_contiguous
    assert dense.tolist() == bag.transform(documents).tolist() == [[1, 1], [0, 2]]
    frame = bag.set_output(transform="pandas").fit_transform(documents)
    expected = pd.DataFrame({"a": [1.0, 0.0], "b": [1.0, 2.0]}, index=[7, 9])
    pd.testing.assert_frame_equal(frame, expected)
    pd.testing.assert_frame_equal(bag.transform(documents), expected)
    wide = ho.BagOfWords(sparse=False).set_output(transform="polars").fit(documents).transform(documents)
    assert wide.to_dict(as_series=False) == {"a": [1.0, 0.0], "b": [1.0, 2.0]}


def test_the_length_of_the_vocabulary() -> None:
    """A word costs 8 bits for each of its bytes and 8 more."""
    assert ho.BagOfWords().fit(["é b"]).description_bits() == 8 * (2 + 1) + 8 * (1 + 1)


def test_text() -> None:
    """The words in the most documents are shown, with how many there are beside them."""
    bag = ho.BagOfWords(stop_words=["the"])
    assert str(bag).startswith("BagOfWords(")
    bag.fit(["a b", "b", "the b c", "c"])
    assert bag.to_text(max_words=2).splitlines() == [
        "3 words in 4 documents, here the documents that have each",
        "b  3",
        "c  2",
        "and 1 more",
        "dropped: 1 stop word",
    ]
    assert bag.to_text(max_words=0) == "3 words in 4 documents\ndropped: 1 stop word"
    with pytest.raises(ho.RequestError, match="max_words must be"):
        bag.to_text(max_words=-1)
