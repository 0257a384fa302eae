"""Patches: small squares of an image on a grid, without their brightness and contrast."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Counts, Floats
from heldout.errors import DataError
from heldout.features.images.images import as_floats, shape_words
from heldout.native.neighbors import nearest


@dataclass(frozen=True)
class PatchGrid:
    """Where the patches of an image lie: each `stride` pixels, from the upper left, as far as whole ones fit.

    shape:  rows, columns and, if there are several, channels of an image
    size:   the edge of a patch
    stride: the step between two patches
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

    def drawn(self, stack: NDArray[Any], indices: NDArray[np.int64]) -> Floats:
        """Some of the patches, by their places among all."""
        images, inside = np.divmod(indices, self.n_patches)
        down, across = np.divmod(inside, self.n_across)
        steps = np.arange(self.size)
        rows = (down * self.stride)[:, np.newaxis, np.newaxis] + steps[:, np.newaxis]
        columns = (across * self.stride)[:, np.newaxis, np.newaxis] + steps
        cut = stack[images[:, np.newaxis, np.newaxis], rows, columns]
        return as_floats(cut.reshape(len(indices), self.n_numbers))


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


MOST_ROUNDS = 100
# Patches of length 1 that differ by less than this in every number differ by rounding alone.
SAME = 2.0**-30


@dataclass(frozen=True, eq=False)
class PatchDictionary:
    """The centers, those of most patches first.

    centers:    centers × numbers
    counts:     how many patches are nearest to each
    n_distinct: how many distinct patches there were; there are no more centers. Those that differ by
                rounding alone, as the same pattern in another contrast does, are one
    """

    centers: Floats
    counts: Counts
    n_distinct: int


def learn_dictionary(
    patches: Floats, n: int, random: np.random.Generator, n_threads: int = 1
) -> PatchDictionary:
    """Centers of patches by k-means: each is the mean of the patches to which it is the nearest.

    Centers start from patches that are drawn one after the other, each with a chance in proportion to the
    squared distance from those before it, as the best of a few drawn (greedy k-means++). Then patches go to
    the nearest center, of equally near ones the first, and centers to the mean of their patches, until
    no patch moves or 100 rounds are over. A center without patches goes to the patch that is farthest from
    its own center.

    patches: at least one row, with numbers of about 1
    n:       how many centers; no more are made than there are distinct patches
    """
    cells = np.rint(patches / SAME).astype(np.int64)
    _, first, counts = np.unique(cells, axis=0, return_index=True, return_counts=True)
    rows = np.ascontiguousarray(patches[first])
    centers = _first_centers(rows, counts, min(n, len(rows)), random, n_threads)
    labels = np.full(len(rows), -1)
    for _ in range(MOST_ROUNDS):
        before = labels
        labels, distances = nearest_patches(centers, rows, n_threads)
        if (labels == before).all():
            break
        centers = _means(rows, counts, labels, distances, len(centers))
    labels = nearest_patches(centers, rows, n_threads)[0]
    sizes = np.bincount(labels, weights=counts, minlength=len(centers)).astype(np.int64)
    order = np.argsort(-sizes, kind="stable")
    return PatchDictionary(centers[order], sizes[order], len(rows))


def nearest_patches(centers: Floats, patches: Floats, n_threads: int = 1) -> tuple[NDArray[np.int32], Floats]:
    """The nearest center of each patch, of equally near ones the first, and its squared distance."""
    indices, distances = nearest(centers, patches, 1, "l2", n_threads=n_threads)
    return indices[:, 0], distances[:, 0]


def _first_centers(
    rows: Floats, counts: Counts, n: int, random: np.random.Generator, n_threads: int
) -> Floats:
    n_tries = 2 + int(math.log(n))
    chosen = [_draw(counts, 1, random)[0]]
    gaps = _distances(rows[chosen], rows, n_threads)[:, 0]
    while len(chosen) < n:
        # Two that are the same may lie on both sides of a border between cells.
        probabilities = counts * np.where(gaps > (SAME / 1000) ** 2, gaps, 0.0)
        if not probabilities.any():
            break
        tries = _draw(probabilities, n_tries, random)
        after = np.minimum(gaps[:, np.newaxis], _distances(rows[tries], rows, n_threads))
        best = int(np.argmin((counts[:, np.newaxis] * after).sum(axis=0)))
        chosen.append(tries[best])
        gaps = after[:, best]
    return np.array(rows[chosen])


def _draw(probabilities: NDArray[Any], n_draws: int, random: np.random.Generator) -> NDArray[np.int64]:
    """Rows drawn in proportion to their chances; one without a chance is never drawn."""
    ends = np.cumsum(probabilities)
    wanted = random.random(n_draws) * ends[-1]
    last = int(np.flatnonzero(probabilities)[-1])
    return np.asarray(np.minimum(np.searchsorted(ends, wanted, side="right"), last))


def _distances(references: Floats, rows: Floats, n_threads: int) -> Floats:
    """Squared distances, rows × references."""
    indices, sorted_distances = nearest(references, rows, len(references), "l2", n_threads=n_threads)
    distances = np.empty_like(sorted_distances)
    np.put_along_axis(distances, indices.astype(np.int64), sorted_distances, axis=1)
    return distances


def _means(rows: Floats, counts: Counts, labels: NDArray[np.int32], distances: Floats, n: int) -> Floats:
    """The mean of the rows of each label, and a far row where there is none."""
    order = np.argsort(labels, kind="stable")
    present, starts = np.unique(labels[order], return_index=True)
    sums = np.add.reduceat(rows[order] * counts[order, np.newaxis], starts, axis=0)
    sizes = np.add.reduceat(counts[order], starts)
    centers = np.empty((n, rows.shape[1]))
    centers[present] = sums / sizes[:, np.newaxis]
    empty = np.setdiff1d(np.arange(n), present)
    centers[empty] = rows[np.argsort(-distances, kind="stable")[: len(empty)]]
    return centers
