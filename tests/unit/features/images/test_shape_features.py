"""ShapeFeatures on shapes whose measures are known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from heldout import DataError, RequestError, ShapeFeatures
from heldout.features.images.shape_measures import MEASURES

from .drawn import Mask, diamond, disk, letter_l, rectangle, ring


def measured(image: np.ndarray, **parameters: object) -> dict[str, float]:
    """The features of one image by name."""
    shapes = ShapeFeatures(**parameters).fit(image[np.newaxis])
    numbers = shapes.transform(image[np.newaxis])[0].tolist()
    return dict(zip(shapes.get_feature_names_out().tolist(), numbers, strict=True))


def test_a_rectangle_is_measured_exactly() -> None:
    """A rectangle of 4 × 6 pixels in an image of 8 × 10."""
    found = measured(rectangle(4, 6))
    cut = 4 - 4 * math.sqrt(0.5)
    expected = {
        "area share": 24 / 80,
        "perimeter": 20 - cut,
        "hull area": 23.5,
        "hull perimeter": 20 - cut,
        "convexity": 1.0,
        "solidity": 1.0,
        "box height": 4,
        "box width": 6,
        "aspect": 1.5,
        "extent": 1.0,
        "circularity": 4 * math.pi * 23.5 / (20 - cut) ** 2,
        "center row": 0.5,
        "center column": 0.5,
        "orientation": 0.0,
        "eccentricity": math.sqrt(1 - 16 / 36),
        "components": 1,
        "holes": 0,
    }
    assert {name: found[name] for name in expected} == pytest.approx(expected, rel=1e-14)


def test_an_l_is_not_convex() -> None:
    """The letter L: 18 pixels, a contour as long as that of its box, and the hull that spans its notch."""
    found = measured(letter_l())
    assert found["area share"] == 18 / 90
    # Six corners instead of four; the fifth and sixth, at the notch, are cut as well.
    assert found["perimeter"] == pytest.approx(2 * (6 + 5) - 6 + 6 * math.sqrt(0.5))
    # The box of 6 × 5 less three corners and less the notch, from (0, 1.5) by (0.5, 2) to (4.5, 5).
    assert found["hull area"] == 30 - 3 / 8 - 7.625
    assert found["solidity"] == 17.5 / found["hull area"]
    assert found["convexity"] < 0.95
    assert (found["box height"], found["box width"], found["extent"]) == (6, 5, 18 / 30)


def test_a_ring_has_a_hole_and_the_hull_of_its_square() -> None:
    """The hole takes from the area and adds nothing to perimeter and hull."""
    found, square = measured(ring()), measured(rectangle(7, 7))
    for name in ("perimeter", "hull area", "hull perimeter", "convexity", "aspect"):
        assert found[name] == square[name]
    assert found["holes"] == 1
    assert found["solidity"] == (49 - 9 - 0.5) / 48.5


def test_a_disk_is_rounder_than_a_square_and_a_diamond() -> None:
    """Circularity is near 1 for a disk, and near π/4 for squares, straight or on their tips."""
    round_ = measured(disk(40.0, 101))
    assert round_["circularity"] > 0.88
    assert round_["area share"] * 101**2 == pytest.approx(math.pi * 40**2, rel=0.01)
    assert round_["perimeter"] == pytest.approx(2 * math.pi * 40 * 1.0548, rel=0.01)
    assert round_["eccentricity"] == 0.0
    assert round_["solidity"] > 0.98
    assert measured(rectangle(80, 80))["circularity"] == pytest.approx(math.pi / 4, rel=0.02)
    assert measured(diamond(40, 101))["circularity"] == pytest.approx(math.pi / 4, rel=0.02)


def test_the_largest_part_is_measured_and_all_are_counted() -> None:
    """Smaller parts change the number of components and nothing else."""
    alone = np.pad(rectangle(4, 6), ((0, 0), (0, 5)))
    others = alone.copy()
    others[1, 11], others[6, 12] = True, True
    one, three = measured(alone), measured(others)
    assert (one.pop("components"), three.pop("components")) == (1, 3)
    assert one == three


def test_color_becomes_gray_before_the_threshold() -> None:
    """A yellow square on blue ground is the light side."""
    image = np.zeros((8, 8, 3), dtype=np.uint8)
    image[..., 2] = 255
    image[2:6, 2:5] = (255, 255, 0)
    assert measured(image, foreground="light")["area share"] == 12 / 64


def test_nothing_to_be_seen_is_missing() -> None:
    """An image of one color has an area and components of 0, and no other measure."""
    found = measured(np.full((5, 5), 3))
    assert (found.pop("area share"), found.pop("components")) == (0.0, 0.0)
    assert all(math.isnan(number) for number in found.values())
    assert len(found) == len(MEASURES) - 2
    shapes = ShapeFeatures()
    assert shapes.contour(np.zeros((4, 4))).shape == shapes.polygon(np.zeros((4, 4))).shape == (0, 2)


@pytest.mark.parametrize("mask", [rectangle(4, 6), letter_l(), ring(), disk(5.0, 15)])
def test_moving_mirroring_and_turning(mask: Mask) -> None:
    """What describes the shape alone has the same bits wherever it lies and however it is turned by 90°."""
    same = ("perimeter", "hull area", "hull perimeter", "convexity", "solidity", "extent", "circularity")
    same += ("eccentricity", "components", "holes", *(f"Hu moment {order}" for order in range(1, 7)))
    original = measured(mask)
    for moved in (np.roll(mask, (1, -1), axis=(0, 1)), np.rot90(mask), mask[:, ::-1], mask[::-1]):
        found = measured(moved)
        assert {name: found[name] for name in same} == {name: original[name] for name in same}


def test_images_of_different_sizes_are_taken_as_a_list() -> None:
    """Each image of a list is measured by itself, whatever its size."""
    images = [rectangle(4, 6).astype(float), disk(5.0, 15).astype(np.uint8) * 9]
    shapes = ShapeFeatures().fit(images)
    assert shapes.image_shape_ is None
    found = shapes.transform(images)
    alone = [ShapeFeatures().fit_transform(image[np.newaxis])[0] for image in images]
    np.testing.assert_array_equal(found, alone)


def test_contour_and_polygon_are_in_the_coordinates_of_the_image() -> None:
    """A square from (2, 3) to (4, 6) has the middles of its edges there, and its polygon eight corners."""
    image = np.zeros((9, 9))
    image[2:4, 3:6] = 1
    shapes = ShapeFeatures()
    contour = shapes.contour(image)
    assert contour[0].tolist() == [2.0, 3.5]
    assert (contour.min(axis=0).tolist(), contour.max(axis=0).tolist()) == ([2.0, 3.0], [4.0, 6.0])
    polygon = shapes.polygon(image)
    assert polygon.tolist()[:3] == [[2.0, 3.5], [2.0, 5.5], [2.5, 6.0]]
    assert len(polygon) == 8


def test_the_picture_is_drawn() -> None:
    """The foreground is filled, contour and polygon are lines; without a foreground the picture says so."""
    drawn = ShapeFeatures().to_svg(letter_l())
    assert drawn.count("<path") == 3
    assert ">no foreground</text>" in ShapeFeatures().to_svg(np.zeros((3, 3)))


def test_the_picture_shows_holes_and_smaller_parts() -> None:
    """Each run of foreground pixels in a row is a box, around a hole and beside the shape too."""
    image = np.zeros((6, 6))
    image[1:4, 1:4] = 1
    image[2, 2] = 0
    image[5, 5] = 1
    pixels = ShapeFeatures(foreground="light").to_svg(image).split('<path d="')[1].split('"')[0]
    assert pixels.count("M") == 5
    assert len(ShapeFeatures(foreground="light").contour(image)) > 0


def test_the_text_says_how_the_foreground_is_found() -> None:
    """Threshold, side and measures stand in the text."""
    text = str(ShapeFeatures(threshold=127, foreground="dark").fit(np.zeros((1, 3, 3))))
    assert "the pixels that are not above 127" in text
    assert "images of 3 × 3 pixels" in text
    assert "convexity" in text
    assert ShapeFeatures().fit(np.zeros((1, 3, 3))).description_bits() == 0.0


def test_other_shapes_than_at_fit_are_refused() -> None:
    """An array of images of another size names both sizes."""
    shapes = ShapeFeatures().fit(np.zeros((2, 4, 5)))
    with pytest.raises(DataError, match=r"6 × 5 pixels came, and of 4 × 5 pixels at fit"):
        shapes.transform(np.zeros((2, 6, 5)))


def test_channels_that_make_no_gray_are_refused() -> None:
    """Four channels may be colors and transparency: the error says what to hand over."""
    with pytest.raises(DataError, match="3 channels") as caught:
        ShapeFeatures().fit(np.zeros((2, 4, 5, 4)))
    assert "[..., :3]" in caught.value.fix


def test_wrong_parameters_are_refused_with_advice() -> None:
    """A misspelled side gets a suggestion, and a threshold must be a finite number or Otsu's."""
    with pytest.raises(RequestError, match="foreground must be") as caught:
        ShapeFeatures(foreground="ligth").fit(np.zeros((1, 3, 3)))
    assert "'light'" in caught.value.fix
    with pytest.raises(RequestError, match="threshold must be"):
        ShapeFeatures(threshold=math.inf).contour(np.zeros((3, 3)))
