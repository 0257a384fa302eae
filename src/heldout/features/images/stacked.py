"""Images of one shape as one array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError, KindError, RequestError
from heldout.features.images.gray_levels import gray_levels
from heldout.features.images.image_files import FileImages
from heldout.features.images.images import ArrayImages, Image, Images, shape_words
from heldout.features.images.resized import resized
from heldout.learners.parameters import Parameter
from heldout.table.describe import plural

Shape = tuple[int, ...]


def size_parameter(name: str) -> Parameter:
    """The parameter of a size that images are brought to."""
    return Parameter(name, choices=(None,), number="integer", lowest=1, types=(tuple, list, np.ndarray))


def size_pair(caller: str, name: str, size: Any) -> tuple[int, int] | None:
    """Rows and columns of a parameter that may be one number for both; None stays None.

    >>> size_pair("PixelFeatures", "size", 8)
    (8, 8)
    """
    if size is None:
        return None
    is_pair = isinstance(size, list | tuple) or (isinstance(size, np.ndarray) and size.ndim > 0)
    pair = list(size) if is_pair else [size, size]
    is_number = [isinstance(part, int | np.integer) and not isinstance(part, bool) for part in pair]
    if len(pair) != 2 or not all(is_number) or min(pair) < 1:
        raise (RequestError if all(is_number) else KindError)(
            f"{name} must be two integers of at least 1, rows and columns",
            where=f"{caller}({name}={size!r:.60})",
            fix=f"for instance {name}=(32, 32)",
        )
    return int(pair[0]), int(pair[1])


def stacked(
    images: Images, *, size: tuple[int, int] | None, gray: bool, advice: str, shape: Shape | None = None
) -> NDArray[Any]:
    """n × rows × columns (× channels), all of one shape. Gray files beside colored ones get equal channels.

    size:   rows and columns that every image is brought to; None leaves them as they are
    gray:   whether colors become gray levels
    advice: how the user gets images of one size
    shape:  what images were like at fit; None at fit
    """
    stack = _as_they_are(images, size, gray)
    if stack is not None:
        _refuse_different(images, stack, shape or stack.shape[1:], shape is None, advice)
        return stack
    prepared = [_prepared(image, size, gray, images.called(place)) for place, image in enumerate(images)]
    has_colors = any(image.ndim == 3 for image in prepared) if shape is None else len(shape) == 3
    if isinstance(images, FileImages) and has_colors:
        prepared = [image if image.ndim == 3 else _colored(image) for image in prepared]
    _refuse_different(images, prepared, shape or prepared[0].shape, shape is None, advice)
    return np.stack(prepared)


def _as_they_are(images: Images, size: tuple[int, int] | None, gray: bool) -> NDArray[Any] | None:
    """An array that needs no change; None for any other images."""
    if not isinstance(images, ArrayImages) or not isinstance(images.arrays, np.ndarray):
        return None
    is_gray_enough = not gray or images.arrays.ndim == 3
    is_in_size = size is None or images.arrays.shape[1:3] == size
    return images.arrays if is_gray_enough and is_in_size else None


def _prepared(image: Image, size: tuple[int, int] | None, gray: bool, where: str) -> Image:
    levels = gray_levels(image, where) if gray else image
    return levels if size is None else resized(levels, size)


def _colored(gray: NDArray[Any]) -> NDArray[Any]:
    """Three equal channels."""
    return np.repeat(gray[..., np.newaxis], 3, axis=-1)


def _refuse_different(
    images: Images, prepared: Sequence[Image] | NDArray[Any], shape: Shape, is_fit: bool, advice: str
) -> None:
    """Raise if an image is not of the shape of the first, or of fit."""
    others = [place for place, image in enumerate(prepared) if image.shape != shape]
    if not others:
        return
    place = others[0]
    came = prepared[place].shape
    if is_fit:
        what = f"images differ in shape: {shape_words(shape)} and {shape_words(came)}"
        than = f"the first, {images.called(0)}"
    else:
        what = f"images of {shape_words(came)} came, and of {shape_words(shape)} at fit"
        than = "those of fit"
    if isinstance(images, FileImages) and len(came) > len(shape):
        advice = "set gray=True before fit, or have a colored image among those of fit"
    raise DataError(
        what,
        where=f"{len(others):,} of {plural(len(prepared), 'image')} differ from {than};"
        f" the first of them is {images.called(place)}",
        fix=advice,
    )
