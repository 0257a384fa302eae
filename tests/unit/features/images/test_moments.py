"""Moments against plain sums of fractions, and what does not change when a shape is moved."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heldout.features.images.shape_measures import Moments, hu_moments, shape_moments, signed_log

from .drawn import Mask, filled_masks, letter_l, rectangle


def central(mask: Mask, x_power: int, y_power: int) -> Fraction:
    """A central moment of squares of area 1, each integrated over its area, as an exact fraction."""
    pixels = np.argwhere(mask).tolist()
    mean_y, mean_x = (Fraction(sum(pixel[axis] for pixel in pixels), len(pixels)) for axis in (0, 1))
    return sum(
        (integral(x - mean_x, x_power) * integral(y - mean_y, y_power) for y, x in pixels), start=Fraction(0)
    )


def integral(middle: Fraction, power: int) -> Fraction:
    """The integral of t^power over the interval of length 1 around the middle."""
    high, low = middle + Fraction(1, 2), middle - Fraction(1, 2)
    return (high ** (power + 1) - low ** (power + 1)) / (power + 1)


@settings(max_examples=40)
@given(filled_masks)
def test_moments_are_sums_of_integrals(mask: Mask) -> None:
    """Every central moment is the exact sum over the squares."""
    moments = shape_moments(mask)
    a = moments.area
    assert a == mask.sum()
    for name in ("xx", "xy", "yy"):
        assert getattr(moments, name) == 12 * a * central(mask, name.count("x"), name.count("y"))
    for name in ("xxx", "xxy", "xyy", "yyy"):
        assert getattr(moments, name) == a * a * central(mask, name.count("x"), name.count("y"))


@pytest.mark.slow
@settings(max_examples=40)
@given(filled_masks)
def test_hu_moments_are_those_of_the_textbook(mask: Mask) -> None:
    """Each is the float nearest to Hu's formula on fractions, whose odd powers of √area cancel."""
    a = int(mask.sum())

    def scaled(x_power: int, y_power: int) -> Fraction:  # without the √a that moments of odd order have below
        return central(mask, x_power, y_power) / a ** (1 + (x_power + y_power) // 2)

    n20, n02, n11 = scaled(2, 0), scaled(0, 2), scaled(1, 1)
    n30, n03, n21, n12 = scaled(3, 0), scaled(0, 3), scaled(2, 1), scaled(1, 2)
    r, s = n30 + n12, n21 + n03
    expected = (
        n20 + n02,
        (n20 - n02) ** 2 + 4 * n11**2,
        ((n30 - 3 * n12) ** 2 + (3 * n21 - n03) ** 2) / a,
        (r**2 + s**2) / a,
        ((n30 - 3 * n12) * r * (r**2 - 3 * s**2) + (3 * n21 - n03) * s * (3 * r**2 - s**2)) / a**2,
        ((n20 - n02) * (r**2 - s**2) + 4 * n11 * r * s) / a,
        ((3 * n21 - n03) * r * (r**2 - 3 * s**2) - (n30 - 3 * n12) * s * (3 * r**2 - s**2)) / a**2,
    )
    assert hu_moments(shape_moments(mask)) == tuple(map(float, expected))


@given(filled_masks, st.integers(0, 3), st.integers(0, 3), st.integers(1, 3))
def test_hu_moments_have_the_same_bits_when_a_shape_is_moved(
    mask: Mask, above: int, left: int, factor: int
) -> None:
    """Moved, turned by 90° or enlarged they are equal; mirrored, the seventh changes its sign."""
    original = hu_moments(shape_moments(mask))
    assert hu_moments(shape_moments(np.pad(mask, ((above, 1), (left, 2))))) == original
    assert hu_moments(shape_moments(np.rot90(mask))) == original
    assert hu_moments(shape_moments(np.kron(mask, np.ones((factor, factor), dtype=np.bool_)))) == original
    mirrored = hu_moments(shape_moments(mask[:, ::-1]))
    assert mirrored == (*original[:6], -original[6])


def test_other_sizes_and_angles_change_hu_moments_little() -> None:
    """An L drawn by an inequality at several sizes and angles has nearly the same first four moments."""
    found = []
    for size, angle in ((60, 0.0), (90, 0.4), (120, 1.1), (200, 2.5)):
        y, x = np.mgrid[:300, :300] - 149.5
        turned_x = (x * math.cos(angle) + y * math.sin(angle)) / size
        turned_y = (y * math.cos(angle) - x * math.sin(angle)) / size
        upright = (np.abs(turned_x + 0.25) < 0.15) & (np.abs(turned_y) < 0.5)
        foot = (np.abs(turned_x) < 0.4) & (np.abs(turned_y - 0.35) < 0.15)
        found.append(hu_moments(shape_moments(upright | foot))[:4])
    np.testing.assert_allclose(found[1:], np.broadcast_to(found[0], (3, 4)), rtol=0.05)


def test_a_rectangle_has_the_ellipse_of_its_sides() -> None:
    """The eccentricity of w × h is √(1 - h²/w²), and its long axis lies along the longer side."""
    moments = shape_moments(rectangle(3, 5))
    assert moments.eccentricity == pytest.approx(math.sqrt(1 - 9 / 25), rel=1e-15)
    assert moments.orientation == 0.0
    assert shape_moments(rectangle(5, 3)).orientation == 90.0
    square = shape_moments(rectangle(4, 4))
    assert (square.eccentricity, square.orientation) == (0.0, 0.0)


def test_orientation_turns_counterclockwise() -> None:
    """A rising diagonal is at 45°, a falling one at -45°."""
    falling = np.eye(9, dtype=np.bool_)
    assert shape_moments(falling).orientation == pytest.approx(-45.0)
    assert shape_moments(falling[::-1]).orientation == pytest.approx(45.0)


def test_very_large_shapes_do_not_overflow() -> None:
    """A line of 100,000 pixels has its exact moments, beyond 64 bits."""
    n = 100_000
    moments = shape_moments(np.ones((1, n), dtype=np.bool_))
    assert moments.xx == n * n * n * n
    assert moments.xxx == 0
    assert shape_moments(np.ones((n, 1), dtype=np.bool_)).yy == n**4


def test_logs_keep_sign_and_order() -> None:
    """The scaled moment grows with the moment, through 0."""
    numbers = [-1.0, -1e-9, -1e-15, 0.0, 1e-15, 1e-9, 1.0]
    logs = [signed_log(number) for number in numbers]
    assert logs == sorted(set(logs))
    assert logs[::-1] == [-log for log in logs]
    assert signed_log(1.0) == pytest.approx(12.0)


def test_the_moments_of_the_l_are_its_sums() -> None:
    """Area and first sums of a known shape, counted by hand."""
    moments = shape_moments(letter_l()[2:8, 2:7])
    assert isinstance(moments, Moments)
    assert (moments.area, moments.x, moments.y) == (18, 6 + 2 * (2 + 3 + 4), 2 * 15 + 3 * (4 + 5))
