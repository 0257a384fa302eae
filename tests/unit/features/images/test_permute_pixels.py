"""Permuted pixels: to a learner on pixels they are the same images, to patches they are not."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_digits

from heldout import (
    DataError,
    ForestClassifier,
    InputTypeError,
    NeighborsClassifier,
    PatchFeatures,
    PixelFeatures,
    RequestError,
    TreeClassifier,
)
from heldout.features import permute_pixels

BUNCH = load_digits()
IMAGES, DIGITS = BUNCH.images, BUNCH.target
TRAIN, TEST = np.arange(1200), np.arange(1200, 1797)


def predictions(learner: object, features: object, images: np.ndarray) -> np.ndarray:
    """What a learner answers on test images after it was fitted on training images."""
    train = features.fit_transform(images[TRAIN])
    return learner.fit(train, DIGITS[TRAIN]).predict(features.transform(images[TEST]))


def test_every_image_is_permuted_in_the_same_way() -> None:
    """Each place has the pixel of one other place, in all images, with all its channels, in every call."""
    images = np.arange(2 * 3 * 4 * 3).reshape(2, 3, 4, 3)
    moved = permute_pixels(images, seed=5)
    assert (moved.shape, moved.dtype) == (images.shape, images.dtype)
    pixels, moved_pixels = images.reshape(2, 12, 3), moved.reshape(2, 12, 3)
    places = [pixels[0].tolist().index(pixel) for pixel in moved_pixels[0].tolist()]
    assert sorted(places) == list(range(12)) != places
    np.testing.assert_array_equal(moved_pixels, pixels[:, places])
    np.testing.assert_array_equal(permute_pixels(images[1:], seed=5), moved[1:])
    np.testing.assert_array_equal(permute_pixels(images[..., 0], seed=5), moved[..., 0])
    np.testing.assert_array_equal(permute_pixels(images[..., :1], seed=5), moved[..., :1])
    assert (permute_pixels(images, seed=6) != moved).any()


def test_neighbors_do_not_notice() -> None:
    """Distances sum over the same pixels, so every prediction is the same."""
    moved = permute_pixels(IMAGES)
    plain = predictions(NeighborsClassifier(k=3), PixelFeatures(), IMAGES)
    np.testing.assert_array_equal(predictions(NeighborsClassifier(k=3), PixelFeatures(), moved), plain)
    assert (plain == DIGITS[TEST]).mean() > 0.95


def test_trees_notice_ties_only() -> None:
    """A tree asks the same questions of other columns; of equally good ones another is the first."""
    moved = permute_pixels(IMAGES)
    trees = [TreeClassifier.cart(prune=None, max_depth=8) for _ in range(2)]
    plain, permuted = (
        predictions(tree, PixelFeatures(), images)
        for tree, images in zip(trees, (IMAGES, moved), strict=True)
    )
    assert (plain == permuted).mean() > 0.9
    assert abs((plain == DIGITS[TEST]).mean() - (permuted == DIGITS[TEST]).mean()) < 0.03


def test_forests_are_as_good() -> None:
    """Forests draw other columns, and err as often."""
    accuracies = [
        (predictions(ForestClassifier(60, random_state=0), PixelFeatures(), images) == DIGITS[TEST]).mean()
        for images in (IMAGES, permute_pixels(IMAGES))
    ]
    assert min(accuracies) > 0.9
    assert abs(accuracies[0] - accuracies[1]) < 0.03


@pytest.mark.slow
def test_patches_lose_what_lay_together() -> None:
    """Histograms of patches tell digits apart, and tell far less once the pixels are permuted."""
    accuracies = [
        (
            predictions(NeighborsClassifier(k=3), PatchFeatures(size=4, n=48, stride=1, sample=3000), images)
            == DIGITS[TEST]
        ).mean()
        for images in (IMAGES, permute_pixels(IMAGES))
    ]
    assert accuracies[0] > accuracies[1] + 0.05


def test_what_cannot_be_permuted_is_refused() -> None:
    """Images of different sizes, a single image, and a seed that is none."""
    with pytest.raises(DataError, match="no common order of pixels"):
        permute_pixels([np.zeros((2, 2)), np.zeros((3, 3))])
    with pytest.raises(DataError, match="2 axes"):
        permute_pixels(np.zeros((2, 2)))
    with pytest.raises(RequestError, match="seed must be"):
        permute_pixels(np.zeros((1, 2, 2)), seed=-1)
    with pytest.raises(InputTypeError, match="seed must be"):
        permute_pixels(np.zeros((1, 2, 2)), seed=None)


def test_an_array_of_arrays_is_permuted_like_one_array() -> None:
    """Images that come as objects or as a list, with one channel or without, are moved alike."""
    images = np.arange(24).reshape(2, 3, 4)
    expected = permute_pixels(images, seed=3)
    objects = np.empty(2, dtype=object)
    objects[:] = list(images)
    np.testing.assert_array_equal(permute_pixels(objects, seed=3), expected)
    np.testing.assert_array_equal(permute_pixels(list(images), seed=3), expected)
    deep = images[..., np.newaxis]
    np.testing.assert_array_equal(permute_pixels(deep, seed=3), expected[..., np.newaxis])
    np.testing.assert_array_equal(permute_pixels(list(deep), seed=3), expected[..., np.newaxis])
