"""A fit under guard: its warnings are kept, its failures are named, its linear algebra has one thread."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

from heldout.errors import HeldoutError, RequestError
from heldout.study.runners.one_thread import one_thread, thread_controller
from heldout.text.words import plural, shorten

LONGEST = 160
_NUMBER = re.compile(r"\d[\d.,]*")


class Notes:
    """What is to be said about a computation: sentences in order, each once, with how often it was said.

    Of sentences of one kind, such as those of one warning in many folds, the first is said for all of them.
    """

    def __init__(self) -> None:
        self._messages: dict[str, dict[str, int]] = {}  # for each kind of sentence, how often which was said

    def add(self, sentence: str, times: int = 1, kind: str = "") -> None:
        """Say a sentence, or say it again; without a kind it is one of its own."""
        counts = self._messages.setdefault(kind or sentence, {})
        counts[sentence] = counts.get(sentence, 0) + times

    def once(self, sentence: str) -> None:
        """Say a sentence unless it has been said."""
        self._messages.setdefault(sentence, {}).setdefault(sentence, 1)

    @property
    def sentences(self) -> tuple[str, ...]:
        """One of each kind, in the order in which they were first said."""
        return tuple([_with_count(counts) for counts in self._messages.values()])


def _with_count(counts: dict[str, int]) -> str:
    first, times = next(iter(counts.items()))
    if len(counts) > 1:
        return f"{first} (and {plural(sum(counts.values()) - 1, 'note')} like it)"
    return first if times == 1 else f"{first} ({plural(times, 'time')})"


@contextmanager
def record_warnings(notes: Notes) -> Iterator[None]:
    """Hear every warning inside the block; the notes get them, and nothing is printed."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield
        finally:
            for warning in caught:
                text = " ".join(str(warning.message).split())
                sentence = f"{warning.category.__name__}: {shorten(text, LONGEST)}"
                notes.add(sentence, kind=_kind_of(sentence))


def _kind_of(warning: str) -> str:
    """A warning without its numbers and, after the first of them, without what it lists."""
    head, *listed = warning.split(": ")
    while listed and not _NUMBER.search(head):
        head = f"{head}: {listed.pop(0)}"
    return _NUMBER.sub("#", head)


@contextmanager
def failing_as(
    contender: str,
    setting: Mapping[str, Any] | None = None,
    fold: tuple[int, int] | None = None,
    doing: str = "the fit on the whole training part",
) -> Iterator[None]:
    """Let what is raised inside the block say where it was.

    contender: its name
    setting:   what was fitted; None where it holds for all settings
    fold:      the number of the inner fold, from 0, and how many there are; None outside of tuning
    doing:     what was done, outside of tuning
    """
    try:
        yield
    except MemoryError:
        raise  # a matter of the machine: the runner tries again
    except Exception as error:
        where = _index(contender, setting, fold, doing)
        if isinstance(error, HeldoutError):
            raise type(error)(error.what, "; ".join(filter(None, [error.where, where])), error.fix) from error
        raise RequestError(
            f"a learner failed: {type(error).__name__}: {shorten(str(error), 500)}",
            where=where,
            fix="fit it by itself on these rows to see why; leave the setting out if it cannot work",
        ) from error


def _index(
    contender: str, setting: Mapping[str, Any] | None, fold: tuple[int, int] | None, doing: str
) -> str:
    parts = [f"contender {contender!r}"]
    if setting:
        parts.append("setting " + ", ".join(f"{name}={value!r:.40}" for name, value in setting.items()))
    parts.append(doing if fold is None else f"inner fold {fold[0] + 1} of {fold[1]}")
    return ", ".join(parts)


@contextmanager
def one_algebra_thread() -> Iterator[None]:
    """Compute with one thread of BLAS and OpenMP inside the block."""
    with one_thread(_libraries()):
        yield


# The libraries are found once: to look for them takes a hundred times as long as to set them.
_libraries = cache(thread_controller)
