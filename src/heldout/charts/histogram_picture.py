"""Bars over ranges of a number, each with how far folds scatter."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from heldout.charts.axes import (
    MARGIN,
    NARROW_TICKS,
    NARROW_WIDTH,
    PictureAxis,
    draw_caption,
    draw_frame,
    draw_x_axis,
    draw_y_axis,
    framed,
    upright_whisker,
    y_axis_room,
)
from heldout.charts.scales import NumberScale, thin_ticks
from heldout.charts.svg import Box, SvgWriter, at, short_number
from heldout.charts.theme import EDGE, INK, class_colour, fill, stroke

PLANE_WIDTH, PLANE_HEIGHT = 560.0, 280.0
NARROW_HEIGHT = 200.0
BAR_OPACITY = 0.45
_CAP = 3.0


@dataclass(frozen=True)
class PictureBar:
    """A range of the number.

    low, high:       where it begins and ends
    share:           how high the bar is
    from_, to:       the ends of the line over it; NaN for none
    title:           what it says in words
    """

    low: float
    high: float
    share: float
    from_: float
    to: float
    title: str


@dataclass(frozen=True)
class HistogramPicture:
    """Everything that the picture shows.

    x, y:      what the axes measure
    bars:      from left to right
    level:     a number at which a dashed line stands upright
    is_narrow: whether it fits a telephone: the caption is left to the page
    """

    title: str
    caption: str
    description: str
    x: str
    y: str
    bars: Sequence[PictureBar]
    level: float = 0.0
    is_narrow: bool = False


def histogram_svg(picture: HistogramPicture) -> str:
    """The picture as an SVG document."""
    bars = picture.bars
    x_scale = NumberScale(min(bars[0].low, picture.level), max(bars[-1].high, picture.level))
    highest = max(number for bar in bars for number in (bar.share, bar.to) if math.isfinite(number))
    y_scale = NumberScale(0.0, highest * 1.06)
    upwards = PictureAxis(picture.y, y_scale.ticks)
    left = MARGIN + y_axis_room(upwards)
    wide = NARROW_WIDTH - left - MARGIN if picture.is_narrow else PLANE_WIDTH
    high = NARROW_HEIGHT if picture.is_narrow else PLANE_HEIGHT
    writer = SvgWriter()
    top = MARGIN
    if not picture.is_narrow:
        draw_caption(writer, picture.caption, left + wide + MARGIN)
        top += 26
    ground = Box(left, top, wide, high)
    for bar in bars:
        _draw_bar(writer, bar, x_scale, y_scale, ground)
    draw_frame(writer, ground)
    rule = f"M{at(ground.x(x_scale.position(picture.level)), ground.top)}v{short_number(high)}"
    writer.leaf("path", d=rule, stroke_dasharray="4 4", stroke_width=1.5, **stroke(EDGE))
    ticks = thin_ticks(x_scale.ticks, NARROW_TICKS) if picture.is_narrow else x_scale.ticks
    draw_x_axis(writer, PictureAxis(picture.x, ticks), ground)
    draw_y_axis(writer, upwards, ground)
    width, height = left + wide + MARGIN, ground.bottom + 46 + MARGIN
    return framed(writer.text, width, height, picture.title, picture.description)


def _draw_bar(
    writer: SvgWriter, bar: PictureBar, x_scale: NumberScale, y_scale: NumberScale, ground: Box
) -> None:
    left, right = ground.x(x_scale.position(bar.low)), ground.x(x_scale.position(bar.high))
    top = ground.y(y_scale.position(bar.share))
    writer.open("g")
    writer.leaf("title", bar.title)
    box = {"x": left + 0.5, "y": top, "width": max(right - left - 1, 0.5), "height": ground.bottom - top}
    writer.leaf("rect", **box, fill_opacity=BAR_OPACITY, **fill(class_colour(0)))
    if math.isfinite(bar.from_) and math.isfinite(bar.to):
        middle = (left + right) / 2
        low, high = ground.y(y_scale.position(bar.from_)), ground.y(y_scale.position(bar.to))
        line = upright_whisker(middle, low, high, _CAP)
        writer.leaf("path", d=line, stroke_width=1.2, **stroke(INK))
    writer.close()
