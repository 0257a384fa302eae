"""Colors as one gray level: the weights of the eye."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError
from heldout.features.images.images import Image, as_floats

_LARGEST = 2.0**900


def gray_levels(image: Image, where: str) -> NDArray[np.float64]:
    """The brightness of each pixel: 0.299 red + 0.587 green + 0.114 blue (ITU-R BT.601); gray stays as it is.

    where: what errors call the image

    >>> gray_levels(np.array([[[255, 255, 255], [255, 0, 0]]]), "image 1")
    array([[255.   ,  76.245]])
    """
    if image.ndim == 2:
        return as_floats(image)
    if image.shape[2] != 3:
        raise DataError(
            f"gray levels are made of 3 channels, red, green and blue, and there are {image.shape[2]}",
            where=where,
            fix="hand over images[..., :3] if a fourth is transparency, or one channel at a time",
        )
    red, green, blue = (as_floats(image[..., channel]) for channel in range(3))
    if max(np.abs(channel).max() for channel in (red, green, blue)) > _LARGEST:  # sums would overflow
        return np.asarray(0.299 * red + 0.587 * green + 0.114 * blue)
    # Whole numbers are summed exactly, so equal channels give their own level.
    return np.asarray((299.0 * red + 587.0 * green + 114.0 * blue) / 1000.0)
