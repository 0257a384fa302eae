"""Intervals as strips: a line with a dot on a common scale, as wide as the page is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from heldout.charts.scales import NumberScale, number_ticks, spanning_scale
from heldout.charts.svg import SvgWriter

HEIGHT, MIDDLE, CAP, RADIUS = 22, 11, 5, 5
# Ticks on a strip of a telephone's width must not run into each other.
MOST_TICKS = 4
# What one interval far from the others may cost them in width.
MOST_SQUEEZED = 2.5


def strip_scale(intervals: Sequence[Mapping[str, Any]], *others: float) -> NumberScale:
    """The scale that all strips of a table share.

    others: further numbers that must lie on it
    """
    numbers = [*others, *(number for each in intervals for number in _numbers(each) if number is not None)]
    return spanning_scale([number for number in numbers if math.isfinite(number)])


def near_scale(
    near: Sequence[Mapping[str, Any]], far: Sequence[Mapping[str, Any]], *others: float
) -> NumberScale:
    """The scale of all intervals, or of the near ones alone where the far ones would squeeze them together.

    far:    intervals, such as that of guessing, which then are drawn as an arrow at the end
    others: further numbers that must lie on it
    """
    whole, part = strip_scale([*near, *far], *others), strip_scale(near, *others)
    is_squeezed = bool(near) and (whole.high / 2 - whole.low / 2) > MOST_SQUEEZED * (
        part.high / 2 - part.low / 2
    )
    return part if is_squeezed else whole


def strip_svg(
    interval: Mapping[str, Any],
    scale: NumberScale,
    words: str,
    is_marked: bool = False,
    reference: float | None = None,
) -> str:
    """One interval as SVG that stretches to the width of what is around it; its colours come from the page.

    words:     what it says to those who do not see it
    is_marked: whether it stands out from the others
    reference: a number at which a dashed line stands, such as no difference
    """
    estimate, low, high = _numbers(interval)
    writer = SvgWriter()
    kind = "strip marked" if is_marked else "strip"
    writer.open("svg", class_=kind, width="100%", height=HEIGHT, role="img", aria_label=words)
    writer.leaf("line", class_="ground", x1="0", x2="100%", y1=MIDDLE, y2=MIDDLE)
    if reference is not None:
        x = _across(reference, scale)
        writer.leaf("line", class_="reference", x1=x, x2=x, y1=0, y2=HEIGHT)
    if low is not None and high is not None and low <= scale.high and high >= scale.low:
        ends = [_across(end, scale) for end in (low, high)]
        writer.leaf("line", x1=ends[0], x2=ends[1], y1=MIDDLE, y2=MIDDLE)
        for end in ends:
            writer.leaf("line", x1=end, x2=end, y1=MIDDLE - CAP, y2=MIDDLE + CAP)
    if estimate is not None and scale.low <= estimate <= scale.high:
        writer.leaf("circle", cx=_across(estimate, scale), cy=MIDDLE, r=RADIUS)
    elif estimate is not None:
        _draw_arrow(writer, estimate < scale.low)
    writer.close()
    return writer.text


def _draw_arrow(writer: SvgWriter, is_left: bool) -> None:
    """At the end of the strip: what it stands for lies beyond."""
    x, tip = (0, -8) if is_left else (0, 8)
    # A path knows no percentages, so the end of the strip is where a nested picture begins.
    writer.open("svg", x="0" if is_left else "100%", y=0, overflow="visible", width=1, height=HEIGHT)
    writer.leaf("path", class_="arrow", d=f"M{x - tip} {MIDDLE - CAP}L{x} {MIDDLE}L{x - tip} {MIDDLE + CAP}Z")
    writer.close()


def strip_axis(scale: NumberScale, most_ticks: int = MOST_TICKS, at: Sequence[float] = ()) -> str:
    """The ticks below the strips, as SVG.

    most_ticks: of more only so many stay
    at:         the numbers that have a tick; left out, round ones
    """
    writer = SvgWriter()
    writer.open("svg", class_="strip axis", width="100%", height=HEIGHT, aria_hidden="true")
    for label, across in _given_ticks(scale, at) if at else _round_ticks(scale, most_ticks):
        writer.leaf("line", x1=across, x2=across, y1=0, y2=4)
        writer.leaf("text", label, x=across, y=17, text_anchor="middle")
    writer.close()
    return writer.text


def _round_ticks(scale: NumberScale, most_ticks: int) -> list[tuple[str, str]]:
    """Labels and positions; where 0 is among them, it is one of those that stay."""
    ticks = scale.ticks
    step = math.ceil(len(ticks) / most_ticks)
    zero = next((index for index, tick in enumerate(ticks) if tick.label == "0"), 0)
    return [(tick.label, f"{100 * tick.position:.2f}%") for tick in ticks[zero % step :: step]]


def _given_ticks(scale: NumberScale, numbers: Sequence[float]) -> list[tuple[str, str]]:
    return [(label, _across(number, scale)) for number, label in number_ticks(numbers)]


def _across(number: float, scale: NumberScale) -> str:
    position = float(scale.positions(np.array([number]))[0])
    return f"{100 * position:.4g}%"


def _numbers(interval: Mapping[str, Any]) -> tuple[float | None, float | None, float | None]:
    estimate, low, high = (interval.get(name) for name in ("estimate", "low", "high"))
    return estimate, low, high
