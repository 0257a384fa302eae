"""Contours and hulls: lengths and areas that are known, invariants, and SciPy's hull."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray
from scipy import ndimage
from scipy.spatial import ConvexHull

from heldout.features.images.shapes import (
    convex_hull,
    doubled_area,
    largest_shape,
    outer_contour,
    polygon_length,
)

from .drawn import Mask, diamond, filled_masks, rectangle, ring


def shape_of(mask: Mask) -> Mask:
    """The largest shape of a mask, in its box."""
    shape = largest_shape(mask)
    assert shape is not None
    return shape.mask


@pytest.mark.parametrize(("height", "width"), [(1, 1), (1, 5), (4, 1), (3, 3), (5, 8)])
def test_a_rectangle_has_the_contour_with_its_corners_cut(height: int, width: int) -> None:
    """Around a rectangle there are 2(h + w) edges, and four corners of √½ instead of 1."""
    contour = outer_contour(shape_of(rectangle(height, width)))
    assert len(contour.doubled) == 2 * (height + width)
    assert contour.n_corners == 4
    assert contour.length == pytest.approx(2 * (height + width) - 4 + 4 * math.sqrt(0.5), rel=1e-15)
    assert doubled_area(convex_hull(contour.doubled)) / 8 == height * width - 0.5


def test_a_diagonal_border_has_its_true_length() -> None:
    """The sides of a diamond of radius r are r diagonals, and its four tips are cut flat."""
    contour = outer_contour(shape_of(diamond(5, 15)))
    assert contour.length == pytest.approx(4 * 5 * math.sqrt(2) + 4 * math.sqrt(0.5))
    assert polygon_length(convex_hull(contour.doubled)) / 2 == pytest.approx(contour.length, rel=1e-14)


def test_one_pixel_is_a_diamond() -> None:
    """The contour of a pixel goes through the middles of its four sides, clockwise from the top."""
    contour = outer_contour(np.ones((1, 1), dtype=np.bool_))
    assert (contour.doubled / 2).tolist() == [[0.0, 0.5], [0.5, 1.0], [1.0, 0.5], [0.5, 0.0]]


def test_pixels_that_touch_by_a_corner_have_one_contour() -> None:
    """Two pixels on a diagonal are one shape, and its contour goes around both."""
    contour = outer_contour(np.eye(2, dtype=np.bool_))
    assert len(contour.doubled) == 8
    assert doubled_area([tuple(point) for point in contour.doubled.tolist()]) / 8 == 1.5


def test_a_hole_does_not_lengthen_the_outer_contour() -> None:
    """A ring has the contour of the square that it fills."""
    whole, hollow = outer_contour(shape_of(rectangle(7, 7))), outer_contour(shape_of(ring()))
    np.testing.assert_array_equal(hollow.doubled, whole.doubled)


@given(filled_masks)
def test_a_contour_encloses_half_a_pixel_less_than_its_pixels_and_holes(mask: Mask) -> None:
    """By the shoelace formula, on shapes of any form, holes filled."""
    shape = shape_of(mask)
    filled = ~outside(shape)
    contour = outer_contour(shape)
    rows, columns = contour.doubled.T
    doubled = int((rows * np.roll(columns, -1) - columns * np.roll(rows, -1)).sum())
    assert -doubled / 8 == filled.sum() - 0.5  # clockwise, so the formula counts it below 0


@given(filled_masks)
def test_a_contour_meets_each_outer_edge_once(mask: Mask) -> None:
    """Its points are exactly the middles of the edges between the shape and the outside."""
    shape = shape_of(mask)
    far = np.pad(outside(shape), 1, constant_values=True)
    inside = np.pad(shape, 1)
    edges = []
    for row, column in np.argwhere(inside).tolist():
        for down, across in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            if far[row + down, column + across]:
                edges.append((2 * row - 1 + down, 2 * column - 1 + across))
    assert sorted(edges) == sorted(map(tuple, outer_contour(shape).doubled.tolist()))


@given(filled_masks)
def test_steps_of_a_contour_are_as_long_as_its_length_says(mask: Mask) -> None:
    """The length is the sum of the distances between successive points."""
    contour = outer_contour(shape_of(mask))
    steps = (np.roll(contour.doubled, -1, axis=0) - contour.doubled) / 2
    assert np.hypot(*steps.T).sum() == pytest.approx(contour.length, rel=1e-13)


@pytest.mark.slow
@given(
    arrays.arrays(
        np.int64,
        st.tuples(st.integers(1, 30), st.just(2)),
        elements=st.integers(-(10**6), 10**6) | st.integers(0, 4),
    )
)
def test_the_hull_is_that_of_scipy(points: NDArray[np.int64]) -> None:
    """Area and length are Qhull's; every point lies inside, and no three corners on a line."""
    corners = convex_hull(points)
    following = [*corners[1:], corners[0]]
    for (row, column), (row_after, column_after) in zip(corners, following, strict=True):
        sides = (points[:, 0] - row) * (column_after - column) - (points[:, 1] - column) * (row_after - row)
        assert (sides >= 0).all()
    area = doubled_area(corners)
    if area > 0:
        oracle = ConvexHull(points)
        assert area / 2 == pytest.approx(oracle.volume, rel=1e-9)
        assert polygon_length(corners) == pytest.approx(oracle.area, rel=1e-9)
        assert {tuple(points[place]) for place in oracle.vertices} >= set(corners)
        turns = [
            (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
            for a, b, c in zip(corners, following, [*following[1:], following[0]], strict=True)
        ]
        assert all(turn != 0 for turn in turns)


def outside(shape: Mask) -> Mask:
    """The background of a shape that is connected with its surroundings by edges."""
    labels, _ = ndimage.label(~np.pad(shape, 1))
    return np.asarray(labels == labels[0, 0])[1:-1, 1:-1]
