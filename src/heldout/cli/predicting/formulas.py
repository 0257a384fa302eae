"""Cells that a spreadsheet would run: text that begins as a formula does, made harmless by an apostrophe.

A file of predictions is opened with a spreadsheet sooner or later, and a cell such as =HYPERLINK(...) that a
stranger typed into a form is then run on the reader's machine. A number with a sign is no formula. Some
readers pass over blanks before a sign, and some take its full-width form, which East Asian keyboards have.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from heldout.table.strings import string_bytes

# RE2 and Python read both expressions alike: no \s, which is not the same in the two.
BEGINNING = r"^(?:[\t\r\n]|[ \t\r\n]*[-=+@＝＋－＠])"
GUARD = "'"
_CURRENCY = "[$€£¥₹]|USD|EUR|GBP|CHF|JPY"
# Digits with marks between them, a currency or percent: what a reader of tables takes for a number.
_BLANKS = " \u00a0\u202f"
_GAP, _END = f"[{_BLANKS}]*", rf"[{_BLANKS}\t\r\n]*$"
NUMBER = (
    rf"^ *[-+](?:{_GAP}(?:{_CURRENCY}))?{_GAP}(?:[0-9](?:[0-9.,'’{_BLANKS}]*[0-9])?[.,]?|[.,][0-9]+)"
    rf"(?:[eE][-+]?[0-9]+)?{_GAP}(?:%|{_CURRENCY})?{_END}|^ *[-+](?i:inf|infinity){_END}"
)
_BEGINNING, _NUMBER = re.compile(BEGINNING), re.compile(NUMBER)
# The first bytes of whatever may match BEGINNING; 0xEF begins the full-width signs.
_MAY_BEGIN = np.zeros(256, dtype=np.bool_)
_MAY_BEGIN[[*b"=+-@ \t\r\n", 0xEF]] = True


def is_formula(text: str) -> bool:
    """Would a spreadsheet take this text for a formula?"""
    return _BEGINNING.match(text) is not None and _NUMBER.match(text) is None


def guarded(text: str) -> str:
    """The text, which no spreadsheet runs."""
    return GUARD + text if is_formula(text) else text


def are_formulas(strings: Any) -> NDArray[np.bool_]:
    """One claim per value of a chunked Arrow array of strings."""
    parts = [_claims(chunk) for chunk in strings.chunks]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.bool_)


def _claims(chunk: Any) -> NDArray[np.bool_]:
    begins, ends, data = string_bytes(chunk)
    claims = np.zeros(len(chunk), dtype=np.bool_)
    if not len(chunk) or not len(data):
        return claims
    claims = _MAY_BEGIN[data.take(begins, mode="clip")] & (ends > begins)
    if chunk.null_count:
        claims &= ~np.asarray(chunk.is_null())
    if claims.any():
        found = chunk.filter(pa.array(claims))
        begins_so, is_number = (pc.match_substring_regex(found, pattern) for pattern in (BEGINNING, NUMBER))
        claims[claims] = np.asarray(pc.and_not(begins_so, is_number), dtype=np.bool_)
    return claims
