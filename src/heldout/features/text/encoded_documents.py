"""Documents as the core wants them: composed, in small letters if that is wanted, as UTF-8."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import numpy as np

from heldout.features.text.given_documents import refuse_surrogates
from heldout.native.text import Documents

# Python puts the marks behind a letter in order by moving each past all others: 80,000 take 5 s.
MOST_MARKS = 256
_STEP = 32
_MANY_MARKS = re.compile(b"\1{%d,}" % (MOST_MARKS + 1))
_MANY_STEPS = re.compile(b"\1{%d}" % (MOST_MARKS // _STEP))


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

    Small letters are composed anew: J with a caron has no character of its own, j with one has. Of more than
    256 marks in a row, which no language has, those beyond stay as they are.

    >>> normal_form("E\\u0301T\\u00c9", lowercase=True)
    'été'
    """
    composed = _composed_in_pieces if _may_have_many_marks(text) else _composed
    return composed(composed(text).lower()) if lowercase else composed(text)


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _composed_in_pieces(text: str) -> str:
    pieces, start = [], 0
    for run in _MANY_MARKS.finditer(_is_mark(text)):
        beyond = run.start() + MOST_MARKS
        pieces += [_composed(text[start:beyond]), text[beyond : run.end()]]
        start = run.end()
    return "".join([*pieces, _composed(text[start:])])


def _may_have_many_marks(text: str) -> bool:
    """Whether marks stand at so many steps in a row as more than MOST_MARKS must."""
    return len(text) > MOST_MARKS and _MANY_STEPS.search(_is_mark(text[::_STEP])) is not None


def _is_mark(text: str) -> bytes:
    return bytes([unicodedata.category(character)[0] == "M" for character in text])
