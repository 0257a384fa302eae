"""Arrays of images, checked: n × rows × columns, or n × rows × columns × channels, of finite numbers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from os import PathLike
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.features.images.image_files import FileImages
from heldout.features.images.images import (
    ArrayImages,
    Image,
    Images,
    ImageSize,
    as_floats,
    shape_words,
)
from heldout.learners.parameters import Parameter
from heldout.text.words import plural
from heldout.types import TableLike

_FORMS = "n × rows × columns or n × rows × columns × channels"


def images_from_arrays(X: TableLike, caller: str) -> ArrayImages:
    """The images of an array, or of a list of arrays, which may differ in shape.

    caller: the transformer, as errors call it
    """
    arrays = _arrays_of(X)
    checked: NDArray[Any] | list[Image]
    if isinstance(arrays, np.ndarray):
        checked = _checked_stack(arrays, caller)
    else:
        checked = [_checked_image(image, index, caller) for index, image in enumerate(arrays)]
    _refuse_not_finite(checked)
    return ArrayImages(checked)


def one_image(image: ArrayLike, caller: str) -> Image:
    """One image by itself: rows × columns, or rows × columns × channels."""
    array = np.asarray(image)
    if array.ndim not in (2, 3):
        raise _wrong_dimensions(array, "rows × columns or rows × columns × channels", caller)
    stack = _checked_stack(array[np.newaxis], caller)
    _refuse_not_finite(stack)
    first: Image = stack[0]
    return first


def _arrays_of(X: TableLike) -> NDArray[Any] | list[NDArray[Any]]:
    """X as one array, or as a list of arrays that differ in shape."""
    if hasattr(X, "tocsr"):
        raise InputTypeError(
            "Sparse data was passed, and images are dense arrays",
            where=f"X is a {type(X).__name__} of shape {getattr(X, 'shape', ())}",
            fix=f"hand over an array {_FORMS}",
        )
    is_list = isinstance(X, list | tuple) or (isinstance(X, np.ndarray) and X.dtype == object and X.ndim)
    if not is_list and not (isinstance(X, np.ndarray) and X.dtype.kind == "U" and X.ndim == 1):
        return np.asarray(X)
    entries = list(cast("Sequence[ArrayLike]", X))
    if entries and all(isinstance(entry, str | PathLike) for entry in entries):
        raise InputTypeError(
            "a list of names says not whether they are files",
            where=f"X is a {type(X).__name__} of {plural(len(entries), 'word')},"
            f" first {str(entries[0])!r:.60}",
            fix='hand over a table with a column of file names: read_table({"file": names})',
        )
    arrays = [_entry(entry, index) for index, entry in enumerate(entries)]
    return arrays if len({array.shape for array in arrays}) > 1 else np.asarray(arrays)


def _entry(entry: ArrayLike, index: int) -> NDArray[Any]:
    try:
        return np.asarray(entry)
    except ValueError as error:
        raise DataError(
            "an image is not a grid: its rows differ in length",
            where=f"image {index + 1:,}",
            fix="give every row of pixels as many columns",
        ) from error


def _checked_stack(stack: NDArray[Any], caller: str) -> NDArray[Any]:
    """The array itself, without a last axis of one channel."""
    if stack.dtype.kind not in "biuf":
        raise InputTypeError(
            f"images are numbers, not {_dtype_words(stack.dtype)}",
            where=f"X is an array of dtype {stack.dtype} and shape {stack.shape}",
            fix=f"hand {caller} numbers: an array {_FORMS}",
        )
    if stack.ndim not in (3, 4):
        raise _wrong_dimensions(stack, _FORMS, caller)
    if len(stack) == 0:
        raise DataError(
            f"Found array with 0 sample(s) (shape={stack.shape}) while a minimum of 1 is required"
            f" by {caller}.",
            where="X",
            fix="hand over at least one image",
        )
    if stack.size == 0:
        raise DataError(
            f"the images have 0 pixels or 0 channels: Found array with 0 feature(s) (shape={stack.shape})"
            " while a minimum of 1 is required.",
            where=f"X of {plural(len(stack), 'image')}",
            fix=f"hand over an array {_FORMS}",
        )
    if stack.dtype.kind == "f" and stack.dtype.itemsize > 8:
        stack = stack.astype(np.float64)
    return stack[..., 0] if stack.ndim == 4 and stack.shape[3] == 1 else stack


def _checked_image(image: NDArray[Any], index: int, caller: str) -> Image:
    try:
        checked: Image = _checked_stack(image[np.newaxis], caller)[0]
    except (DataError, InputTypeError) as error:
        raise type(error)(error.what, f"image {index + 1:,}: {error.where}", error.fix) from error
    return checked


def _wrong_dimensions(array: NDArray[Any], wanted: str, caller: str) -> DataError:
    if array.ndim == 2:
        fix = (
            "hand over one image as images[np.newaxis], and flat rows of pixels as rows.reshape(len(rows),"
            " n_rows, n_columns)"
        )
    else:
        fix = "reshape it: one axis of images, then rows and columns, then channels, if there are any"
    return DataError(
        f"{caller} wants an array {wanted}, and this one has {plural(array.ndim, 'axis', 'axes')}",
        where=f"shape {array.shape}",
        fix=fix,
    )


def _dtype_words(dtype: np.dtype[Any]) -> str:
    words = {
        "O": "objects",
        "U": "text",
        "S": "bytes",
        "c": "complex numbers",
        "M": "dates",
        "m": "spans of time",
    }
    return words.get(dtype.kind, str(dtype))


def _refuse_not_finite(images: NDArray[Any] | Sequence[Image]) -> None:
    """Raise if a pixel is missing or infinite, with how many images have one and where the first is."""
    if isinstance(images, np.ndarray):
        if images.dtype.kind != "f":
            return
        with np.errstate(over="ignore", invalid="ignore"):
            if np.isfinite(images.sum()):  # a number that is not finite makes the sum so
                return
    bad = [index for index, image in enumerate(images) if not np.isfinite(image).all()]
    if not bad:
        return
    index = bad[0]
    row, column = (int(part) + 1 for part in np.argwhere(~np.isfinite(images[index]))[0][:2])
    found = images[index][row - 1, column - 1]
    words = "NaN" if np.isnan(found).any() else "infinity"
    raise DataError(
        f"Input X contains {words}, which is no pixel.",
        where=f"{len(bad):,} of {plural(len(images), 'image')}, first in image {index + 1:,}, row {row:,},"
        f" column {column:,}",
        fix="replace it by a number, such as that of the background, or leave those images out",
    )


_LARGEST = 2.0**900


def gray_levels(image: Image, where: str) -> NDArray[np.float64]:
    """The brightness of each pixel: 0.299 red + 0.587 green + 0.114 blue (ITU-R BT.601); gray stays as it is.

    where: what errors call the image
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


