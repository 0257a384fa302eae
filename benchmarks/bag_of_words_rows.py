"""Documents become counts of words, and of pairs of words, against scikit-learn's CountVectorizer."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer

import heldout as ho
from benchmarks.interleave import interleaved_work
from benchmarks.kept_results import KeptResults
from benchmarks.one_thread import one_thread
from benchmarks.outcome import OURS, Entry, Goal, Outcome, speed_goals

PEER = "scikit-learn"
AGAIN = ", transform"


def bag_of_words() -> Outcome:
    """10,000 documents of 100 to 200 words."""
    return bag_outcome(made_documents(10_000), (1, 1), 7)


def bag_of_words_pairs() -> Outcome:
    """The same with words and pairs of words."""
    return bag_outcome(made_documents(10_000), (1, 2), 5)


@cache
def made_documents(n_documents: int, n_words: int = 50_000, seed: int = 6) -> tuple[str, ...]:
    """Words by Zipf's law, the frequent ones short, in sentences; a fifth of the documents is not ASCII."""
    generator = np.random.default_rng(seed)
    vocabulary = _made_vocabulary(generator, n_words)
    shares = 1 / (np.arange(len(vocabulary)) + 2.7)
    lengths = generator.integers(100, 201, size=n_documents)
    drawn = generator.choice(len(vocabulary), p=shares / shares.sum(), size=int(lengths.sum()))
    ends = generator.choice([" ", ", ", ". ", "! "], p=[0.86, 0.08, 0.05, 0.01], size=len(drawn))
    documents = []
    for document, tokens in enumerate(np.split(np.arange(len(drawn)), np.cumsum(lengths)[:-1])):
        words = [vocabulary[drawn[token]] for token in tokens]
        if document % 5 == 0:
            words[0] = "naïve"
        starts = [True, *(ends[token] in (". ", "! ") for token in tokens[:-1])]
        pairs = zip(words, starts, tokens, strict=True)
        documents.append(
            "".join([(word.capitalize() if first else word) + ends[token] for word, first, token in pairs])
        )
    return tuple(documents)


def bag_outcome(documents: tuple[str, ...], runs: tuple[int, int], n_rounds: int) -> Outcome:
    """Both learn the vocabulary and count, then count once more with the vocabulary known."""
    ours, theirs = ho.BagOfWords(ngrams=runs), CountVectorizer(token_pattern=r"(?u)\b\w+\b", ngram_range=runs)
    fitted = {OURS: ours.fit(documents), PEER: theirs.fit(documents)}
    with one_thread():
        kept = KeptResults(
            {
                OURS: lambda: ho.BagOfWords(ngrams=runs).fit_transform(documents),
                PEER: lambda: CountVectorizer(token_pattern=r"(?u)\b\w+\b", ngram_range=runs).fit_transform(
                    documents
                ),
                OURS + AGAIN: lambda: fitted[OURS].transform(documents),
                PEER + AGAIN: lambda: fitted[PEER].transform(documents),
            }
        )
        seconds = interleaved_work(kept.work, n_rounds, counts_cpu=True, patience_seconds=20)
    entries = tuple(Entry(name, rounds, is_shown_only=AGAIN in name) for name, rounds in seconds.items())
    again = min(seconds[PEER + AGAIN]) / min(seconds[OURS + AGAIN])
    names_differ = tuple(ours.get_feature_names_out()) != tuple(theirs.get_feature_names_out())
    goals = (
        *speed_goals(entries, {PEER: 5.0}),
        Goal(f"faster than {PEER} when the words are known", 5.0, again),
        Goal(
            "words and counts that differ",
            0,
            names_differ + _n_differing(kept.results),
            at_least=False,
            unit="",
        ),
    )
    n_mega = sum(len(document) for document in documents) / 1e6
    n_terms = len(ours.vocabulary_)
    title = f"bag of words, {len(documents):,} documents, {n_mega:.0f} million characters, {n_terms:,} terms"
    return Outcome(title, "CPU seconds, 1 thread", entries, goals)


def _made_vocabulary(generator: np.random.Generator, n_words: int) -> list[str]:
    letters = list("etaoinshrdlucmfwypvbgkqjxz")
    shares = 1 / np.arange(2, 28)
    words: dict[str, None] = {}
    for rank in range(n_words):
        n_letters = 1 + int(generator.poisson(1 + np.log2(rank + 2) / 2.4))
        words["".join(generator.choice(letters, p=shares / shares.sum(), size=n_letters))] = None
    return list(words)


def _n_differing(results: dict[str, Any]) -> int:
    """In how many cells any of the matrices differs from scikit-learn's first."""
    return sum(int((results[name] != results[PEER]).nnz) for name in results)
