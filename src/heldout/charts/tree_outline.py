"""A tree as an outline: one question below the other, indented, so that it fits a telephone.

A line for each condition; below the condition of an end, or beside it where there is room, stands its
answer. It is as wide as it is told to be, however large the tree is, and grows downwards alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from heldout.charts.axes import MARGIN, framed
from heldout.charts.legend import flowed
from heldout.charts.svg import Box, SvgWriter, fitted, short_number, text_width
from heldout.charts.theme import EDGE, INK, MUTED, fill, stroke
from heldout.charts.tree_cards import PictureNode, PictureTree, card_height, draw_card, draw_scale
from heldout.charts.tree_layout import depths_of, reading_order

OUTLINE_WIDTH = 328.0
LINE_SIZE, CAPTION_SIZE = 12.5, 12.0
_LINE_HEIGHT, _GAP, _MARK = 22.0, 8.0, 10.0
_CARD = 230.0
# From this width on the answers have a column of their own.
_TWO_COLUMNS = 560.0
_WIDEST_INDENT, _ROOM_OF_TEXT = 18.0, 190.0
_DOT = " · "
_SIGNS = ("≤ ", "> ", "≠ ", "not ")


def outline_svg(tree: PictureTree, width: float = OUTLINE_WIDTH) -> str:
    """The outline as an SVG document.

    tree:  what is drawn; the same as `tree_svg` takes
    width: of the picture
    """
    writer = SvgWriter()
    top = _draw_head(writer, tree, width)
    order, depths = reading_order(tree.nodes), depths_of(tree.nodes)
    parents = {node.parent for node in tree.nodes}
    has_columns = width >= _TWO_COLUMNS
    room = width - 2 * MARGIN - (_CARD + _GAP if has_columns else 0.0)
    indent = min(_WIDEST_INDENT, (room - _ROOM_OF_TEXT) / max(*depths, 1))
    positions: dict[int, float] = {}
    for index in order:
        node = tree.nodes[index]
        is_end = index not in parents
        height = card_height(node) + _GAP if is_end and has_columns else _LINE_HEIGHT
        left = MARGIN + max(depths[index] - 1, 0) * indent + _MARK
        if node.parent >= 0:
            positions[index] = top + height / 2
            end = _draw_condition(
                writer, node, tree.nodes[node.parent], left, positions[index], MARGIN + room
            )
            if is_end and has_columns:
                _draw_leader(writer, end + 8, MARGIN + room, positions[index])
            top += 0.0 if is_end and has_columns else height
        if is_end:
            start = width - MARGIN - 4 - _CARD if has_columns else left
            box = Box(start, top + _GAP / 2, min(width - MARGIN - 4 - start, _CARD), card_height(node))
            draw_card(writer, node, box, tree.scale)
            top = box.bottom + _GAP / 2
    _draw_guides(writer, tree, order, depths, indent, positions)
    return framed(writer.text, width, top + MARGIN, tree.title, tree.description, role="group")


def _draw_head(writer: SvgWriter, tree: PictureTree, width: float) -> float:
    room = width - 2 * MARGIN
    top = MARGIN
    for line in _lines(tree.caption.split(_DOT), room):
        writer.leaf("text", line, x=MARGIN, y=top + 10, font_size=CAPTION_SIZE, **fill(MUTED))
        top += 18
    top += 2
    if tree.scale is not None:
        # What the mark means stands in a line of its own: there is no room beside the bar.
        top += draw_scale(writer, replace(tree.scale, remark=""), MARGIN, top)
        remark = fitted(tree.scale.remark, room, CAPTION_SIZE)
        writer.leaf("text", remark, x=MARGIN, y=top + 11, font_size=CAPTION_SIZE, **fill(MUTED))
        top += 18
    legend = flowed(tree.legend, room)
    legend.draw(writer, MARGIN, top)
    return top + legend.height + 10


def _lines(parts: Sequence[str], room: float) -> list[str]:
    """The parts of a caption in as many lines as they need."""
    lines: list[str] = []
    for part in parts:
        longer = _DOT.join([*lines[-1:], part])
        if lines and text_width(longer, CAPTION_SIZE) <= room:
            lines[-1] = longer
        else:
            lines.append(fitted(part, room, CAPTION_SIZE))
    return lines


def _draw_condition(
    writer: SvgWriter, node: PictureNode, parent: PictureNode, left: float, middle: float, right: float
) -> float:
    """What a row must meet to come here; of a long one both the column and the value keep some room.

    Gives where the text ends.
    """
    room = right - left
    between = " " if node.edge.startswith(_SIGNS) else ": "
    column_room = max(room - text_width(f"{between}{node.edge}", LINE_SIZE), room * 0.45)
    column = fitted(parent.heading, column_room, LINE_SIZE)
    text = fitted(f"{column}{between}{node.edge}", room, LINE_SIZE)
    writer.open("g")
    writer.leaf("title", f"{parent.heading}{between}{node.edge}")
    writer.leaf("text", text, x=left, y=middle + 4, font_size=LINE_SIZE, **fill(INK))
    writer.close()
    return left + text_width(text, LINE_SIZE)


def _draw_leader(writer: SvgWriter, start: float, end: float, y: float) -> None:
    """From a condition to the answer beside it."""
    if end - start > _GAP:
        path = f"M{short_number(start)} {short_number(y)}H{short_number(end)}"
        writer.leaf("path", d=path, stroke_dasharray="1 4", aria_hidden="true", **stroke(EDGE))


def _draw_guides(
    writer: SvgWriter,
    tree: PictureTree,
    order: list[int],
    depths: list[int],
    indent: float,
    positions: dict[int, float],
) -> None:
    """A line beside the branches of one question, with a mark at each of them."""
    writer.open("g", aria_hidden="true")
    for parent in order:
        below = [index for index in order if tree.nodes[index].parent == parent]
        if below:
            x = short_number(MARGIN + depths[parent] * indent + 2)
            marks = "".join(f"M{x} {short_number(positions[index])}h5" for index in below)
            first, last = short_number(positions[below[0]]), short_number(positions[below[-1]])
            writer.leaf("path", d=f"M{x} {first}V{last}{marks}", stroke_width=1.5, **stroke(EDGE))
    writer.close()
