"""A confusion matrix as a picture: true labels downwards, answers across, each row shaded by its shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.charts.axes import LABEL_SIZE, MARGIN, NARROW_WIDTH, TICK_SIZE, draw_caption, draw_text, framed
from heldout.charts.svg import SvgWriter, at, fitted, short_number, text_width
from heldout.charts.theme import INK, LINE, MUTED, class_colour, fill, stroke

# What is rarer is drawn as one label.
MOST_LABELS = 20
OTHERS = "(others)"
WIDEST_LABEL = 140.0
# Text on the darkest shade must be read in light and in dark.
DARKEST = 0.5
_PLANE = 460.0
NARROW_LABEL = 84.0
# In smaller cells no number can be read, and below smaller ones no name.
SMALLEST_CELL, SMALLEST_NAME = 26.0, 14.0
# With more labels most cells are empty, and nothing is drawn there.
FEW_LABELS = 8


@dataclass(frozen=True)
class PictureMatrix:
    """What the picture shows.

    labels: of the rows and columns
    counts: how often the label of the row was answered by that of the column
    has_others: whether the last label stands for several
    is_narrow:  whether it fits a telephone: the caption is left to the page
    """

    title: str
    caption: str
    description: str
    labels: tuple[str, ...]
    counts: NDArray[Any]
    has_others: bool = False
    is_narrow: bool = False


def confusion_svg(picture: PictureMatrix) -> str:
    """The picture as an SVG document."""
    labels, counts = frequent_labels(picture.labels, picture.counts)
    has_others = picture.has_others or len(labels) < len(picture.labels)
    is_narrow = picture.is_narrow
    widest = min(
        max(text_width(label, TICK_SIZE) for label in labels), NARROW_LABEL if is_narrow else WIDEST_LABEL
    )
    left = MARGIN + 24 + widest + 8
    size = min(84.0, max(34.0, _PLANE / len(labels)))
    if is_narrow:
        size = min(84.0, (NARROW_WIDTH - left - MARGIN) / len(labels))
    rise = _rise(labels, size)
    top = MARGIN + (36 if is_narrow else 62) + max(rise - TICK_SIZE, 0.0)
    side = size * len(labels)
    width = NARROW_WIDTH if is_narrow else max(left + side, 360.0) + MARGIN
    writer = SvgWriter()
    if not is_narrow:
        draw_caption(writer, picture.caption, width)
    _draw_names(writer, labels, (left, top), size, rise)
    totals = counts.sum(axis=1, keepdims=True)
    shares = counts / np.where(totals > 0, totals, 1)
    _draw_grid(writer, left, top, size, len(labels))
    for row in range(len(labels)):
        for column in range(len(labels)):
            if len(labels) > FEW_LABELS and not counts[row, column]:
                continue
            words = _in_words(labels, counts, shares, row, column)
            position = (left + column * size, top + row * size, size)
            _draw_cell(writer, position, float(shares[row, column]), counts[row, column].item(), words)
    # Labels that were taken together are mixed up among themselves too: nothing there is known to be right.
    _draw_diagonal(writer, left, top, size, len(labels) - has_others)
    return framed(writer.text, width, top + side + MARGIN, picture.title, picture.description)


def frequent_labels(labels: tuple[str, ...], counts: NDArray[Any]) -> tuple[tuple[str, ...], NDArray[Any]]:
    """The same, with the rarest labels taken together where there are too many to draw."""
    if len(labels) <= MOST_LABELS:
        return labels, counts
    sizes = counts.sum(axis=0) + counts.sum(axis=1)
    kept = np.sort(np.argsort(-sizes, kind="stable")[: MOST_LABELS - 1])
    target = np.full(len(labels), MOST_LABELS - 1)
    target[kept] = np.arange(MOST_LABELS - 1)
    merged = np.zeros((MOST_LABELS, MOST_LABELS), dtype=counts.dtype)
    np.add.at(merged, (target[:, None], target[None, :]), counts)
    return (*(labels[index] for index in kept.tolist()), OTHERS), merged


def _rise(labels: tuple[str, ...], size: float) -> float:
    """How high the names above the columns stand: they are turned where they would not fit."""
    widest = max(text_width(label, TICK_SIZE) for label in labels)
    return TICK_SIZE if widest <= size - 4 or size < SMALLEST_NAME else min(widest, NARROW_LABEL)


def _draw_names(
    writer: SvgWriter, labels: tuple[str, ...], corner: tuple[float, float], size: float, rise: float
) -> None:
    left, top = corner
    side = size * len(labels)
    for index, label in enumerate(labels):
        middle = (index + 0.5) * size
        small = min(TICK_SIZE, max(size - 1, 7.0))
        row = {"x": left - 8, "y": top + middle + 4 * small / TICK_SIZE, "font_size": small}
        draw_text(writer, fitted(label, left - MARGIN - 32, TICK_SIZE), label, row, "end", MUTED)
        if size < SMALLEST_NAME:
            continue
        _draw_heading(writer, label, left + middle, top - 8, rise)
    across = {"x": left + side / 2, "y": top - 17 - rise, "font_size": LABEL_SIZE}
    draw_text(writer, "predicted", "predicted", across, "middle", INK)
    x, y = MARGIN + 10, top + side / 2
    writer.open("g", transform=f"rotate(-90 {short_number(x)} {short_number(y)})")
    draw_text(writer, "true", "true", {"x": x, "y": y, "font_size": LABEL_SIZE}, "middle", INK)
    writer.close()


def _draw_heading(writer: SvgWriter, label: str, x: float, y: float, rise: float) -> None:
    """The name above a column."""
    if rise <= TICK_SIZE:
        draw_text(writer, label, label, {"x": x, "y": y, "font_size": TICK_SIZE}, "middle", MUTED)
        return
    x += 4
    writer.open("g", transform=f"rotate(-90 {short_number(x)} {short_number(y)})")
    index = {"x": x, "y": y, "font_size": TICK_SIZE}
    draw_text(writer, fitted(label, rise, TICK_SIZE), label, index, "start", MUTED)
    writer.close()


def _draw_grid(writer: SvgWriter, left: float, top: float, size: float, n_labels: int) -> None:
    side = short_number(size * n_labels)
    lines = [f"M{at(left, top + n * size)}h{side}" for n in range(n_labels + 1)]
    lines += [f"M{at(left + n * size, top)}v{side}" for n in range(n_labels + 1)]
    writer.leaf("path", d="".join(lines), **stroke(LINE))


def _draw_cell(
    writer: SvgWriter, position: tuple[float, float, float], share: float, count: float, words: str
) -> None:
    left, top, size = position
    writer.open("g")
    writer.leaf("title", words)
    shade = {"fill_opacity": DARKEST * share}
    box = {"x": left, "y": top, "width": size, "height": size}
    writer.leaf("rect", **box, **shade, **fill(class_colour(0)))
    if size < SMALLEST_CELL:
        writer.close()
        return
    middle, center = top + size / 2, left + size / 2
    number = _shown_count(count, size - 4)
    has_room = size >= 48
    index = {"x": center, "y": middle - 2 if has_room else middle + 4, "font_size": TICK_SIZE}
    writer.leaf("text", number, **index, text_anchor="middle", **fill(INK))
    if has_room:
        index = {"x": center, "y": middle + 14, "font_size": TICK_SIZE}
        writer.leaf("text", f"{100 * share:.0f}%", **index, text_anchor="middle", **fill(INK))
    writer.close()


def _shown_count(count: float, width: float) -> str:
    """The count, in thousands or millions where it would not fit; the title has it in full."""
    number = f"{count:,}" if isinstance(count, int) else f"{count:.4g}"
    if text_width(number, TICK_SIZE) <= width:
        return number
    for unit, letter in ((1e3, "k"), (1e6, "M"), (1e9, "G")):
        if 1.0 <= count / unit < 999.5:
            return f"{count / unit:.2g}{letter}" if count < 99.5 * unit else f"{count / unit:.0f}{letter}"
    return f"{count:.1g}"


def _draw_diagonal(writer: SvgWriter, left: float, top: float, size: float, n_labels: int) -> None:
    """A frame around what was answered right."""
    for index in range(n_labels):
        box = {"x": left + index * size, "y": top + index * size, "width": size, "height": size}
        writer.leaf("rect", **box, stroke_width=2.0, **stroke(class_colour(0)))


def _in_words(labels: tuple[str, ...], counts: NDArray[Any], shares: Floats, row: int, column: int) -> str:
    count, total = counts[row, column].item(), counts[row].sum().item()
    numbers = [f"{each:,}" if isinstance(each, int) else f"{each:.6g}" for each in (count, total)]
    share = f" ({100 * shares[row, column]:.1f}%)" if total else ""
    return f"of {numbers[1]} that are {labels[row]}, {numbers[0]} were said to be {labels[column]}{share}"
