"""A reliability diagram: what happened over what was said, with the diagonal on which they agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heldout.charts.axes import MARGIN, PictureAxis, draw_text, draw_x_axis, draw_y_axis, framed, y_axis_room
from heldout.charts.scales import NumberScale
from heldout.charts.svg import SvgWriter, fitted, short_number
from heldout.charts.theme import EDGE, LINE, MUTED, class_colour, fill, stroke
from heldout.charts.tree_cards import Box

PLANE = 400.0
# What a telephone of 360 pixels leaves beside the margins of a page.
NARROW_WIDTH = 328.0
CAPTION_SIZE = 12.0
_HIGHEST_BAR = 56.0
_BAR_WIDTH = 8.0
_CAP = 4.0


@dataclass(frozen=True)
class PictureBin:
    """A point of the diagram, every number between 0 and 1 but the weight.

    said:      the mean probability
    happened:  the share
    low, high: the interval of the share
    weight:    of its rows, for the bar at the bottom
    title:     what it says in words
    """

    said: float
    happened: float
    low: float
    high: float
    weight: float
    title: str


def reliability_svg(
    bins: Sequence[PictureBin],
    title: str,
    caption: str,
    description: str,
    is_narrow: bool = False,
    ends: tuple[float, float] = (0.0, 1.0),
) -> str:
    """The picture as an SVG document.

    is_narrow: whether it fits a telephone: the caption is left to the page
    ends:      of both axes
    """
    scale = NumberScale(*ends)
    ticks = scale.ticks
    across, upwards = (
        PictureAxis("what was said: mean probability", ticks),
        PictureAxis("what happened: share", ticks),
    )
    left = MARGIN + y_axis_room(upwards)
    width = NARROW_WIDTH if is_narrow else left + PLANE + 2 * MARGIN
    side = NARROW_WIDTH - left - MARGIN if is_narrow else PLANE
    ground = Box(left, MARGIN if is_narrow else MARGIN + 26, side, side)
    writer = SvgWriter()
    if not is_narrow:
        place = {"x": MARGIN, "y": MARGIN + 10, "font_size": CAPTION_SIZE}
        draw_text(writer, fitted(caption, width - 2 * MARGIN, CAPTION_SIZE), caption, place, "start", MUTED)
    writer.leaf("rect", x=left, y=ground.top, width=side, height=side, **stroke(LINE))
    diagonal = f"M{short_number(left)} {short_number(ground.bottom)}L{short_number(ground.right)} "
    diagonal += short_number(ground.top)
    writer.leaf("path", d=diagonal, stroke_dasharray="4 4", **stroke(EDGE))
    heaviest = max(each.weight for each in bins)
    for each in bins:
        _draw_bar(writer, _x(each.said, scale, ground), each.weight / heaviest, ground)
    spots = [(_x(each.said, scale, ground), _y(each.happened, scale, ground)) for each in bins]
    points = [f"{short_number(x)} {short_number(y)}" for x, y in spots]
    writer.leaf("path", d=f"M{'L'.join(points)}", stroke_width=1.5, **stroke(class_colour(0)))
    for each in bins:
        _draw_bin(writer, each, scale, ground)
    draw_x_axis(writer, across, ground)
    draw_y_axis(writer, upwards, ground)
    return framed(writer.text, width, ground.bottom + 46 + MARGIN, title, description)


def _x(share: float, scale: NumberScale, ground: Box) -> float:
    return ground.left + float(scale.positions(np.array([share]))[0]) * ground.width


def _y(share: float, scale: NumberScale, ground: Box) -> float:
    return ground.bottom - float(scale.positions(np.array([share]))[0]) * ground.height


def _draw_bar(writer: SvgWriter, middle: float, height: float, ground: Box) -> None:
    """How much the bin weighs, at the bottom of the plane."""
    tall = height * _HIGHEST_BAR
    x = min(max(middle - _BAR_WIDTH / 2, ground.left), ground.right - _BAR_WIDTH)
    box = {"x": x, "y": ground.bottom - tall, "width": _BAR_WIDTH, "height": tall}
    writer.leaf("rect", **box, fill_opacity=0.5, **fill(EDGE))


def _draw_bin(writer: SvgWriter, each: PictureBin, scale: NumberScale, ground: Box) -> None:
    x, low, high = _x(each.said, scale, ground), _y(each.low, scale, ground), _y(each.high, scale, ground)
    writer.open("g")
    writer.leaf("title", each.title)
    line = f"M{short_number(x)} {short_number(low)}V{short_number(high)}"
    for end in (low, high):
        line += f"M{short_number(x - _CAP)} {short_number(end)}h{short_number(2 * _CAP)}"
    writer.leaf("path", d=line, stroke_width=1.5, **stroke(class_colour(0)))
    writer.leaf("circle", cx=x, cy=_y(each.happened, scale, ground), r=4.5, **fill(class_colour(0)))
    writer.close()
