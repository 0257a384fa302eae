"""An image brought to another size: each new pixel is the mean of the area that it covers."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.features.images.images import Image, as_floats

_LARGEST = 2.0**900


def resized(image: Image, size: tuple[int, int]) -> NDArray[np.float64]:
    """The image with so many rows and columns; it is stretched, not cut.

    No mean leaves the range of what it is made of, so an area of one color keeps its color to the last bit.

    size: rows and columns

    >>> resized(np.array([[1.0, 3.0], [5.0, 7.0]]), (1, 2))
    array([[3., 5.]])
    """
    numbers = as_floats(image)
    if np.abs(numbers).max() > _LARGEST:  # sums would overflow; powers of two change no digit
        return resized(numbers / _LARGEST, size) * _LARGEST
    for axis, n_new in enumerate(size):
        n_old = numbers.shape[axis]
        if n_old != n_new:
            lines = np.moveaxis(numbers, axis, 0)
            means = _means(lines.reshape(n_old, -1), n_new)
            numbers = np.moveaxis(means.reshape(n_new, *lines.shape[1:]), 0, axis)
    return np.ascontiguousarray(numbers)


def _means(lines: NDArray[np.float64], n_new: int) -> NDArray[np.float64]:
    """The lines brought to another number of them."""
    n_old = len(lines)
    means = _overlaps(n_old, n_new) @ lines / n_old
    begins = np.arange(n_new) * n_old // n_new
    ends = -(np.arange(1, n_new + 1) * -n_old // n_new)
    # Each second part is from an end to the next begin, and is not wanted; the last line is there twice.
    parts = np.stack([begins, ends], axis=1).ravel()
    padded = np.concatenate([lines, lines[-1:]])
    lowest, highest = (bound.reduceat(padded, parts, axis=0)[::2] for bound in (np.minimum, np.maximum))
    return np.asarray(np.clip(means, lowest, highest))


@lru_cache(maxsize=64)
def _overlaps(n_old: int, n_new: int) -> Any:
    """How many parts of each old pixel a new one covers; an old pixel has n_new parts, a new one n_old."""
    from scipy.sparse import csr_array  # takes 0.1 s

    # Sparse products are summed in one order; those of BLAS depend on the threads.
    edges = np.unique(np.append(np.arange(n_old + 1) * n_new, np.arange(n_new + 1) * n_old))
    starts, lengths = edges[:-1], np.diff(edges)
    cells = (lengths.astype(np.float64), (starts // n_old, starts // n_new))
    return csr_array(cells, shape=(n_new, n_old))
