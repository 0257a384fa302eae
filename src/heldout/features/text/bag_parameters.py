"""What the parameters of a bag of words may be, and what the core is told of them."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from heldout.errors import RequestError
from heldout.learners.parameters import Parameter
from heldout.native.text import TermRules

# As many words in a row as the core takes.
MOST_WORDS = 20

NGRAMS = Parameter("ngrams", number="integer", lowest=1, highest=MOST_WORDS, types=(tuple, list))

BAG_PARAMETERS = (
    Parameter("lowercase", choices=(True, False)),
    NGRAMS,
    Parameter("stop_words", choices=(None, "english"), types=(list, tuple, set, frozenset, np.ndarray)),
    Parameter("min_count", number="number", lowest=0, is_above=True),
    Parameter("max_count", choices=(None,), number="number", is_not_0=True),
    Parameter("max_words", choices=(None,), number="integer", lowest=1),
    Parameter("binary", choices=(True, False)),
    Parameter("log", choices=(True, False)),
    Parameter("unit_length", choices=(True, False)),
    Parameter("sparse", choices=(True, False)),
)


def term_rules(transformer: Any) -> TermRules:
    """The parameters as the core takes them."""
    n_least, n_most = _least_and_most(transformer.ngrams)
    return TermRules(
        bool(transformer.lowercase),
        n_least,
        n_most,
        bool(transformer.binary),
        bool(transformer.log),
        bool(transformer.unit_length),
    )


def _least_and_most(ngrams: Any) -> tuple[int, int]:
    if isinstance(ngrams, Integral):
        return int(ngrams), int(ngrams)
    is_pair = len(ngrams) == 2 and all(isinstance(n, Integral) and NGRAMS.allows(n) for n in ngrams)
    if not is_pair or ngrams[0] > ngrams[1]:
        raise RequestError(
            f"a pair of ngrams is the least and the most words in a row, from 1 to {MOST_WORDS}",
            where=f"BagOfWords(ngrams={ngrams!r:.60})",
            fix="write (1, 2) for single words and pairs, or one number for exactly so many",
        )
    return int(ngrams[0]), int(ngrams[1])
