"""Lines of text that fit a terminal: notes as paragraphs, cells in columns."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

WIDTH = 80


def note_lines(notes: Sequence[str]) -> list[str]:
    """Each note as a wrapped paragraph with a dash."""
    return [
        line
        for note in notes
        for line in textwrap.wrap(
            note, WIDTH, initial_indent="  - ", subsequent_indent="    ", break_on_hyphens=False
        )
    ]


def align_cells(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Cells in columns under each other; the last is wrapped to what is left of the line."""
    widths = [max(len(row[position]) for row in rows) for position in range(len(rows[0]) - 1)]
    left_over = WIDTH - sum(widths) - 2 * len(rows[0])
    lines = []
    for row in rows:
        start = "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)) + "  "
        wrapped = textwrap.wrap(row[-1], max(left_over, 12), break_on_hyphens=False) or [""]
        lines.append((start + wrapped[0]).rstrip())
        lines += [" " * len(start) + line for line in wrapped[1:]]
    return lines
