"""The two sides of a plane: ticks with their labels, and the name of what is measured."""

from __future__ import annotations

from heldout.charts.frame import MARGIN
from heldout.charts.partition_parts import PictureAxis
from heldout.charts.svg import SvgWriter, short_number
from heldout.charts.text_fit import fitted, text_width
from heldout.charts.theme import INK, MUTED, Colour, fill, stroke
from heldout.charts.tree_parts import Box

TICK_SIZE, LABEL_SIZE = 11.0, 12.0
WIDEST_TICK = 130.0


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
        place = {"x": x, "y": ground.bottom + 18, "font_size": TICK_SIZE}
        draw_text(writer, label, tick.label, place, "middle", MUTED)
    place = {"x": ground.center, "y": ground.bottom + 40, "font_size": LABEL_SIZE}
    draw_text(writer, fitted(axis.label, ground.width, LABEL_SIZE), axis.label, place, "middle", INK)


def draw_y_axis(writer: SvgWriter, axis: PictureAxis, ground: Box) -> None:
    """Ticks and the name of the axis on the left of a plane."""
    for tick in axis.ticks:
        y = ground.bottom - tick.position * ground.height
        if not axis.is_bands:
            writer.leaf("path", d=f"M{short_number(ground.left)} {short_number(y)}h-5", **stroke(MUTED))
        label = fitted(tick.label, WIDEST_TICK, TICK_SIZE)
        place = {"x": ground.left - 9, "y": y + 4, "font_size": TICK_SIZE}
        draw_text(writer, label, tick.label, place, "end", MUTED)
    x = MARGIN + 10
    writer.open("g", transform=f"rotate(-90 {short_number(x)} {short_number(ground.middle)})")
    place = {"x": x, "y": ground.middle, "font_size": LABEL_SIZE}
    draw_text(writer, fitted(axis.label, ground.height, LABEL_SIZE), axis.label, place, "middle", INK)
    writer.close()


def draw_text(
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
