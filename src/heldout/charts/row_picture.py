"""Rows of numbers around 0, one below the other: bars or dots, with lines for what is not sure of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from heldout.charts.axes import (
    CAPTION_SIZE,
    LABEL_SIZE,
    MARGIN,
    NARROW_WIDTH,
    PictureAxis,
    draw_frame,
    draw_x_axis,
    framed,
    level_whisker,
)
from heldout.charts.legend import LegendEntry, flowed, marker_path
from heldout.charts.scales import NumberScale, Tick, spanning_scale, thin_ticks
from heldout.charts.svg import Box, SvgWriter, at, fitted, short_number, text_width
from heldout.charts.theme import EDGE, INK, MUTED, class_colour, fill, stroke

PLANE_WIDTH = 430.0
ROW_HEIGHT, NARROW_ROW = 26.0, 40.0
WIDEST_LABEL = 220.0
NARROW_TICKS = 4
_BAR, _CAP, _DOT = 12.0, 4.0, 4.5


@dataclass(frozen=True)
class RowMark:
    """A number of a row.

    value:     where the bar ends or the dot stands
    low, high: the ends of the line through it; NaN for none
    place:     of its colour
    """

    value: float
    low: float = math.nan
    high: float = math.nan
    index: int = 0


@dataclass(frozen=True)
class PictureRow:
    """One row.

    label: what is written beside it
    marks: its numbers
    title: what it says in words
    """

    label: str
    marks: tuple[RowMark, ...]
    title: str


@dataclass(frozen=True)
class RowPicture:
    """Everything that the picture shows.

    title:     what a screen reader calls it
    caption:   what stands above it
    axis:      what is measured
    rows:      from the top
    are_bars:  whether a number is a bar from 0; else it is a dot
    legend:    what the colours stand for; none where there is one
    is_narrow: whether it fits a telephone: the labels then stand above their bars
    """

    title: str
    caption: str
    axis: str
    rows: Sequence[PictureRow]
    are_bars: bool = True
    legend: tuple[LegendEntry, ...] = ()
    is_narrow: bool = False


def row_svg(picture: RowPicture) -> str:
    """The picture as an SVG document."""
    writer = SvgWriter()
    ground, width = _ground(writer, picture)
    scale = _scale(picture.rows)
    draw_frame(writer, ground)
    rule = f"M{at(ground.x(scale.position(0.0)), ground.top)}v{short_number(ground.height)}"
    writer.leaf("path", d=rule, stroke_dasharray="4 4", **stroke(EDGE))
    for index, row in enumerate(picture.rows):
        _draw_row(writer, picture, row, index, scale, ground)
    ticks = _thinned(scale.ticks) if picture.is_narrow else scale.ticks
    draw_x_axis(writer, PictureAxis(picture.axis, ticks), ground)
    description = " ".join(f"{row.title}." for row in picture.rows[:20])
    return framed(writer.text, width, ground.bottom + 46 + MARGIN, picture.title, description)


def _ground(writer: SvgWriter, picture: RowPicture) -> tuple[Box, float]:
    """Write the caption and the legend; the plane below them, and the width of the picture."""
    if picture.is_narrow:
        left, width, height = MARGIN, NARROW_WIDTH, NARROW_ROW
    else:
        widest = max([text_width(row.label, LABEL_SIZE) for row in picture.rows], default=0.0)
        left, height = MARGIN + min(widest, WIDEST_LABEL) + 12, ROW_HEIGHT
        width = left + PLANE_WIDTH + MARGIN
    top = MARGIN
    if picture.caption:
        caption = fitted(picture.caption, width - 2 * MARGIN, CAPTION_SIZE)
        writer.leaf("text", caption, x=MARGIN, y=top + 10, font_size=CAPTION_SIZE, **fill(MUTED))
        top += 20
    legend = flowed(picture.legend, width - 2 * MARGIN)
    legend.draw(writer, MARGIN, top, has_markers=not picture.are_bars)
    top += legend.height + 4
    return Box(left, top, width - MARGIN - left, height * max(len(picture.rows), 1) + 6), width


def _scale(rows: Sequence[PictureRow]) -> NumberScale:
    """What holds all numbers and 0; where nothing lies below 0, it begins there."""
    marks = [mark for row in rows for mark in row.marks]
    numbers = [number for mark in marks for number in (mark.value, mark.low, mark.high)]
    finite = [number for number in numbers if math.isfinite(number)]
    scale = spanning_scale([0.0, *finite])
    if all(number >= 0 for number in finite):
        return replace(scale, low=0.0)
    return scale if any(number > 0 for number in finite) else replace(scale, high=0.0)


def _thinned(ticks: tuple[Tick, ...]) -> tuple[Tick, ...]:
    """So many ticks as a telephone has room for, among them that of 0."""
    zero = next((index for index, tick in enumerate(ticks) if tick.value == 0), 0)
    return thin_ticks(ticks, NARROW_TICKS, first=zero)


def _draw_row(
    writer: SvgWriter, picture: RowPicture, row: PictureRow, index: int, scale: NumberScale, ground: Box
) -> None:
    height = NARROW_ROW if picture.is_narrow else ROW_HEIGHT
    top = ground.top + 3 + index * height
    writer.open("g")
    writer.leaf("title", row.title)
    if picture.is_narrow:
        label, middle = fitted(row.label, ground.width - 12, LABEL_SIZE), top + 28
        writer.leaf("text", label, x=ground.left + 6, y=top + 14, font_size=LABEL_SIZE, **fill(INK))
    else:
        label, middle = fitted(row.label, WIDEST_LABEL, LABEL_SIZE), top + height / 2
        position = {"x": ground.left - 10, "y": middle + 4, "font_size": LABEL_SIZE}
        writer.leaf("text", label, text_anchor="end", **position, **fill(INK))
    for mark in row.marks:
        _draw_mark(writer, mark, picture.are_bars, scale, ground, middle)
    writer.close()


def _draw_mark(
    writer: SvgWriter, mark: RowMark, is_bar: bool, scale: NumberScale, ground: Box, y: float
) -> None:
    colour = class_colour(mark.index)
    if math.isfinite(mark.value) and is_bar:
        start, end = sorted((ground.x(scale.position(0.0)), ground.x(scale.position(mark.value))))
        shape = {"x": start, "y": y - _BAR / 2, "width": max(end - start, 0.75), "height": _BAR}
        writer.leaf("rect", **shape, fill_opacity=0.75, **fill(colour))
    # An infinite end stands at the end of the axis; one that is not known is not drawn.
    if not (math.isnan(mark.low) or math.isnan(mark.high)):
        low, high = (ground.x(scale.position(end)) for end in (mark.low, mark.high))
        line = level_whisker(y, low, high, _CAP)
        writer.leaf("path", d=line, stroke_width=1.75, **stroke(INK if is_bar else colour))
    if math.isfinite(mark.value) and not is_bar:
        path = marker_path(mark.index, ground.x(scale.position(mark.value)), y, _DOT)
        writer.leaf("path", d=path, **fill(colour))
