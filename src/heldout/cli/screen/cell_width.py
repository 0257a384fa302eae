"""Names as a terminal shows them: on one line, of a known width, and never a command to the terminal."""

from __future__ import annotations

import unicodedata

_JOINER, _EMOJI_STYLE = "\u200d", "\ufe0f"
_SKIN_TONES = ("\U0001f3fb", "\U0001f3ff")
# Whatever stands inside keeps its own direction, and what follows it keeps the one of the line.
_ISOLATE, _END_OF_ISOLATE = "\u2068", "\u2069"
_KEPT = (_JOINER, "\u200c", _ISOLATE, _END_OF_ISOLATE)
MOST_MARKS = 3
_RIGHT_TO_LEFT = ("R", "AL", "AN")


def width_of(text: str) -> int:
    """How many columns a text takes."""
    return len(text) if text.isascii() else sum(map(_width, text))


def _width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def shown_name(name: str, most: int, is_unicode: bool = True) -> str:
    """A name in at most so many columns: what cannot be shown is marked, what is too long is cut and says so.

    name:       of a column, a class or a contender, with whatever is in it
    most:       columns
    is_unicode: whether the terminal shows more than ASCII
    """
    bare = name.replace(_ISOLATE, "").replace(_END_OF_ISOLATE, "")
    text = settled(bare) if is_unicode else in_ascii(settled(bare))
    if width_of(text) > most:
        mark = "…" if is_unicode else "..."
        text = f"{_first_columns(text, most - len(mark)).rstrip()}{mark}"
    if any(unicodedata.bidirectional(character) in _RIGHT_TO_LEFT for character in text):
        return f"{_ISOLATE}{text}{_END_OF_ISOLATE}"
    return text


def padded(text: str, width: int, is_right: bool = False) -> str:
    """The text with spaces up to a width, by the columns that it takes."""
    spaces = " " * max(width - width_of(text), 0)
    return spaces + text if is_right else text + spaces


def settled(text: str) -> str:
    """Text in characters that every terminal shows alike: no commands, single emoji, few piled accents."""
    if text.isascii() and text.isprintable():
        return text
    found: list[str] = []
    n_marks = 0
    for character in text:
        kind = unicodedata.category(character)
        n_marks = n_marks + 1 if kind in ("Mn", "Me") else 0
        is_after_emoji = bool(found) and unicodedata.category(found[-1]) == "So"
        is_tone = _SKIN_TONES[0] <= character <= _SKIN_TONES[1]
        if n_marks > MOST_MARKS or character == _EMOJI_STYLE:
            continue
        if is_after_emoji and (character == _JOINER or is_tone):
            continue
        found.append(character if character.isprintable() or character in _KEPT else "�")
    return "".join(found)


def _first_columns(text: str, most: int) -> str:
    width = 0
    for place, character in enumerate(text):
        width += _width(character)
        if width > most:
            return text[:place]
    return text


_SIGNS = str.maketrans(
    {
        "≤": "<=",
        "≥": ">=",
        "≠": "!=",
        "×": "x",
        "−": "-",
        "–": "-",
        "—": "-",
        "…": "...",
        "·": "-",
        "•": "-",
        "●": "o",
        "►": ">",
        "◄": "<",
        "→": "->",
        "←": "<-",
        "✓": "+",
        "━": "-",
        "╺": "-",
        "╸": "-",
        "─": "-",
        "│": "|",
        "┊": ":",
        "├": "+",
        "└": "+",
        "┌": "+",
        "█": "#",
        "’": "'",
        "‘": "'",
        "“": '"',
        "”": '"',
        "±": "+/-",
        "∞": "infinity",
        "∈": "in",
        "λ": "lambda",
        "α": "alpha",
        "χ": "chi",
        "²": "^2",
        "\u00a0": " ",
        "\u2009": " ",
        "\u202f": " ",
        "�": "?",
        "\u2068": "",
        "\u2069": "",
    }
)


def in_ascii(text: str) -> str:
    r"""The same in ASCII: signs get a name or a likeness, other letters their number."""
    return text.translate(_SIGNS).encode("ascii", "backslashreplace").decode("ascii")
