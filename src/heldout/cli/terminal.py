"""What a terminal can show: how wide it is, whether it knows more than ASCII, whether it has colors."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from heldout.cli.screen.cell_width import in_ascii

USUAL_WIDTH = 80
NARROWEST = 40
# What the screens draw with; a terminal that cannot write one of them gets ASCII.
SIGNS = "━╺╸●┊│├└─…✓►≤"
# The locales that Python itself switches to where it finds a plain C (PEP 538).
_COERCED = ("C.UTF-8", "C.utf8", "UTF-8")
_STYLES = {"strong": "1", "faint": "2", "good": "1;32", "mark": "36", "warn": "33"}


@dataclass(frozen=True)
class Terminal:
    """Where a text will be read.

    width:      in columns
    is_unicode: whether it shows more than ASCII
    has_color:  whether it takes colors
    """

    width: int = USUAL_WIDTH
    is_unicode: bool = True
    has_color: bool = False

    def written(self, text: str) -> str:
        """The text in letters that this terminal has."""
        return text if self.is_unicode else in_ascii(text)

    def styled(self, text: str, style: str) -> str:
        """The text in a color, where there are colors.

        style: "strong", "faint", "good", "mark" or "warn"
        """
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.has_color and text else text


def terminal_of(stream: Any, environment: Mapping[str, str] | None = None) -> Terminal:
    """The terminal behind a stream; for a file or a pipe 80 columns without color.

    stream:      such as sys.stdout
    environment: left out, that of this process: COLUMNS, NO_COLOR, FORCE_COLOR, TERM and the locale count
    """
    told = os.environ if environment is None else environment
    is_there = _is_terminal(stream)
    return Terminal(_width(stream, told, is_there), _is_unicode(stream, told), _has_color(told, is_there))


def _is_terminal(stream: Any) -> bool:
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError):  # closed, or no stream at all
        return False


def _width(stream: Any, told: Mapping[str, str], is_there: bool) -> int:
    asked = told.get("COLUMNS", "")
    if asked.isdecimal() and int(asked) > 0:
        return max(int(asked), NARROWEST)
    if is_there:
        try:
            found = os.get_terminal_size(stream.fileno()).columns
        except (OSError, ValueError, AttributeError):
            found = 0
        if found > 0:
            return max(found, NARROWEST)
    return USUAL_WIDTH


def _is_unicode(stream: Any, told: Mapping[str, str]) -> bool:
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        SIGNS.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    # Python writes UTF-8 even where the locale is a plain C, but whoever asked for one reads ASCII.
    asked = told.get("LC_ALL") or told.get("LC_CTYPE") or told.get("LANG") or ""
    if asked in _COERCED and not told.get("LC_ALL") and told.get("LANG") in ("C", "POSIX"):
        asked = "C"
    return asked not in ("C", "POSIX") or bool(told.get("PYTHONIOENCODING"))


def _has_color(told: Mapping[str, str], is_there: bool) -> bool:
    if told.get("NO_COLOR"):
        return False
    if told.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return is_there and told.get("TERM", "") != "dumb"
