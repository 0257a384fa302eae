"""A plane cut into rectangles, with points in it, as a picture."""

from __future__ import annotations

from heldout.charts.frame import MARGIN, framed
from heldout.charts.legend import LEGEND_SIZE, flowed
from heldout.charts.markers import marker_path
from heldout.charts.partition_parts import PictureAxis, PicturePlane, PictureRegion
from heldout.charts.svg import SvgWriter, short_number
from heldout.charts.text_fit import fitted, text_width
from heldout.charts.theme import (
    INK,
    LINE,
    MUTED,
    N_CLASS_COLOURS,
    PAPER,
    SHADES,
    Colour,
    class_colour,
    fill,
    stroke,
)
from heldout.charts.tree_parts import Box

PLANE_WIDTH, PLANE_HEIGHT = 620.0, 440.0
TICK_SIZE, LABEL_SIZE, CAPTION_SIZE = 11.0, 12.0, 12.0
WIDEST_TICK = 130.0
FEW_POINTS = 600


def partition_svg(plane: PicturePlane) -> str:
    """The picture as an SVG document."""
    tick_room = max([text_width(tick.label, TICK_SIZE) for tick in plane.y.ticks], default=0.0)
    left = MARGIN + 24 + min(tick_room, WIDEST_TICK) + 8
    width = left + PLANE_WIDTH + MARGIN
    writer = SvgWriter()
    top = _draw_head(writer, plane, width - 2 * MARGIN)
    ground = Box(left, top, PLANE_WIDTH, PLANE_HEIGHT)
    for region in plane.regions:
        _draw_region(writer, region, ground, plane.shade_scale is not None)
    _draw_points(writer, plane, ground)
    _draw_region_labels(writer, plane, ground)
    writer.leaf("rect", x=left, y=top, width=PLANE_WIDTH, height=PLANE_HEIGHT, **stroke(LINE))
    _draw_x_axis(writer, plane.x, ground)
    _draw_y_axis(writer, plane.y, ground)
    return framed(writer.text, width, ground.bottom + 46 + MARGIN, plane.title, plane.description)


def _draw_head(writer: SvgWriter, plane: PicturePlane, width: float) -> float:
    caption = fitted(plane.caption, width, CAPTION_SIZE)
    writer.leaf("text", caption, x=MARGIN, y=MARGIN + 10, font_size=CAPTION_SIZE, **fill(MUTED))
    top = MARGIN + 20
    if plane.shade_scale is not None:
        return top + _draw_shades(writer, plane.shade_scale, MARGIN, top) + 8
    legend = flowed(plane.legend, width)
    legend.draw(writer, MARGIN, top, has_markers=True)
    return top + legend.height + 8


def _draw_shades(writer: SvgWriter, ends: tuple[str, str], left: float, top: float) -> float:
    low, high = ends
    writer.leaf("text", low, x=left, y=top + 15, font_size=LEGEND_SIZE, **fill(MUTED))
    start = left + text_width(low, LEGEND_SIZE) + 8
    for place, colour in enumerate(SHADES):
        writer.leaf("rect", x=start + 22 * place, y=top + 5, width=22, height=12, **fill(colour))
    end = start + 22 * len(SHADES) + 8
    writer.leaf("text", high, x=end, y=top + 15, font_size=LEGEND_SIZE, **fill(MUTED))
    return 22.0


def _draw_region(writer: SvgWriter, region: PictureRegion, ground: Box, is_shaded: bool) -> None:
    box = _box(region, ground)
    shape = {"x": box.left, "y": box.top, "width": box.width, "height": box.height}
    colour = _colour(region.place, is_shaded)
    writer.open("g")
    writer.leaf("title", region.title)
    writer.leaf("rect", **shape, fill_opacity=0.75 if is_shaded else 0.22, **fill(colour))
    writer.leaf("rect", **shape, stroke_width=1.5, **stroke(PAPER))
    writer.close()


