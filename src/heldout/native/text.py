"""The kernels of bags of words: vocabularies are learned, and words counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout import _native

# Whose letters, marks, numbers and connectors words are made of.
UNICODE_VERSION: str = _native.unicode_version
MOST_TERMS = 2**31 - 1


@dataclass(frozen=True, eq=False)
class Documents:
    """Texts in UTF-8, one after the other.

    text: all bytes
    ends: where each document ends, and a begin
    """

    text: NDArray[np.uint8]
    ends: NDArray[np.int64]


@dataclass(frozen=True)
class TermRules:
    """Which words and runs of words are looked at, and what their counts become.

    lowers:                          whether A-Z become a-z; other letters must come as they are meant
    n_least, n_most:                 how many words a run has
    is_binary, is_log, is_unit_length: 1 for any count; log2(count + 1); rows divided by their length
    """

    lowers: bool
    n_least: int
    n_most: int
    is_binary: bool
    is_log: bool
    is_unit_length: bool


@dataclass(frozen=True, eq=False)
class CountedRows:
    """Numbers by row: those of row i from ends[i] to ends[i + 1], their columns ascending."""

    values: NDArray[np.float64]
    columns: NDArray[np.int32]
    ends: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class LearnedWords:
    """A vocabulary, and the rows that it was learned from.

    terms:           sorted by code point; runs of words with a space between them
    document_counts: in how many documents each is
    n_too_rare, n_too_common, n_stop_words, n_beyond: how many terms were dropped, by reason
    """

    terms: tuple[str, ...]
    document_counts: NDArray[np.int64]
    n_too_rare: int
    n_too_common: int
    n_stop_words: int
    n_beyond: int
    rows: CountedRows


class WordIndex:
    """Finds the columns of the terms of a vocabulary.

    terms: the term of each column
    """

    def __init__(self, terms: Iterable[str]) -> None:
        self._index = _native.WordIndex(_lines(terms))

    def __len__(self) -> int:
        return len(self._index)

    def count(self, documents: Documents, rules: TermRules, stop_words: Iterable[str] = ()) -> CountedRows:
        """How often each document has each term; terms that the index has not are left out.

        rules:      as for `learn_words`; how many words a run has is known from the terms
        stop_words: left out before runs are made
        """
        found = _native.count_words(
            self._index,
            documents.text,
            documents.ends,
            rules.lowers,
            _lines(stop_words),
            rules.is_binary,
            rules.is_log,
            rules.is_unit_length,
        )
        return _rows(found)


def learn_words(
    documents: Documents,
    rules: TermRules,
    stop_words: Iterable[str] = (),
    min_documents: int = 1,
    max_documents: int | None = None,
    max_terms: int | None = None,
) -> LearnedWords:
    """The vocabulary of the documents, and how often each of them has each term.

    stop_words:                   left out before runs of words are made
    min_documents, max_documents: a term stays that is in so many documents
    max_terms:                    of those that stay, how many: the ones in the most documents
    """
    n_documents = len(documents.ends) - 1
    spelled, found = _native.learn_words(
        documents.text,
        documents.ends,
        rules.lowers,
        rules.n_least,
        rules.n_most,
        _lines(stop_words),
        min_documents,
        n_documents if max_documents is None else max_documents,
        MOST_TERMS if max_terms is None else min(max_terms, MOST_TERMS),
        rules.is_binary,
        rules.is_log,
        rules.is_unit_length,
    )
    n_too_rare, n_too_common, n_stop_words, n_beyond = (int(n) for n in found["dropped"])
    return LearnedWords(
        _terms(spelled),
        found["document_counts"],
        n_too_rare,
        n_too_common,
        n_stop_words,
        n_beyond,
        _rows(found),
    )


def distinct_words(documents: Documents, lowers: bool) -> tuple[str, ...]:
    """The distinct words of the documents, sorted by code point.

    lowers: whether A-Z become a-z
    """
    return _terms(_native.distinct_words(documents.text, documents.ends, lowers))


def _lines(terms: Iterable[str]) -> bytes:
    return "".join([f"{term}\n" for term in terms]).encode()


def _terms(lines: bytes) -> tuple[str, ...]:
    return tuple(lines.decode().split("\n")[:-1])


def _rows(found: dict[str, NDArray[Any]]) -> CountedRows:
    return CountedRows(found["values"], found["columns"], found["ends"])
