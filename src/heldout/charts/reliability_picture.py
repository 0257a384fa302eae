"""A reliability diagram: what happened over what was said, with the diagonal on which they agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heldout.charts.axes import (
    MARGIN,
    NARROW_WIDTH,
    PictureAxis,
    draw_caption,
    draw_diagonal,
    draw_frame,
    draw_x_axis,
    draw_y_axis,
    framed,
    upright_whisker,
    y_axis_room,
)
from heldout.charts.scales import NumberScale
from heldout.charts.svg import Box, SvgWriter, at
from heldout.charts.theme import EDGE, class_colour, fill, stroke

PLANE = 400.0
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

    predicted: float
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
        draw_caption(writer, caption, width)
    draw_frame(writer, ground)
    draw_diagonal(writer, ground)
    heaviest = max(each.weight for each in bins)
    for each in bins:
        _draw_bar(writer, ground.x(scale.position(each.predicted)), each.weight / heaviest, ground)
    points = [
        at(ground.x(scale.position(each.predicted)), ground.y(scale.position(each.happened))) for each in bins
    ]
    writer.leaf("path", d=f"M{'L'.join(points)}", stroke_width=1.5, **stroke(class_colour(0)))
    for each in bins:
        _draw_bin(writer, each, scale, ground)
    draw_x_axis(writer, across, ground)
    draw_y_axis(writer, upwards, ground)
    return framed(writer.text, width, ground.bottom + 46 + MARGIN, title, description)


def _draw_bar(writer: SvgWriter, middle: float, height: float, ground: Box) -> None:
    """How much the bin weighs, at the bottom of the plane."""
    tall = height * _HIGHEST_BAR
    x = min(max(middle - _BAR_WIDTH / 2, ground.left), ground.right - _BAR_WIDTH)
    box = {"x": x, "y": ground.bottom - tall, "width": _BAR_WIDTH, "height": tall}
    writer.leaf("rect", **box, fill_opacity=0.5, **fill(EDGE))


def _draw_bin(writer: SvgWriter, each: PictureBin, scale: NumberScale, ground: Box) -> None:
    x, low, high = (
        ground.x(scale.position(each.predicted)),
        ground.y(scale.position(each.low)),
        ground.y(scale.position(each.high)),
    )
    writer.open("g")
    writer.leaf("title", each.title)
    writer.leaf("path", d=upright_whisker(x, low, high, _CAP), stroke_width=1.5, **stroke(class_colour(0)))
    writer.leaf("circle", cx=x, cy=ground.y(scale.position(each.happened)), r=4.5, **fill(class_colour(0)))
    writer.close()
