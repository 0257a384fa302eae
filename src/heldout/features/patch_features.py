"""Images as patches: which of the patches of a learned dictionary occur, and how often."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.charts.axes import MARGIN, framed
from heldout.charts.svg import SvgWriter, short_number
from heldout.charts.theme import INK, LINE, MUTED, fill, stroke
from heldout.errors import DataError
from heldout.features.images.image_arrays import size_pair, size_parameter, stacked
from heldout.features.images.image_transformer import ImageTransformer
from heldout.features.images.images import Images, ImageSize, shape_words
from heldout.features.images.patch_grid import (
    PatchGrid,
    fitting_grid,
    learn_dictionary,
    nearest_patches,
    without_contrast,
)
from heldout.learners.description_length import number_bits
from heldout.learners.parameters import N_JOBS, Parameter, refusal, threads_of
from heldout.text.words import plural

_ADVICE = "set image_size=(rows, columns), to which every image is then brought"
# So many numbers of patches are made at a time.
_BLOCK = 2**22

SHOWN_PATCHES = Parameter("max_patches", number="integer", lowest=0)


class PatchFeatures(ImageTransformer):
    """Images as histograms of patches, small squares of which a dictionary is learned from training images.

    A patch loses its mean and is divided by its length, so that neither brightness nor contrast counts. The
    dictionary is that of k-means: patches that stand for many. A feature is the share of an image's
    patches to which a patch of the dictionary is the nearest, of equally near ones the first. Patches without
    contrast have no direction and are counted for themselves, in the column "flat". Where a patch lies in
    the image is not kept.

    Parameters
    ----------
    size
        the edge of a patch, in pixels
    n
        how many patches the dictionary has; fewer if training has not so many distinct ones
    stride
        the step between two patches; None is half an edge. Patches start at the upper left
    seed
        an integer from 0 on, for what is drawn at random
    sample
        how many patches of the training images, at most, the dictionary is learned from
    min_contrast
        a patch is flat if its largest number is larger than its smallest by no more than this
    gray
        whether colors become gray levels (0.299 red + 0.587 green + 0.114 blue)
    image_size
        (rows, columns), or one number for both, that every image is stretched to; None leaves images as
        they are; all must then have one size
    column
        of a table, the name of the column of file names; None for its only column of words
    folder
        where relative file names are looked for; None for the current folder
    n_jobs
        threads; None is one, -1 all processors. The answer is the same

    Attributes
    ----------
    patches_
        n × size × size, × channels if there are several; the most frequent first
    shares_
        of "flat" and of each patch, among those that were learned from
    n_sampled_
    n_distinct_
    image_shape_

    Examples
    --------
    >>> import numpy as np
    >>> stripes = np.tile([0, 1], (4, 4, 2))
    >>> images = np.concatenate([stripes, stripes.swapaxes(1, 2), np.zeros((1, 4, 4))])
    >>> patches = PatchFeatures(size=2, n=4, stride=2).fit(images)
    >>> patches.get_feature_names_out().tolist()
    ['flat', 'patch 1', 'patch 2']
    >>> patches.transform(images[[0, 4, 8]])
    array([[0., 1., 0.],
           [0., 0., 1.],
           [1., 0., 0.]])
    """

    _parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("size", number="integer", lowest=1),
        Parameter("n", number="integer", lowest=1, highest=2**31 - 1),
        Parameter("stride", choices=(None,), number="integer", lowest=1),
        Parameter("seed", number="integer", lowest=0),
        Parameter("sample", number="integer", lowest=1),
        Parameter("min_contrast", number="number", lowest=0),
        Parameter("gray", choices=(True, False)),
        size_parameter("image_size"),
        N_JOBS,
    )

    image_shape_: tuple[int, ...]
    patches_: NDArray[np.float64]
    shares_: NDArray[np.float64]
    n_sampled_: int
    n_distinct_: int

    def __init__(
        self,
        size: int = 8,
        n: int = 64,
        *,
        stride: int | None = None,
        seed: int = 0,
        sample: int = 10_000,
        min_contrast: float = 0.0,
        gray: bool = False,
        image_size: ImageSize = None,
        column: str | None = None,
        folder: str | Path | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.size = size
        self.n = n
        self.stride = stride
        self.seed = seed
        self.sample = sample
        self.min_contrast = min_contrast
        self.gray = gray
        self.image_size = image_size
        self.column = column
        self.folder = folder
        self.n_jobs = n_jobs

    def description_bits(self) -> float:
        """Half of log2 of the number of training images for each number of each patch of the dictionary."""
        self._check_is_fitted()
        return float(self.patches_.size * number_bits(self.n_rows_))

    def to_text(self, max_patches: int = 20) -> str:
        """What the dictionary was learned from, and its first patches in shades, with their shares.

        Parameters
        ----------
        max_patches
            how many patches are drawn
        """
        self._check_is_fitted()
        if not SHOWN_PATCHES.allows(max_patches):
            raise refusal("to_text", SHOWN_PATCHES, max_patches)
        n_made, edge = len(self.patches_), self.patches_.shape[1]
        fewer = f" of {self.n:,} asked for: there are no more distinct ones" if n_made < self.n else ""
        lines = [
            f"{plural(n_made, 'patch', 'patches')} of {edge} × {edge} pixels{fewer}",
            f"learned from {plural(self.n_sampled_, 'patch', 'patches')}, {self.n_distinct_:,} of them"
            f" distinct and not flat, of {plural(self.n_rows_, 'image')} of {shape_words(self.image_shape_)}",
            f"flat: {self.shares_[0]:.1%}",
        ]
        names = [f"{index + 1}: {share:.1%}" for index, share in enumerate(self.shares_[1 : max_patches + 1])]
        if names:
            lines += patches_text(self.patches_[:max_patches], names)
        if n_made > max_patches:
            lines.append(f"… and {plural(n_made - max_patches, 'more patch', 'more patches')}")
        return "\n".join(lines)

    def patches_svg(self) -> str:
        """The dictionary as a picture, with the share of each patch; light where its numbers are large."""
        self._check_is_fitted()
        return patches_svg(self.patches_, self.shares_[1:], "The patches of the dictionary")

    def _learn(self, images: Images) -> None:
        stack = self._stack(images)
        grid = fitting_grid(stack.shape[1:], self.size, self.stride)
        random = np.random.Generator(np.random.PCG64(self.seed))
        drawn, is_flat = without_contrast(self._drawn(stack, grid, random), float(self.min_contrast))
        if is_flat.all():
            raise DataError(
                "every patch of the training images is flat, so there is nothing to learn",
                where=f"{plural(len(drawn), 'patch', 'patches')} of {plural(len(stack), 'image')}",
                fix="use larger patches, a lower min_contrast, or images that show something",
            )
        learned = learn_dictionary(drawn[~is_flat], self.n, random, threads_of(self))
        channels = grid.shape[2:]
        self.patches_ = learned.centers.reshape(-1, grid.size, grid.size, *channels)
        self.shares_ = np.append(np.count_nonzero(is_flat), learned.counts) / len(drawn)
        self.n_sampled_ = len(drawn)
        self.n_distinct_ = learned.n_distinct
        self.image_shape_ = grid.shape

    def _drawn(
        self, stack: NDArray[Any], grid: PatchGrid, random: np.random.Generator
    ) -> NDArray[np.float64]:
        """The patches to learn from: all, or as many as `sample` says, each equally likely."""
        n_all = len(stack) * grid.n_patches
        if n_all <= self.sample:
            return grid.patches(stack)
        return grid.drawn(stack, np.sort(random.choice(n_all, self.sample, replace=False, shuffle=False)))

    def _features(self, images: Images) -> NDArray[np.float64]:
        stack = self._stack(images, self.image_shape_)
        grid = fitting_grid(self.image_shape_, self.patches_.shape[1], self.stride)
        centers = self.patches_.reshape(len(self.patches_), -1)
        step = max(1, _BLOCK // (grid.n_patches * grid.n_numbers))
        blocks = [self._histograms(stack[k : k + step], grid, centers) for k in range(0, len(stack), step)]
        return np.concatenate(blocks)

    def _histograms(
        self, stack: NDArray[Any], grid: PatchGrid, centers: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        patches, is_flat = without_contrast(grid.patches(stack), float(self.min_contrast))
        words = np.zeros(len(patches), dtype=np.int64)
        if not is_flat.all():
            words[~is_flat] = 1 + nearest_patches(centers, patches[~is_flat], threads_of(self))[0]
        n_words = len(centers) + 1
        indices = np.repeat(np.arange(len(stack)), grid.n_patches) * n_words + words
        counts = np.bincount(indices, minlength=len(stack) * n_words)
        return np.asarray(counts.reshape(len(stack), n_words) / grid.n_patches)

    def _feature_names(self) -> list[str]:
        return ["flat", *(f"patch {index}" for index in range(1, len(self.patches_) + 1))]

    def _stack(self, images: Images, shape: tuple[int, ...] | None = None) -> NDArray[Any]:
        size = size_pair(type(self).__name__, "image_size", self.image_size)
        return stacked(images, size=size, gray=self.gray, advice=_ADVICE, shape=shape)


_SHADES = " ░▒▓█"
_WIDTH = 80
_EDGE = 64.0
_GAP = 12.0
_PER_LINE = 10


def patches_text(patches: Floats, names: Sequence[str]) -> list[str]:
    """Lines in which patches stand side by side, each under its name, light where their numbers are large.

    patches: n × rows × columns (× channels)
    """
    width = max(patches.shape[2], *(len(name) for name in names))
    per_line = max(1, (_WIDTH + 2) // (width + 2))
    lines: list[str] = []
    for start in range(0, len(patches), per_line):
        block = [_shades(patch) for patch in patches[start : start + per_line]]
        rows = [names[start : start + per_line], *zip(*block, strict=True)]
        lines += ["  ".join(cell.ljust(width) for cell in row).rstrip() for row in rows]
    return lines


def patches_svg(patches: Floats, shares: Floats, title: str) -> str:
    """The patches as squares of pixels, with the share of each below it.

    patches: n × rows × columns (× channels)
    """
    writer = SvgWriter()
    n_lines = -(-len(patches) // _PER_LINE)
    for index, patch in enumerate(patches):
        down, across = divmod(index, _PER_LINE)
        left, top = MARGIN + across * (_EDGE + _GAP), MARGIN + down * (_EDGE + 3 * _GAP)
        _draw(writer, patch, left, top)
        writer.leaf("text", str(index + 1), x=left, y=top + _EDGE + 14, font_size=11, **fill(INK))
        share, right = f"{shares[index]:.1%}", left + _EDGE
        writer.leaf(
            "text", share, x=right, y=top + _EDGE + 14, font_size=11, text_anchor="end", **fill(MUTED)
        )
    width = 2 * MARGIN + min(len(patches), _PER_LINE) * (_EDGE + _GAP) - _GAP
    height = 2 * MARGIN + n_lines * (_EDGE + 3 * _GAP) - _GAP
    description = f"{plural(len(patches), 'patch', 'patches')}, light where the numbers are large"
    return framed(writer.text, width, height, title, description)


def _levels(patch: Floats) -> Floats:
    """Numbers between 0, the lowest of the patch, and 1, the highest."""
    lowest, highest = patch.min(), patch.max()
    return np.asarray(
        (patch - lowest) / (highest - lowest) if highest > lowest else np.full(patch.shape, 0.5)
    )


def _shades(patch: Floats) -> list[str]:
    levels = _levels(patch.mean(axis=2) if patch.ndim == 3 else patch)
    indices = np.minimum((levels * len(_SHADES)).astype(int), len(_SHADES) - 1)
    return ["".join(_SHADES[index] for index in row) for row in indices]


def _draw(writer: SvgWriter, patch: Floats, left: float, top: float) -> None:
    is_colored = patch.ndim == 3 and patch.shape[2] == 3
    levels = _levels(patch if is_colored or patch.ndim == 2 else patch.mean(axis=2))
    numbers = np.rint(levels * 255).astype(int)
    edge = _EDGE / len(patch)
    for row, line in enumerate(numbers):
        for column, number in enumerate(line):
            red, green, blue = number.tolist() if is_colored else [int(number)] * 3
            writer.leaf(
                "rect",
                x=left + column * edge,
                y=top + row * edge,
                width=edge,
                height=edge,
                fill=f"#{red:02x}{green:02x}{blue:02x}",
            )
    # White on light paper, and black on dark, would have no edge.
    corner = f"{short_number(left)} {short_number(top)}"
    writer.leaf("path", d=f"M{corner}h{_EDGE:g}v{_EDGE:g}h-{_EDGE:g}Z", **stroke(LINE))
