"""A shape drawn: the foreground, its contour, and the convex polygon around it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.charts.frame import MARGIN, framed
from heldout.charts.svg import SvgWriter, short_number
from heldout.charts.theme import CARD, LINE, MUTED, class_colour, fill, stroke
from heldout.features.images.foreground import Mask

_LONGEST = 320.0


def shape_svg(foreground: Mask, contour: NDArray[np.float64], polygon: NDArray[np.float64]) -> str:
    """The pixels of the foreground filled, with their holes and smaller parts; contour and polygon as lines.

    contour, polygon: points × (row, column), in pixels; none if there is no foreground
    """
    scale = _LONGEST / max(foreground.shape)
    height, width = (scale * edge for edge in foreground.shape)
    writer = SvgWriter()
    frame = {"x": MARGIN, "y": MARGIN, "width": width, "height": height}
    writer.leaf("rect", **frame, **fill(CARD))
    description = "There is no foreground."
    if len(contour):
        writer.leaf("path", d=_pixels(foreground, scale), **fill(LINE))
        writer.leaf("path", d=_outline(contour, scale), stroke_width=2, **stroke(class_colour(0)))
        writer.leaf(
            "path",
            d=_outline(polygon, scale),
            stroke_width=2,
            stroke_dasharray="6 4",
            **stroke(class_colour(1)),
        )
        description = f"A contour of {len(contour)} points inside a polygon of {len(polygon)} corners."
    else:
        middle = {"x": MARGIN + width / 2, "y": MARGIN + height / 2, "text_anchor": "middle"}
        writer.leaf("text", "no foreground", font_size=13, **middle, **fill(MUTED))
    writer.leaf("rect", **frame, **stroke(LINE))
    return framed(writer.text, width + 2 * MARGIN, height + 2 * MARGIN, "The shape of an image", description)


def _pixels(foreground: Mask, scale: float) -> str:
    """A box for every run of pixels in a row."""
    edges = np.diff(np.pad(foreground.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    rows, starts = np.nonzero(edges == 1)
    _, ends = np.nonzero(edges == -1)
    high = short_number(scale)
    return "".join(
        f"M{_point(row, start, scale)}h{short_number(scale * (end - start))}v{high}H"
        f"{short_number(MARGIN + scale * start)}Z"
        for row, start, end in zip(rows.tolist(), starts.tolist(), ends.tolist(), strict=True)
    )


def _outline(points: NDArray[np.float64], scale: float) -> str:
    return f"M{'L'.join(_point(row, column, scale) for row, column in points.tolist())}Z"


def _point(row: float, column: float, scale: float) -> str:
    return f"{short_number(MARGIN + scale * column)} {short_number(MARGIN + scale * row)}"
