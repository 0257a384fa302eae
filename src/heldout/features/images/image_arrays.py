"""Arrays of images, checked: n × rows × columns, or n × rows × columns × channels, of finite numbers."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError, KindError
from heldout.features.images.images import ArrayImages, Image
from heldout.table.describe import plural

_FORMS = "n × rows × columns or n × rows × columns × channels"


def images_from_arrays(X: Any, caller: str) -> ArrayImages:
    """The images of an array, or of a list of arrays, which may differ in shape.

    caller: the transformer, as errors call it

    >>> len(images_from_arrays(np.zeros((5, 8, 8)), "PixelFeatures"))
    5
    """
    arrays = _arrays_of(X)
    checked: NDArray[Any] | list[Image]
    if isinstance(arrays, np.ndarray):
        checked = _checked_stack(arrays, caller)
    else:
        checked = [_checked_image(image, place, caller) for place, image in enumerate(arrays)]
    _refuse_not_finite(checked)
    return ArrayImages(checked)


def one_image(image: Any, caller: str) -> Image:
    """One image by itself: rows × columns, or rows × columns × channels."""
    array = np.asarray(image)
    if array.ndim not in (2, 3):
        raise _wrong_dimensions(array, "rows × columns or rows × columns × channels", caller)
    stack = _checked_stack(array[np.newaxis], caller)
    _refuse_not_finite(stack)
    first: Image = stack[0]
    return first


def _arrays_of(X: Any) -> NDArray[Any] | list[NDArray[Any]]:
    """X as one array, or as a list of arrays that differ in shape."""
    if hasattr(X, "tocsr"):
        raise KindError(
            "Sparse data was passed, and images are dense arrays",
            where=f"X is a {type(X).__name__} of shape {X.shape}",
            fix=f"hand over an array {_FORMS}",
        )
    is_list = isinstance(X, list | tuple) or (isinstance(X, np.ndarray) and X.dtype == object and X.ndim)
    if not is_list and not (isinstance(X, np.ndarray) and X.dtype.kind == "U" and X.ndim == 1):
        return np.asarray(X)
    if len(X) and all(isinstance(entry, str | PathLike) for entry in X):
        raise KindError(
            "a list of names says not whether they are files",
            where=f"X is a {type(X).__name__} of {plural(len(X), 'word')}, first {str(X[0])!r:.60}",
            fix='hand over a table with a column of file names: read_table({"file": names})',
        )
    arrays = [_entry(entry, place) for place, entry in enumerate(X)]
    return arrays if len({array.shape for array in arrays}) > 1 else np.asarray(arrays)


def _entry(entry: Any, place: int) -> NDArray[Any]:
    try:
        return np.asarray(entry)
    except ValueError as error:
        raise DataError(
            "an image is not a grid: its rows differ in length",
            where=f"image {place + 1:,}",
            fix="give every row of pixels as many columns",
        ) from error


def _checked_stack(stack: NDArray[Any], caller: str) -> NDArray[Any]:
    """The array itself, without a last axis of one channel."""
    if stack.dtype.kind not in "biuf":
        raise KindError(
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


def _checked_image(image: NDArray[Any], place: int, caller: str) -> Image:
    try:
        checked: Image = _checked_stack(image[np.newaxis], caller)[0]
    except (DataError, KindError) as error:
        raise type(error)(error.what, f"image {place + 1:,}: {error.where}", error.fix) from error
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
    bad = [place for place, image in enumerate(images) if not np.isfinite(image).all()]
    if not bad:
        return
    place = bad[0]
    row, column = (int(part) + 1 for part in np.argwhere(~np.isfinite(images[place]))[0][:2])
    found = images[place][row - 1, column - 1]
    words = "NaN" if np.isnan(found).any() else "infinity"
    raise DataError(
        f"Input X contains {words}, which is no pixel.",
        where=f"{len(bad):,} of {plural(len(images), 'image')}, first in image {place + 1:,}, row {row:,},"
        f" column {column:,}",
        fix="replace it by a number, such as that of the background, or leave those images out",
    )
