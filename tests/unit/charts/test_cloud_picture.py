"""Clouds of points and bars: what is drawn where, and that both fit a telephone."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from heldout.charts.confusion_picture import PictureMatrix, confusion_svg
from heldout.charts.curve_picture import CurveBand, CurvePlane, PictureCurve, curve_svg
from heldout.charts.histogram_picture import HistogramPicture, PictureBar, histogram_svg
from heldout.charts.interval_picture import PictureInterval, interval_svg
from heldout.charts.reliability_picture import PictureBin, reliability_svg
from heldout.charts.scatter_picture import CloudLine, CloudPicture, cloud_svg

NOTHING = np.full(3, np.nan)
PLACES = np.array([1.0, 2.0, 3.0])


def cloud(**changes: object) -> str:
    """A picture of three points and a line."""
    line = CloudLine("mean", PLACES, PLACES + 0.5, PLACES, PLACES + 1, ("low", "middle", "high"))
    known: dict[str, object] = {"title": "t", "caption": "c", "description": "d", "x": "said", "y": "true"}
    known |= {"dots_x": PLACES, "dots_y": PLACES, "dots": "rows", "line": line}
    return cloud_svg(CloudPicture(**(known | changes)))  # type: ignore[arg-type]


def test_every_point_is_drawn_where_it_lies() -> None:
    """On one scale for both axes points of equal numbers lie on the diagonal, at equal distances."""
    svg = cloud(is_against_equal=True)
    (path,) = re.findall(r'd="((?:M[\d. ]+h0)+)"', svg)
    spots = np.array([[float(each) for each in spot.split()] for spot in path[1:-2].split("h0M")])
    steps = np.diff(spots, axis=0)
    np.testing.assert_allclose(steps[0], steps[1], atol=0.11)
    np.testing.assert_allclose(steps[:, 0], -steps[:, 1], atol=0.11)


def test_a_line_without_a_band_has_none() -> None:
    """Edges that are not known are not drawn, and the line is."""
    line = CloudLine("mean", PLACES, PLACES, NOTHING, NOTHING, ("a", "b", "c"))
    assert 'Z"' in cloud()
    assert 'Z"' not in cloud(line=line)
    assert cloud(line=line).count("<circle") == 3


def test_a_cloud_of_many_points_stays_small() -> None:
    """Four hundred points take less than 12 kB."""
    random = np.random.default_rng(0)
    svg = cloud(dots_x=random.normal(size=400), dots_y=random.normal(size=400))
    assert len(svg) < 12_000


def test_bars_hold_their_shares() -> None:
    """A bar of twice the share is twice as high, and its line has the ends that were given."""
    bars = [PictureBar(-1, 0, 0.2, 0.1, 0.3, "few"), PictureBar(0, 1, 0.4, np.nan, np.nan, "many")]
    svg = histogram_svg(HistogramPicture("t", "c", "d", "miss", "share", bars))
    root = ElementTree.fromstring(svg)
    groups = list(root.iter("{http://www.w3.org/2000/svg}g"))
    drawn = {each[0].text: each for each in groups if len(each) and each[0].text in ("few", "many")}
    heights = {name: float(each[1].get("height", "0")) for name, each in drawn.items()}
    assert heights["many"] == pytest.approx(2 * heights["few"], abs=0.05)
    assert [len(drawn[name]) for name in ("few", "many")] == [3, 2]


def narrow_pictures() -> list[str]:
    """One picture of each kind as a telephone shows it."""
    plane = CurvePlane("x", "y", has_diagonal=True)
    ends = np.array([0.0, 1.0])
    band = CurveBand(ends, ends * 0.9, ends, 0, "the band")
    bars = [PictureBar(-1, 0, 0.2, 0.1, 0.3, "few"), PictureBar(0, 1, 0.4, 0.3, 0.5, "many")]
    matrix = np.diag(np.arange(1, 21))
    labels = tuple(f"a rather long label {n}" for n in range(20))
    return [
        cloud(is_narrow=True),
        histogram_svg(HistogramPicture("t", "c", "d", "miss", "share", bars, is_narrow=True)),
        curve_svg(plane, [PictureCurve("a", ends, ends, 0)], "t", "c", "d", None, band, True),
        reliability_svg([PictureBin(0.9, 0.8, 0.7, 0.9, 3, "bin")], "t", "c", "d", True, (0.5, 1.0)),
        confusion_svg(PictureMatrix("t", "c", "d", labels, matrix, True, True)),
        interval_svg([PictureInterval("a", 0.5, 0.4, 0.6, "words")], "t", "c", 0.5, None, "x", True),
    ]


@pytest.mark.parametrize("place", range(6))
def test_a_telephone_shows_all_of_it(place: int) -> None:
    """Narrow pictures are 328 pixels wide, and nothing in them stands outside."""
    root = ElementTree.fromstring(narrow_pictures()[place])
    assert root.get("width") == "328"
    rights = [
        float(each.get("x", "0")) + float(each.get("width", "0"))
        for each in root.iter("{http://www.w3.org/2000/svg}rect")
    ]
    assert 0 < max(rights) <= 328


def test_a_band_lies_between_its_edges() -> None:
    """The outline of the band runs along the upper edge and back along the lower."""
    across = np.array([0.0, 0.5, 1.0])
    band = CurveBand(
        across, np.array([0.0, 0.2, 0.8]), np.array([0.3, 0.9, 1.0]), 0, "the middle of the folds"
    )
    plane = CurvePlane("x", "y", has_diagonal=False)
    svg = curve_svg(plane, [PictureCurve("a", across, across, 0)], "t", "c", "d", None, band)
    assert "<title>the middle of the folds</title>" in svg
    (outline,) = re.findall(r'd="(M[^"]*)Z"', svg)
    points = np.array([[float(each) for each in spot.split()] for spot in outline[1:].split("L")])
    assert len(points) == 6
    assert (points[:3, 1] < points[3:, 1][::-1]).all()


def test_of_many_labels_empty_cells_are_left_out() -> None:
    """Only what was counted takes room, and the last of joined labels is not framed as right."""
    few = confusion_svg(PictureMatrix("t", "c", "d", tuple("abc"), np.eye(3, dtype=int)))
    many = confusion_svg(PictureMatrix("t", "c", "d", tuple("abcdefghij"), np.eye(10, dtype=int), True))
    assert few.count(" were said to be ") == 9
    assert many.count(" were said to be ") == 10
    assert many.count('stroke-width="2"') == 9
