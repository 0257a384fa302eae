"""Images whose pixels stand in another order, the same for all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError
from heldout.features.images.image_arrays import images_from_arrays
from heldout.learners.parameters import Parameter, refusal

SEED = Parameter("seed", number="integer", lowest=0)


def permute_pixels(images: Any, seed: int = 0) -> NDArray[Any]:
    """Move the pixels of every image by the same random permutation; the channels of a pixel stay together.

    It shows what a learner on pixels knows of locality: nothing. Images of one size are permuted in the same
    way in every call with the same seed, so training and test images can be permuted one after the other.

    images: n × rows × columns or n × rows × columns × channels
    seed:   an integer from 0 on that the permutation depends on, beside rows and columns

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


def _has_one_channel(images: Any) -> bool:
    """Whether a last axis of one channel was left out on the way."""
    return np.ndim(images[0]) == 3 and np.shape(images[0])[2] == 1
