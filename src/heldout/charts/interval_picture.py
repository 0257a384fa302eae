"""Estimates with their intervals, one below the other on a common axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from heldout.charts.axes import (
    CAPTION_SIZE,
    LABEL_SIZE,
    MARGIN,
    NARROW_TICKS,
    NARROW_WIDTH,
    PictureAxis,
    draw_frame,
    draw_x_axis,
    framed,
    level_whisker,
)
from heldout.charts.scales import NumberScale, spanning_scale, thin_ticks
from heldout.charts.svg import Box, SvgWriter, at, fitted, short_number, text_width
from heldout.charts.theme import EDGE, INK, MUTED, class_colour, fill, stroke

PLANE_WIDTH = 420.0
ROW_HEIGHT = 30.0
WIDEST_LABEL = 220.0
NARROW_ROW = 42.0
_CAP = 5.0


@dataclass(frozen=True)
class PictureInterval:
    """One line of the picture.

    label:     what is written on the left
    estimate:  where the dot stands; NaN for none
    low, high: the ends of the line; NaN for none
    title:     what it says in words
    place:     of its colour
    """

    label: str
    estimate: float
    low: float
    high: float
    title: str
    index: int = 0


def interval_svg(
    intervals: Sequence[PictureInterval],
    title: str,
    caption: str = "",
    reference: float | None = None,
    ends: tuple[float, float] | None = None,
    axis: str = "",
    is_narrow: bool = False,
) -> str:
    """The picture as an SVG document.

    reference: a value at which a dashed line stands
    ends:      of the axis; left out, it spans everything that is drawn
    axis:      what is measured
    is_narrow: whether it fits a telephone: labels then stand above their lines
    """
    scale = NumberScale(*ends) if ends is not None else _spanning(intervals, reference)
    widest = max([text_width(each.label, LABEL_SIZE) for each in intervals], default=0.0)
    left = MARGIN if is_narrow else MARGIN + min(widest, WIDEST_LABEL) + 12
    width = NARROW_WIDTH if is_narrow else left + PLANE_WIDTH + MARGIN
    row_height = NARROW_ROW if is_narrow else ROW_HEIGHT
    writer = SvgWriter()
    shown_caption = fitted(caption or title, width - 2 * MARGIN, CAPTION_SIZE)
    writer.leaf("text", shown_caption, x=MARGIN, y=MARGIN + 10, font_size=CAPTION_SIZE, **fill(MUTED))
    ground = Box(left, MARGIN + 26, width - left - MARGIN, row_height * max(len(intervals), 1))
    draw_frame(writer, ground)
    if reference is not None:
        rule = f"M{at(ground.x(scale.position(reference)), ground.top)}v{short_number(ground.height)}"
        writer.leaf("path", d=rule, stroke_dasharray="4 4", **stroke(EDGE))
    for row, each in enumerate(intervals):
        middle = ground.top + (row + (0.68 if is_narrow else 0.5)) * row_height
        _draw_interval(writer, each, scale, ground, middle, is_narrow)
    ticks = thin_ticks(scale.ticks, NARROW_TICKS) if is_narrow else scale.ticks
    draw_x_axis(writer, PictureAxis(axis or title, ticks), ground)
    description = " ".join(each.title for each in intervals[:20])
    return framed(writer.text, width, ground.bottom + 46 + MARGIN, title, description)


def _spanning(intervals: Sequence[PictureInterval], reference: float | None) -> NumberScale:
    numbers = [number for each in intervals for number in (each.estimate, each.low, each.high)]
    if reference is not None:
        numbers.append(reference)
    return spanning_scale([number for number in numbers if math.isfinite(number)])


def _draw_interval(
    writer: SvgWriter, each: PictureInterval, scale: NumberScale, ground: Box, y: float, is_narrow: bool
) -> None:
    writer.open("g")
    writer.leaf("title", each.title)
    label = fitted(each.label, ground.width - 12 if is_narrow else WIDEST_LABEL, LABEL_SIZE)
    position = {"x": ground.left - 10, "y": y + 4, "font_size": LABEL_SIZE}
    if is_narrow:
        position |= {"x": ground.left + 6, "y": y - 11}
    writer.leaf("text", label, text_anchor="start" if is_narrow else "end", **position, **fill(INK))
    colour = class_colour(each.index)
    # An infinite end stands at the end of the axis; one that is not known is not drawn.
    if not (math.isnan(each.low) or math.isnan(each.high)):
        low, high = (ground.x(scale.position(end)) for end in (each.low, each.high))
        writer.leaf("path", d=level_whisker(y, low, high, _CAP), stroke_width=2.0, **stroke(colour))
    if not math.isnan(each.estimate):
        writer.leaf("circle", cx=ground.x(scale.position(each.estimate)), cy=y, r=4.5, **fill(colour))
    writer.close()
