"""The convex hull of points with whole coordinates, exactly."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Point = tuple[int, int]


def convex_hull(points: NDArray[np.int64]) -> list[Point]:
    """The corners of the smallest convex polygon around the points, by Andrew's monotone chain.

    It starts with the point of the lowest row and, in it, the lowest column, and goes to lower columns
    last: clockwise as one sees an image. No three corners lie on a line.

    points: n × (row, column)

    >>> convex_hull(np.array([[0, 0], [0, 2], [2, 2], [2, 0], [1, 1], [0, 1]]))
    [(0, 0), (0, 2), (2, 2), (2, 0)]
    """
    ends = _ends_of_rows(points)
    back = _chain(ends)
    there = _chain(reversed(ends))
    return [back[0], *there[::-1][1:-1], *back[::-1][:-1]] if len(ends) > 1 else ends


def doubled_area(corners: list[Point]) -> int:
    """Twice the area of a polygon, by the shoelace formula.

    >>> doubled_area([(0, 0), (0, 2), (2, 2), (2, 0)])
    8
    """
    following = [*corners[1:], *corners[:1]]
    pairs = zip(corners, following, strict=True)
    return abs(
        sum(row * column_after - row_after * column for (row, column), (row_after, column_after) in pairs)
    )


def polygon_length(corners: list[Point]) -> float:
    """The way around a polygon; sums are exact, so that it does not matter where one starts."""
    following = [*corners[1:], *corners[:1]]
    pairs = zip(corners, following, strict=True)
    return math.fsum(
        math.sqrt((after[0] - here[0]) ** 2 + (after[1] - here[1]) ** 2) for here, after in pairs
    )


def _ends_of_rows(points: NDArray[np.int64]) -> list[Point]:
    """The first and the last point of each row, ascending: no other can be a corner of the hull."""
    ordered = points[np.lexsort((points[:, 1], points[:, 0]))]
    starts = np.flatnonzero(np.diff(ordered[:, 0], prepend=ordered[0, 0] - 1))
    last = np.append(starts[1:], len(ordered)) - 1
    places = np.unique(np.append(starts, last))
    return list(dict.fromkeys((row, column) for row, column in ordered[places].tolist()))


def _chain(points: Iterable[Point]) -> list[Point]:
    """The corners on one side of the line from the first to the last point."""
    chain: list[Point] = []
    for point in points:
        while len(chain) >= 2 and _turn(chain[-2], chain[-1], point) <= 0:
            chain.pop()
        chain.append(point)
    return chain


def _turn(start: Point, middle: Point, end: Point) -> int:
    """Above 0 if the way turns to one hand, below 0 if to the other, 0 if it goes straight on."""
    return (middle[0] - start[0]) * (end[1] - start[1]) - (middle[1] - start[1]) * (end[0] - start[0])
