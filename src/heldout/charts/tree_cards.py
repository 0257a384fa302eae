"""The card of a node: a heading, a count, a bar; and the scale that explains a bar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heldout.charts.legend import LegendEntry
from heldout.charts.svg import Box, SvgWriter, fitted, text_width
from heldout.charts.theme import CARD, INK, LINE, MUTED, class_colour, fill, stroke

CARD_HEIGHT = 36.0
NOTE_HEIGHT = 17.0
NARROWEST, WIDEST = 104.0, 270.0
HEADING_SIZE, REMARK_SIZE = 13.0, 11.0
_PADDING, _BETWEEN = 11.0, 10.0
_BAR_TOP, _BAR_HEIGHT = 24.0, 6.0
_THINNEST_SHARE = 3.0
_BOLD = 1.14


def card_width(nodes: Sequence[PictureNode]) -> float:
    """One width for these cards: the widest that is needed, within reason."""
    needed = max(max(_line_width(node), text_width(node.note, REMARK_SIZE)) for node in nodes)
    return min(max(needed + 2 * _PADDING, NARROWEST), WIDEST)


def card_height(node: PictureNode) -> float:
    """A folded part has a line more."""
    return CARD_HEIGHT + NOTE_HEIGHT if node.note else CARD_HEIGHT


def draw_card(writer: SvgWriter, node: PictureNode, box: Box, scale: BarScale | None) -> None:
    """Write one node; a screen reader finds it as an image with a name and a description."""
    writer.open("g", role="img")
    writer.leaf("title", node.title)
    writer.leaf("desc", node.description)
    _draw_ground(writer, node, box)
    _draw_line(writer, node, box)
    bar = Box(box.left + _PADDING, box.top + _BAR_TOP, box.width - 2 * _PADDING, _BAR_HEIGHT)
    _draw_bar(writer, node.segments, bar, scale)
    if node.note:
        note = fitted(node.note, box.width - 2 * _PADDING, REMARK_SIZE)
        y = box.top + CARD_HEIGHT + NOTE_HEIGHT - 8
        writer.leaf("text", note, x=bar.left, y=y, font_size=REMARK_SIZE, **fill(MUTED))
    writer.close()


def draw_scale(writer: SvgWriter, scale: BarScale, left: float, top: float) -> float:
    """Explain the bars of a scale in one line; gives the height of it."""
    y = top + 15
    low = fitted(scale.low, 120, REMARK_SIZE)
    writer.leaf("text", low, x=left, y=y, font_size=REMARK_SIZE, **fill(MUTED))
    bar = Box(left + text_width(low, REMARK_SIZE) + 8, y - 7, 110, _BAR_HEIGHT)
    _draw_bar(writer, (Segment(0.0, scale.mark, 0), Segment(scale.mark, 1.0, 1)), bar, scale)
    text = fitted(scale.high, 120, REMARK_SIZE) + (f"   ·   {scale.remark}" if scale.remark else "")
    writer.leaf("text", text, x=bar.right + 8, y=y, font_size=REMARK_SIZE, **fill(MUTED))
    return 22.0


def _line_width(node: PictureNode) -> float:
    heading = text_width(node.heading, HEADING_SIZE) * (_BOLD if node.is_leaf else 1.0)
    return heading + (text_width(node.remark, REMARK_SIZE) + _BETWEEN if node.remark else 0.0)


def _draw_ground(writer: SvgWriter, node: PictureNode, box: Box) -> None:
    shape = {"x": box.left, "y": box.top, "width": box.width, "height": box.height, "rx": 7.0}
    if node.note:
        pile = shape | {"x": box.left + 4, "y": box.top + 4}
        writer.leaf("rect", **pile, **fill(CARD))
        writer.leaf("rect", **pile, **stroke(LINE))
    writer.leaf("rect", **shape, **fill(CARD))
    if node.is_leaf:
        writer.leaf("rect", **shape, fill_opacity=0.13, **fill(class_colour(node.index)))
        writer.leaf("rect", **shape, stroke_width=1.5, **stroke(class_colour(node.index)))
    else:
        writer.leaf("rect", **shape, **stroke(LINE))


def _draw_line(writer: SvgWriter, node: PictureNode, box: Box) -> None:
    y = box.top + 17.5
    room = box.width - 2 * _PADDING
    bold = _BOLD if node.is_leaf else 1.0
    # A long heading leaves the count two fifths of the line; a short one leaves it the rest.
    heading_room = min(text_width(node.heading, HEADING_SIZE) * bold, room * 0.6)
    remark = fitted(node.remark, room - heading_room - _BETWEEN, REMARK_SIZE)
    room -= text_width(remark, REMARK_SIZE) + _BETWEEN if remark else 0.0
    heading = fitted(node.heading, room / bold, HEADING_SIZE)
    weight = "650" if node.is_leaf else "500"
    x = box.left + _PADDING
    writer.leaf("text", heading, x=x, y=y, font_size=HEADING_SIZE, font_weight=weight, **fill(INK))
    if remark:
        x = box.right - _PADDING
        writer.leaf("text", remark, x=x, y=y, font_size=REMARK_SIZE, text_anchor="end", **fill(MUTED))


def _draw_bar(writer: SvgWriter, segments: Sequence[Segment], bar: Box, scale: BarScale | None) -> None:
    if scale is None:
        _draw_shares(writer, segments, bar)
        return
    track = {"x": bar.left, "y": bar.middle - 1, "width": bar.width, "height": 2.0, "rx": 1.0}
    writer.leaf("rect", **track, **fill(LINE))
    for segment in segments:
        left, width = bar.left + segment.start * bar.width, (segment.end - segment.start) * bar.width
        _draw_segment(writer, segment, Box(left, bar.top, width, bar.height))
    x = bar.left + scale.mark * bar.width
    mark = f"M{x:.1f} {bar.top - 2:.1f}v{bar.height + 4:g}"
    writer.leaf("path", d=mark, stroke_width=1.5, **stroke(MUTED))


def _draw_shares(writer: SvgWriter, segments: Sequence[Segment], bar: Box) -> None:
    """Shares side by side with a gap between; one that is there is seen, however small."""
    widths = [max((segment.end - segment.start) * bar.width, _THINNEST_SHARE) for segment in segments]
    shrink = bar.width / sum(widths) if widths else 1.0
    left = bar.left
    for segment, width in zip(segments, widths, strict=True):
        gap = 1.0 if segment is not segments[-1] else 0.0
        _draw_segment(writer, segment, Box(left, bar.top, width * shrink - gap, bar.height))
        left += width * shrink


def _draw_segment(writer: SvgWriter, segment: Segment, box: Box) -> None:
    colour = fill(class_colour(segment.index))
    writer.leaf("rect", x=box.left, y=box.top, width=box.width, height=box.height, **colour)


@dataclass(frozen=True)
class Segment:
    """A part of a bar: from one position between 0 and 1 to another, in the colour of a legend's place."""

    start: float
    end: float
    index: int


