"""Shapes drawn for the tests, as masks."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

Mask = NDArray[np.bool_]


def rectangle(height: int, width: int, margin: int = 2) -> Mask:
    """A filled rectangle inside a margin."""
    return np.pad(np.ones((height, width), dtype=np.bool_), margin)


def disk(radius: float, n: int) -> Mask:
    """The pixels of n × n whose middles are within the radius of the middle."""
    rows, columns = np.mgrid[:n, :n] - (n - 1) / 2
    return np.asarray(rows**2 + columns**2 <= radius**2)


def diamond(radius: int, n: int) -> Mask:
    """The pixels of n × n, n odd, that are at most so many steps along rows and columns from the middle."""
    rows, columns = np.abs(np.mgrid[:n, :n] - n // 2)
    return np.asarray(rows + columns <= radius)


def letter_l() -> Mask:
    """An upright of 6 × 2 pixels with a foot of 2 × 3 pixels at its right."""
    mask = np.zeros((10, 9), dtype=np.bool_)
    mask[2:8, 2:4] = True
    mask[6:8, 4:7] = True
    return mask


def ring() -> Mask:
    """A square of 7 pixels with a square hole of 3."""
    mask = rectangle(7, 7)
    mask[4:7, 4:7] = False
    return mask


masks = arrays.arrays(np.bool_, st.tuples(st.integers(1, 9), st.integers(1, 9)))
filled_masks = masks.filter(lambda mask: bool(mask.any()))
