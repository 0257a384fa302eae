"""Curves in a square plane from 0 to 1: ROC curves over the diagonal, precision over recall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heldout.arrays import Floats
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
    y_axis_room,
)
from heldout.charts.legend import LegendEntry, flowed
from heldout.charts.line_picture import bent_positions, visible_indices
from heldout.charts.scales import NumberScale
from heldout.charts.svg import Box, SvgWriter, at, short_number
from heldout.charts.theme import EDGE, OTHER, PAPER, class_colour, fill, stroke

PLANE = 400.0
BAND_OPACITY = 0.16
# Half a pixel wide; and a line that bends less than this looks straight.
N_COLUMNS = 800
TOLERANCE = 0.1
MOST_DOTS = 40


@dataclass(frozen=True)
class CurvePlane:
    """What the two sides of the plane measure.

    has_diagonal: whether a dashed line runs from the lower left to the upper right
    """

    across: str
    upwards: str
    has_diagonal: bool


@dataclass(frozen=True)
class CurveDot:
    """A point of the curve that can be pointed at, with what it says in words."""

    x: float
    y: float
    title: str


@dataclass(frozen=True, eq=False)
class PictureCurve:
    """A line of the picture.

    label:   its name in the legend
    across:  positions between 0 and 1, not falling; none if there is nothing to draw
    upwards: the heights
    place:   of its colour; past the last colour it is grey
    remark:  what stands behind the name
    title:   what it says in words
    dots:    points that can be pointed at; too many of them are left out
    """

    label: str
    across: Floats
    upwards: Floats
    index: int
    remark: str = ""
    title: str = ""
    is_dashed: bool = False
    dots: Sequence[CurveDot] = ()


@dataclass(frozen=True, eq=False)
class CurveBand:
    """The part of the plane in which most curves of a kind lie.

    across: positions between 0 and 1, rising
    low:    the lower edge at each
    high:   the upper edge
    place:  of its colour
    title:  what it says in words
    """

    across: Floats
    low: Floats
    high: Floats
    index: int
    title: str


def curve_svg(
    plane: CurvePlane,
    curves: Sequence[PictureCurve],
    title: str,
    caption: str,
    description: str,
    level: float | None = None,
    band: CurveBand | None = None,
    is_narrow: bool = False,
) -> str:
    """The picture as an SVG document; the size does not depend on the number of points.

    level:     of a dashed line across the plane, between 0 and 1
    band:      below the curves
    is_narrow: whether it fits a telephone: the caption is left to the page
    """
    ticks = NumberScale(0.0, 1.0).ticks
    x_axis, y_axis = PictureAxis(plane.across, ticks), PictureAxis(plane.upwards, ticks)
    left = MARGIN + y_axis_room(y_axis)
    width = NARROW_WIDTH if is_narrow else left + PLANE + 2 * MARGIN
    side = NARROW_WIDTH - left - MARGIN if is_narrow else PLANE
    writer = SvgWriter()
    top = MARGIN if is_narrow else MARGIN + 18
    if not is_narrow:
        draw_caption(writer, caption, width)
    legend = flowed(tuple(LegendEntry(curve.label, curve.remark) for curve in curves), width - 2 * MARGIN)
    legend.draw(writer, MARGIN, top)
    ground = Box(left, top + 8 + legend.height, side, side)
    if band is not None:
        _draw_band(writer, band, ground)
    draw_frame(writer, ground)
    _draw_guesses(writer, ground, plane.has_diagonal, level)
    for curve in sorted(curves, key=lambda curve: -curve.index):
        _draw_curve(writer, curve, ground)
    for curve in curves:
        _draw_dots(writer, curve, ground)
    draw_x_axis(writer, x_axis, ground)
    draw_y_axis(writer, y_axis, ground)
    return framed(writer.text, width, ground.bottom + 46 + MARGIN, title, description)


def curve_path(across: Floats, upwards: Floats, ground: Box) -> str:
    """The visible points of a curve as path data."""
    kept = visible_indices(across, N_COLUMNS, upwards)
    x = ground.left + across[kept] * ground.width
    y = ground.bottom - upwards[kept] * ground.height
    bent = bent_positions(x, y, TOLERANCE)
    points = zip(x[bent].tolist(), y[bent].tolist(), strict=True)
    return "M" + "L".join(at(*point) for point in points)


def _draw_guesses(writer: SvgWriter, ground: Box, has_diagonal: bool, level: float | None) -> None:
    """What guessing reaches, as dashed lines."""
    if has_diagonal:
        draw_diagonal(writer, ground)
    if level is not None:
        path = f"M{at(ground.left, ground.y(level))}H{short_number(ground.right)}"
        writer.leaf("path", d=path, stroke_dasharray="4 4", **stroke(EDGE))


def _draw_band(writer: SvgWriter, band: CurveBand, ground: Box) -> None:
    path = f"{curve_path(band.across, band.high, ground)}L"
    path += _backwards(curve_path(band.across, band.low, ground))
    writer.open("g")
    writer.leaf("title", band.title)
    writer.leaf("path", d=f"{path}Z", fill_opacity=BAND_OPACITY, **fill(class_colour(band.index)))
    writer.close()


def _backwards(path: str) -> str:
    return "L".join(reversed(path.removeprefix("M").split("L")))


def _draw_curve(writer: SvgWriter, curve: PictureCurve, ground: Box) -> None:
    if not len(curve.across):
        return
    path, colour = curve_path(curve.across, curve.upwards, ground), stroke(class_colour(curve.index))
    width = 2.0 if curve.index < OTHER else 1.0
    writer.open("g")
    writer.leaf("title", curve.title or curve.label)
    if curve.is_dashed:
        writer.leaf("path", d=path, stroke_width=1.5, stroke_dasharray="6 4", **colour)
    else:
        # The paper around a line parts it from those below; and it makes the line easier to point at.
        writer.leaf("path", d=path, stroke_width=width + 1.5, **stroke(PAPER))
        writer.leaf("path", d=path, stroke_width=width, **colour)
    writer.close()


def _draw_dots(writer: SvgWriter, curve: PictureCurve, ground: Box) -> None:
    for dot in curve.dots if len(curve.dots) <= MOST_DOTS else ():
        writer.open("g")
        writer.leaf("title", dot.title)
        writer.leaf(
            "circle", cx=ground.x(dot.x), cy=ground.y(dot.y), r=3.5, **fill(class_colour(curve.index))
        )
        writer.close()
