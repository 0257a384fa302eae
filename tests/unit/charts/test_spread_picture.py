"""Lines with bands: where places stand, what is left out, and that old lines are drawn as before."""

from __future__ import annotations

import itertools
import math
import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout.charts.spread_picture import SpreadLine, SpreadPicture, positions_across, spread_svg

SVG = "{http://www.w3.org/2000/svg}"


def drawn(x_values: list[object], *lines: SpreadLine) -> ElementTree.Element:
    return ElementTree.fromstring(
        spread_svg(SpreadPicture("title", "caption", "words", x_values, "x", "y", lines))
    )


def test_a_line_has_a_band_and_dots() -> None:
    """Each line is a path with a translucent band below it and a dot at every place."""
    line = SpreadLine("test rows", [0.7, 0.8, 0.9], [0.6, 0.7, 0.8], [0.8, 0.9, 1.0])
    picture = drawn([1, 2, 3], line)
    bands = [path for path in picture.iter(f"{SVG}path") if "fill-opacity" in path.attrib]
    assert len(bands) == 1
    assert bands[0].attrib["d"].count("L") == 5
    assert len(list(picture.iter(f"{SVG}circle"))) == 3


def test_places_without_a_score_are_left_out() -> None:
    """NaN makes no point; a line of nothing but NaN is not drawn at all."""
    nan = math.nan
    line = SpreadLine("test", [nan, 0.8, 0.9], [nan, 0.7, 0.8], [nan, 0.9, nan])
    nothing = SpreadLine("train", [nan] * 3, [nan] * 3, [nan] * 3)
    picture = drawn([1, 2, 3], line, nothing)
    assert len(list(picture.iter(f"{SVG}circle"))) == 2
    assert "train" not in "".join(picture.itertext())


def test_sizes_over_a_wide_span_stand_by_powers() -> None:
    """Sizes from 1 to 1000 stand at the positions of their logarithms, with round numbers as ticks."""
    positions, ticks = positions_across([1, 10, 100, 1000])
    steps = [round(right - left, 9) for left, right in itertools.pairwise(positions)]
    assert len(set(steps)) == 1
    assert {"1", "10", "100", "1000"} <= {tick.label for tick in ticks}
    _, ticks = positions_across([1000, 10_000, 1_000_000])
    assert {"1,000", "10,000", "1,000,000"} <= {tick.label for tick in ticks}


def test_what_is_no_ascending_number_stands_side_by_side() -> None:
    """Words, booleans, mixtures and numbers out of order get equal distances and their own labels."""
    for x_values in (["a", "b"], [True, False], [3, "None"], [5, 1]):
        positions, ticks = positions_across(x_values)
        assert positions == [0.25, 0.75]
        assert [tick.label for tick in ticks] == [str(place) for place in x_values]


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=80))
def test_positions_lie_in_the_plane(numbers: list[float]) -> None:
    """Whatever the places are, they stand between 0 and 1, one position each, with few ticks."""
    positions, ticks = positions_across(numbers)
    assert len(positions) == len(numbers)
    assert all(0 <= position <= 1 for position in positions)
    assert all(0 <= tick.position <= 1 for tick in ticks)
    assert len(ticks) <= 10


@pytest.mark.parametrize("name", ["<script>", "a & b", "\x00", '"'])
def test_names_are_escaped(name: str) -> None:
    """Labels, titles and places with markup in them are text."""
    line = SpreadLine(name, [0.5, 0.6], [0.5, 0.6], [0.5, 0.6])
    assert drawn([name, "b"], line).tag == f"{SVG}svg"


def test_numbers_ascend_in_whatever_order_they_were_tried() -> None:
    """The picture of 9, 1 and 3 is that of 1, 3 and 9."""
    shuffled = SpreadLine("test", [0.9, 0.1, 0.3], [0.8, 0.0, 0.2], [1.0, 0.2, 0.4])
    ordered = SpreadLine("test", [0.1, 0.3, 0.9], [0.0, 0.2, 0.8], [0.2, 0.4, 1.0])
    pictures = [drawn([9, 1, 3], shuffled), drawn([1, 3, 9], ordered)]
    assert ElementTree.tostring(pictures[0]) == ElementTree.tostring(pictures[1])


def test_between_whole_numbers_there_is_no_tick() -> None:
    """Over 1 to 15 leaves no tick says 2.5; over numbers that are not whole it may."""
    assert all(float(tick.label).is_integer() for tick in positions_across(list(range(1, 16)))[1])
    assert "2.5" in {tick.label for tick in positions_across([1.5, 4.0, 15.5])[1]}


def test_a_narrow_picture_fits_a_telephone() -> None:
    """The narrow picture is 328 wide, names its lines above the plane, and nothing lies outside of it."""
    line = SpreadLine("validation rows", [0.7, 0.8], [0.6, 0.7], [0.8, 0.9])
    other = SpreadLine("training rows", [0.8, 0.9], [0.7, 0.8], [0.9, 1.0])
    words = ("title", "a caption that is left to the page", "words")
    picture = SpreadPicture(*words, [1, 1000], "leaves", "accuracy", [line, other], is_narrow=True)
    root = ElementTree.fromstring(spread_svg(picture))
    assert root.attrib["width"] == "328"
    texts = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    assert {"validation rows", "training rows", "leaves", "accuracy"} <= set(texts)
    assert words[1] not in texts
    across = [float(dot.attrib["cx"]) for dot in root.iter(f"{SVG}circle")]
    assert 0 < min(across) < max(across) < 328


def test_large_whole_numbers_have_ticks() -> None:
    """Sizes of ten thousand rows and more are whole numbers, however their labels are written."""
    positions, ticks = positions_across([4_000, 8_000, 12_000])
    assert positions == sorted(positions)
    assert [tick.label for tick in ticks if tick.value == 8_000] == ["8,000"]
