"""The line from a node to its child, with the condition on it."""

from __future__ import annotations

from heldout.charts.svg import SvgWriter, Value, short_number
from heldout.charts.text_fit import fitted
from heldout.charts.theme import EDGE, INK, PAPER, fill, stroke
from heldout.charts.tree_parts import Box

LABEL_SIZE = 12.0
THINNEST, THICKEST = 1.25, 7.0
TRUNK = 16.0
_ROUND = 7.0


def edge_width(share: float) -> float:
    """The thickness of the line that a share of the rows went along."""
    return THINNEST + (THICKEST - THINNEST) * min(max(share, 0.0), 1.0)


def draw_line_down(writer: SvgWriter, parent: Box, child: Box, share: float) -> None:
    """From the middle of the parent's lower side to the middle of the child's upper side."""
    turn = parent.bottom + TRUNK
    round_ = min(_ROUND, abs(child.center - parent.center) / 2)
    side = 1 if child.center > parent.center else -1
    path = f"M{_at(parent.center, parent.bottom)}V{short_number(turn - round_)}"
    if round_ > 0.5:
        path += f"Q{_at(parent.center, turn)} {_at(parent.center + side * round_, turn)}"
        path += f"H{short_number(child.center - side * round_)}"
        path += f"Q{_at(child.center, turn)} {_at(child.center, turn + round_)}"
    writer.leaf("path", d=f"{path}V{short_number(child.top)}", stroke_width=edge_width(share), **stroke(EDGE))


def draw_line_right(writer: SvgWriter, parent: Box, child: Box, share: float) -> None:
    """From the middle of the parent's right side to the middle of the child's left side."""
    turn = parent.right + TRUNK
    round_ = min(_ROUND, abs(child.middle - parent.middle) / 2)
    side = 1 if child.middle > parent.middle else -1
    path = f"M{_at(parent.right, parent.middle)}H{short_number(turn - round_)}"
    if round_ > 0.5:
        path += f"Q{_at(turn, parent.middle)} {_at(turn, parent.middle + side * round_)}"
        path += f"V{short_number(child.middle - side * round_)}"
        path += f"Q{_at(turn, child.middle)} {_at(turn + round_, child.middle)}"
    writer.leaf(
        "path", d=f"{path}H{short_number(child.left)}", stroke_width=edge_width(share), **stroke(EDGE)
    )


def draw_label(
    writer: SvgWriter, label: str, parent: Box, child: Box, share: float, grows_down: bool
) -> None:
    """The condition: above the child on its line, or above the line at the left of the child."""
    if grows_down:
        x, y, anchor, room = child.center, child.top - 13, "middle", child.width + 8
    else:
        x, y, anchor = parent.right + TRUNK + 10, child.middle - edge_width(share) / 2 - 4, "start"
        room = child.left - x - 6
    text = fitted(label, room, LABEL_SIZE)
    place: dict[str, Value] = {"x": x, "y": y, "font_size": LABEL_SIZE, "text_anchor": anchor}
    if grows_down:
        writer.leaf("text", text, **place, stroke_width=7.0, **stroke(PAPER))
    writer.leaf("text", text, **place, **fill(INK))


def _at(x: float, y: float) -> str:
    return f"{short_number(x)} {short_number(y)}"
