"""In how many documents a word must be to stay, and in how many it may be."""

from __future__ import annotations

import math
from fractions import Fraction
from numbers import Integral
from typing import Any

from heldout.errors import RequestError
from heldout.table.describe import plural


def least_documents(min_count: Any, n_documents: int) -> int:
    """The smallest number of documents that keeps a word.

    >>> least_documents(2, 10), least_documents(0.25, 10)
    (2, 3)
    """
    if isinstance(min_count, Integral):
        return min(int(min_count), n_documents + 1)
    return math.ceil(_share(min_count, "min_count") * n_documents)


def most_documents(max_count: Any, n_documents: int) -> int:
    """The largest number of documents that keeps a word; a negative count is all documents but so many.

    >>> most_documents(None, 10), most_documents(7, 10), most_documents(-1, 10), most_documents(0.25, 10)
    (10, 7, 9, 2)
    """
    if max_count is None:
        return n_documents
    if isinstance(max_count, Integral):
        count = int(max_count)
        return min(count, n_documents) if count > 0 else max(n_documents + count, 0)
    return math.floor(_share(max_count, "max_count") * n_documents)


def refuse_empty_range(least: int, most: int, n_documents: int) -> None:
    """Raise if no number of documents would keep a word."""
    if most < least:
        raise RequestError(
            "no word would stay: min_count asks for more documents than max_count allows or than there are",
            where=f"{plural(n_documents, 'document')}; at most {most:,} may have it, at least {least:,} must",
            fix="lower min_count or raise max_count",
        )


def _share(count: Any, name: str) -> Fraction:
    """A share as it was written: of 30 documents 0.1 is 3, not a trifle more."""
    if not 0 < count < 1:
        raise RequestError(
            f"{name} must be a whole number of documents, or a share strictly between 0 and 1",
            where=f"BagOfWords({name}={count!r})",
            fix=f"write {int(count)} for a number of documents" if count >= 1 else "give another share",
        )
    return Fraction(repr(float(count)))
