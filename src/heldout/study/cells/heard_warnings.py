"""Warnings of learners, heard instead of printed: each becomes a note of the cell, with how often it came."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from heldout.table.describe import plural, shortened

LONGEST = 160
_NUMBER = re.compile(r"\d[\d.,]*")


class Notes:
    """What is to be said about a computation: sentences in order, each once, with how often it was said.

    Of sentences of one kind, such as those of one warning in many folds, the first is said for all of them.

    >>> notes = Notes()
    >>> for sentence in ("slow", "gaps", "slow"):
    ...     notes.add(sentence)
    >>> for sentence in ("3 new levels", "5 new levels"):
    ...     notes.add(sentence, kind="new levels")
    >>> notes.sentences
    ('slow (2 times)', 'gaps', '3 new levels (and 1 note like it)')
    """

    def __init__(self) -> None:
        self._said: dict[str, dict[str, int]] = {}  # for each kind of sentence, how often which was said

    def add(self, sentence: str, times: int = 1, kind: str = "") -> None:
        """Say a sentence, or say it again; without a kind it is one of its own."""
        counts = self._said.setdefault(kind or sentence, {})
        counts[sentence] = counts.get(sentence, 0) + times

    def once(self, sentence: str) -> None:
        """Say a sentence unless it has been said."""
        self._said.setdefault(sentence, {}).setdefault(sentence, 1)

    @property
    def sentences(self) -> tuple[str, ...]:
        """One of each kind, in the order in which they were first said."""
        return tuple([_with_count(counts) for counts in self._said.values()])


def _with_count(counts: dict[str, int]) -> str:
    first, times = next(iter(counts.items()))
    if len(counts) > 1:
        return f"{first} (and {plural(sum(counts.values()) - 1, 'note')} like it)"
    return first if times == 1 else f"{first} ({plural(times, 'time')})"


@contextmanager
def heard(notes: Notes) -> Iterator[None]:
    """Hear every warning inside the block; the notes get them, and nothing is printed.

    >>> notes = Notes()
    >>> with heard(notes):
    ...     for _ in range(2):
    ...         warnings.warn("not converged", UserWarning)
    >>> notes.sentences
    ('UserWarning: not converged (2 times)',)
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield
        finally:
            for warning in caught:
                text = " ".join(str(warning.message).split())
                sentence = f"{warning.category.__name__}: {shortened(text, LONGEST)}"
                notes.add(sentence, kind=_kind_of(sentence))


def _kind_of(warning: str) -> str:
    """A warning without its numbers and, after the first of them, without what it lists.

    >>> _kind_of("UnseenLevelWarning: zeros of 85 values of 84 levels: city = Bonn, city = Rome")
    'UnseenLevelWarning: zeros of # values of # levels'
    """
    head, *listed = warning.split(": ")
    while listed and not _NUMBER.search(head):
        head = f"{head}: {listed.pop(0)}"
    return _NUMBER.sub("#", head)
