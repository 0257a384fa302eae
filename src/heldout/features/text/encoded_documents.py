"""Documents as the core wants them: composed, in small letters if that is wanted, as UTF-8."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import numpy as np

from heldout.features.text.given_documents import refuse_surrogates
from heldout.native.text import Documents


def encoded_documents(documents: Sequence[str], lowercase: bool, name: str = "") -> Documents:
    """All documents in one piece of memory.

    lowercase: whether letters beyond ASCII are made small; those of ASCII are left to the core
    name:      of their column, for the error about one that has no bytes
    """
    import pyarrow as pa  # takes 0.1 s

    written = [each if each.isascii() else normal_form(each, lowercase) for each in documents]
    try:
        array = pa.array(written, type=pa.large_string())
    except UnicodeEncodeError:
        refuse_surrogates(documents, name)
        raise
    _, ends, text = array.buffers()
    if text is None or not written:
        return Documents(np.empty(0, dtype=np.uint8), np.zeros(len(written) + 1, dtype=np.int64))
    return Documents(
        np.frombuffer(text, dtype=np.uint8),
        np.frombuffer(ends, dtype=np.int64, count=len(written) + 1),
    )


def normal_form(text: str, lowercase: bool) -> str:
    """The text with every letter and its marks composed (NFC), so that equal words have equal bytes.

    Small letters are composed anew: J with a caron has no character of its own, j with one has.

    >>> normal_form("E\\u0301T\\u00c9", lowercase=True)
    'été'
    """
    composed = unicodedata.normalize("NFC", text)
    return unicodedata.normalize("NFC", composed.lower()) if lowercase else composed