def _draw_region_labels(writer: SvgWriter, plane: PicturePlane, ground: Box) -> None:
    for region in plane.regions:
        box = _box(region, ground)
        if box.height < 22 or box.width < text_width(region.label, LABEL_SIZE) + 14:
            continue
        place = {"x": box.left + 7, "y": box.top + 16, "font_size": LABEL_SIZE}
        writer.leaf("text", region.label, **place, stroke_width=4, **stroke(PAPER))
        writer.leaf("text", region.label, **place, **fill(INK))


def _draw_points(writer: SvgWriter, plane: PicturePlane, ground: Box) -> None:
    """All points of a colour are one path, which lets the pointer through to the regions' titles."""
    is_shaded = plane.shade_scale is not None
    radius, outline = (3.4, 0.9) if len(plane.points) <= FEW_POINTS else (2.3, 0.4)
    paths: dict[int, list[str]] = {}
    for point in plane.points:
        x, y = ground.left + point.x * ground.width, ground.bottom - point.y * ground.height
        marker = marker_path(0 if is_shaded else point.place, x, y, radius)
        paths.setdefault(point.place, []).append(marker)
    for place in sorted(paths):
        colour = _colour(place, is_shaded)
        writer.open("g", stroke_width=outline, pointer_events="none", **stroke(PAPER))
        writer.leaf("path", d="".join(paths[place]), **fill(colour))
        writer.close()


def _draw_x_axis(writer: SvgWriter, axis: PictureAxis, ground: Box) -> None:
    room = ground.width / max(len(axis.ticks), 1) - 6
    for tick in axis.ticks:
        x = ground.left + tick.position * ground.width
        if not axis.is_bands:
            writer.leaf("path", d=f"M{short_number(x)} {short_number(ground.bottom)}v5", **stroke(MUTED))
        label = fitted(tick.label, room, TICK_SIZE)
        place = {"x": x, "y": ground.bottom + 18, "font_size": TICK_SIZE}
        _draw_text(writer, label, tick.label, place, "middle", MUTED)
    place = {"x": ground.center, "y": ground.bottom + 40, "font_size": LABEL_SIZE}
    _draw_text(writer, fitted(axis.label, ground.width, LABEL_SIZE), axis.label, place, "middle", INK)


def _draw_y_axis(writer: SvgWriter, axis: PictureAxis, ground: Box) -> None:
    for tick in axis.ticks:
        y = ground.bottom - tick.position * ground.height
        if not axis.is_bands:
            writer.leaf("path", d=f"M{short_number(ground.left)} {short_number(y)}h-5", **stroke(MUTED))
        label = fitted(tick.label, WIDEST_TICK, TICK_SIZE)
        place = {"x": ground.left - 9, "y": y + 4, "font_size": TICK_SIZE}
        _draw_text(writer, label, tick.label, place, "end", MUTED)
    x = MARGIN + 10
    writer.open("g", transform=f"rotate(-90 {short_number(x)} {short_number(ground.middle)})")
    place = {"x": x, "y": ground.middle, "font_size": LABEL_SIZE}
    _draw_text(writer, fitted(axis.label, ground.height, LABEL_SIZE), axis.label, place, "middle", INK)
    writer.close()


def _draw_text(
    writer: SvgWriter, label: str, whole: str, place: dict[str, float], anchor: str, colour: Colour
) -> None:
    """A text, which has a title where it is cut short."""
    if label == whole:
        writer.leaf("text", label, **place, text_anchor=anchor, **fill(colour))
        return
    writer.open("g")
    writer.leaf("title", whole)
    writer.leaf("text", label, **place, text_anchor=anchor, **fill(colour))
    writer.close()


def _box(region: PictureRegion, ground: Box) -> Box:
    return Box(
        ground.left + region.left * ground.width,
        ground.bottom - region.top * ground.height,
        (region.right - region.left) * ground.width,
        (region.top - region.bottom) * ground.height,
    )


def _colour(place: int, is_shaded: bool) -> Colour:
    return SHADES[place] if is_shaded else class_colour(min(place, N_CLASS_COLOURS))
