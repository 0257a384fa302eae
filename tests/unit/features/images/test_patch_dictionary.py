"""k-means of patches, against scikit-learn's and a plain search."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits

from heldout.features.images.patch_grid import (
    SAME,
    PatchGrid,
    learn_dictionary,
    nearest_patches,
    without_contrast,
)


def generator(seed: int = 0) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


def squared(patches: NDArray[np.float64], centers: NDArray[np.float64]) -> NDArray[np.float64]:
    """All squared distances, patches × centers."""
    return np.asarray(((patches[:, np.newaxis] - centers) ** 2).sum(axis=2))


def digit_patches(n_images: int) -> NDArray[np.float64]:
    patches = PatchGrid((8, 8), size=4, stride=2).patches(load_digits().images[:n_images])
    normalized, is_flat = without_contrast(patches, 0.0)
    return normalized[~is_flat]


@pytest.mark.slow
@pytest.mark.parametrize("n", [2, 16])
def test_the_dictionary_is_as_good_as_scikit_learns(n: int) -> None:
    """The sum of squared distances is at most 3% above the best of three runs of scikit-learn."""
    patches = digit_patches(150)
    centers = learn_dictionary(patches, n, generator()).centers
    ours = squared(patches, centers).min(axis=1).sum()
    theirs = KMeans(n, n_init=3, random_state=0).fit(patches).inertia_
    assert ours <= 1.03 * theirs


def test_every_center_is_the_mean_of_its_patches() -> None:
    """At the end no center moves: each is the mean of the patches to which it is the nearest."""
    patches = digit_patches(60)
    learned = learn_dictionary(patches, 10, generator(3))
    labels = squared(patches, learned.centers).argmin(axis=1)
    for center, count in enumerate(learned.counts):
        assert count == (labels == center).sum() > 0
        np.testing.assert_allclose(
            learned.centers[center], patches[labels == center].mean(axis=0), rtol=0, atol=1e-12
        )
    assert learned.counts.tolist() == sorted(learned.counts.tolist(), reverse=True)


@given(st.integers(1, 8), st.integers(1, 12), st.integers(1, 3), st.integers(0, 2**32))
def test_no_more_centers_than_distinct_patches(n: int, n_patches: int, width: int, seed: int) -> None:
    """On patches with many equals there are min(n, distinct) centers, no two of them equal."""
    patches = np.random.default_rng(seed).integers(0, 2, (n_patches, width)).astype(float)
    learned = learn_dictionary(patches, n, generator(seed))
    n_distinct = len(np.unique(patches, axis=0))
    assert learned.n_distinct == n_distinct
    assert len(learned.centers) == min(n, n_distinct)
    assert learned.counts.sum() == n_patches
    assert len(np.unique(learned.centers, axis=0)) == len(learned.centers)
    if n >= n_distinct:
        assert squared(patches, learned.centers).min(axis=1).max() == 0


def test_equally_near_patches_go_to_the_first_center() -> None:
    """Ties have one answer."""
    centers = np.array([[1.0, 0.0], [-1.0, 0.0], [1.0, 0.0]])
    assert nearest_patches(centers, np.array([[0.0, 5.0], [2.0, 0.0], [-3.0, 1.0]]))[0].tolist() == [0, 0, 1]


def test_threads_and_repetitions_change_no_bit() -> None:
    """The same seed gives the same centers on one thread and on two; another seed gives others."""
    patches = digit_patches(100)
    first = learn_dictionary(patches, 12, generator())
    for n_threads in (1, 2):
        again = learn_dictionary(patches, 12, generator(), n_threads)
        assert again.centers.tobytes() == first.centers.tobytes()
    assert learn_dictionary(patches, 12, generator(1)).centers.tobytes() != first.centers.tobytes()


def test_patches_that_differ_by_rounding_are_one() -> None:
    """The same patterns in other contrasts are no further patches, even across a border between cells."""
    patterns = np.random.default_rng(0).integers(0, 9, (40, 9)).astype(float)
    contrasts = [patterns, 3 * patterns + 7, 0.7 * patterns + 0.1, 1.1 * patterns]
    patches = without_contrast(np.concatenate(contrasts), 0.0)[0]
    assert len(np.unique(patches, axis=0)) > 40
    learned = learn_dictionary(patches, 1000, generator())
    assert (learned.n_distinct, len(learned.centers)) == (40, 40)
    assert learned.counts.tolist() == [4] * 40
    border = SAME * 0.5
    split = np.array([[border * (1 - 1e-9)], [border * (1 + 1e-9)], [1.0]])
    assert learn_dictionary(split, 3, generator()).centers.shape == (2, 1)
