"""The picture of a tree, from plain records."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import pytest

from heldout.charts.axes import in_page
from heldout.charts.legend import LegendEntry, flowed
from heldout.charts.tree_cards import BarScale, PictureNode, PictureTree, Segment
from heldout.charts.tree_layout import THICKEST, THINNEST, edge_width
from heldout.charts.tree_picture import tree_svg

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<script>alert('x')</script> & \"quotes\" ]]> \x00 \n </title>"


def node(parent: int = -1, **changes: object) -> PictureNode:
    given = {"heading": "age", "remark": "10", "segments": (Segment(0.0, 0.4, 0), Segment(0.4, 1.0, 1))}
    return PictureNode(parent, **(given | changes))  # type: ignore[arg-type]


def picture(*nodes: PictureNode, **changes: object) -> PictureTree:
    given = {"title": "A tree", "caption": "a tree", "description": "of three nodes", "nodes": nodes}
    return PictureTree(**(given | changes))  # type: ignore[arg-type]


def small_tree(**changes: object) -> PictureTree:
    leaves = [node(0, heading=name, edge=name, is_leaf=True, index=place) for place, name in enumerate("ab")]
    return picture(node(), *leaves, **changes)


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg.encode("utf-8"))


def texts(svg: str) -> list[str]:
    return ["".join(text.itertext()) for text in parsed(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("direction", ["down", "right"])
def test_every_part_is_drawn(direction):
    """Headings, counts and the conditions on the lines are all there."""
    shown = texts(tree_svg(small_tree(), direction))
    assert {"age", "a", "b", "10", "a tree"} <= set(shown)


@pytest.mark.parametrize("direction", ["down", "right"])
def test_hostile_names_stay_text(direction):
    """Markup in any name is shown as it is: the picture has no element but our own, and no script."""
    entry = LegendEntry(HOSTILE, HOSTILE)
    hostile = node(
        0, heading=HOSTILE, remark=HOSTILE, edge=HOSTILE, note=HOSTILE, title=HOSTILE, is_leaf=True
    )
    tree = picture(
        node(heading=HOSTILE, description=HOSTILE),
        hostile,
        title=HOSTILE,
        caption=HOSTILE,
        description=HOSTILE,
        legend=(entry,),
        scale=BarScale(HOSTILE, HOSTILE, 0.5, HOSTILE),
    )
    svg = tree_svg(tree, direction)
    names = {element.tag.removeprefix(SVG) for element in parsed(svg).iter()}
    assert names <= {"svg", "title", "desc", "style", "rect", "path", "g", "text", "tspan"}
    assert "<script" not in svg
    assert not re.search(r"\son\w+=|javascript:|href|url\(", svg)
    assert any("<script>" in title.text for title in parsed(svg).iter(f"{SVG}title"))


def test_long_names_are_cut_and_kept_in_the_title():
    """A name of a thousand letters is shown with an ellipsis, and whole to who asks."""
    long = "length_" * 150
    svg = tree_svg(picture(node(heading=long, title=f"All rows: asks for {long}")))
    assert max(map(len, texts(svg))) < 60
    assert any(text.endswith("…") for text in texts(svg))
    assert any(long in (title.text or "") for title in parsed(svg).iter(f"{SVG}title"))


def test_a_count_is_cut_only_where_the_heading_needs_the_room():
    """A card made for its line shows all of it, a short heading with a long count too."""
    for heading, remark in (("0", "117 of 325.25"), ("phytophthora-rot", "88 of 95"), ("a", "")):
        shown = texts(tree_svg(picture(node(heading=heading, remark=remark, is_leaf=True))))
        assert {heading, remark} - {""} <= set(shown)


def test_the_picture_and_its_nodes_have_names_for_screen_readers():
    """The root names its title and description, and each node is an image with its own."""
    root = parsed(tree_svg(small_tree()))
    by_id = {element.get("id"): element for element in root.iter() if element.get("id")}
    assert root.get("role") == "group"
    assert by_id[root.get("aria-labelledby")].text == "A tree"
    assert by_id[root.get("aria-describedby")].text == "of three nodes"
    images = [element for element in root.iter() if element.get("role") == "img"]
    assert len(images) == 3
    assert all([part.tag for part in image[:2]] == [f"{SVG}title", f"{SVG}desc"] for image in images)


def test_ids_differ_between_pictures():
    """Two pictures of one page share no id; the same tree always has the same."""
    first, second = (tree_svg(small_tree(title=title)) for title in ("one", "two"))
    ids = [set(re.findall(r' id="([^"]+)"', svg)) for svg in (first, second)]
    assert len(ids[0]) == 3
    assert not ids[0] & ids[1]
    assert tree_svg(small_tree(title="one")) == first


def test_ids_are_unique_within_a_picture():
    """No id occurs twice."""
    found = re.findall(r' id="([^"]+)"', tree_svg(small_tree()))
    assert len(found) == len(set(found))


def test_every_colour_has_a_light_value_of_its_own():
    """A program that knows no style sheet still finds a fill or a stroke on every shape."""
    for element in parsed(tree_svg(small_tree())).iter():
        if element.tag in (f"{SVG}rect", f"{SVG}path", f"{SVG}text"):
            assert re.fullmatch("#[0-9a-f]{6}|none", element.get("fill"))
            assert element.get("fill") != "none" or element.get("stroke").startswith("#")


def test_small_trees_grow_down_and_wide_ones_to_the_right():
    """The direction follows the width: a page is narrow and long."""
    many = [node(0, heading=f"leaf {k}", edge=str(k), is_leaf=True, index=0) for k in range(40)]
    sizes = {}
    for name, tree in (("small", small_tree()), ("wide", picture(node(), *many))):
        root = parsed(tree_svg(tree))
        sizes[name] = float(root.get("width")), float(root.get("height"))
    assert sizes["small"][0] < 500
    assert sizes["wide"][0] < 600
    assert sizes["wide"][1] > 40 * 40


def test_lines_are_as_thick_as_their_share():
    """The thickness grows with the share of the rows and stays in its bounds."""
    widths = [edge_width(share) for share in (0.0, 0.1, 0.5, 1.0, 2.0)]
    assert widths == sorted(widths)
    assert widths[0] == THINNEST
    assert widths[-1] == THICKEST


def test_small_shares_are_seen_and_bars_keep_their_width():
    """A share of one in a million has a width, and all shares together fill the bar."""
    bars = [Segment(0.0, 0.999999, 0), Segment(0.999999, 1.0, 1)]
    root = parsed(tree_svg(picture(node(segments=tuple(bars)))))
    found = [rect for rect in root.iter(f"{SVG}rect") if rect.get("height") == "6"]
    first, second = ({key: float(rect.get(key)) for key in ("x", "width")} for rect in found)
    assert second["width"] >= 2
    assert first["x"] + first["width"] == pytest.approx(second["x"] - 1, abs=0.02)


def test_the_legend_wraps():
    """Entries that do not fit go to the next line."""
    entries = tuple(LegendEntry(f"class number {k}", "12") for k in range(8))
    assert flowed(entries, 2000).height < flowed(entries, 300).height
    assert flowed((), 300).height == 0


def test_a_page_can_scroll_the_picture():
    """In a notebook the picture stands in a region that scrolls and that the keyboard reaches."""
    page = parsed(in_page("<svg></svg>", 'A "tree"'))
    assert page.get("tabindex") == "0"
    assert page.get("aria-label") == 'A "tree"'
    assert "overflow:auto" in page.get("style")
