"""The two sides of a plane: ticks with their labels, and the name of what is measured."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from heldout.charts.legend import LegendEntry
from heldout.charts.scales import Tick
from heldout.charts.svg import Box, SvgWriter, at, fitted, short_number, text_width
from heldout.charts.theme import EDGE, FONT, INK, LINE, MUTED, PAPER, Colour, fill, stroke, style_sheet

TICK_SIZE, LABEL_SIZE = 11.0, 12.0
WIDEST_TICK = 130.0
CAPTION_SIZE = 12.0
# What a telephone of 360 pixels leaves beside the margins of a page, and the ticks that it has room for.
NARROW_WIDTH, NARROW_TICKS = 328.0, 5


def y_axis_room(axis: PictureAxis) -> float:
    """The width that the name and the ticks on the left of a plane take."""
    widest = max([text_width(tick.label, TICK_SIZE) for tick in axis.ticks], default=0.0)
    return 24 + min(widest, WIDEST_TICK) + 8


def draw_x_axis(writer: SvgWriter, axis: PictureAxis, ground: Box) -> None:
    """Ticks and the name of the axis below a plane."""
    room = ground.width / max(len(axis.ticks), 1) - 6
    for tick in axis.ticks:
        x = ground.left + tick.position * ground.width
        if not axis.is_bands:
            writer.leaf("path", d=f"M{short_number(x)} {short_number(ground.bottom)}v5", **stroke(MUTED))
        label = fitted(tick.label, room, TICK_SIZE)
        index = {"x": x, "y": ground.bottom + 18, "font_size": TICK_SIZE}
        draw_text(writer, label, tick.label, index, "middle", MUTED)
    index = {"x": ground.center, "y": ground.bottom + 40, "font_size": LABEL_SIZE}
    draw_text(writer, fitted(axis.label, ground.width, LABEL_SIZE), axis.label, index, "middle", INK)


def draw_y_axis(writer: SvgWriter, axis: PictureAxis, ground: Box) -> None:
    """Ticks and the name of the axis on the left of a plane."""
    for tick in axis.ticks:
        y = ground.bottom - tick.position * ground.height
        if not axis.is_bands:
            writer.leaf("path", d=f"M{short_number(ground.left)} {short_number(y)}h-5", **stroke(MUTED))
        label = fitted(tick.label, WIDEST_TICK, TICK_SIZE)
        index = {"x": ground.left - 9, "y": y + 4, "font_size": TICK_SIZE}
        draw_text(writer, label, tick.label, index, "end", MUTED)
    x = MARGIN + 10
    writer.open("g", transform=f"rotate(-90 {short_number(x)} {short_number(ground.middle)})")
    index = {"x": x, "y": ground.middle, "font_size": LABEL_SIZE}
    draw_text(writer, fitted(axis.label, ground.height, LABEL_SIZE), axis.label, index, "middle", INK)
    writer.close()


def draw_text(
    writer: SvgWriter, label: str, whole: str, index: dict[str, float], anchor: str, colour: Colour
) -> None:
    """A text, which has a title where it is cut short."""
    if label == whole:
        writer.leaf("text", label, **index, text_anchor=anchor, **fill(colour))
        return
    writer.open("g")
    writer.leaf("title", whole)
    writer.leaf("text", label, **index, text_anchor=anchor, **fill(colour))
    writer.close()


MARGIN = 16.0


def draw_caption(writer: SvgWriter, caption: str, width: float) -> None:
    """The line above a picture of this width, cut where it is too long."""
    index = {"x": MARGIN, "y": MARGIN + 10, "font_size": CAPTION_SIZE}
    draw_text(writer, fitted(caption, width - 2 * MARGIN, CAPTION_SIZE), caption, index, "start", MUTED)


def draw_frame(writer: SvgWriter, ground: Box) -> None:
    """The outline of a plane."""
    writer.leaf("rect", x=ground.left, y=ground.top, width=ground.width, height=ground.height, **stroke(LINE))


def draw_diagonal(writer: SvgWriter, ground: Box) -> None:
    """A dashed line from the lower left to the upper right."""
    path = f"M{at(ground.left, ground.bottom)}L{at(ground.right, ground.top)}"
    writer.leaf("path", d=path, stroke_dasharray="4 4", **stroke(EDGE))


def upright_whisker(x: float, low: float, high: float, cap: float) -> str:
    """The data of a path: a line from low to high, with a cap at both ends."""
    caps = "".join(f"M{at(x - cap, end)}h{short_number(2 * cap)}" for end in (low, high))
    return f"M{at(x, low)}V{short_number(high)}{caps}"


def level_whisker(y: float, low: float, high: float, cap: float) -> str:
    """The same from left to right."""
    caps = "".join(f"M{at(end, y - cap)}v{short_number(2 * cap)}" for end in (low, high))
    return f"M{at(low, y)}H{short_number(high)}{caps}"


def framed(body: str, width: float, height: float, title: str, description: str, role: str = "img") -> str:
    """A whole SVG document, which can also stand inside a page.

    body:        the elements, as an SvgWriter made them
    title:       what a screen reader calls the picture
    description: what it says about it
    role:        "img" for a picture that is one thing, "group" for one whose parts can be visited

    Its id is a digest of its contents, so that two pictures in one page share no id unless they are equal.
    """
    contents = f"{width} {height} {title} {description} {body}"
    digest = hashlib.sha256(contents.encode("utf-8", "replace")).hexdigest()
    picture_id = f"heldout-{digest[:16]}"
    writer = SvgWriter()
    writer.open(
        "svg",
        xmlns="http://www.w3.org/2000/svg",
        id=picture_id,
        width=width,
        height=height,
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        role=role,
        aria_labelledby=f"{picture_id}-title",
        aria_describedby=f"{picture_id}-description",
        font_family=FONT,
    )
    writer.leaf("title", title, id=f"{picture_id}-title")
    writer.leaf("desc", description, id=f"{picture_id}-description")
    paper = SvgWriter()
    paper.leaf("rect", width=width, height=height, rx=8, **fill(PAPER))
    writer.markup(f"<style>{style_sheet(picture_id, paper.text + body)}</style>{paper.text}{body}")
    writer.close()
    return writer.text


def in_page(svg: str, label: str) -> str:
    """The picture as HTML for a notebook: where it is wider than the page, it can be scrolled."""
    writer = SvgWriter()
    writer.open("div", role="group", aria_label=label, tabindex="0", style="overflow:auto;max-width:100%")
    writer.markup(svg)
    writer.close()
    return writer.text


@dataclass(frozen=True)
class PictureAxis:
    """A side of the plane.

    label:    the name of what it measures
    ticks:    positions with their labels
    is_bands: whether the ticks are the middles of bands, not points
    """

    label: str
    ticks: tuple[Tick, ...]
    is_bands: bool = False


@dataclass(frozen=True)
class PictureRegion:
    """A rectangle in the plane.

    left, right, bottom, top: where it lies
    place: the legend's place or, on a scale, the shade that gives the colour
    label: what is written in it if there is room
    title: the whole region in words
    """

    left: float
    right: float
    bottom: float
    top: float
    index: int
    label: str
    title: str


@dataclass(frozen=True)
class PicturePoint:
    """A row in the plane, with the place of its colour."""

    x: float
    y: float
    index: int


@dataclass(frozen=True)
class PicturePlane:
    """Everything that the picture shows.

    legend:      what the colours stand for
    shade_scale: the labels of the lowest and the highest shade where colours are shades; None else
    """

    title: str
    caption: str
    description: str
    x: PictureAxis
    y: PictureAxis
    regions: Sequence[PictureRegion]
    points: Sequence[PicturePoint]
    legend: tuple[LegendEntry, ...] = ()
    shade_scale: tuple[str, str] | None = None
