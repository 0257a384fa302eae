"""The shape of a point: one for each class colour, so that colour is not the only cue."""

from __future__ import annotations

import math

from heldout.charts.svg import short_number

# A circle, and polygons of the same area: corners, first angle in turns, and every second corner's radius.
_POLYGONS = (
    (4, 0.125, 1.0),  # square
    (3, -0.25, 1.0),  # triangle up
    (4, 0.0, 1.0),  # diamond
    (3, 0.25, 1.0),  # triangle down
    (10, -0.25, 0.45),  # star
    (8, 0.0, 0.4),  # four-pointed star
    (6, 0.0, 1.0),  # hexagon
)


def marker_path(place: int, x: float, y: float, radius: float) -> str:
    """The marker of the class at this place of the legend, around a point, as path data.

    >>> marker_path(0, 10, 10, 4)
    'M6 10a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z'
    """
    shape = place % (len(_POLYGONS) + 1)
    if shape == 0:
        r, d = short_number(radius), short_number(2 * radius)
        return f"M{short_number(x - radius)} {short_number(y)}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0z"
    corners, first, inner = _POLYGONS[shape - 1]
    points = []
    for corner in range(corners):
        angle = 2 * math.pi * (first + corner / corners)
        reach = radius * 1.25 * (inner if corner % 2 and inner < 1 else 1.0)
        points.append(
            f"{short_number(x + reach * math.cos(angle))} {short_number(y + reach * math.sin(angle))}"
        )
    return f"M{'L'.join(points)}z"
