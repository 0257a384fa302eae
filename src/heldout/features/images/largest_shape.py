"""The largest shape of a foreground, and how many holes it has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heldout.features.images.foreground import Mask


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

    >>> n_holes(np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]], dtype=bool))
    1
    """
    padded = np.pad(mask, 1).astype(np.int8)
    corners = padded[:-1, :-1], padded[:-1, 1:], padded[1:, :-1], padded[1:, 1:]
    n_set = corners[0] + corners[1] + corners[2] + corners[3]
    is_diagonal = (n_set == 2) & (corners[0] == corners[3])
    n_one, n_three = np.count_nonzero(n_set == 1), np.count_nonzero(n_set == 3)
    return 1 - int(n_one - n_three - 2 * np.count_nonzero(is_diagonal)) // 4
