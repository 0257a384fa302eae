"""The numbers that describe the shape in an image, and their names."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Mask
from heldout.features.images.shapes import (
    Contour,
    convex_hull,
    doubled_area,
    largest_shape,
    n_holes,
    outer_contour,
    polygon_length,
)

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


@dataclass(frozen=True)
class Moments:
    """Central moments as whole numbers: x is the column, y the row, a the area.

    x, y:               sums of the coordinates, pixels counted from 0
    xx, yy, xy:         12 a times the central moments of the second order; each square adds 1/12 of its own
    xxx, xxy, xyy, yyy: a² times those of the third order
    """

    area: int
    x: int
    y: int
    xx: int
    yy: int
    xy: int
    xxx: int
    xxy: int
    xyy: int
    yyy: int

    @property
    def orientation(self) -> float:
        """The angle of the long axis in degrees, from -90 (left out) to 90, counterclockwise from the row.

        0 for a shape that is equally long in all directions.
        """
        return math.degrees(0.5 * math.atan2(-2 * self.xy, self.xx - self.yy))

    @property
    def eccentricity(self) -> float:
        """That of the ellipse with the same second moments: 0 for a circle, 1 for a line."""
        difference = math.sqrt((self.xx - self.yy) ** 2 + 4 * self.xy**2)
        return math.sqrt(2 * difference / (self.xx + self.yy + difference))


def shape_moments(mask: Mask) -> Moments:
    """The moments of the pixels that are set; at least one is."""
    n_rows, n_columns = mask.shape
    # Sums are below rows · columns · (the larger)³; where 64 bits do not hold them, Python's integers do.
    is_small = mask.size * max(mask.shape) ** 3 < 2**62
    y, x = (np.arange(n).astype(np.int64 if is_small else object) for n in (n_rows, n_columns))
    by_row = mask.sum(axis=1).astype(x.dtype)
    by_column = mask.sum(axis=0).astype(x.dtype)
    x_by_row, xx_by_row = (_sums_by_row(mask, x**power) for power in (1, 2))
    a = int(by_row.sum())
    sx, sxx, sxxx = (int((by_column * x**power).sum()) for power in (1, 2, 3))
    sy, syy, syyy = (int((by_row * y**power).sum()) for power in (1, 2, 3))
    sxy, sxyy = (int((x_by_row * y**power).sum()) for power in (1, 2))
    sxxy = int((xx_by_row * y).sum())
    return Moments(
        area=a,
        x=sx,
        y=sy,
        xx=12 * (a * sxx - sx * sx) + a * a,
        yy=12 * (a * syy - sy * sy) + a * a,
        xy=12 * (a * sxy - sx * sy),
        xxx=a * a * sxxx - 3 * a * sx * sxx + 2 * sx**3,
        yyy=a * a * syyy - 3 * a * sy * syy + 2 * sy**3,
        xxy=a * a * sxxy - 2 * a * sx * sxy - a * sy * sxx + 2 * sx * sx * sy,
        xyy=a * a * sxyy - 2 * a * sy * sxy - a * sx * syy + 2 * sy * sy * sx,
    )


def hu_moments(moments: Moments) -> tuple[float, ...]:
    """Hu's seven invariants, each the nearest float to the exact fraction."""
    a, difference, xy = moments.area, moments.xx - moments.yy, moments.xy
    p, q = moments.xxx - 3 * moments.xyy, 3 * moments.xxy - moments.yyy
    r, s = moments.xxx + moments.xyy, moments.xxy + moments.yyy
    first, second = r * (r * r - 3 * s * s), s * (3 * r * r - s * s)
    return (
        (moments.xx + moments.yy) / (12 * a**3),
        (difference**2 + 4 * xy**2) / (144 * a**6),
        (p * p + q * q) / a**9,
        (r * r + s * s) / a**9,
        (p * first + q * second) / a**18,
        (difference * (r * r - s * s) + 4 * xy * r * s) / (12 * a**12),
        (q * first - p * second) / a**18,
    )


def signed_log(number: float) -> float:
    """The sign of a number times log10(1 + 10¹² |number|): 0 stays 0, and small numbers come apart."""
    return math.copysign(math.log1p(1e12 * abs(number)) / math.log(10), number)


def _sums_by_row(mask: Mask, numbers: Any) -> Any:
    """For each row the sum of the numbers of its columns that are set."""
    rows, columns = np.nonzero(mask)
    starts = np.flatnonzero(np.diff(rows, prepend=-1))
    sums = np.zeros(len(mask), dtype=numbers.dtype)
    sums[rows[starts]] = np.add.reduceat(numbers[columns], starts)
    return sums
