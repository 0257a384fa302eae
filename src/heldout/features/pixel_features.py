"""Images as pixels: one column for each pixel and channel."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from heldout.features.images.image_transformer import ImageTransformer
from heldout.features.images.images import Images, shape_words
from heldout.features.images.pixel_names import pixel_names
from heldout.features.images.stacked import size_pair, size_parameter, stacked
from heldout.learners.parameters import Parameter
from heldout.table.describe import plural

_ADVICE = "set size=(rows, columns), to which every image is then brought"


class PixelFeatures(ImageTransformer):
    """Images as rows of pixels: each pixel and channel is a column of its own.

    To a learner the columns are a set: that two pixels are neighbors is lost, and images whose pixels are
    all permuted in the same way (`permute_pixels`) are learned equally well. Rows and columns of pixels
    are counted from 1, from the upper left.

    size:   (rows, columns), or one number for both, that every image is stretched to; each new pixel is the
            mean of the area that it covers. None leaves images as they are; all must then have one size
    gray:   whether colors become gray levels (0.299 red + 0.587 green + 0.114 blue)
    column: of a table, the name of the column of file names; None for its only column of words
    folder: where relative file names are looked for; None for the current folder

    Files are read by Pillow (pip install 'heldout[images]') as 0 to 255, gray if all training files are, else
    as red, green and blue; transparent parts are white. Arrays are taken as they are.

    After fit: image_shape_ (rows, columns and, if there are several, channels), n_rows_, file_column_.

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
        size: Any = None,
        gray: bool = False,
        column: str | None = None,
        folder: str | Path | None = None,
    ) -> None:
        self.size = size
        self.gray = gray
        self.column = column
        self.folder = folder

    def description_bits(self) -> float:
        """Nothing: no number is learned."""
        self._check_is_fitted()
        return 0.0

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
