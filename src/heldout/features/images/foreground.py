"""Which pixels are the foreground: those on one side of a threshold."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]


def foreground_mask(levels: NDArray[np.float64], threshold: str | float, foreground: str) -> Mask:
    """Which pixels of a gray image are the foreground.

    threshold:  a number, above which pixels are light, or "otsu"
    foreground: "light", "dark", or "auto": the side with fewer pixels on the border of the image, of equal
                ones the side with fewer pixels, of equal ones the light one

    >>> levels = np.array([[9.0, 9.0, 9.0], [9.0, 1.0, 9.0], [9.0, 9.0, 9.0]])
    >>> np.argwhere(foreground_mask(levels, "otsu", "auto")).tolist()
    [[1, 1]]
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

    >>> otsu_threshold(np.array([[1.0, 2.0, 1.0], [8.0, 9.0, 9.0]]))
    2.0
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
