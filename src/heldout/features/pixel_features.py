"""Images as pixels: one column for each pixel and channel."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from heldout.errors import DataError
from heldout.features.images.image_arrays import images_from_arrays, size_pair, size_parameter, stacked
from heldout.features.images.image_transformer import ImageTransformer
from heldout.features.images.images import Images, ImageSize, shape_words
from heldout.learners.parameters import Parameter, refusal
from heldout.text.words import plural

_ADVICE = "set size=(rows, columns), to which every image is then brought"


class PixelFeatures(ImageTransformer):
    """Images as rows of pixels: each pixel and channel is a column of its own.

    To a learner the columns are a set: that two pixels are neighbors is lost, and images whose pixels are
    all permuted in the same way (`permute_pixels`) are learned equally well. Rows and columns of pixels
    are counted from 1, from the upper left.

    Parameters
    ----------
    size
        (rows, columns), or one number for both, that every image is stretched to; each new pixel is the
        mean of the area that it covers. None leaves images as they are; all must then have one size
    gray
        whether colors become gray levels (0.299 red + 0.587 green + 0.114 blue)
    column
        of a table, the name of the column of file names; None for its only column of words
    folder
        where relative file names are looked for; None for the current folder

    Attributes
    ----------
    image_shape_
        rows, columns and, if there are several, channels
    n_rows_
    file_column_

    Notes
    -----
    Files are read by Pillow (pip install 'heldout[images]') as 0 to 255, gray if all training files are, else
    as red, green and blue; transparent parts are white. Arrays are taken as they are.

    Examples
    --------
    >>> import numpy as np
    >>> images = np.array([[[0, 9], [7, 5]], [[1, 1], [2, 2]]])
    >>> pixels = PixelFeatures().fit(images)
    >>> pixels.transform(images)
    array([[0., 9., 7., 5.],
           [1., 1., 2., 2.]])
    >>> pixels.get_feature_names_out().tolist()
    ['row 1, column 1', 'row 1, column 2', 'row 2, column 1', 'row 2, column 2']
    """

    _parameters: ClassVar[tuple[Parameter, ...]] = (
        size_parameter("size"),
        Parameter("gray", choices=(True, False)),
    )

    image_shape_: tuple[int, ...]

    def __init__(
        self,
        *,
        size: ImageSize = None,
        gray: bool = False,
        column: str | None = None,
        folder: str | Path | None = None,
    ) -> None:
        self.size = size
        self.gray = gray
        self.column = column
        self.folder = folder

    def to_text(self) -> str:
        """How many pixels there are, and what the columns are called."""
        self._check_is_fitted()
        names = self._feature_names()
        return (
            f"{plural(len(names), 'column')}, the pixels of images of {shape_words(self.image_shape_)}:\n"
            + (f"{names[0]}" if len(names) == 1 else f"{names[0]} … {names[-1]}")
        )

    def _learn(self, images: Images) -> None:
        self.image_shape_ = self._stack(images).shape[1:]

    def _features(self, images: Images) -> NDArray[np.float64]:
        stack = self._stack(images, self.image_shape_)
        return np.array(stack.reshape(len(stack), -1), dtype=np.float64)

    def _feature_names(self) -> list[str]:
        return pixel_names(self.image_shape_)

    def _stack(self, images: Images, shape: tuple[int, ...] | None = None) -> NDArray[Any]:
        size = size_pair(type(self).__name__, "size", self.size)
        return stacked(images, size=size, gray=self.gray, advice=_ADVICE, shape=shape)


_CHANNELS = {3: ("red", "green", "blue"), 4: ("red", "green", "blue", "alpha")}


def pixel_names(shape: tuple[int, ...]) -> list[str]:
    """Names in the order of memory, rows and columns counted from 1."""
    n_rows, n_columns, *channels = shape
    ends = [f", {name}" for name in channel_names(channels[0])] if channels else [""]
    return [
        f"row {row}, column {column}{end}"
        for row in range(1, n_rows + 1)
        for column in range(1, n_columns + 1)
        for end in ends
    ]


def channel_names(n_channels: int) -> tuple[str, ...]:
    """Three are red, green and blue, a fourth is alpha; other numbers of channels are counted."""
    counted = tuple(f"channel {channel}" for channel in range(1, n_channels + 1))
    return _CHANNELS.get(n_channels, counted)


SEED = Parameter("seed", number="integer", lowest=0)


def permute_pixels(images: ArrayLike, seed: int = 0) -> NDArray[Any]:
    """Move the pixels of every image by the same random permutation; the channels of a pixel stay together.

    It shows what a learner on pixels knows of locality: nothing. Images of one size are permuted in the same
    way in every call with the same seed, so training and test images can be permuted one after the other.

    Parameters
    ----------
    images
        n × rows × columns or n × rows × columns × channels
    seed
        an integer from 0 on that the permutation depends on, beside rows and columns

    Examples
    --------
    >>> import numpy as np
    >>> permute_pixels(np.array([[[1, 2, 3], [4, 5, 6]], [[10, 20, 30], [40, 50, 60]]]))
    array([[[ 4,  3,  6],
            [ 5,  1,  2]],
    <BLANKLINE>
           [[40, 30, 60],
            [50, 10, 20]]])
    """
    if not SEED.allows(seed):
        raise refusal("permute_pixels", SEED, seed)
    stack = images_from_arrays(images, "permute_pixels").arrays
    if not isinstance(stack, np.ndarray):
        raise DataError(
            "images of different shapes have no common order of pixels",
            where=f"a list of {len(stack):,} images",
            fix="bring them to one size first",
        )
    n_rows, n_columns = stack.shape[1:3]
    order = np.random.Generator(np.random.PCG64(seed)).permutation(n_rows * n_columns)
    flat = stack.reshape(len(stack), n_rows * n_columns, -1)
    moved = np.asarray(flat[:, order].reshape(stack.shape))
    return moved[..., np.newaxis] if _has_one_channel(images) else moved


def _has_one_channel(images: ArrayLike) -> bool:
    """Whether a last axis of one channel was left out on the way."""
    first = cast("Sequence[ArrayLike]", images)[0]
    return np.ndim(first) == 3 and np.shape(first)[2] == 1
