"""The vocabulary of one text column: which words became columns, and how many did not."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.native.text import LearnedWords, WordIndex
from heldout.table.describe import plural


@dataclass(frozen=True)
class DroppedWords:
    """How many words became no column, by the reason.

    n_too_rare:   in fewer documents than min_count
    n_too_common: in more documents than max_count
    n_stop_words: named as stop words
    n_beyond:     not among the max_words in the most documents

    >>> print(DroppedWords(3, 0, 2, 0))
    3 too rare, 2 stop words
    """

    n_too_rare: int
    n_too_common: int
    n_stop_words: int
    n_beyond: int

    def __str__(self) -> str:
        reasons = {
            f"{self.n_too_rare:,} too rare": self.n_too_rare,
            f"{self.n_too_common:,} too common": self.n_too_common,
            plural(self.n_stop_words, "stop word"): self.n_stop_words,
            f"{self.n_beyond:,} beyond max_words": self.n_beyond,
        }
        return ", ".join(reason for reason, count in reasons.items() if count) or "none"


@dataclass(frozen=True, eq=False)
class WordList:
    """What was learned from one text column.

    words:           sorted by code point; runs of words with a space between them
    document_counts: in how many documents each is
    dropped:         how many other words there were
    """

    words: tuple[str, ...]
    document_counts: NDArray[np.int64]
    dropped: DroppedWords

    @cached_property
    def index(self) -> WordIndex:
        """Made when it is first needed; it is no part of what was learned."""
        return WordIndex(self.words)

    def __reduce__(self) -> tuple[Any, ...]:
        return WordList, (self.words, self.document_counts, self.dropped)

    def most_frequent(self, n: int) -> list[tuple[str, int]]:
        """The words in the most documents, with their numbers; of equals the first by code point."""
        order = np.argsort(-self.document_counts, kind="stable")[:n]
        return [(self.words[place], int(self.document_counts[place])) for place in order]


def word_list(learned: LearnedWords) -> WordList:
    """What the core has learned, without its rows."""
    dropped = DroppedWords(learned.n_too_rare, learned.n_too_common, learned.n_stop_words, learned.n_beyond)
    return WordList(learned.terms, learned.document_counts, dropped)
