"""A small writer of SVG: elements in order, every text and attribute escaped, numbers kept short."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

Value = str | float | int

# What XML 1.0 cannot hold, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# Written here: xml.sax.saxutils, which has the same, imports half of urllib.
_ESCAPES = str.maketrans(
    {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        '"': "&quot;",
        "'": "&#39;",
        "\n": "&#10;",
        "\r": "&#13;",
        "\t": "&#9;",
    }
)


class SvgWriter:
    """Elements written one after the other."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._open: list[str] = []

    def open(self, name: str, /, **attributes: Value) -> None:
        """Begin an element; `class_` is class, and an underscore within a name is a hyphen."""
        self._parts.append(f"<{name}{_attributes(attributes)}>")
        self._open.append(name)

    def close(self) -> None:
        """End the element that was begun last."""
        self._parts.append(f"</{self._open.pop()}>")

    def leaf(self, name: str, content: str | None = None, /, **attributes: Value) -> None:
        """An element with text in it, or with nothing."""
        start = f"<{name}{_attributes(attributes)}"
        self._parts.append(f"{start}/>" if content is None else f"{start}>{escaped(content)}</{name}>")

    def markup(self, text: str) -> None:
        """What this writer, or the theme, has made: it is not escaped again."""
        self._parts.append(text)

    @property
    def text(self) -> str:
        return "".join(self._parts)


def escaped(text: str) -> str:
    """The text as it may stand anywhere in XML; what XML cannot hold becomes U+FFFD."""
    return _FORBIDDEN.sub("\ufffd", text).translate(_ESCAPES)


def short_number(number: float) -> str:
    """Two decimals are enough for a picture."""
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def at(x: float, y: float) -> str:
    """A point in the data of a path."""
    return f"{short_number(x)} {short_number(y)}"


def _attributes(attributes: dict[str, Value]) -> str:
    return "".join(
        f' {name.rstrip("_").replace("_", "-")}="{_shown(value)}"' for name, value in attributes.items()
    )


def _shown(value: Value) -> str:
    return escaped(value) if isinstance(value, str) else short_number(value)


ELLIPSIS = "…"
_ROUNDING = 0.01  # a box that was made for a text holds it
_NARROW = frozenset("ijltfrI.,:;'|!()[]{}/\\ -·")
_WIDE = frozenset("mwMW@%&—…≤≥<>=+#~")


def text_width(text: str, size: float) -> float:
    """The width in pixels of a text of this size."""
    return sum(map(_em_width, text)) * size


def fitted(text: str, width: float, size: float) -> str:
    """The text, or as much of its beginning as fits, with an ellipsis."""
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


@dataclass(frozen=True)
class Box:
    """A rectangle of a picture: a card, or the plane in which numbers stand."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height

    @property
    def center(self) -> float:
        return self.left + self.width / 2

    @property
    def middle(self) -> float:
        return self.top + self.height / 2

    def moved(self, x: float, y: float) -> Box:
        return Box(self.left + x, self.top + y, self.width, self.height)

    def x(self, position: float) -> float:
        """Where a position between 0 and 1 lies from left to right."""
        return self.left + position * self.width

    def y(self, position: float) -> float:
        """Where a position between 0 and 1 lies, counted from the bottom."""
        return self.bottom - position * self.height
