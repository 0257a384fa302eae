"""A plane cut into rectangles, with points in it, as a picture."""

from __future__ import annotations

from heldout.charts.axes import (
    CAPTION_SIZE,
    LABEL_SIZE,
    MARGIN,
    PicturePlane,
    PictureRegion,
    draw_frame,
    draw_x_axis,
    draw_y_axis,
    framed,
    y_axis_room,
)
from heldout.charts.legend import LEGEND_SIZE, flowed, marker_path
from heldout.charts.svg import Box, SvgWriter, fitted, text_width
from heldout.charts.theme import (
    INK,
    MUTED,
    N_CLASS_COLOURS,
    PAPER,
    SHADES,
    Colour,
    class_colour,
    fill,
    stroke,
)

PLANE_WIDTH, PLANE_HEIGHT = 620.0, 440.0
FEW_POINTS = 600


def partition_svg(plane: PicturePlane) -> str:
    """The picture as an SVG document."""
    left = MARGIN + y_axis_room(plane.y)
    width = left + PLANE_WIDTH + MARGIN
    writer = SvgWriter()
    top = _draw_head(writer, plane, width - 2 * MARGIN)
    ground = Box(left, top, PLANE_WIDTH, PLANE_HEIGHT)
    for region in plane.regions:
        _draw_region(writer, region, ground, plane.shade_scale is not None)
    _draw_points(writer, plane, ground)
    _draw_region_labels(writer, plane, ground)
    draw_frame(writer, ground)
    draw_x_axis(writer, plane.x, ground)
    draw_y_axis(writer, plane.y, ground)
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
    for index, colour in enumerate(SHADES):
        writer.leaf("rect", x=start + 22 * index, y=top + 5, width=22, height=12, **fill(colour))
    end = start + 22 * len(SHADES) + 8
    writer.leaf("text", high, x=end, y=top + 15, font_size=LEGEND_SIZE, **fill(MUTED))
    return 22.0


def _draw_region(writer: SvgWriter, region: PictureRegion, ground: Box, is_shaded: bool) -> None:
    box = _box(region, ground)
    shape = {"x": box.left, "y": box.top, "width": box.width, "height": box.height}
    colour = _colour(region.index, is_shaded)
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
        index = {"x": box.left + 7, "y": box.top + 16, "font_size": LABEL_SIZE}
        writer.leaf("text", region.label, **index, stroke_width=4, **stroke(PAPER))
        writer.leaf("text", region.label, **index, **fill(INK))


def _draw_points(writer: SvgWriter, plane: PicturePlane, ground: Box) -> None:
    """All points of a colour are one path, which lets the pointer through to the regions' titles."""
    is_shaded = plane.shade_scale is not None
    radius, outline = (3.4, 0.9) if len(plane.points) <= FEW_POINTS else (2.3, 0.4)
    paths: dict[int, list[str]] = {}
    for point in plane.points:
        index = 0 if is_shaded else point.index
        marker = marker_path(index, ground.x(point.x), ground.y(point.y), radius)
        paths.setdefault(point.index, []).append(marker)
    for position in sorted(paths):
        colour = _colour(position, is_shaded)
        writer.open("g", stroke_width=outline, pointer_events="none", **stroke(PAPER))
        writer.leaf("path", d="".join(paths[position]), **fill(colour))
        writer.close()


def _box(region: PictureRegion, ground: Box) -> Box:
    return Box(
        ground.x(region.left),
        ground.y(region.top),
        (region.right - region.left) * ground.width,
        (region.top - region.bottom) * ground.height,
    )


def _colour(index: int, is_shaded: bool) -> Colour:
    return SHADES[index] if is_shaded else class_colour(min(index, N_CLASS_COLOURS))
