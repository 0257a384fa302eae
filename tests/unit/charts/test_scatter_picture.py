"""Points over two scores."""

from __future__ import annotations

from xml.etree import ElementTree

from heldout.charts.scatter_picture import PictureDot, scatter_svg


def drawn(*dots: PictureDot) -> str:
    return scatter_svg(dots, "title", "caption", "x", "y", ("first", "second"), "description")


def test_the_diagonal_runs_from_corner_to_corner() -> None:
    """A point with equal scores lies on it, whatever the range of the others."""
    svg = drawn(PictureDot(0.2, 0.2, 0, "equal"), PictureDot(0.1, 0.9, 1, "far"))
    root = ElementTree.fromstring(svg)
    paths = [each.get("d") or "" for each in root.iter("{http://www.w3.org/2000/svg}path")]
    line = next(each for each in paths if "L" in each and each.count("L") == 1 and "z" not in each)
    (left, bottom), (right, top) = (
        [float(number) for number in end.split()] for end in line.removeprefix("M").split("L")
    )
    circle = [each for each in paths if "a" in each][-1]  # those before are the legend's
    x, y = (float(number) for number in circle.removeprefix("M").split("a")[0].split())
    share = (x + 4.5 - left) / (right - left)
    assert abs(share - (bottom - y) / (bottom - top)) < 1e-3


def test_no_points_and_equal_points() -> None:
    """A picture of nothing, of points in one place and of one far out has its points and no NaN."""
    for dots in [(), (PictureDot(0.0, 0.0, 0, "same"),) * 3, (PictureDot(-1e308, 1e308, 0, "wide"),)]:
        svg = drawn(*dots)
        titles = [each.text for each in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}title")]
        assert titles.count("same") + titles.count("wide") == len(dots)
        assert "nan" not in svg.lower()
        assert "inf" not in svg.lower()
