"""PixelFeatures: every pixel a column."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout import DataError, InputTypeError, PixelFeatures, RequestError
from heldout.features.images.image_arrays import resized


@pytest.mark.parametrize(
    "dtype", [np.uint8, np.int16, np.int64, np.float16, np.float32, np.float64, np.bool_]
)
def test_pixels_are_the_numbers_of_the_array(dtype: type) -> None:
    """Whatever the dtype, a row has the pixels of its image in the order of memory, as float64."""
    images = (np.arange(24).reshape(2, 3, 4) % 5).astype(dtype)
    found = PixelFeatures().fit_transform(images)
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found, images.reshape(2, 12).astype(np.float64))


@pytest.mark.parametrize(
    ("n_channels", "word"), [(3, "red"), (4, "alpha"), (2, "channel 1"), (5, "channel 5")]
)
def test_channels_are_named(n_channels: int, word: str) -> None:
    """Each pixel has a column for each channel, and its name says row, column and channel."""
    images = np.random.default_rng(0).random((3, 4, 5, n_channels))
    pixels = PixelFeatures().fit(images)
    names = pixels.get_feature_names_out().tolist()
    place = names.index(f"row 3, column 2, {word}")
    channel = place % n_channels
    np.testing.assert_array_equal(pixels.transform(images)[:, place], images[:, 2, 1, channel])


def test_one_channel_is_gray() -> None:
    """n × rows × columns × 1 is what n × rows × columns is."""
    images = np.random.default_rng(0).random((3, 4, 5))
    flat, deep = PixelFeatures().fit(images), PixelFeatures().fit(images[..., np.newaxis])
    assert flat.get_feature_names_out().tolist() == deep.get_feature_names_out().tolist()
    np.testing.assert_array_equal(flat.transform(images), deep.transform(images[..., np.newaxis]))


def test_gray_levels_weigh_the_colors() -> None:
    """Gray is 0.299 red + 0.587 green + 0.114 blue, and equal channels keep their level exactly."""
    images = np.random.default_rng(0).integers(0, 256, (4, 3, 3, 3))
    found = PixelFeatures(gray=True).fit_transform(images)
    np.testing.assert_allclose(found, (images @ [0.299, 0.587, 0.114]).reshape(4, 9), rtol=1e-13)
    levels = np.arange(256).reshape(1, 16, 16)
    same = PixelFeatures(gray=True).fit_transform(np.repeat(levels[..., np.newaxis], 3, axis=3))
    np.testing.assert_array_equal(same, levels.reshape(1, 256))


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 9), st.integers(1, 9))
def test_resizing_is_the_mean_over_the_area(rows: int, columns: int, new_rows: int, new_columns: int) -> None:
    """Each new pixel is the mean of the finest common grid below it, and the mean of all stays."""
    image = np.random.default_rng(rows * 9 + columns).integers(0, 99, (rows, columns)).astype(float)
    fine = np.kron(image, np.ones((new_rows, new_columns)))
    means = fine.reshape(new_rows, rows, new_columns, columns).mean(axis=(1, 3))
    found = resized(image, (new_rows, new_columns))
    np.testing.assert_allclose(found, means, rtol=1e-12)
    assert found.mean() == pytest.approx(image.mean(), rel=1e-12, abs=1e-12)


def test_size_brings_images_to_one_shape() -> None:
    """Images of different sizes have as many pixels afterwards; one number means both edges."""
    images = [np.full((4, 6), 2.0), np.full((8, 8), 7.0), np.full((1, 1), 5.0)]
    for size in ((3, 3), 3, [3, np.int64(3)]):
        found = PixelFeatures(size=size).fit_transform(images)
        np.testing.assert_allclose(found, np.repeat([[2.0], [7.0], [5.0]], 9, axis=1))
    colored = np.random.default_rng(0).random((2, 6, 4, 3))
    found = PixelFeatures(size=(3, 2)).fit_transform(colored)
    np.testing.assert_allclose(found, colored.reshape(2, 3, 2, 2, 2, 3).mean(axis=(2, 4)).reshape(2, 18))


def test_different_sizes_are_refused_with_advice() -> None:
    """Count, first example and the way out are named."""
    images = [np.zeros((4, 6)), np.zeros((4, 6)), np.zeros((8, 8)), np.zeros((4, 7))]
    with pytest.raises(DataError, match="differ in shape: 4 × 6 pixels and 8 × 8 pixels") as caught:
        PixelFeatures().fit(images)
    assert "2 of 4 images" in caught.value.where
    assert "image 3" in caught.value.where
    assert "size=(rows, columns)" in caught.value.fix


def test_other_shapes_than_at_fit_are_refused() -> None:
    """Both shapes are named, channels too; with `size` images of any size may come."""
    with pytest.raises(DataError, match=r"3 × 3 pixels in 3 channels came, and of 4 × 4 pixels at fit"):
        PixelFeatures().fit(np.zeros((1, 4, 4))).transform(np.zeros((1, 3, 3, 3)))
    assert PixelFeatures(size=2).fit(np.zeros((1, 4, 4))).transform(np.zeros((2, 9, 7))).shape == (2, 4)


@pytest.mark.parametrize("size", [(3,), (3, 0), (2, 2, 2), 0, -1])
def test_sizes_that_are_none_are_refused(size: object) -> None:
    """A size is two integers of at least 1, or one."""
    with pytest.raises(RequestError, match="size must be"):
        PixelFeatures(size=size).fit(np.zeros((1, 4, 4)))


@pytest.mark.parametrize("size", [(3.5, 2), ("3", "3"), (True, 2), {}])
def test_sizes_of_the_wrong_type_are_refused(size: object) -> None:
    """What is no integer is of the wrong kind."""
    with pytest.raises(InputTypeError, match="size must be"):
        PixelFeatures(size=size).fit(np.zeros((1, 4, 4)))


def test_the_text_names_the_first_and_the_last_pixel() -> None:
    """How many columns there are and what they are called; nothing is learned, so it costs no bits."""
    pixels = PixelFeatures().fit(np.zeros((1, 2, 3, 3)))
    assert str(pixels) == (
        "18 columns, the pixels of images of 2 × 3 pixels in 3 channels:\n"
        "row 1, column 1, red … row 2, column 3, blue"
    )
    assert pixels.description_bits() == 0.0


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 2**32))
def test_means_stay_between_what_they_are_made_of(n_old: int, n_new: int, seed: int) -> None:
    """Each new pixel lies between the smallest and the largest that it covers; equal ones keep their bits."""
    line = np.random.default_rng(seed).choice([0.1, 0.7, 1 / 3], (n_old, 1))
    found = resized(line, (n_new, 1))
    for place, mean in enumerate(found[:, 0]):
        covered = line[place * n_old // n_new : -(-(place + 1) * n_old // n_new), 0]
        assert covered.min() <= mean <= covered.max()


@pytest.mark.parametrize("largest", [1e308, 1.7e308])
def test_very_large_numbers_do_not_overflow(largest: float) -> None:
    """Means and gray levels of numbers near the largest are numbers, and those of equal ones are equal."""
    image = np.array([[largest, -largest], [0.0, largest]])
    small = resized(image / largest, (3, 3))
    np.testing.assert_allclose(resized(image, (3, 3)) / largest, small, rtol=1e-12, atol=1e-15)
    colored = np.full((1, 2, 2, 3), largest / 2)
    np.testing.assert_allclose(PixelFeatures(gray=True).fit_transform(colored), largest / 2, rtol=1e-12)
