"""An image brought to another size: each new pixel is the mean of the area that it covers."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.features.images.images import Image, as_floats


def resized(image: Image, size: tuple[int, int]) -> NDArray[np.float64]:
    """The image with so many rows and columns; it is stretched, not cut.

    size: rows and columns

    >>> resized(np.array([[1.0, 3.0], [5.0, 7.0]]), (1, 2))
    array([[3., 5.]])
    """
    numbers = as_floats(image)
    for axis, n_new in enumerate(size):
        n_old = numbers.shape[axis]
        if n_old != n_new:
            lines = np.moveaxis(numbers, axis, 0)
            means = _overlaps(n_old, n_new) @ lines.reshape(n_old, -1) / n_old
            numbers = np.moveaxis(means.reshape(n_new, *lines.shape[1:]), 0, axis)
    return np.ascontiguousarray(numbers)


@lru_cache(maxsize=64)
def _overlaps(n_old: int, n_new: int) -> Any:
    """How many parts of each old pixel a new one covers; an old pixel has n_new parts, a new one n_old."""
    from scipy.sparse import csr_array  # takes 0.1 s

    # Sparse products are summed in one order; those of BLAS depend on the threads.
    edges = np.unique(np.append(np.arange(n_old + 1) * n_new, np.arange(n_new + 1) * n_old))
    starts, lengths = edges[:-1], np.diff(edges)
    cells = (lengths.astype(np.float64), (starts // n_old, starts // n_new))
    return csr_array(cells, shape=(n_new, n_old))