Shape = tuple[int, ...]


def size_parameter(name: str) -> Parameter:
    """The parameter of a size that images are brought to."""
    return Parameter(name, choices=(None,), number="integer", lowest=1, types=(tuple, list, np.ndarray))


def size_pair(caller: str, name: str, size: ImageSize) -> tuple[int, int] | None:
    """Rows and columns of a parameter that may be one number for both; None stays None."""
    if size is None:
        return None
    # Not np.ndim: a file may hold a list of anything, which must be refused here.
    is_pair = isinstance(size, list | tuple) or (isinstance(size, np.ndarray) and size.ndim > 0)
    pair = cast("list[int]", list(cast("Sequence[int]", size)) if is_pair else [size, size])
    is_number = [isinstance(part, int | np.integer) and not isinstance(part, bool) for part in pair]
    if len(pair) != 2 or not all(is_number) or min(pair) < 1:
        raise (RequestError if all(is_number) else InputTypeError)(
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
    prepared = [_prepared(image, size, gray, images.called(index)) for index, image in enumerate(images)]
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
    others = [index for index, image in enumerate(prepared) if image.shape != shape]
    if not others:
        return
    index = others[0]
    came = prepared[index].shape
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
        f" the first of them is {images.called(index)}",
        fix=advice,
    )


def resized(image: Image, size: tuple[int, int]) -> NDArray[np.float64]:
    """The image with so many rows and columns; it is stretched, not cut.

    No mean leaves the range of what it is made of, so an area of one color keeps its color to the last bit.

    size: rows and columns
    """
    numbers = as_floats(image)
    if np.abs(numbers).max() > _LARGEST:  # sums would overflow; powers of two change no digit
        return resized(numbers / _LARGEST, size) * _LARGEST
    for axis, n_new in enumerate(size):
        n_old = numbers.shape[axis]
        if n_old != n_new:
            lines = np.moveaxis(numbers, axis, 0)
            means = _means(lines.reshape(n_old, -1), n_new)
            numbers = np.moveaxis(means.reshape(n_new, *lines.shape[1:]), 0, axis)
    return np.ascontiguousarray(numbers)


def _means(lines: NDArray[np.float64], n_new: int) -> NDArray[np.float64]:
    """The lines brought to another number of them."""
    n_old = len(lines)
    means = _overlaps(n_old, n_new) @ lines / n_old
    begins = np.arange(n_new) * n_old // n_new
    ends = -(np.arange(1, n_new + 1) * -n_old // n_new)
    # Each second part is from an end to the next begin, and is not wanted; the last line is there twice.
    parts = np.stack([begins, ends], axis=1).ravel()
    padded = np.concatenate([lines, lines[-1:]])
    lowest, highest = (bound.reduceat(padded, parts, axis=0)[::2] for bound in (np.minimum, np.maximum))
    return np.asarray(np.clip(means, lowest, highest))


@lru_cache(maxsize=64)
def _overlaps(n_old: int, n_new: int) -> Any:
    """How many parts of each old pixel a new one covers; an old pixel has n_new parts, a new one n_old."""
    from scipy.sparse import csr_array  # takes 0.1 s

    # Sparse products are summed in one order; those of BLAS depend on the threads.
    edges = np.unique(np.append(np.arange(n_old + 1) * n_new, np.arange(n_new + 1) * n_old))
    starts, lengths = edges[:-1], np.diff(edges)
    cells = (lengths.astype(np.float64), (starts // n_old, starts // n_new))
    return csr_array(cells, shape=(n_new, n_old))
