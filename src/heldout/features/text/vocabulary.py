"""The vocabulary of one text column: which words became columns, and how many did not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.features.text.word_counts import encoded_documents, normal_form
from heldout.native.text import Documents, LearnedWords, WordIndex, distinct_words
from heldout.text.words import plural, shorten


@dataclass(frozen=True)
class DroppedWords:
    """How many words became no column, by the reason.

    n_too_rare:   in fewer documents than min_count
    n_too_common: in more documents than max_count
    n_stop_words: named as stop words
    n_beyond:     not among the max_words in the most documents
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
        return [(self.words[index], int(self.document_counts[index])) for index in order]


def word_list(learned: LearnedWords) -> WordList:
    """What the core has learned, without its rows."""
    dropped = DroppedWords(learned.n_too_rare, learned.n_too_common, learned.n_stop_words, learned.n_beyond)
    return WordList(learned.terms, learned.document_counts, dropped)


def names_with_words(
    names: Sequence[str], chosen: NDArray[np.intp], words: Sequence[Sequence[str]]
) -> list[str]:
    """Each text column by its words, the others as they are.

    names:  of all columns
    chosen: the positions of the texts
    words:  of each text
    """
    words_of = dict(zip(chosen.tolist(), words, strict=True))
    return [
        made
        for index, name in enumerate(names)
        for made in ([f"{name}: {word}" for word in words_of[index]] if index in words_of else [name])
    ]


def refuse_same_names(names: Sequence[str], chosen: NDArray[np.intp], words: Sequence[Sequence[str]]) -> None:
    """Raise if a word's column would have the name of a column that was there before.

    names, chosen, words: as for `names_with_words`
    """
    texts = set(chosen.tolist())
    others = {name for index, name in enumerate(names) if index not in texts}
    for index, terms in zip(chosen.tolist(), words, strict=True):
        twice = next((f"{names[index]}: {word}" for word in terms if f"{names[index]}: {word}" in others), "")
        if twice:
            raise DataError(
                f"two columns would be called '{twice}'",
                where=f"a word of column '{names[index]}', and a column that was there before",
                fix="rename the column that was there",
            )


# Articles, pronouns, auxiliaries, prepositions, conjunctions. Negations stay words: "not good" is not "good".
_ENGLISH_WORDS = """
    a an the this that these those
    i me my mine myself we us our ours ourselves you your yours yourself yourselves
    he him his himself she her hers herself it its itself they them their theirs themselves
    who whom whose which what
    am is are was were be been being do does did doing done have has had having
    will would shall should can could may might must
    i'm i've i'd i'll we're we've we'd we'll you're you've you'd you'll
    he's he'd he'll she's she'd she'll it's it'd it'll they're they've they'd they'll
    that's there's here's what's who's let's
    and or but if then than so as because while though although unless until since
    of at by for with from to in into on onto upon over under about between among through during
    before after above below against within along across toward towards off out up down
    there here where when why how
    also too very just some any each every both such own same other another
"""
ENGLISH = frozenset(_ENGLISH_WORDS.split())


# None, "english", or words to leave out.
StopWords: TypeAlias = str | Iterable[str] | None


def stop_words_of(given: StopWords) -> tuple[str, ...]:
    """The words that are meant, small and sorted.

    given: None, "english" or words
    """
    if given is None:
        return ()
    if isinstance(given, str):
        return tuple(sorted(ENGLISH))
    if isinstance(given, np.ndarray):
        given = np.atleast_1d(given).tolist()
    return tuple(sorted({_one_word(word) for word in given}))


def occurring_stop_words(documents: Documents, stop_words: tuple[str, ...], lowers: bool) -> Iterable[str]:
    """The stop words as they stand in the documents: with capital letters too, where those are kept."""
    if lowers or not stop_words:
        return stop_words
    meant = set(stop_words)
    return [word for word in distinct_words(documents, lowers=False) if normal_form(word, True) in meant]


def _one_word(word: object) -> str:
    if not isinstance(word, str):
        raise InputTypeError(
            "stop words must be strings",
            where=f"stop_words has {shorten(repr(word), 40)}, a {type(word).__name__}",
            fix="leave it out, or write it as a string",
        )
    found = distinct_words(encoded_documents([word], lowercase=True), lowers=True)
    if len(found) != 1:
        raise RequestError(
            f"stop_words has {shorten(repr(word), 40)}, which is not one word",
            where="it has no letters or digits" if not found else f"it has the words {', '.join(found)}",
            fix="name each word by itself; runs of words cannot be stopped",
        )
    return found[0]


N_EXAMPLES = 10


@dataclass(frozen=True)
class UnseenWords:
    """How much of new documents is left out because no column stands for it.

    n_words:   distinct words without a column
    n_tokens:  how often they occur
    n_all:     how often any word occurs, stop words aside
    examples:  those that occur most, of equals the first by code point
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


def bag_text(name: str | None, known: WordList, n_rows: int, max_words: int) -> str:
    """The words in the most documents, and how many others there are.

    name:      of the text column, or None if documents came without a table
    n_rows:    how many documents were learned from
    max_words: how many words are shown
    """
    column = "" if name is None else f"{shorten(name, 40)}: "
    head = f"{column}{plural(len(known.words), 'word')} in {plural(n_rows, 'document')}"
    shown = [(shorten(word, 60), count) for word, count in known.most_frequent(max_words)]
    word_width = max((len(word) for word, _ in shown), default=0)
    count_width = max((len(f"{count:,}") for _, count in shown), default=0)
    lines = [head + (", here the documents that have each" if shown else "")]
    lines += [f"{word:<{word_width}}  {count:>{count_width},}" for word, count in shown]
    if shown and len(shown) < len(known.words):
        lines.append(f"and {len(known.words) - len(shown):,} more")
    return "\n".join([*lines, f"dropped: {known.dropped}"])
