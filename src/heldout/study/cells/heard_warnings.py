"""Warnings of learners, heard instead of printed: each becomes a note of the cell, with how often it came."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from heldout.table.describe import plural, shortened

LONGEST = 300


class Notes:
    """What is to be said about a computation: sentences in order, each once, with how often it was said.

    >>> notes = Notes()
    >>> for sentence in ("slow", "gaps", "slow"):
    ...     notes.add(sentence)
    >>> notes.sentences
    ('slow (2 times)', 'gaps')
    """

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def add(self, sentence: str, times: int = 1) -> None:
        """Say a sentence, or say it again."""
        self._counts[sentence] = self._counts.get(sentence, 0) + times

    def once(self, sentence: str) -> None:
        """Say a sentence unless it has been said."""
        self._counts.setdefault(sentence, 1)

    @property
    def sentences(self) -> tuple[str, ...]:
        """All of them, in the order in which they were first said."""
        return tuple(
            sentence if times == 1 else f"{sentence} ({plural(times, 'time')})"
            for sentence, times in self._counts.items()
        )


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
                notes.add(f"{warning.category.__name__}: {shortened(text, LONGEST)}")
