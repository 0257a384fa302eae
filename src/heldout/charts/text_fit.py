"""How wide a text is, and what of it fits.

No font is measured: the picture is shown in whatever sans-serif the reader has. The widths are those of a
wide one, so that a narrower one leaves some air and none runs out of its box.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

ELLIPSIS = "…"
_ROUNDING = 0.01  # a box that was made for a text holds it
_NARROW = frozenset("ijltfrI.,:;'|!()[]{}/\\ -·")
_WIDE = frozenset("mwMW@%&—…≤≥<>=+#~")


def text_width(text: str, size: float) -> float:
    """The width in pixels of a text of this size.

    >>> text_width("mm", 10) > text_width("nn", 10) > text_width("ll", 10)
    True
    """
    return sum(map(_em_width, text)) * size


def fitted(text: str, width: float, size: float) -> str:
    """The text, or as much of its beginning as fits, with an ellipsis.

    >>> fitted("short", 200, 12), fitted("a name without end", 60, 12)
    ('short', 'a name…')
    """
    if text_width(text, size) <= width + _ROUNDING:
        return text
    left = width / size - _em_width(ELLIPSIS)
    kept = 0
    for character in text:
        left -= _em_width(character)
        if left < 0:
            break
        kept += 1
    return text[:kept].rstrip() + ELLIPSIS


@lru_cache(maxsize=4096)
def _em_width(character: str) -> float:
    if unicodedata.combining(character):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.0
    if character in _NARROW:
        return 0.39
    if character in _WIDE:
        return 0.92
    return 0.72 if character.isupper() else 0.62
