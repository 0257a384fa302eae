"""Patches: small squares of an image on a grid, without their brightness and contrast."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError
from heldout.features.images.images import as_floats, shape_words

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class PatchGrid:
    """Where the patches of an image lie: each `stride` pixels, from the upper left, as far as whole ones fit.

    shape:  rows, columns and, if there are several, channels of an image
    size:   the edge of a patch
    stride: the step between two patches

    >>> grid = PatchGrid((8, 6), size=4, stride=2)
    >>> grid.n_down, grid.n_across, grid.n_patches, grid.n_numbers
    (3, 2, 6, 16)
    """

    shape: tuple[int, ...]
    size: int
    stride: int

    @property
    def n_down(self) -> int:
        return (self.shape[0] - self.size) // self.stride + 1

    @property
    def n_across(self) -> int:
        return (self.shape[1] - self.size) // self.stride + 1

    @property
    def n_patches(self) -> int:
        """In one image."""
        return self.n_down * self.n_across

    @property
    def n_numbers(self) -> int:
        """In one patch."""
        return self.size * self.size * (self.shape[2] if len(self.shape) == 3 else 1)

    def patches(self, stack: NDArray[Any]) -> Floats:
        """All patches of all images: patches × numbers, image after image.

        stack: n × rows × columns (× channels)
        """
        windows = np.lib.stride_tricks.sliding_window_view(stack, (self.size, self.size), axis=(1, 2))
        chosen = windows[:, :: self.stride, :: self.stride]
        if stack.ndim == 4:  # the window comes after the channels
            chosen = np.moveaxis(chosen, 3, -1)
        return as_floats(chosen.reshape(-1, self.n_numbers))

    def drawn(self, stack: NDArray[Any], places: NDArray[np.int64]) -> Floats:
        """Some of the patches, by their places among all."""
        images, inside = np.divmod(places, self.n_patches)
        down, across = np.divmod(inside, self.n_across)
        steps = np.arange(self.size)
        rows = (down * self.stride)[:, np.newaxis, np.newaxis] + steps[:, np.newaxis]
        columns = (across * self.stride)[:, np.newaxis, np.newaxis] + steps
        cut = stack[images[:, np.newaxis, np.newaxis], rows, columns]
        return as_floats(cut.reshape(len(places), self.n_numbers))


def fitting_grid(shape: tuple[int, ...], size: int, stride: int | None) -> PatchGrid:
    """The grid for images of this shape; None steps by half an edge."""
    if size > min(shape[:2]):
        raise DataError(
            f"a patch of {size} × {size} pixels does not fit into an image",
            where=f"the images have {shape_words(shape)}",
            fix=f"set size to {min(shape[:2])} or less, or image_size to something larger",
        )
    return PatchGrid(shape, size, max(1, size // 2) if stride is None else int(stride))


def without_contrast(patches: Floats, min_contrast: float) -> tuple[Floats, NDArray[np.bool_]]:
    """Patches less their mean, divided by their length; and which are flat: those are 0.

    min_contrast: a patch is flat if its largest number is not larger than its smallest by more than this

    >>> without_contrast(np.array([[1.0, 3.0], [2.0, 2.0]]), 0.0)[0].round(3).tolist()
    [[-0.707, 0.707], [0.0, 0.0]]
    """
    lowest, highest = patches.min(axis=1), patches.max(axis=1)
    is_flat = highest / 2 - lowest / 2 <= min_contrast / 2  # halves cannot overflow
    # Division by a power of two is exact: it keeps squares of very large and very small numbers in range.
    exponent = np.frexp(np.maximum(-lowest, highest))[1]
    scaled = np.ldexp(patches, -exponent[:, np.newaxis])
    # Nearly equal numbers lose no digit to their lowest, and what is left has a mean of its own size.
    centered = scaled - scaled.min(axis=1, keepdims=True)
    centered -= centered.mean(axis=1, keepdims=True)
    lengths = np.sqrt((centered * centered).sum(axis=1))
    is_flat |= lengths == 0
    centered[is_flat] = 0.0
    centered /= np.where(is_flat, 1.0, lengths)[:, np.newaxis]
    return centered, is_flat
