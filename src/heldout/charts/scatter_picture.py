"""Points over two scores of the same kind, with the diagonal on which both are equal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heldout.arrays import Floats
from heldout.charts.axes import (
    MARGIN,
    NARROW_TICKS,
    NARROW_WIDTH,
    PictureAxis,
    draw_caption,
    draw_diagonal,
    draw_frame,
    draw_x_axis,
    draw_y_axis,
    framed,
    y_axis_room,
)
from heldout.charts.legend import LegendEntry, flowed, marker_path
from heldout.charts.scales import NumberScale, spanning_scale, thin_ticks
from heldout.charts.svg import Box, SvgWriter, at
from heldout.charts.theme import EDGE, PAPER, class_colour, fill, stroke

PLANE = 400.0
_RADIUS = 4.5


@dataclass(frozen=True)
class PictureDot:
    """A point of the picture.

    x, y:  its two scores
    place: in the legend, which gives its colour and its shape
    title: what it says in words
    """

    x: float
    y: float
    index: int
    title: str


def scatter_svg(
    dots: Sequence[PictureDot],
    title: str,
    caption: str,
    x: str,
    y: str,
    legend: tuple[str, ...] = (),
    description: str = "",
) -> str:
    """The picture as an SVG document; both axes have the same scale.

    x, y:   what the axes measure
    legend: what the places of the points stand for
    """
    scale = spanning_scale([number for dot in dots for number in (dot.x, dot.y)])
    across, upwards = PictureAxis(x, scale.ticks), PictureAxis(y, scale.ticks)
    left = MARGIN + y_axis_room(upwards)
    width = left + PLANE + 2 * MARGIN
    entries = flowed(tuple(LegendEntry(label) for label in legend), width - 2 * MARGIN)
    writer = SvgWriter()
    draw_caption(writer, caption, width)
    entries.draw(writer, MARGIN, MARGIN + 20, has_markers=True)
    ground = Box(left, MARGIN + 30 + entries.height, PLANE, PLANE)
    draw_frame(writer, ground)
    draw_diagonal(writer, ground)
    for dot in dots:
        _draw_dot(writer, dot, ground.x(scale.position(dot.x)), ground.y(scale.position(dot.y)))
    draw_x_axis(writer, across, ground)
    draw_y_axis(writer, upwards, ground)
    return framed(writer.text, width, ground.bottom + 46 + MARGIN, title, description)


def _draw_dot(writer: SvgWriter, dot: PictureDot, x: float, y: float) -> None:
    writer.open("g")
    writer.leaf("title", dot.title)
    path = marker_path(dot.index, x, y, _RADIUS)
    # The paper around a point parts it from those below.
    writer.leaf("path", d=path, stroke_width=2.0, **stroke(PAPER))
    writer.leaf("path", d=path, **fill(class_colour(dot.index)))
    writer.close()


PLANE_WIDTH, PLANE_HEIGHT, SQUARE = 560.0, 340.0, 400.0
NARROW_HEIGHT = 230.0

BAND_OPACITY, DOT_OPACITY = 0.3, 0.5
_DOT, _MARK = 4.5, 4.0


@dataclass(frozen=True, eq=False)
class CloudLine:
    """Means from left to right.

    label:     what they are, for the legend
    x, y:      where they stand
    low, high: the edges of the band; NaN for a place without
    titles:    of each what it says in words
    """

    label: str
    x: Floats
    y: Floats
    low: Floats
    high: Floats
    titles: Sequence[str]


@dataclass(frozen=True, eq=False)
class CloudPicture:
    """Everything that the picture shows.

    x, y:             what the axes measure
    dots_x, dots_y:   the points
    dots:             what they are, for the legend
    line:             of means
    is_against_equal: whether both axes have one scale, and the line to compare is that on which they agree;
                      else it is the level of 0
    is_narrow:        whether it fits a telephone: the caption is left to the page
    """

    title: str
    caption: str
    description: str
    x: str
    y: str
    dots_x: Floats
    dots_y: Floats
    dots: str
    line: CloudLine
    is_against_equal: bool = False
    is_narrow: bool = False


def cloud_svg(picture: CloudPicture) -> str:
    """The picture as an SVG document; a point takes about ten characters."""
    x_scale, y_scale = _scales(picture)
    x_ticks, y_ticks = x_scale.ticks, y_scale.ticks
    if picture.is_narrow:
        x_ticks = thin_ticks(x_ticks, NARROW_TICKS)
    upwards = PictureAxis(picture.y, y_ticks)
    left = MARGIN + y_axis_room(upwards)
    wide, high = _plane(picture, left)
    width = left + wide + MARGIN
    writer = SvgWriter()
    top = MARGIN
    if not picture.is_narrow:
        draw_caption(writer, picture.caption, width)
        top += 18
    legend = flowed((LegendEntry(picture.dots), LegendEntry(picture.line.label)), width - 2 * MARGIN)
    legend.draw(writer, MARGIN, top)
    ground = Box(left, top + 8 + legend.height, wide, high)
    _draw_dots(writer, picture, x_scale, y_scale, ground)
    draw_frame(writer, ground)
    _draw_comparison(writer, picture.is_against_equal, x_scale, y_scale, ground)
    _draw_line(writer, picture.line, x_scale, y_scale, ground)
    draw_x_axis(writer, PictureAxis(picture.x, x_ticks), ground)
    draw_y_axis(writer, upwards, ground)
    return framed(writer.text, width, ground.bottom + 46 + MARGIN, picture.title, picture.description)


def _scales(picture: CloudPicture) -> tuple[NumberScale, NumberScale]:
    line = picture.line
    edges = [each[np.isfinite(each)] for each in (line.y, line.low, line.high)]
    across, upwards = np.concatenate([picture.dots_x, line.x]), np.concatenate([picture.dots_y, *edges])
    if picture.is_against_equal:
        both = spanning_scale(np.concatenate([across, upwards]))
        return both, both
    return spanning_scale(across), spanning_scale(np.append(upwards, 0.0))


def _plane(picture: CloudPicture, left: float) -> tuple[float, float]:
    if picture.is_narrow:
        wide = NARROW_WIDTH - left - MARGIN
        return wide, wide if picture.is_against_equal else NARROW_HEIGHT
    return (SQUARE, SQUARE) if picture.is_against_equal else (PLANE_WIDTH, PLANE_HEIGHT)


def _positions(x: Floats, y: Floats, x_scale: NumberScale, y_scale: NumberScale, ground: Box) -> list[str]:
    rights = ground.left + x_scale.positions(x) * ground.width
    downs = ground.bottom - y_scale.positions(y) * ground.height
    pairs = zip(rights.tolist(), downs.tolist(), strict=True)
    return [at(round(right, 1), round(down, 1)) for right, down in pairs]


def _draw_dots(
    writer: SvgWriter, picture: CloudPicture, x_scale: NumberScale, y_scale: NumberScale, ground: Box
) -> None:
    """All points are one path: strokes without a length, whose round ends are the dots."""
    positions = _positions(picture.dots_x, picture.dots_y, x_scale, y_scale, ground)
    path = "".join(f"M{position}h0" for position in positions)
    width, seen = _DOT, DOT_OPACITY
    colour = stroke(class_colour(0))
    writer.leaf("path", d=path, stroke_width=width, stroke_linecap="round", stroke_opacity=seen, **colour)


def _draw_comparison(
    writer: SvgWriter, is_diagonal: bool, x_scale: NumberScale, y_scale: NumberScale, ground: Box
) -> None:
    """The line on which predictions would be right."""
    ends = np.array([x_scale.low, x_scale.high])
    heights = ends if is_diagonal else np.zeros(2)
    start, end = _positions(ends, heights, x_scale, y_scale, ground)
    writer.leaf("path", d=f"M{start}L{end}", stroke_dasharray="4 4", stroke_width=1.5, **stroke(EDGE))


def _draw_line(
    writer: SvgWriter, line: CloudLine, x_scale: NumberScale, y_scale: NumberScale, ground: Box
) -> None:
    has_band = np.isfinite(line.low) & np.isfinite(line.high)
    if has_band.sum() > 1:
        upper = _positions(line.x[has_band], line.high[has_band], x_scale, y_scale, ground)
        lower = _positions(line.x[has_band], line.low[has_band], x_scale, y_scale, ground)
        outline = "L".join([*upper, *reversed(lower)])
        writer.leaf("path", d=f"M{outline}Z", fill_opacity=BAND_OPACITY, **fill(class_colour(1)))
    positions = _positions(line.x, line.y, x_scale, y_scale, ground)
    path = f"M{'L'.join(positions)}"
    writer.leaf("path", d=path, stroke_width=3.5, **stroke(PAPER))
    writer.leaf("path", d=path, stroke_width=2.0, **stroke(class_colour(1)))
    for position, words in zip(positions, line.titles, strict=True):
        right, down = position.split()
        writer.open("g")
        writer.leaf("title", words)
        writer.leaf("circle", cx=right, cy=down, r=_MARK, **fill(class_colour(1)))
        writer.close()
