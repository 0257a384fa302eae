"""A figure: what it shows in one line, its picture, and the numbers of the picture as a table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One picture of a page, with the words and numbers that belong to it.

    title:    what is drawn
    takeaway: what to see in it, in one line
    picture:  SVG; empty where there is nothing to draw
    narrow:   the same for a telephone; empty where one picture fits both
    headings: of the table with the numbers of the picture
    rows:     of that table, as texts
    caption:  of that table
    notes:    what else has to be said, in sentences
    """

    title: str
    takeaway: str
    picture: str = ""
    narrow: str = ""
    headings: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    caption: str = ""
    notes: tuple[str, ...] = ()
