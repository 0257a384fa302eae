"""What something costs against what it brings: points with intervals over an axis of powers, each named."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from heldout.charts.axes import (
    LABEL_SIZE,
    MARGIN,
    NARROW_TICKS,
    NARROW_WIDTH,
    PictureAxis,
    draw_frame,
    draw_x_axis,
    draw_y_axis,
    framed,
    upright_whisker,
    y_axis_room,
)
from heldout.charts.line_picture import NARROW_HEIGHT
from heldout.charts.scales import NumberScale, Tick, spanning_scale, thin_ticks
from heldout.charts.spread_picture import positions_across
from heldout.charts.svg import Box, SvgWriter, fitted, text_width
from heldout.charts.theme import INK, OTHER_COLOUR, PAPER, class_colour, fill, stroke

WIDE_WIDTH, WIDE_HEIGHT = 640.0, 300.0
WIDEST_NAME, WIDEST_NARROW_NAME = 160.0, 90.0
_RADIUS, _CAP, _AIR = 5.0, 4.0, 9.0


@dataclass(frozen=True)
class TradeoffPoint:
    """One point of the picture.

    name:      what is written beside it
    across:    a number above 0
    estimate, low, high: how high it stands, and the ends of its line; NaN for a line that is not known
    title:     what it says in words
    is_marked: whether it stands out from the others
    """

    name: str
    across: float
    estimate: float
    low: float
    high: float
    title: str
    is_marked: bool = False


def tradeoff_svg(
    points: Sequence[TradeoffPoint], title: str, description: str, x: str, y: str, is_narrow: bool = False
) -> str:
    """The picture as an SVG document.

    x, y:      what the axes measure
    is_narrow: whether it fits a telephone
    """
    ordered = sorted(points, key=lambda point: point.across)
    positions, ticks = _across([point.across for point in ordered])
    numbers = [number for each in ordered for number in (each.estimate, each.low, each.high)]
    scale = spanning_scale([number for number in numbers if math.isfinite(number)])
    axis = PictureAxis(y, scale.ticks)
    left = MARGIN + y_axis_room(axis)
    width, height = (NARROW_WIDTH, NARROW_HEIGHT) if is_narrow else (WIDE_WIDTH, WIDE_HEIGHT)
    ground = Box(left, MARGIN, width - left - MARGIN, height)
    writer = SvgWriter()
    draw_frame(writer, ground)
    marks = [_position(point, index, scale, ground) for point, index in zip(ordered, positions, strict=True)]
    for point, (across, down) in zip(ordered, marks, strict=True):
        _draw_point(writer, point, across, down, scale, ground)
    _draw_names(writer, ordered, marks, ground, WIDEST_NARROW_NAME if is_narrow else WIDEST_NAME)
    draw_x_axis(writer, PictureAxis(x, thin_ticks(ticks, NARROW_TICKS) if is_narrow else ticks), ground)
    draw_y_axis(writer, axis, ground)
    return framed(writer.text, width, ground.bottom + 46 + MARGIN, title, description)


def _across(numbers: Sequence[float]) -> tuple[list[float], tuple[Tick, ...]]:
    """Positions and ticks; equal numbers stand at the same place."""
    distinct = sorted(set(numbers))
    if len(distinct) == 1:
        return [0.5] * len(numbers), ()
    positions, ticks = positions_across(distinct)
    return [positions[distinct.index(number)] for number in numbers], ticks


def _position(point: TradeoffPoint, position: float, scale: NumberScale, ground: Box) -> tuple[float, float]:
    return ground.x(position), ground.y(scale.position(point.estimate))


def _draw_point(
    writer: SvgWriter, point: TradeoffPoint, across: float, down: float, scale: NumberScale, ground: Box
) -> None:
    colour = class_colour(0) if point.is_marked else OTHER_COLOUR
    writer.open("g")
    writer.leaf("title", point.title)
    if not (math.isnan(point.low) or math.isnan(point.high)):
        low, high = (ground.y(scale.position(end)) for end in (point.low, point.high))
        writer.leaf("path", d=upright_whisker(across, low, high, _CAP), stroke_width=2.0, **stroke(colour))
    writer.leaf("circle", cx=across, cy=down, r=_RADIUS, **fill(colour))
    writer.close()


def _draw_names(
    writer: SvgWriter,
    points: Sequence[TradeoffPoint],
    positions: Sequence[tuple[float, float]],
    ground: Box,
    widest: float,
) -> None:
    """Each name where it covers neither a point nor another name, if there is such a place."""
    taken = [Box(x - _RADIUS, y - _RADIUS, 2 * _RADIUS, 2 * _RADIUS) for x, y in positions]
    for point, (x, y) in zip(points, positions, strict=True):
        label = fitted(point.name, widest, LABEL_SIZE)
        wide = text_width(label, LABEL_SIZE)
        box = _free_position(x, y, wide, taken, ground)
        taken.append(box)
        # A font may be wider than was reckoned: what stands on the left of its point ends there.
        ends_there = box.right <= x
        index = {"x": box.right if ends_there else box.left, "y": box.bottom - 4, "font_size": LABEL_SIZE}
        shape = {"text_anchor": "end" if ends_there else "start"}
        shape |= {"font_weight": "600"} if point.is_marked else {}
        # The paper around the letters keeps them apart from the lines below.
        writer.leaf("text", label, **index, **shape, stroke_width=3.0, aria_hidden="true", **stroke(PAPER))
        writer.leaf("text", label, **index, **shape, **fill(INK))


def _free_position(x: float, y: float, wide: float, taken: Sequence[Box], ground: Box) -> Box:
    tall = LABEL_SIZE + 4
    indices = [
        Box(x + _AIR, y - tall / 2, wide, tall),
        Box(x - _AIR - wide, y - tall / 2, wide, tall),
        Box(x + _AIR, y - tall - 2, wide, tall),
        Box(x + _AIR, y + 2, wide, tall),
        Box(x - _AIR - wide, y - tall - 2, wide, tall),
        Box(x - _AIR - wide, y + 2, wide, tall),
        Box(x - wide / 2, y - tall - _RADIUS - 3, wide, tall),
        Box(x - wide / 2, y + _RADIUS + 3, wide, tall),
    ]
    inside = [index for index in indices if index.left >= ground.left and index.right <= ground.right]
    free = [index for index in inside if not any(_overlap(index, other) for other in taken)]
    return (free or inside or indices)[0]


def _overlap(one: Box, other: Box) -> bool:
    apart = one.right <= other.left or other.right <= one.left
    return not (apart or one.bottom <= other.top or other.bottom <= one.top)
