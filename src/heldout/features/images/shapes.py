"""The largest shape of an image: what is foreground, its contour and its convex hull."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Mask


def foreground_mask(levels: NDArray[np.float64], threshold: str | float, foreground: str) -> Mask:
    """Which pixels of a gray image are the foreground.

    threshold:  a number, above which pixels are light, or "otsu"
    foreground: "light", "dark", or "auto": the side with fewer pixels on the border of the image, of equal
                ones the side with fewer pixels, of equal ones the light one
    """
    cut = otsu_threshold(levels) if isinstance(threshold, str) else float(threshold)
    if cut is None:  # all pixels are equal: there is nothing to be seen
        return np.zeros(levels.shape, dtype=np.bool_)
    is_light = np.asarray(levels > cut)
    if foreground == "auto":
        return is_light if _is_light_meant(is_light) else ~is_light
    return is_light if foreground == "light" else ~is_light


def otsu_threshold(levels: NDArray[np.float64]) -> float | None:
    """The largest dark level by Otsu: the two sides' means differ most, weighed by the sizes of both sides.

    Every level that occurs is tried; there are no bins. Of equally good ones the lowest is taken. None if all
    levels are equal.
    """
    values, counts = np.unique(levels, return_counts=True)
    if len(values) == 1:
        return None
    largest = np.abs(values[[0, -1]]).max()
    shares = values / largest
    n_dark = np.cumsum(counts)[:-1]
    n_all = int(counts.sum())
    mean = (counts * shares).sum() / n_all
    excess = np.cumsum(counts * (shares - mean))[:-1]
    # n² times the variance between the sides, as both deviate by the same sum.
    between = excess / n_dark * (excess / (n_all - n_dark))
    return float(values[int(np.argmax(between))])


def _is_light_meant(is_light: Mask) -> bool:
    is_border = np.ones(is_light.shape, dtype=np.bool_)
    is_border[1:-1, 1:-1] = False
    for part in (is_light[is_border], is_light):
        n_light = int(np.count_nonzero(part))
        if 2 * n_light != part.size:
            return 2 * n_light < part.size
    return True


@dataclass(frozen=True, eq=False)
class Shape:
    """One connected shape.

    mask:         its pixels inside the smallest box around it
    row, column:  where the upper left pixel of the box lies in the image, from 0
    n_components: how many shapes the foreground has
    """

    mask: Mask
    row: int
    column: int
    n_components: int


def largest_shape(foreground: Mask) -> Shape | None:
    """The shape with most pixels, of equals the one that comes first row by row; None if there is none.

    Pixels are connected that touch by an edge or a corner.
    """
    from scipy import ndimage  # takes 0.05 s

    labels, n_components = ndimage.label(foreground, structure=np.ones((3, 3)))
    if n_components == 0:
        return None
    sizes = np.bincount(labels.ravel())
    sizes[0] = 0
    is_largest = sizes == sizes.max()
    chosen = labels.flat[int(np.argmax(is_largest[labels]))]
    mask = labels == chosen
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    box = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return Shape(np.ascontiguousarray(box), int(rows[0]), int(columns[0]), int(n_components))


def n_holes(mask: Mask) -> int:
    """How many separate parts of the background a shape encloses; these are connected by edges.

    It is 1 less the Euler number, which squares of 2 × 2 pixels are counted for: those with one pixel, less
    those with three, less twice those with two on a diagonal, all by 4.
    """
    padded = np.pad(mask, 1).astype(np.int8)
    corners = padded[:-1, :-1], padded[:-1, 1:], padded[1:, :-1], padded[1:, 1:]
    n_set = corners[0] + corners[1] + corners[2] + corners[3]
    is_diagonal = (n_set == 2) & (corners[0] == corners[3])
    n_one, n_three = np.count_nonzero(n_set == 1), np.count_nonzero(n_set == 3)
    return 1 - int(n_one - n_three - 2 * np.count_nonzero(is_diagonal)) // 4


@dataclass(frozen=True, eq=False)
class Contour:
    """A closed polygon, clockwise as one sees it.

    doubled:   points × (row, column), twice their coordinates, so that they are whole numbers; the upper left
               corner of the mask is (0, 0)
    n_corners: how many edges are followed by one in another direction
    """

    doubled: NDArray[np.int64]
    n_corners: int

    @property
    def length(self) -> float:
        """A step from an edge to the next is 1 straight on, and √½ around a corner."""
        return float(len(self.doubled) - self.n_corners + self.n_corners * np.sqrt(0.5))


def outer_contour(mask: Mask) -> Contour:
    """Follow the edges around a shape, which keep it on the right.

    Where two of its pixels touch by a corner alone, the way leads from one to the other.

    mask: the pixels of one shape, connected by edges or corners, of which at least one is in the first row
    """
    padded = np.pad(mask, 1)
    width = padded.shape[1]
    is_shape = padded.tobytes()
    # The crossing above and left of a pixel has the place of that pixel. Ahead of it, going right, down,
    # left or up, lie these two pixels on the left and on the right hand.
    steps = (1, width, -1, -width)
    left_ahead = (-width, 0, -1, -width - 1)
    right_ahead = (0, -1, -width - 1, -width)
    start = width + 1 + int(np.argmax(mask[0]))
    indices, directions = [start], [0]
    index, direction = start + 1, 0
    while True:
        if is_shape[index + left_ahead[direction]]:
            direction = (direction + 3) % 4
        elif not is_shape[index + right_ahead[direction]]:
            direction = (direction + 1) % 4
        if index == start and direction == 0:
            break
        indices.append(index)
        directions.append(direction)
        index += steps[direction]
    return _through_middles(np.array(indices), np.array(directions), width)


def _through_middles(indices: NDArray[np.int64], directions: NDArray[np.int64], width: int) -> Contour:
    rows, columns = np.divmod(indices, width)
    down, across = np.array([0, 1, 0, -1]), np.array([1, 0, -1, 0])
    doubled = np.stack([2 * (rows - 1) + down[directions], 2 * (columns - 1) + across[directions]], axis=1)
    n_corners = int(np.count_nonzero(directions != np.roll(directions, -1)))
    return Contour(doubled.astype(np.int64), n_corners)


Point = tuple[int, int]


def convex_hull(points: NDArray[np.int64]) -> list[Point]:
    """The corners of the smallest convex polygon around the points, by Andrew's monotone chain.

    It starts with the point of the lowest row and, in it, the lowest column, and goes to lower columns
    last: clockwise as one sees an image. No three corners lie on a line.

    points: n × (row, column)
    """
    ends = _ends_of_rows(points)
    back = _chain(ends)
    there = _chain(reversed(ends))
    return [back[0], *there[::-1][1:-1], *back[::-1][:-1]] if len(ends) > 1 else ends


def doubled_area(corners: list[Point]) -> int:
    """Twice the area of a polygon, by the shoelace formula."""
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
    indices = np.unique(np.append(starts, last))
    return list(dict.fromkeys((row, column) for row, column in ordered[indices].tolist()))


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
