"""Text as a terminal shows it: how wide it is, in which signs and colors, in labelled paragraphs.

Names of columns and classes may hold anything: they are shown on one line, of a known width, and never as a
command to the terminal.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TextIO

_JOINER, _EMOJI_STYLE = "\u200d", "\ufe0f"
_SKIN_TONES = ("\U0001f3fb", "\U0001f3ff")
# Whatever stands inside keeps its own direction, and what follows it keeps the one of the line.
_ISOLATE, _END_OF_ISOLATE = "\u2068", "\u2069"
_KEPT = (_JOINER, "\u200c", _ISOLATE, _END_OF_ISOLATE)
MOST_MARKS = 3
_RIGHT_TO_LEFT = ("R", "AL", "AN")


def width_of(text: str) -> int:
    """How many columns a text takes."""
    return len(text) if text.isascii() else sum(map(_sign_width, text))


def _sign_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def shown_name(name: str, most: int, is_unicode: bool = True) -> str:
    """A name in at most so many columns; what cannot be shown is marked, and so is what was cut off."""
    bare = name.replace(_ISOLATE, "").replace(_END_OF_ISOLATE, "")
    text = printable(bare) if is_unicode else in_ascii(printable(bare))
    if width_of(text) > most:
        mark = "…" if is_unicode else "..."
        text = f"{_first_columns(text, most - len(mark)).rstrip()}{mark}"
    if any(unicodedata.bidirectional(character) in _RIGHT_TO_LEFT for character in text):
        return f"{_ISOLATE}{text}{_END_OF_ISOLATE}"
    return text


def pad(text: str, width: int, is_right: bool = False) -> str:
    """The text with spaces up to a width, by the columns that it takes."""
    spaces = " " * max(width - width_of(text), 0)
    return spaces + text if is_right else text + spaces


def printable(text: str) -> str:
    """Text in characters that every terminal shows alike: no commands, single emoji, few piled accents."""
    if text.isascii() and text.isprintable():
        return text
    shown: list[str] = []
    n_marks = 0
    for character in text:
        kind = unicodedata.category(character)
        n_marks = n_marks + 1 if kind in ("Mn", "Me") else 0
        is_after_emoji = bool(shown) and unicodedata.category(shown[-1]) == "So"
        is_tone = _SKIN_TONES[0] <= character <= _SKIN_TONES[1]
        if n_marks > MOST_MARKS or character == _EMOJI_STYLE:
            continue
        if is_after_emoji and (character == _JOINER or is_tone):
            continue
        shown.append(character if character.isprintable() or character in _KEPT else "�")
    return "".join(shown)


def _first_columns(text: str, most: int) -> str:
    width = 0
    for index, character in enumerate(text):
        width += _sign_width(character)
        if width > most:
            return text[:index]
    return text


# By what stands for them in ASCII, the signs that screens and texts use.
_LIKENESS = {
    "<=": "≤", ">=": "≥", "!=": "≠", "x": "×", "-": "−–—·•━╺╸─", "...": "…", "o": "●", ">": "►", "<": "◄",
    "->": "→", "<-": "←", "+": "✓├└┌", "|": "│", ":": "┊", "#": "█", "'": "’‘", '"': "“”", "+/-": "±",
    "infinity": "∞", "in": "∈", "lambda": "λ", "alpha": "α", "chi": "χ", "^2": "²", "?": "�",
    " ": "\u00a0\u2009\u202f", "": "\u2068\u2069",
}  # fmt: skip
_SIGNS = str.maketrans({sign: text for text, signs in _LIKENESS.items() for sign in signs})


def in_ascii(text: str) -> str:
    r"""The same in ASCII: signs get a name or a likeness, other letters their number."""
    return text.translate(_SIGNS).encode("ascii", "backslashreplace").decode("ascii")


USUAL_WIDTH = 80
NARROWEST = 40
# What the screens draw with; a terminal that cannot write one of them gets ASCII.
SIGNS = "━╺╸●┊│├└─…✓►≤"
# The locales that Python itself switches to where it finds a plain C (PEP 538).
_COERCED = ("C.UTF-8", "C.utf8", "UTF-8")
_STYLES = {"strong": "1", "faint": "2", "good": "1;32", "mark": "36", "warn": "33"}


@dataclass(frozen=True)
class Terminal:
    """Where a text will be read."""

    width: int = USUAL_WIDTH  # in columns
    is_unicode: bool = True  # whether it shows more than ASCII
    has_color: bool = False  # whether it takes colors

    def render(self, text: str) -> str:
        """The text in letters that this terminal has."""
        return text if self.is_unicode else in_ascii(text)

    def style(self, text: str, style: str) -> str:
        """The text in a color, where there are colors."""
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.has_color and text else text


def terminal_of(stream: TextIO, environment: Mapping[str, str] | None = None) -> Terminal:
    """The terminal behind a stream; for a file or a pipe 80 columns without color."""
    environment = os.environ if environment is None else environment
    is_there = _is_terminal(stream)
    return Terminal(
        _width(stream, environment, is_there),
        _is_unicode(stream, environment),
        _has_color(environment, is_there),
    )


def _is_terminal(stream: TextIO) -> bool:
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError):  # closed, or no stream at all
        return False


def _width(stream: TextIO, environment: Mapping[str, str], is_there: bool) -> int:
    wanted = environment.get("COLUMNS", "")
    if wanted.isdecimal() and int(wanted) > 0:
        return max(int(wanted), NARROWEST)
    if is_there:
        try:
            found = os.get_terminal_size(stream.fileno()).columns
        except (OSError, ValueError, AttributeError):
            found = 0
        if found > 0:
            return max(found, NARROWEST)
    return USUAL_WIDTH


def _is_unicode(stream: TextIO, environment: Mapping[str, str]) -> bool:
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        SIGNS.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    # Python writes UTF-8 even where the locale is a plain C, but whoever asked for one reads ASCII.
    wanted = environment.get("LC_ALL") or environment.get("LC_CTYPE") or environment.get("LANG") or ""
    if wanted in _COERCED and not environment.get("LC_ALL") and environment.get("LANG") in ("C", "POSIX"):
        wanted = "C"
    return wanted not in ("C", "POSIX") or bool(environment.get("PYTHONIOENCODING"))


def _has_color(environment: Mapping[str, str], is_there: bool) -> bool:
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return is_there and environment.get("TERM", "") != "dumb"


GUTTER = 11
# Longer lines are hard to read, however wide the terminal is.
WIDEST_TEXT = 100


def wrap(text: str, width: int) -> list[str]:
    """The text in lines of at most so many columns; a word that is longer is cut."""
    lines, line = [], ""
    for word in text.split():
        joined = f"{line} {word}" if line else word
        if width_of(joined) <= width:
            line = joined
            continue
        lines += [line] if line else []
        *full, line = _pieces(word, width)
        lines += full
    return [*lines, line] if line else lines


def _pieces(word: str, width: int) -> list[str]:
    pieces, piece = [], ""
    for character in word:
        if piece and width_of(piece + character) > width:
            pieces.append(piece)
            piece = ""
        piece += character
    return [*pieces, piece]


def labelled(
    label: str, texts: Sequence[str], terminal: Terminal, most_lines: int | None = None, style: str = ""
) -> list[str]:
    """A label in the margin, and beside it each text in lines of its own."""
    width = text_width(terminal)
    lines: list[str] = []
    for text in texts:
        found = wrap(terminal.render(printable(text)), width)
        if most_lines is not None and len(found) > most_lines:
            found = [*found[: most_lines - 1], _cut(found[most_lines - 1], width, terminal.render("…"))]
        lines += found
    margin = terminal.style(pad(f"  {label}", GUTTER), "mark") if label else " " * GUTTER
    shown = [terminal.style(line, style) if style else line for line in lines]
    return [f"{margin if not row else ' ' * GUTTER}{line}" for row, line in enumerate(shown)]


def text_width(terminal: Terminal) -> int:
    """The columns that are left for sentences."""
    return min(terminal.width, WIDEST_TEXT) - GUTTER


def _cut(line: str, width: int, mark: str) -> str:
    while width_of(line) > width - len(mark):
        line = line[:-1]
    return f"{line.rstrip()}{mark}"
