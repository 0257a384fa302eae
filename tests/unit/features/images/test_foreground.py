"""Foreground, components and holes, against plain searches and SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray
from scipy import ndimage

from heldout.features.images.shapes import foreground_mask, largest_shape, n_holes, otsu_threshold

from .drawn import Mask, disk, filled_masks, masks, rectangle, ring

levels = arrays.arrays(
    np.float64,
    st.tuples(st.integers(1, 6), st.integers(1, 6)),
    elements=st.integers(0, 9).map(float) | st.floats(-1e3, 1e3),
)


@given(levels)
def test_otsu_leaves_the_least_variance_inside_the_two_sides(image: NDArray[np.float64]) -> None:
    """No other threshold has a smaller sum of squares around the means of its two sides."""
    found = otsu_threshold(image)
    values = np.unique(image)
    if len(values) == 1:
        assert found is None
        return

    def inside(threshold: float) -> float:
        sides = image[image <= threshold], image[image > threshold]
        return float(sum(((side - side.mean()) ** 2).sum() for side in sides))

    assert found in values[:-1]
    best = min(inside(value) for value in values[:-1])
    assert inside(float(found)) <= best + 1e-9 * (1 + image.var() * image.size)


@pytest.mark.parametrize("factor", [1e-300, 1.0, 1e300])
def test_otsu_does_not_overflow(factor: float) -> None:
    """Very small and very large levels are cut where plain ones are."""
    image = np.array([[1.0, 2.0, 1.0], [8.0, 9.0, 8.0]])
    assert otsu_threshold(image * factor) == 2.0 * factor


def test_the_side_that_touches_the_border_less_is_meant() -> None:
    """A dark disk on light ground and a light disk on dark ground are the same foreground."""
    shape = disk(3.0, 11)
    light = np.where(shape, 200.0, 30.0)
    for image in (light, 255.0 - light):
        np.testing.assert_array_equal(foreground_mask(image, "otsu", "auto"), shape)
    np.testing.assert_array_equal(foreground_mask(light, "otsu", "dark"), ~shape)
    np.testing.assert_array_equal(foreground_mask(255.0 - light, "otsu", "light"), ~shape)


def test_ties_at_the_border_go_to_the_smaller_and_then_to_the_light_side() -> None:
    """Of two sides with as many pixels on the border the smaller is meant, of equal ones the light one."""
    image = np.zeros((4, 4))
    image[:, 2:] = 1.0
    np.testing.assert_array_equal(foreground_mask(image, "otsu", "auto"), image == 1)
    image[1, 1] = 1.0
    np.testing.assert_array_equal(foreground_mask(image, "otsu", "auto"), image == 0)


def test_a_given_threshold_is_the_last_dark_level() -> None:
    """Pixels above the number are light, those equal to it dark."""
    image = np.array([[1.0, 2.0, 3.0]])
    assert foreground_mask(image, 2.0, "light").tolist() == [[False, False, True]]
    assert foreground_mask(image, 2.0, "dark").tolist() == [[True, True, False]]
    assert foreground_mask(image, 0.0, "light").all()
    assert not foreground_mask(image, 9.0, "auto").any()


def test_an_image_of_one_color_has_no_foreground() -> None:
    """Otsu's threshold of equal levels shows nothing, whichever side is asked for."""
    for foreground in ("auto", "light", "dark"):
        assert not foreground_mask(np.full((3, 3), 7.0), "otsu", foreground).any()


@given(masks)
def test_the_shape_is_the_largest_by_a_plain_flood(mask: Mask) -> None:
    """A flood over the eight neighbors finds as many components, and the same largest one in its place."""
    shape = largest_shape(mask)
    floods = flooded(mask)
    if shape is None:
        assert floods == []
        return
    assert shape.n_components == len(floods)
    largest = max(floods, key=len)  # the first of equals, as floods start row by row
    found = np.argwhere(shape.mask) + np.array([shape.row, shape.column])
    assert sorted(map(tuple, found.tolist())) == sorted(largest)


@given(filled_masks)
def test_holes_are_the_enclosed_parts_of_the_background(mask: Mask) -> None:
    """SciPy labels the background by edges; all parts but the outside are holes."""
    shape = largest_shape(mask)
    assert shape is not None
    _, n_parts = ndimage.label(~np.pad(shape.mask, 1))
    assert n_holes(shape.mask) == n_parts - 1


def test_known_holes() -> None:
    """A square has none, a ring one, a lattice of 2 × 3 openings six."""
    lattice = np.ones((5, 7), dtype=np.bool_)
    lattice[1::2, 1::2] = False
    assert [n_holes(mask) for mask in (rectangle(4, 4), ring(), lattice)] == [0, 1, 6]


def flooded(mask: Mask) -> list[list[tuple[int, int]]]:
    """The components in the order of their first pixels."""
    left = {(int(row), int(column)) for row, column in np.argwhere(mask)}
    components = []
    for start in sorted(left):
        if start not in left:
            continue
        left.discard(start)
        reached, waiting = [start], [start]
        while waiting:
            row, column = waiting.pop()
            near = {(row + down, column + across) for down in (-1, 0, 1) for across in (-1, 0, 1)} & left
            left -= near
            reached += near
            waiting += near
        components.append(reached)
    return components
