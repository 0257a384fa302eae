"""PatchFeatures: histograms of the nearest patches of a dictionary."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray
from sklearn.datasets import load_digits

from heldout import DataError, PatchFeatures, RequestError
from heldout.features.images.patch_grid import PatchGrid, without_contrast

DIGITS = load_digits().images


def plain_histogram(image: NDArray[np.float64], patches: NDArray[np.float64], stride: int) -> list[float]:
    """The shares by loops over places and a search through the whole dictionary."""
    edge = patches.shape[1]
    counts = [0] * (len(patches) + 1)
    for row in range(0, image.shape[0] - edge + 1, stride):
        for column in range(0, image.shape[1] - edge + 1, stride):
            patch = image[row : row + edge, column : column + edge].astype(float)
            if patch.min() == patch.max():
                counts[0] += 1
                continue
            patch = patch - patch.mean()
            patch = patch / np.sqrt((patch**2).sum())
            distances = [((patch - center) ** 2).sum() for center in patches]
            counts[1 + int(np.argmin(distances))] += 1
    return [count / sum(counts) for count in counts]


@pytest.mark.parametrize(("size", "stride"), [(3, 1), (4, None), (2, 3)])
def test_histograms_are_those_of_a_plain_search(size: int, stride: int | None) -> None:
    """Every share is that of loops over all places."""
    patches = PatchFeatures(size=size, n=12, stride=stride).fit(DIGITS[:80])
    step = size // 2 if stride is None else stride
    expected = [plain_histogram(image, patches.patches_, step) for image in DIGITS[80:120]]
    np.testing.assert_allclose(patches.transform(DIGITS[80:120]), expected, rtol=1e-15)


def test_histograms_of_colors() -> None:
    """A patch of colors has all its channels, and is cut out where it should be."""
    images = np.random.default_rng(0).integers(0, 9, (6, 7, 9, 3))
    patches = PatchFeatures(size=3, n=5, stride=2).fit(images)
    assert patches.patches_.shape == (5, 3, 3, 3)
    expected = [plain_histogram(image, patches.patches_, 2) for image in images]
    np.testing.assert_allclose(patches.transform(images), expected, rtol=1e-15)


def test_drawn_patches_are_patches_of_the_images() -> None:
    """What is drawn by places is what stands at those places among all patches."""
    images = np.random.default_rng(0).random((4, 6, 7, 2))
    grid = PatchGrid((6, 7, 2), size=3, stride=2)
    everything = grid.patches(images)
    assert len(everything) == 4 * grid.n_patches == 4 * 2 * 3
    places = np.array([0, 5, 6, 13, 23])
    np.testing.assert_array_equal(grid.drawn(images, places), everything[places])
    np.testing.assert_array_equal(everything[1].reshape(3, 3, 2), images[0, 0:3, 2:5])


def test_shares_sum_to_1() -> None:
    """A histogram counts every patch once, and so do the shares of the dictionary."""
    patches = PatchFeatures(size=3, n=10, stride=1, sample=500).fit(DIGITS[:50])
    np.testing.assert_allclose(patches.transform(DIGITS[50:90]).sum(axis=1), 1.0, rtol=1e-12)
    assert patches.shares_.sum() == pytest.approx(1.0)
    assert patches.n_sampled_ == 500
    assert len(patches.shares_) == 11


def test_brightness_and_contrast_do_not_count() -> None:
    """Images that are brightened, darkened and stretched by powers of two have the same histograms."""
    patches = PatchFeatures(size=3, n=10).fit(DIGITS[:50])
    plain = patches.transform(DIGITS[50:60])
    np.testing.assert_array_equal(patches.transform(DIGITS[50:60] * 4 + 64), plain)


def test_flat_patches_are_counted_by_themselves() -> None:
    """A blank image is all flat; a little noise is flat below min_contrast and counted above it."""
    patches = PatchFeatures(size=4, n=6, stride=1, min_contrast=1.0).fit(DIGITS[:40])
    blank = np.full((1, 8, 8), 5.0)
    assert patches.transform(blank)[0].tolist() == [1.0] + [0.0] * 6
    noise = blank + np.random.default_rng(0).random((1, 8, 8))
    assert patches.transform(noise)[0, 0] == 1.0
    assert patches.set_params(min_contrast=0.0).transform(noise)[0, 0] == 0.0


@given(
    arrays.arrays(
        np.float64, st.tuples(st.integers(1, 5), st.integers(1, 6)), elements=st.floats(-1.7e308, 1.7e308)
    )
)
def test_patches_of_any_size_have_length_1_or_are_flat(patches: NDArray[np.float64]) -> None:
    """No number is too large or too small: a patch is flat and 0, or has mean 0 and length 1."""
    found, is_flat = without_contrast(patches, 0.0)
    assert (found[is_flat] == 0).all()
    np.testing.assert_allclose((found[~is_flat] ** 2).sum(axis=1), 1.0, rtol=1e-12)
    np.testing.assert_allclose(found.sum(axis=1), 0.0, atol=1e-14)
    assert is_flat[patches.min(axis=1) == patches.max(axis=1)].all()


def test_the_dictionary_does_not_see_other_images() -> None:
    """Transforming held-out images moves no bit of what was learned, and rows do not see each other."""
    patches = PatchFeatures(size=3, n=10).fit(DIGITS[:50])
    before = patches.patches_.tobytes(), patches.shares_.tobytes()
    whole = patches.transform(DIGITS[50:80])
    alone = np.concatenate([patches.transform(image[np.newaxis]) for image in DIGITS[50:80]])
    assert whole.tobytes() == alone.tobytes()
    assert (patches.patches_.tobytes(), patches.shares_.tobytes()) == before


def test_refitting_gives_the_same_bits() -> None:
    """The same images and seed give the same dictionary on any number of threads, another seed another."""
    settings = {"size": 3, "n": 10, "sample": 300}
    first = PatchFeatures(**settings).fit(DIGITS[:50])
    again = PatchFeatures(**settings, n_jobs=2).fit(DIGITS[50:90]).fit(DIGITS[:50])
    assert again.patches_.tobytes() == first.patches_.tobytes()
    assert again.transform(DIGITS[:9]).tobytes() == first.transform(DIGITS[:9]).tobytes()
    assert PatchFeatures(**settings, seed=1).fit(DIGITS[:50]).patches_.tobytes() != first.patches_.tobytes()


def test_fewer_distinct_patches_than_asked_for_are_said() -> None:
    """The text says how many were asked for and how many there are."""
    stripes = np.tile([0, 1], (1, 4, 3))
    patches = PatchFeatures(size=2, n=64, stride=1).fit(stripes)
    assert patches.get_feature_names_out().tolist() == ["flat", "patch 1", "patch 2"]
    assert patches.n_distinct_ == 2
    assert "2 patches of 2 × 2 pixels of 64 asked for: there are no more distinct ones" in str(patches)


def test_the_text_shows_the_patches() -> None:
    """Patches stand in shades under their shares; what is not drawn is counted."""
    stripes = np.tile([0, 1], (1, 4, 2))
    assert PatchFeatures(size=2, n=2, stride=2).fit(stripes).to_text().splitlines()[2:] == [
        "flat: 0.0%",
        "1: 100.0%",
        " █",
        " █",
    ]
    digits = PatchFeatures(size=3, n=30).fit(DIGITS[:50])
    assert str(digits).endswith("… and 10 more patches")
    assert len(digits.to_text(max_patches=0).splitlines()) == 4
    with pytest.raises(RequestError, match="max_patches must be"):
        digits.to_text(max_patches=-1)


def test_the_picture_has_a_square_for_each_pixel() -> None:
    """Every pixel of every patch is drawn, in gray or in its color."""
    gray = PatchFeatures(size=3, n=12).fit(DIGITS[:50])
    assert gray.patches_svg().count("<rect") == 1 + 12 * 9
    colored = PatchFeatures(size=2, n=2).fit(np.random.default_rng(0).random((3, 4, 4, 3)))
    assert colored.patches_svg().count("<rect") == 1 + 2 * 4


def test_bits_are_those_of_the_numbers_in_the_dictionary() -> None:
    """Half of log2 of the number of images for each number."""
    assert PatchFeatures(size=3, n=5).fit(DIGITS[:64]).description_bits() == 5 * 9 * 3.0


def test_what_cannot_be_learned_is_refused() -> None:
    """Patches larger than the images, images of one color, and images of another size."""
    with pytest.raises(DataError, match="9 × 9 pixels does not fit") as caught:
        PatchFeatures(size=9).fit(DIGITS[:5])
    assert "8 × 8 pixels" in caught.value.where
    with pytest.raises(DataError, match="every patch of the training images is flat"):
        PatchFeatures(size=2).fit(np.full((3, 4, 4), 0.1))
    with pytest.raises(DataError, match=r"9 × 9 pixels came, and of 8 × 8 pixels at fit") as caught:
        PatchFeatures(size=3, n=3).fit(DIGITS[:5]).transform(np.zeros((1, 9, 9)))
    assert "image_size" in caught.value.fix


@pytest.mark.parametrize(
    "wrong", [{"size": 0}, {"n": 0}, {"stride": 0}, {"seed": -1}, {"sample": 0}, {"min_contrast": -1.0}]
)
def test_wrong_parameters_are_refused(wrong: dict[str, float]) -> None:
    """Each parameter names what it may be."""
    with pytest.raises(RequestError, match=f"{next(iter(wrong))} must be"):
        PatchFeatures(**wrong).fit(DIGITS[:5])


def test_the_same_patterns_in_another_contrast_have_the_same_histograms() -> None:
    """With a column for every pattern, images in four contrasts become the same rows."""
    images = np.random.default_rng(0).integers(0, 9, (20, 6, 6)).astype(float)
    contrasts = [images, 3 * images + 7, 0.7 * images + 0.1, 1.1 * images]
    patches = PatchFeatures(size=3, stride=3, n=1000).fit(np.concatenate(contrasts))
    assert patches.n_distinct_ <= 80
    expected = patches.transform(images)
    for changed in contrasts[1:]:
        np.testing.assert_array_equal(patches.transform(changed), expected)


def test_an_area_of_one_color_is_flat_after_stretching() -> None:
    """Rounding in means makes no pattern: an image of 0.1 stays flat in whatever size."""
    images = np.full((2, 10, 10), 0.1)
    images[0, 3:6, 2:7] = 0.9
    for size in (3, 7, 9, 23):
        patches = PatchFeatures(size=2, n=5, image_size=size).fit(images)
        assert patches.transform(images)[1, 0] == 1.0
