"""Words of new documents that the vocabulary does not have."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Self

import numpy as np

from heldout.native.text import LearnedWords
from heldout.table.describe import plural

N_EXAMPLES = 10


@dataclass(frozen=True)
class UnseenWords:
    """How much of new documents is left out because no column stands for it.

    n_words:   distinct words without a column
    n_tokens:  how often they occur
    n_all:     how often any word occurs, stop words aside
    examples:  those that occur most, of equals the first by code point

    >>> print(UnseenWords(1, 2, 8, ("tabby",)))
    1 word without a column, 25% of 8 words in the text: tabby
    """

    n_words: int
    n_tokens: int
    n_all: int
    examples: tuple[str, ...]

    @property
    def share(self) -> float:
        """Of all words in the text, each as often as it occurs; 0 if there are none."""
        return self.n_tokens / self.n_all if self.n_all else 0.0

    def __str__(self) -> str:
        examples = ", ".join(self.examples) + (", …" if self.n_words > len(self.examples) else "")
        unseen = f"{plural(self.n_words, 'word')} without a column, {self.share:.0%}"
        return f"{unseen} of {plural(self.n_all, 'word')} in the text" + (f": {examples}" if examples else "")


class UnseenCounter:
    """Adds up what the text columns of one table have."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._n_all = 0

    def add(self, column: str, found: LearnedWords, known: tuple[str, ...]) -> Self:
        """The words of one column.

        found: all of its words, with plain counts
        known: those of the vocabulary
        """
        totals = np.bincount(found.rows.columns, weights=found.rows.values, minlength=len(found.terms))
        is_known = set(known)
        for term, total in zip(found.terms, totals.astype(np.int64).tolist(), strict=True):
            self._n_all += total
            if term not in is_known:
                self._counts[column, term] = total
        return self

    def total(self) -> UnseenWords:
        """What was added up."""
        examples = sorted(self._counts.items(), key=lambda item: (-item[1], item[0]))[:N_EXAMPLES]
        words = tuple(term for (_, term), _ in examples)
        return UnseenWords(len(self._counts), self._counts.total(), self._n_all, words)
