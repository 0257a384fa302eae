"""Which colour stands for what: swatches with labels, in as many lines as they need."""

from __future__ import annotations

import math
from dataclasses import dataclass

from heldout.charts.svg import SvgWriter, fitted, short_number, text_width
from heldout.charts.theme import INK, MUTED, class_colour, fill

LEGEND_SIZE = 12.0
LINE_HEIGHT = 22.0
WIDEST_LABEL = 190.0
_SWATCH, _SPACE = 18.0, 18.0


@dataclass(frozen=True)
class LegendEntry:
    """A label, and a smaller remark behind it."""

    label: str
    remark: str = ""


@dataclass(frozen=True)
class Legend:
    """Entries with their places, ready to be drawn.

    height: the room that it takes
    """

    entries: tuple[tuple[LegendEntry, str, float, float], ...]
    height: float

    def draw(self, writer: SvgWriter, left: float, top: float, has_markers: bool = False) -> None:
        """Write the entries; each has its full label as a title."""
        for index, (entry, label, x, y) in enumerate(self.entries):
            colour = fill(class_colour(index))
            writer.open("g")
            writer.leaf("title", f"{entry.label} {entry.remark}".strip())
            middle = top + y + LINE_HEIGHT / 2
            if has_markers:
                writer.leaf("path", d=marker_path(index, left + x + 6, middle, 5.0), **colour)
            else:
                writer.leaf("rect", x=left + x, y=middle - 6, width=12, height=12, rx=3, **colour)
            writer.open("text", x=left + x + _SWATCH, y=middle + 4, font_size=LEGEND_SIZE, **fill(INK))
            # Digits behind a word that is written to the left would be drawn before it.
            writer.leaf("tspan", label, unicode_bidi="isolate")
            if entry.remark:
                writer.leaf("tspan", entry.remark, dx=6, unicode_bidi="isolate", **fill(MUTED))
            writer.close()
            writer.close()


def flowed(entries: tuple[LegendEntry, ...], width: float) -> Legend:
    """The entries one after the other, with a new line where the width ends."""
    placed: list[tuple[LegendEntry, str, float, float]] = []
    x = y = 0.0
    for entry in entries:
        label = fitted(entry.label, WIDEST_LABEL, LEGEND_SIZE)
        needed = _SWATCH + text_width(label, LEGEND_SIZE)
        needed += text_width(entry.remark, LEGEND_SIZE) + 5 if entry.remark else 0.0
        if x > 0 and x + needed > width:
            x, y = 0.0, y + LINE_HEIGHT
        placed.append((entry, label, x, y))
        x += needed + _SPACE
    return Legend(tuple(placed), y + LINE_HEIGHT if placed else 0.0)


# A circle, and polygons of the same area: corners, first angle in turns, and every second corner's radius.
_POLYGONS = (
    (4, 0.125, 1.0),  # square
    (3, -0.25, 1.0),  # triangle up
    (4, 0.0, 1.0),  # diamond
    (3, 0.25, 1.0),  # triangle down
    (10, -0.25, 0.45),  # star
    (8, 0.0, 0.4),  # four-pointed star
    (6, 0.0, 1.0),  # hexagon
)


def marker_path(index: int, x: float, y: float, radius: float) -> str:
    """The marker of the class at this place of the legend, around a point, as path data."""
    shape = index % (len(_POLYGONS) + 1)
    if shape == 0:
        r, d = short_number(radius), short_number(2 * radius)
        return f"M{short_number(x - radius)} {short_number(y)}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0z"
    corners, first, inner = _POLYGONS[shape - 1]
    points = []
    for corner in range(corners):
        angle = 2 * math.pi * (first + corner / corners)
        reach = radius * 1.25 * (inner if corner % 2 and inner < 1 else 1.0)
        points.append(
            f"{short_number(x + reach * math.cos(angle))} {short_number(y + reach * math.sin(angle))}"
        )
    return f"M{'L'.join(points)}z"
