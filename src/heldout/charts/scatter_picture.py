"""Points over two scores of the same kind, with the diagonal on which both are equal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heldout.charts.axes import draw_text, draw_x_axis, draw_y_axis, y_axis_room
from heldout.charts.frame import MARGIN, framed
from heldout.charts.legend import LegendEntry, flowed
from heldout.charts.markers import marker_path
from heldout.charts.partition_parts import PictureAxis
from heldout.charts.scales import spanning_scale
from heldout.charts.svg import SvgWriter, short_number
from heldout.charts.text_fit import fitted
from heldout.charts.theme import EDGE, LINE, MUTED, PAPER, class_colour, fill, stroke
from heldout.charts.tree_parts import Box

PLANE = 400.0
CAPTION_SIZE = 12.0
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
    place: int
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
    spot = {"x": MARGIN, "y": MARGIN + 10, "font_size": CAPTION_SIZE}
    draw_text(writer, fitted(caption, width - 2 * MARGIN, CAPTION_SIZE), caption, spot, "start", MUTED)
    entries.draw(writer, MARGIN, MARGIN + 20, has_markers=True)
    ground = Box(left, MARGIN + 30 + entries.height, PLANE, PLANE)
    writer.leaf("rect", x=left, y=ground.top, width=PLANE, height=PLANE, **stroke(LINE))
    diagonal = f"M{short_number(left)} {short_number(ground.bottom)}"
    diagonal += f"L{short_number(ground.right)} {short_number(ground.top)}"
    writer.leaf("path", d=diagonal, stroke_dasharray="4 4", **stroke(EDGE))
    rights = scale.positions(np.array([dot.x for dot in dots]))
    heights = scale.positions(np.array([dot.y for dot in dots]))
    for dot, right, height in zip(dots, rights.tolist(), heights.tolist(), strict=True):
        _draw_dot(writer, dot, ground.left + right * PLANE, ground.bottom - height * PLANE)
    draw_x_axis(writer, across, ground)
    draw_y_axis(writer, upwards, ground)
    return framed(writer.text, width, ground.bottom + 46 + MARGIN, title, description)


def _draw_dot(writer: SvgWriter, dot: PictureDot, x: float, y: float) -> None:
    writer.open("g")
    writer.leaf("title", dot.title)
    path = marker_path(dot.place, x, y, _RADIUS)
    # The paper around a point parts it from those below.
    writer.leaf("path", d=path, stroke_width=2.0, **stroke(PAPER))
    writer.leaf("path", d=path, **fill(class_colour(dot.place)))
    writer.close()
