"""Sentences in lines of a terminal, with a word before them that says what they are about."""

from __future__ import annotations

from collections.abc import Sequence

from heldout.cli.screen.cell_width import padded, settled, width_of
from heldout.cli.terminal import Terminal

GUTTER = 11
# Longer lines are hard to read, however wide the terminal is.
WIDEST_TEXT = 100


def wrapped(text: str, width: int) -> list[str]:
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
    """A label in the margin, and beside it each text in lines of its own.

    label:      one short word
    texts:      sentences
    terminal:   where it will be read
    most_lines: for each text; what is cut ends in a mark
    style:      of the texts, where there are colors
    """
    width = text_width(terminal)
    lines: list[str] = []
    for text in texts:
        found = wrapped(terminal.written(settled(text)), width)
        if most_lines is not None and len(found) > most_lines:
            found = [*found[: most_lines - 1], _cut(found[most_lines - 1], width, terminal.written("…"))]
        lines += found
    margin = terminal.styled(padded(f"  {label}", GUTTER), "mark") if label else " " * GUTTER
    shown = [terminal.styled(line, style) if style else line for line in lines]
    return [f"{margin if not place else ' ' * GUTTER}{line}" for place, line in enumerate(shown)]


def text_width(terminal: Terminal) -> int:
    """The columns that are left for sentences."""
    return min(terminal.width, WIDEST_TEXT) - GUTTER


def _cut(line: str, width: int, mark: str) -> str:
    while width_of(line) > width - len(mark):
        line = line[:-1]
    return f"{line.rstrip()}{mark}"
