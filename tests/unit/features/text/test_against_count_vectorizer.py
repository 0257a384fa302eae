"""Vocabulary and matrix are those of scikit-learn's CountVectorizer, given the same words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer

import heldout as ho

from .plain_words import CHARACTERS, plain_words

WORDS = ["a", "b", "ab", "don't", "DON\u2019T", "É", "e\u0301", "चाय", "我", "A", "the", "z9", "☃"]
DOCUMENTS = st.lists(
    st.one_of(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), st.text(CHARACTERS, max_size=20)),
    min_size=1,
    max_size=8,
)
RUNS = st.tuples(st.integers(1, 4), st.integers(1, 4)).map(lambda pair: (min(pair), max(pair)))


def vectorizer(**options: Any) -> CountVectorizer:
    """Scikit-learn's, with the words of the definition."""
    return CountVectorizer(tokenizer=plain_words, token_pattern=None, lowercase=False, **options)


def check_equal(bag: ho.BagOfWords, peer: CountVectorizer, documents: list[str], new: list[str]) -> None:
    """Both learn the same from the documents, and make the same of new ones."""
    try:
        expected = peer.fit_transform(documents)
    except ValueError:
        with pytest.raises(ho.HeldoutError):
            bag.fit(documents)
        return
    found = bag.fit_transform(documents)
    assert bag.vocabulary_ == tuple(peer.get_feature_names_out())
    assert found.dtype == np.float64
    for ours, theirs in ((found, expected), (bag.transform(new), peer.transform(new))):
        theirs.sort_indices()
        assert ours.shape == theirs.shape
        assert ours.indptr.tolist() == theirs.indptr.tolist()
        assert ours.indices.tolist() == theirs.indices.tolist()
        assert ours.data.tolist() == theirs.data.tolist()


@pytest.mark.slow
@given(DOCUMENTS, DOCUMENTS, RUNS)
def test_counts_of_words_and_runs(documents: list[str], new: list[str], runs: tuple[int, int]) -> None:
    """Single words and runs of words are found, sorted and counted alike, in new documents too."""
    check_equal(ho.BagOfWords(ngrams=runs), vectorizer(ngram_range=runs), documents, new)


@pytest.mark.slow
@given(DOCUMENTS, DOCUMENTS, st.integers(1, 4), st.integers(1, 6))
def test_limits_by_number(documents: list[str], new: list[str], least: int, most: int) -> None:
    """min_count and max_count keep what min_df and max_df keep."""
    assume(least <= min(most, len(documents)))
    check_equal(
        ho.BagOfWords(ngrams=(1, 2), min_count=least, max_count=most),
        vectorizer(ngram_range=(1, 2), min_df=least, max_df=most),
        documents,
        new,
    )


@given(DOCUMENTS, st.sampled_from([0.25, 0.5]), st.sampled_from([0.5, 0.75]))
def test_limits_by_share(documents: list[str], least: float, most: float) -> None:
    """Shares of the documents mean the same, where they are exact in binary."""
    check_equal(
        ho.BagOfWords(min_count=least, max_count=most), vectorizer(min_df=least, max_df=most), documents, []
    )


@pytest.mark.slow
@given(DOCUMENTS, DOCUMENTS, RUNS, st.lists(st.sampled_from(["a", "don't", "é", "x"]), max_size=3))
def test_stop_words_go_before_runs(
    documents: list[str], new: list[str], runs: tuple[int, int], stop_words: list[str]
) -> None:
    """Stop words are left out first, so that runs reach across them, in new documents too."""
    check_equal(
        ho.BagOfWords(ngrams=runs, stop_words=stop_words),
        vectorizer(ngram_range=runs, stop_words=stop_words or None),
        documents,
        new,
    )


@pytest.mark.slow
@given(DOCUMENTS, st.booleans())
def test_binary_and_unit_length(documents: list[str], binary: bool) -> None:
    """Rows of unit length are those that scikit-learn's norm gives, of counts and of zeros and ones."""
    peer = vectorizer(binary=binary)
    try:
        counts = peer.fit_transform(documents)
    except ValueError:
        return
    expected = TfidfTransformer(use_idf=False, norm="l2").fit_transform(counts).toarray()
    found = ho.BagOfWords(binary=binary, unit_length=True).fit_transform(documents).toarray()
    np.testing.assert_allclose(found, expected, rtol=1e-15, atol=0)


def test_documents_of_any_length_and_number() -> None:
    """Long rows, which are sorted in another way, and thousands of words are counted alike."""
    generator = np.random.default_rng(5)
    documents = [
        " ".join(f"w{word}" for word in generator.zipf(1.3, size=size) % 100_000)
        for size in (0, 1, 63, 64, 65, 1000, 40_000)
    ]
    check_equal(ho.BagOfWords(ngrams=(1, 2)), vectorizer(ngram_range=(1, 2)), documents, documents[::-1])
