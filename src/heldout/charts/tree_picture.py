"""A tree as a picture: cards for the nodes, lines with conditions between them.

A small tree grows downwards, a larger one to the right, where a page has no end and text takes the least
room. A line is as thick as the share of the rows that went its way.
"""

from __future__ import annotations

from collections.abc import Sequence

from heldout.charts.axes import CAPTION_SIZE, MARGIN, framed
from heldout.charts.legend import flowed
from heldout.charts.svg import Box, SvgWriter, fitted, text_width
from heldout.charts.theme import MUTED, fill
from heldout.charts.tree_cards import (
    CARD_HEIGHT,
    PictureNode,
    PictureTree,
    card_height,
    card_width,
    draw_card,
    draw_scale,
)
from heldout.charts.tree_layout import (
    LABEL_SIZE,
    TRUNK,
    depths_of,
    draw_label,
    draw_line_down,
    draw_line_right,
    reading_order,
    tidy_centers,
)

DIRECTIONS = ("auto", "down", "right")
WIDEST_DOWN = 1000.0
NARROWEST_PICTURE = 340.0
_LEVEL_STEP = CARD_HEIGHT + 58.0
_NARROWEST_GAP, _WIDEST_GAP = 64.0, 210.0


def tree_svg(tree: PictureTree, direction: str = "auto") -> str:
    """The picture as an SVG document.

    direction: "down", "right", or "auto": down if that is no wider than a page
    """
    boxes, grows_down = _boxes(tree.nodes, direction)
    drawn_width = max(box.right for box in boxes)
    width = max(drawn_width, NARROWEST_PICTURE, min(text_width(tree.caption, CAPTION_SIZE), WIDEST_DOWN))
    writer = SvgWriter()
    top = _draw_head(writer, tree, width)
    left = MARGIN + (width - drawn_width) / 2 if grows_down else MARGIN
    boxes = [box.moved(left, top) for box in boxes]
    _draw_edges(writer, tree.nodes, boxes, grows_down)
    for index in reading_order(tree.nodes):
        draw_card(writer, tree.nodes[index], boxes[index], tree.scale)
    # A folded card is a small pile, which reaches a little farther.
    bottom = max(box.bottom for box in boxes) + 4 + MARGIN
    return framed(writer.text, width + 2 * MARGIN + 4, bottom, tree.title, tree.description, role="group")


def tree_width(tree: PictureTree, direction: str) -> float:
    """How wide the picture is in this direction, "down" or "right"."""
    boxes, _ = _boxes(tree.nodes, direction)
    return max(box.right for box in boxes) + 2 * MARGIN + 4


def _draw_head(writer: SvgWriter, tree: PictureTree, width: float) -> float:
    caption = fitted(tree.caption, width, CAPTION_SIZE)
    writer.leaf("text", caption, x=MARGIN, y=MARGIN + 10, font_size=CAPTION_SIZE, **fill(MUTED))
    top = MARGIN + 20
    if tree.scale is not None:
        top += draw_scale(writer, tree.scale, MARGIN, top)
    legend = flowed(tree.legend, width)
    legend.draw(writer, MARGIN, top)
    return top + legend.height + 16


def _boxes(nodes: Sequence[PictureNode], direction: str) -> tuple[list[Box], bool]:
    if direction != "right":
        boxes = _boxes_down(nodes)
        if direction == "down" or max(box.right for box in boxes) <= WIDEST_DOWN:
            return boxes, True
    return _boxes_right(nodes), False


def _boxes_down(nodes: Sequence[PictureNode]) -> list[Box]:
    width = card_width(nodes)
    centers = tidy_centers([node.parent for node in nodes], [width] * len(nodes), gap=16.0)
    return [
        Box(center - width / 2, depth * _LEVEL_STEP, width, card_height(node))
        for node, center, depth in zip(nodes, centers, depths_of(nodes), strict=True)
    ]


def _boxes_right(nodes: Sequence[PictureNode]) -> list[Box]:
    heights = [card_height(node) for node in nodes]
    centers = tidy_centers([node.parent for node in nodes], heights, gap=10.0)
    depths = depths_of(nodes)
    lefts, widths = _columns(nodes, depths)
    return [
        Box(lefts[depth], center - height / 2, widths[depth], height)
        for center, height, depth in zip(centers, heights, depths, strict=True)
    ]


def _columns(nodes: Sequence[PictureNode], depths: list[int]) -> tuple[list[float], list[float]]:
    """Per level where its cards begin, after the room for the labels on the lines, and how wide they are."""
    levels: list[list[PictureNode]] = [[] for _ in range(max(depths) + 1)]
    for node, depth in zip(nodes, depths, strict=True):
        levels[depth].append(node)
    widths = [card_width(level) for level in levels]
    lefts = [0.0]
    for level, width in zip(levels[1:], widths, strict=False):
        label = max(text_width(node.edge, LABEL_SIZE) for node in level)
        lefts.append(lefts[-1] + width + min(max(TRUNK + label + 18, _NARROWEST_GAP), _WIDEST_GAP))
    return lefts, widths


def _draw_edges(writer: SvgWriter, nodes: Sequence[PictureNode], boxes: list[Box], grows_down: bool) -> None:
    draw_line = draw_line_down if grows_down else draw_line_right
    edges = [
        (node, boxes[node.parent], box) for node, box in zip(nodes, boxes, strict=True) if node.parent >= 0
    ]
    writer.open("g", aria_hidden="true")
    for node, parent, child in edges:
        draw_line(writer, parent, child, node.share)
    for node, parent, child in edges:
        draw_label(writer, node.edge, parent, child, node.share, grows_down)
    writer.close()
