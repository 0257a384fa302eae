"""The picture of a partition, from plain records."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from heldout.charts.axes import PictureAxis, PicturePlane, PicturePoint, PictureRegion
from heldout.charts.legend import LegendEntry, marker_path
from heldout.charts.partition_picture import PLANE_HEIGHT, PLANE_WIDTH, partition_svg
from heldout.charts.scales import BandScale, NumberScale

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<img src=x onerror=alert(1)>\x07&"


def plane(**changes: object) -> PicturePlane:
    given = {
        "title": "Partition",
        "caption": "3 rows",
        "description": "two regions",
        "x": PictureAxis("length", NumberScale(0.0, 10.0).ticks),
        "y": PictureAxis("town", BandScale(("Ulm", "Bonn")).ticks, is_bands=True),
        "regions": [
            PictureRegion(0.0, 0.5, 0.0, 1.0, 0, "no", "length is at most 5: no"),
            PictureRegion(0.5, 1.0, 0.0, 1.0, 1, "yes", "length is above 5: yes"),
        ],
        "points": [PicturePoint(0.1, 0.2, 0), PicturePoint(0.9, 0.7, 1), PicturePoint(0.6, 0.6, 0)],
        "legend": (LegendEntry("no"), LegendEntry("yes")),
    }
    return PicturePlane(**(given | changes))  # type: ignore[arg-type]


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg.encode("utf-8"))


def region_shapes(root: ElementTree.Element) -> list[ElementTree.Element]:
    return [rect for rect in root.iter(f"{SVG}rect") if rect.get("fill-opacity")]


def test_regions_fill_the_plane():
    """The rectangles lie where they should, side by side, and y grows upwards."""
    left, right = region_shapes(parsed(partition_svg(plane())))
    assert float(left.get("width")) == float(right.get("width")) == PLANE_WIDTH / 2
    assert float(left.get("height")) == PLANE_HEIGHT
    assert float(right.get("x")) == float(left.get("x")) + PLANE_WIDTH / 2
    lower = PictureRegion(0.0, 1.0, 0.0, 0.25, 0, "low", "low")
    [shape] = region_shapes(parsed(partition_svg(plane(regions=[lower]))))
    assert float(shape.get("y")) == pytest.approx(float(left.get("y")) + 0.75 * PLANE_HEIGHT)


def test_points_of_a_class_share_colour_and_shape():
    """There is one path for each class, with one figure for each of its points."""
    root = parsed(partition_svg(plane()))
    paths = [g[0] for g in root.iter(f"{SVG}g") if g.get("pointer-events") == "none"]
    assert [path.get("d").count("M") for path in paths] == [2, 1]
    assert len({path.get("class") for path in paths}) == 2


def test_axes_and_legend_are_labelled():
    """The names of the columns, the ticks, the levels and the classes can be read."""
    shown = {"".join(text.itertext()) for text in parsed(partition_svg(plane())).iter(f"{SVG}text")}
    assert {"length", "town", "0", "10", "Ulm", "Bonn", "no", "yes", "3 rows"} <= shown


def test_the_picture_has_a_name_for_screen_readers():
    """It is one image with a title and a description; each region has a title."""
    root = parsed(partition_svg(plane()))
    assert root.get("role") == "img"
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert titles[0] == "Partition"
    assert "length is above 5: yes" in titles
    assert root.find(f"{SVG}desc").text == "two regions"


def test_hostile_names_stay_text():
    """Markup in names of columns, levels and classes makes no element."""
    axis = PictureAxis(HOSTILE * 9, BandScale((HOSTILE * 9, "b")).ticks, is_bands=True)
    region = PictureRegion(0.0, 1.0, 0.0, 1.0, 0, HOSTILE, HOSTILE)
    entries = (LegendEntry(HOSTILE),)
    given = plane(title=HOSTILE, caption=HOSTILE, x=axis, y=axis, regions=[region], legend=entries)
    root = parsed(partition_svg(given))
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        "svg", "title", "desc", "style", "rect", "path", "g", "text", "tspan",
    }  # fmt: skip


def test_shades_stand_for_numbers():
    """On a scale regions and points have shades, all points one shape, and the ends are labelled."""
    root = parsed(partition_svg(plane(legend=(), shade_scale=("≤ 1", "≥ 9"))))
    assert [shape.get("class") for shape in region_shapes(root)] == ["f-shade-0", "f-shade-1"]
    shown = {text.text for text in root.iter(f"{SVG}text")}
    assert {"≤ 1", "≥ 9"} <= shown


def test_every_class_colour_has_its_own_marker():
    """Eight places, eight shapes; the ninth colour is that of the others and may repeat one."""
    assert len({marker_path(place, 0, 0, 4) for place in range(8)}) == 8
