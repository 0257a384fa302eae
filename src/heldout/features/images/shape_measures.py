"""The numbers that describe the shape in an image, and their names."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from heldout.features.images.contour import Contour, outer_contour
from heldout.features.images.foreground import Mask
from heldout.features.images.hull import convex_hull, doubled_area, polygon_length
from heldout.features.images.largest_shape import largest_shape, n_holes
from heldout.features.images.moments import hu_moments, shape_moments, signed_log

MEASURES = (
    "area share",
    "perimeter",
    "hull area",
    "hull perimeter",
    "convexity",
    "solidity",
    "box height",
    "box width",
    "aspect",
    "extent",
    "circularity",
    "center row",
    "center column",
    "orientation",
    "eccentricity",
    *(f"Hu moment {order}" for order in range(1, 8)),
    "components",
    "holes",
)


def shape_measures(foreground: Mask) -> NDArray[np.float64]:
    """The numbers of MEASURES. Without a foreground area share and components are 0, all others NaN."""
    shape = largest_shape(foreground)
    if shape is None:
        known = {"area share": 0.0, "components": 0.0}
        return np.array([known.get(name, np.nan) for name in MEASURES])
    moments = shape_moments(shape.mask)
    n_rows, n_columns = foreground.shape
    height, width = shape.mask.shape
    measures = {
        "area share": moments.area / foreground.size,
        **_of_contour(outer_contour(shape.mask), moments.area),
        "box height": height,
        "box width": width,
        "aspect": width / height,
        "extent": moments.area / shape.mask.size,
        "center row": (shape.row + 0.5 + moments.y / moments.area) / n_rows,
        "center column": (shape.column + 0.5 + moments.x / moments.area) / n_columns,
        "orientation": moments.orientation,
        "eccentricity": moments.eccentricity,
        "components": shape.n_components,
        "holes": n_holes(shape.mask),
    }
    for order, moment in enumerate(hu_moments(moments), start=1):
        measures[f"Hu moment {order}"] = signed_log(moment)
    return np.array([float(measures[name]) for name in MEASURES])


def _of_contour(contour: Contour, area: int) -> dict[str, float]:
    corners = convex_hull(contour.doubled)
    # Coordinates are doubled, and so is the area.
    hull_area, hull_length = doubled_area(corners) / 8, polygon_length(corners) / 2
    length = contour.length
    enclosed = area - 0.5
    return {
        "perimeter": length,
        "hull area": hull_area,
        "hull perimeter": hull_length,
        "convexity": min(1.0, hull_length / length),  # that of a convex shape may be rounded up
        "solidity": enclosed / hull_area,
        "circularity": 4 * math.pi * enclosed / length**2,
    }
