"""Cells that a spreadsheet would run: text that begins as a formula does, made harmless by an apostrophe.

A file of predictions is opened with a spreadsheet sooner or later, and a cell such as =HYPERLINK(...) that a
stranger typed into a form is then run on the reader's machine. A number with a sign is no formula.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from heldout.table.strings import string_bytes

BEGINNINGS = "=+-@\t\r"
GUARD = "'"
_CURRENCY = "[$€£¥₹]|USD|EUR|GBP|CHF|JPY"
# Digits with marks between them, a currency or percent: what a reader of tables takes for a number.
_BLANKS = " \u00a0\u202f"
NUMBER = (
    rf"^[-+](?:\s*(?:{_CURRENCY}))?\s*(?:[0-9](?:[0-9.,'’{_BLANKS}]*[0-9])?[.,]?|[.,][0-9]+)"
    rf"(?:[eE][-+]?[0-9]+)?\s*(?:%|{_CURRENCY})?\s*$|^[-+](?i:inf|infinity)$"
)
_NUMBER = re.compile(NUMBER)
_BEGINS = np.zeros(256, dtype=np.bool_)
_BEGINS[list(BEGINNINGS.encode())] = True


def is_formula(text: str) -> bool:
    """Would a spreadsheet take this text for a formula?

    >>> [is_formula(text) for text in ("=1+1", "-5", "+3,5 %", "-x", "@now", "a=b", "-1+cmd|' /C calc'!A0")]
    [True, False, False, True, True, False, True]
    """
    return text[:1] in tuple(BEGINNINGS) and _NUMBER.match(text) is None


def guarded(text: str) -> str:
    """The text, which no spreadsheet runs.

    >>> guarded("=1+1"), guarded("-5")
    ("'=1+1", '-5')
    """
    return GUARD + text if is_formula(text) else text


def are_formulas(strings: Any) -> NDArray[np.bool_]:
    """One claim per value of a chunked Arrow array of strings.

    >>> are_formulas(pa.chunked_array([["=1", None, "-2", "x"]])).tolist()
    [True, False, False, False]
    """
    parts = [_claims(chunk) for chunk in strings.chunks]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.bool_)


def _claims(chunk: Any) -> NDArray[np.bool_]:
    begins, ends, data = string_bytes(chunk)
    claims = np.zeros(len(chunk), dtype=np.bool_)
    if not len(chunk) or not len(data):
        return claims
    claims = _BEGINS[data.take(begins, mode="clip")] & (ends > begins)
    if chunk.null_count:
        claims &= ~np.asarray(chunk.is_null())
    if claims.any():
        found = chunk.filter(pa.array(claims))
        claims[claims] = ~np.asarray(pc.match_substring_regex(found, NUMBER), dtype=np.bool_)
    return claims
