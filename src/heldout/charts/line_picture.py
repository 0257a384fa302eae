"""Lines over a common axis, each named at its end, as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.charts.axes import (
    CAPTION_SIZE,
    LABEL_SIZE,
    MARGIN,
    NARROW_TICKS,
    NARROW_WIDTH,
    PictureAxis,
    draw_frame,
    draw_x_axis,
    draw_y_axis,
    framed,
    y_axis_room,
)
from heldout.charts.legend import LegendEntry, flowed
from heldout.charts.scales import thin_ticks
from heldout.charts.svg import Box, SvgWriter, at, fitted, short_number, text_width
from heldout.charts.theme import EDGE, INK, MUTED, OTHER, PAPER, class_colour, fill, stroke

PLANE_WIDTH = 520.0
NARROW_HEIGHT = 230.0
LABEL_STEP = 16.0
WIDEST_LABEL = 170.0
DOT_RADIUS = 3.5
RING = 1.5
BAND_OPACITY = 0.16
_LEADER = 22.0
# So many labels fit beside the plane; they can be read while their lines lie apart.
MOST_LABELS = 20


def line_svg(picture: PictureLines) -> str:
    """The picture as an SVG document."""
    writer = SvgWriter()
    ground, width = _narrow_ground(writer, picture) if picture.is_narrow else _wide_ground(writer, picture)
    draw_frame(writer, ground)
    if picture.zero is not None:
        rule = f"M{at(ground.left, ground.y(picture.zero))}h{short_number(ground.width)}"
        writer.leaf("path", d=rule, stroke_dasharray="4 4", **stroke(EDGE))
    for line in picture.lines:
        _draw_band(writer, line, ground)
    # What is named is drawn last, over the grey.
    for line in sorted(picture.lines, key=lambda line: -line.index):
        _draw_line(writer, line, ground)
    if not picture.is_narrow:
        _draw_labels(writer, picture.lines, ground)
    ticks = thin_ticks(picture.x.ticks, NARROW_TICKS) if picture.is_narrow else picture.x.ticks
    draw_x_axis(writer, replace(picture.x, ticks=ticks), ground)
    draw_y_axis(writer, picture.y, ground)
    return framed(writer.text, width, ground.bottom + 46 + MARGIN, picture.title, picture.description)


def _wide_ground(writer: SvgWriter, picture: PictureLines) -> tuple[Box, float]:
    """Write the caption; the plane below it, and the width with room for names at the ends of lines."""
    left = MARGIN + y_axis_room(picture.y)
    labels = [text_width(line.label, LABEL_SIZE) for line in picture.lines if line.label]
    room = min(max(labels), WIDEST_LABEL) + _LEADER + 4 if labels else 0.0
    width = left + PLANE_WIDTH + room + MARGIN
    caption = fitted(picture.caption, width - 2 * MARGIN, CAPTION_SIZE)
    if not caption:
        return Box(left, MARGIN, PLANE_WIDTH, picture.height), width
    writer.leaf("text", caption, x=MARGIN, y=MARGIN + 10, font_size=CAPTION_SIZE, **fill(MUTED))
    return Box(left, MARGIN + 26, PLANE_WIDTH, picture.height), width


def _narrow_ground(writer: SvgWriter, picture: PictureLines) -> tuple[Box, float]:
    """Write the names of the lines; the plane below them, and the width."""
    left = MARGIN + y_axis_room(picture.y)
    named = tuple(LegendEntry(line.label) for line in picture.lines if line.label)
    legend = flowed(named, NARROW_WIDTH - 2 * MARGIN)
    legend.draw(writer, MARGIN, MARGIN)
    plane = Box(left, MARGIN + legend.height + 8, NARROW_WIDTH - left - MARGIN, NARROW_HEIGHT)
    return plane, NARROW_WIDTH


def spread_apart(wanted: Sequence[float], low: float, high: float, step: float) -> list[float]:
    """Places at least a step apart between low and high, each as near to the wanted one as can be."""
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    # Without the steps, places only have to ascend: neighbors that do not are replaced by their mean.
    groups: list[tuple[float, int]] = []
    for rank, index in enumerate(order):
        mean, count = wanted[index] - rank * step, 1
        while groups and groups[-1][0] >= mean:
            earlier, n_earlier = groups.pop()
            mean, count = (earlier * n_earlier + mean * count) / (n_earlier + count), n_earlier + count
        groups.append((mean, count))
    highest = high - (len(wanted) - 1) * step
    flat = [min(max(mean, low), highest) for mean, count in groups for _ in range(count)]
    indices = [0.0] * len(wanted)
    for rank, index in enumerate(order):
        indices[index] = flat[rank] + rank * step
    return indices


def _draw_band(writer: SvgWriter, line: PictureLine, ground: Box) -> None:
    if not line.band:
        return
    across = [x for x, _ in line.points]
    lower = [(x, low) for x, (low, _) in zip(across, line.band, strict=True)]
    upper = [(x, high) for x, (_, high) in zip(across, line.band, strict=True)]
    outline = "L".join(at(ground.x(x), ground.y(y)) for x, y in [*upper, *reversed(lower)])
    writer.leaf("path", d=f"M{outline}Z", fill_opacity=BAND_OPACITY, **fill(class_colour(line.index)))


def _draw_line(writer: SvgWriter, line: PictureLine, ground: Box) -> None:
    path = f"M{'L'.join(at(ground.x(x), ground.y(y)) for x, y in line.points)}"
    writer.open("g")
    writer.leaf("title", line.title)
    colour = stroke(class_colour(line.index))
    if line.index < OTHER:
        # The paper around a line parts it from those below; and it makes the line easier to point at.
        writer.leaf("path", d=path, stroke_width=3.5, stroke_linecap="round", **stroke(PAPER))
    width = 2.0 if line.index < OTHER else 1.0
    writer.leaf("path", d=path, stroke_width=width, stroke_linecap="round", **colour)
    writer.close()
    rings = line.is_hollow or [False] * len(line.dots)
    for (x, y), words, is_ring in zip(line.points, line.dots, rings, strict=False):
        writer.open("g")
        writer.leaf("title", words)
        position = {"cx": ground.x(x), "cy": ground.y(y)}
        writer.leaf("circle", **position, r=DOT_RADIUS, **fill(class_colour(line.index)))
        if is_ring:
            writer.leaf("circle", **position, r=DOT_RADIUS - RING, **fill(PAPER))
        writer.close()


def _draw_labels(writer: SvgWriter, lines: Sequence[PictureLine], ground: Box) -> None:
    labelled = [line for line in lines if line.label]
    ends = [ground.y(line.points[-1][1]) for line in labelled]
    half = LABEL_STEP / 2
    indices = spread_apart(ends, ground.top + half, ground.bottom - half, LABEL_STEP)
    for line, end, index in zip(labelled, ends, indices, strict=True):
        start = ground.x(line.points[-1][0])
        stop = ground.right + _LEADER - 6
        leader = f"M{at(start, end)}L{at(ground.right + 4, end)}L{at(stop - 4, index)}H{short_number(stop)}"
        writer.leaf("path", d=leader, stroke_width=1.2, **stroke(class_colour(line.index)))
        writer.open("g")
        writer.leaf("title", line.title)
        text = fitted(line.label, WIDEST_LABEL, LABEL_SIZE)
        position = {"x": ground.right + _LEADER, "y": index + 4, "font_size": LABEL_SIZE}
        writer.leaf("text", text, **position, **fill(INK))
        writer.close()


@dataclass(frozen=True)
class PictureLine:
    """A line from left to right.

    label:  what is written at its end; empty for a line without a label
    title:  what it says in words
    points: across and upwards, from left to right
    place:  of its colour; a line past the last colour is grey
    band:   below and above the line at each of its points; empty for a line without a band
    dots:   what each of its points says in words, where they can be pointed at; empty for none
    is_hollow: which of the dots are drawn as rings; empty for none
    """

    label: str
    title: str
    points: Sequence[tuple[float, float]]
    index: int
    band: Sequence[tuple[float, float]] = ()
    dots: Sequence[str] = ()
    is_hollow: Sequence[bool] = ()


@dataclass(frozen=True)
class PictureLines:
    """Everything that the picture shows.

    zero:      where the level of 0 lies; None where it is not on the scale
    is_narrow: whether it fits a telephone: names stand above, and the caption is left to the page
    height:    of the plane where it is not narrow
    """

    title: str
    caption: str
    description: str
    x: PictureAxis
    y: PictureAxis
    lines: Sequence[PictureLine]
    zero: float | None = None
    is_narrow: bool = False
    height: float = 400.0


Indices = NDArray[np.intp]


def visible_indices(across: Floats, n_columns: int, upwards: Floats) -> Indices:
    """The places of the first, last, lowest and highest point in each column of the picture.

    A line through these points covers the same part of every column as the whole line.

    across:    between 0 and 1, not falling
    n_columns: into how many the picture is cut
    upwards:   the heights
    """
    n_points = len(across)
    if n_points <= 4 * n_columns:
        return np.arange(n_points)
    edges = np.arange(n_columns) / n_columns
    starts = np.unique(np.searchsorted(across, edges, "left"))
    starts = starts[starts < n_points]
    ends = np.append(starts[1:], n_points)
    parts = [slice(start, end) for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    lowest = [part.start + int(np.argmin(upwards[part])) for part in parts]
    highest = [part.start + int(np.argmax(upwards[part])) for part in parts]
    return np.unique(np.concatenate([starts, ends - 1, lowest, highest]).astype(np.intp))


def bent_positions(across: Floats, upwards: Floats, tolerance: float) -> Indices:
    """Where a line must bend to stay within a tolerance of all its points (Douglas & Peucker)."""
    is_kept = np.zeros(len(across), dtype=np.bool_)
    is_kept[[0, -1]] = True
    open_spans = [(0, len(across) - 1)]
    while open_spans:
        start, end = open_spans.pop()
        if end - start < 2:
            continue
        distances = _distances(across[start : end + 1], upwards[start : end + 1])
        farthest = int(np.argmax(distances))
        if distances[farthest] > tolerance:
            middle = start + farthest
            is_kept[middle] = True
            open_spans += [(start, middle), (middle, end)]
    return np.flatnonzero(is_kept)


def _distances(across: Floats, upwards: Floats) -> Floats:
    """How far each point lies from the stretch between the first and the last."""
    x, y = across - across[0], upwards - upwards[0]
    length = float(np.hypot(x[-1], y[-1]))
    if length == 0:
        return np.asarray(np.hypot(x, y))
    along = np.clip((x * x[-1] + y * y[-1]) / length**2, 0.0, 1.0)
    return np.asarray(np.hypot(x - along * x[-1], y - along * y[-1]))
