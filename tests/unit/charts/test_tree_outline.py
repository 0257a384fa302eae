"""The outline of a tree, which fits a telephone."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import pytest

from heldout.charts.legend import LegendEntry
from heldout.charts.svg import text_width
from heldout.charts.tree_cards import BarScale, PictureNode, PictureTree, Segment
from heldout.charts.tree_outline import OUTLINE_WIDTH, outline_svg

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<script>alert('x')</script> & \"quotes\" ]]> \x00 \n </title>"
BAR = (Segment(0.0, 0.4, 0), Segment(0.4, 1.0, 1))


def chain(depth: int, name: str = "age") -> PictureTree:
    """A tree that splits on one side only, as deep as asked."""
    nodes = [PictureNode(-1, name, "99", BAR)]
    parent = 0
    for _ in range(depth):
        nodes.append(PictureNode(parent, "yes", "12", BAR, edge="≤ 30", index=0, is_leaf=True))
        nodes.append(PictureNode(parent, name, "20", BAR, edge="> 30"))
        parent = len(nodes) - 1
    nodes[parent] = PictureNode(nodes[parent].parent, "no", "5", BAR, edge="> 30", note="+3 leaves, 2 levels")
    return PictureTree(
        "a tree", f"{depth} levels · 99 rows", "", nodes, (LegendEntry("yes"), LegendEntry("no"))
    )


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg.encode("utf-8"))


def texts(svg: str) -> list[str]:
    return ["".join(text.itertext()) for text in parsed(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("width", [OUTLINE_WIDTH, 660.0])
@pytest.mark.parametrize("depth", [1, 6, 20])
def test_nothing_runs_out_of_the_picture(width: float, depth: int) -> None:
    """However deep the tree and however long its names, no card or text leaves the width."""
    svg = outline_svg(chain(depth, "a name that is far too long " * 5), width)
    for element in parsed(svg).iter(f"{SVG}rect"):
        assert float(element.get("x", 0)) + float(element.get("width", 0)) <= width + 0.01
    for element in parsed(svg).iter(f"{SVG}text"):
        reach = text_width("".join(element.itertext()), float(element.get("font-size", 0)))
        if element.get("text-anchor") != "end":
            assert float(element.get("x", 0)) + reach <= width + 0.01


def test_every_condition_and_answer_is_there() -> None:
    """A line for each branch with the column's name, a card for each end, and what is folded."""
    svg = outline_svg(chain(2))
    assert texts(svg).count("age ≤ 30") == 2
    assert texts(svg).count("age > 30") == 2
    assert texts(svg).count("yes") == 3  # two cards and the legend
    assert "+3 leaves, 2 levels" in texts(svg)


def test_answers_have_a_column_of_their_own_where_there_is_room() -> None:
    """In a wide outline all cards begin at the same place, and it is less high than a narrow one."""
    wide, narrow = outline_svg(chain(4), 660.0), outline_svg(chain(4))
    cards = [group for group in parsed(wide).iter(f"{SVG}g") if group.get("role") == "img"]
    # The last frame of a card is the card itself; a pile is drawn before it.
    frames = [[rect for rect in card.iter(f"{SVG}rect") if rect.get("rx") == "7"][-1] for card in cards]
    assert len(frames) == 5
    assert len({frame.get("x") for frame in frames}) == 1
    assert float(parsed(wide).get("height", 0)) < float(parsed(narrow).get("height", 0))


def test_a_scale_explains_its_mark_in_a_line_of_its_own() -> None:
    """Bars of means have their scale above the outline, within its width."""
    tree = chain(1)
    scaled = PictureTree(
        tree.title, tree.caption, "", tree.nodes, scale=BarScale("1", "9", 0.5, "mark: the mean")
    )
    assert "mark: the mean" in texts(outline_svg(scaled))


def test_hostile_names_stay_text() -> None:
    """Markup in a name is shown as it is: no element but our own, and no script."""
    leaf = PictureNode(0, HOSTILE, HOSTILE, BAR, edge=HOSTILE, note=HOSTILE, title=HOSTILE, is_leaf=True)
    tree = PictureTree(HOSTILE, HOSTILE, HOSTILE, [PictureNode(-1, HOSTILE, "3", BAR), leaf, leaf])
    svg = outline_svg(tree)
    names = {element.tag.removeprefix(SVG) for element in parsed(svg).iter()}
    assert names <= {"svg", "title", "desc", "style", "rect", "path", "g", "text", "tspan"}
    assert "<script" not in svg
    assert not re.search(r"\son\w+=|javascript:|href|url\(", svg)


def test_a_leaf_alone_is_a_card() -> None:
    """A tree without a split is one card and no line."""
    leaf = PictureNode(-1, "yes", "7", BAR, is_leaf=True, index=0)
    svg = outline_svg(PictureTree("a tree", "1 leaf", "", [leaf]))
    assert texts(svg) == ["1 leaf", "yes", "7"]
