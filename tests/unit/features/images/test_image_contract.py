"""What every image transformer obeys, beside what tests/contract asks of all transformers."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import NotFittedError

from heldout import DataError, HeldoutError, InputTypeError, PatchFeatures, PixelFeatures, ShapeFeatures

IMAGES = np.random.default_rng(0).integers(0, 9, (12, 6, 7)).astype(np.float64)
TRANSFORMERS = [PixelFeatures(), PatchFeatures(size=3, n=5, stride=1), ShapeFeatures()]

each = pytest.mark.parametrize("transformer", TRANSFORMERS, ids=lambda one: type(one).__name__)


@each
def test_fit_returns_the_transformer_and_leaves_images_alone(transformer: BaseEstimator) -> None:
    """Neither fit nor transform writes into what it is given, and what leaves is not the input's memory."""
    images = IMAGES.copy()
    images.flags.writeable = False
    one = clone(transformer)
    assert one.fit(images) is one
    left = one.transform(images)
    np.testing.assert_array_equal(images, IMAGES)
    assert not np.shares_memory(left, images)
    assert left.dtype == np.float64
    assert left.flags.writeable


@each
def test_nothing_is_done_before_fit(transformer: BaseEstimator) -> None:
    """Transforming, names, text and bits want a fit, and printing gives the parameters."""
    one = clone(transformer)
    for call in (one.transform, one.get_feature_names_out, one.description_bits, one.to_text):
        with pytest.raises(NotFittedError):
            call(*([IMAGES] if call == one.transform else []))
    assert str(one) == repr(one)


@each
def test_clones_and_pickles_are_equal(transformer: BaseEstimator) -> None:
    """A clone has the parameters and nothing learned; a pickle transforms to the same bits."""
    fitted = clone(transformer).fit(IMAGES)
    copied = clone(fitted)
    assert copied.get_params() == transformer.get_params()
    assert not hasattr(copied, "inputs_")
    restored = pickle.loads(pickle.dumps(fitted))
    assert restored.transform(IMAGES).tobytes() == fitted.transform(IMAGES).tobytes()
    assert restored.get_feature_names_out().tolist() == fitted.get_feature_names_out().tolist()


@each
@pytest.mark.parametrize("container", ["pandas", "polars"])
def test_set_output_gives_frames(transformer: BaseEstimator, container: str) -> None:
    """Frames have the names of the features and the same numbers, from fit_transform too."""
    plain = clone(transformer).fit(IMAGES)
    framed = clone(transformer).set_output(transform=container)
    for frame in (framed.fit_transform(IMAGES), framed.transform(IMAGES)):
        assert list(frame.columns) == plain.get_feature_names_out().tolist()
        np.testing.assert_array_equal(frame.to_numpy(), plain.transform(IMAGES))


@each
def test_lists_of_arrays_are_arrays(transformer: BaseEstimator) -> None:
    """A list of images, an array of objects and nested lists give what the array gives."""
    objects = np.empty(len(IMAGES), dtype=object)
    objects[:] = list(IMAGES)
    expected = clone(transformer).fit_transform(IMAGES)
    for given in (list(IMAGES), objects, IMAGES.tolist()):
        np.testing.assert_array_equal(clone(transformer).fit_transform(given), expected)


@each
@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ((0, 6, 7), r"0 sample\(s\)"),
        ((3, 0, 7), "0 pixels"),
        ((3, 6, 0), "0 pixels"),
        ((3, 6, 7, 0), "0 channels"),
        ((6, 7), "2 axes"),
        ((6,), "1 axis"),
        ((), "0 axes"),
        ((2, 3, 4, 3, 2), "5 axes"),
    ],
)
def test_arrays_of_other_shapes_are_refused(
    transformer: BaseEstimator, shape: tuple[int, ...], words: str
) -> None:
    """At fit and afterwards; the error says what is wrong, where, and how to mend it."""
    fitted = clone(transformer).fit(IMAGES)
    for call in (clone(transformer).fit, fitted.transform):
        with pytest.raises(DataError, match=words) as caught:
            call(np.zeros(shape))
        assert caught.value.where
        assert caught.value.fix


@each
def test_one_image_alone_is_refused_with_the_way_out(transformer: BaseEstimator) -> None:
    """Two axes may be one image or flat rows: the error says how to hand over either."""
    with pytest.raises(DataError, match="n × rows × columns") as caught:
        clone(transformer).fit(IMAGES[0])
    assert "images[np.newaxis]" in caught.value.fix
    assert "reshape" in caught.value.fix


@each
@pytest.mark.parametrize(("value", "word"), [(np.nan, "NaN"), (np.inf, "infinity"), (-np.inf, "infinity")])
def test_pixels_that_are_no_numbers_are_refused(transformer: BaseEstimator, value: float, word: str) -> None:
    """How many images have one, and the first image, row and column, are named."""
    images = IMAGES.copy()
    images[4, 2, 5] = images[7, 0, 0] = value
    fitted = clone(transformer).fit(IMAGES)
    for call in (clone(transformer).fit, fitted.transform):
        for given in (images, [*images, np.zeros((3, 3))]):
            with pytest.raises(DataError, match=f"contains {word}") as caught:
                call(given)
            assert "2 of 1" in caught.value.where
            assert "first in image 5, row 3, column 6" in caught.value.where


@each
@pytest.mark.parametrize(
    "images",
    [
        np.full((2, 3, 3), "a"),
        np.full((2, 3, 3), None),
        np.zeros((2, 3, 3), dtype=complex),
        ["a.png", "b.png"],
        csr_array(np.eye(3)),
    ],
    ids=["text", "objects", "complex", "names", "sparse"],
)
def test_what_is_no_image_is_refused(transformer: BaseEstimator, images: object) -> None:
    """Words, objects, complex numbers, bare file names and sparse matrices are of the wrong kind."""
    with pytest.raises(InputTypeError) as caught:
        clone(transformer).fit(images)
    assert isinstance(caught.value, HeldoutError)
    assert caught.value.where
    assert caught.value.fix


@each
def test_a_bad_image_in_a_list_is_named(transformer: BaseEstimator) -> None:
    """The place of the image stands in the error."""
    with pytest.raises(DataError, match="1 axis") as caught:
        clone(transformer).fit([IMAGES[0], np.zeros(()), IMAGES[1]])
    assert "image 2" in caught.value.where
    with pytest.raises(DataError, match="rows differ in length") as caught:
        clone(transformer).fit([[[1, 2], [3, 4]], [[1, 2], [3]]])
    assert caught.value.where == "image 2"


@each
def test_refitting_on_another_form_forgets(transformer: BaseEstimator) -> None:
    """After a fit on larger images nothing of the smaller ones is left."""
    larger = np.random.default_rng(1).random((9, 8, 8))
    again, fresh = clone(transformer).fit(IMAGES).fit(larger), clone(transformer).fit(larger)
    assert sorted(vars(again)) == sorted(vars(fresh))
    assert again.transform(larger).tobytes() == fresh.transform(larger).tobytes()
    assert again.get_feature_names_out().tolist() == fresh.get_feature_names_out().tolist()


@pytest.mark.parametrize("form", [list, np.array, lambda names: [Path(name) for name in names]])
def test_names_without_a_table_are_answered_by_the_table(form: Callable[[list[str]], object]) -> None:
    """A list or an array of names, or of paths, gets the advice to make a table of it."""
    with pytest.raises(InputTypeError) as caught:
        PixelFeatures().fit(form(["a.png", "b.png"]))
    assert "read_table" in caught.value.fix
    assert "a.png" in caught.value.where
