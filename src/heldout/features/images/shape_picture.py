"""A shape drawn: its contour, and the convex polygon around it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.charts.frame import MARGIN, framed
from heldout.charts.svg import SvgWriter, short_number
from heldout.charts.theme import CARD, LINE, class_colour, fill, stroke

_LONGEST = 320.0


def shape_svg(size: tuple[int, int], contour: NDArray[np.float64], polygon: NDArray[np.float64]) -> str:
    """The contour filled and the polygon as a line, within the frame of the image.

    size: rows and columns of the image
    contour, polygon: points × (row, column), in pixels; none if there is no foreground
    """
    scale = _LONGEST / max(size)
    height, width = (scale * edge for edge in size)
    writer = SvgWriter()
    frame = {"x": MARGIN, "y": MARGIN, "width": width, "height": height}
    writer.leaf("rect", **frame, **fill(CARD))
    writer.leaf("rect", **frame, **stroke(LINE))
    description = "There is no foreground."
    if len(contour):
        writer.leaf("path", d=_path(contour, scale), **fill(class_colour(0)))
        writer.leaf("path", d=_path(polygon, scale), stroke_width=2, **stroke(class_colour(1)))
        description = f"A contour of {len(contour)} points inside a polygon of {len(polygon)} corners."
    return framed(writer.text, width + 2 * MARGIN, height + 2 * MARGIN, "The shape of an image", description)


def _path(points: NDArray[np.float64], scale: float) -> str:
    placed = [
        f"{short_number(MARGIN + scale * column)} {short_number(MARGIN + scale * row)}"
        for row, column in points.tolist()
    ]
    return f"M{'L'.join(placed)}Z"
