"""Words that are left out because they stand in every text and say little about any."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from heldout.errors import KindError, RequestError
from heldout.features.text.encoded_documents import encoded_documents, normal_form
from heldout.native.text import Documents, distinct_words
from heldout.table.describe import shortened

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


def stop_words_of(given: Any) -> tuple[str, ...]:
    """The words that are meant, small and sorted.

    given: None, "english" or words

    >>> stop_words_of(["The", "AND"])
    ('and', 'the')
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


def _one_word(word: Any) -> str:
    if not isinstance(word, str):
        raise KindError(
            "stop words must be strings",
            where=f"stop_words has {shortened(repr(word), 40)}, a {type(word).__name__}",
            fix="leave it out, or write it as a string",
        )
    found = distinct_words(encoded_documents([word], lowercase=True), lowers=True)
    if len(found) != 1:
        raise RequestError(
            f"stop_words has {shortened(repr(word), 40)}, which is not one word",
            where="it has no letters or digits" if not found else f"it has the words {', '.join(found)}",
            fix="name each word by itself; runs of words cannot be stopped",
        )
    return found[0]