@dataclass(frozen=True)
class BarScale:
    """What the ends of every bar stand for, and a mark on it.

    low, high: the labels of the two ends
    mark:      the position of the mark between 0 and 1
    remark:    what the mark stands for
    """

    low: str
    high: str
    mark: float
    remark: str


@dataclass(frozen=True)
class PictureNode:
    """One node as it is shown.

    parent:      its parent's index in the list, -1 for the root
    heading:     the column that a split asks for, or what a leaf predicts
    remark:      a short text at the right, such as a count
    segments:    the bar
    edge:        the condition on the line from its parent
    share:       the part of all rows that came here, for the thickness of the line
    index:       of the legend's entry whose colour a leaf has, or -1
    note:        what is folded here, or ""
    is_leaf:     whether it predicts
    way:         how a row comes here from the parent, in words
    title:       the node in words: how a row comes here, and what it meets
    description: the rest: counts, what is folded
    """

    parent: int
    heading: str
    remark: str
    segments: tuple[Segment, ...]
    edge: str = ""
    share: float = 1.0
    index: int = -1
    note: str = ""
    is_leaf: bool = False
    way: str = ""
    title: str = ""
    description: str = ""


@dataclass(frozen=True)
class PictureTree:
    """Everything that the picture shows.

    nodes:  parents before their children, siblings in order
    legend: what the colours stand for
    scale:  where bars stand on a scale; None where they are shares
    """

    title: str
    caption: str
    description: str
    nodes: Sequence[PictureNode]
    legend: tuple[LegendEntry, ...] = ()
    scale: BarScale | None = None
