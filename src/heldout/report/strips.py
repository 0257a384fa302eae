"""Intervals as strips: a line with a dot on a common scale, as wide as the page is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from heldout.charts.scales import NumberScale, spanning_scale
from heldout.charts.svg import SvgWriter

HEIGHT, MIDDLE, CAP, RADIUS = 22, 11, 5, 5
# Ticks on a strip of a telephone's width must not run into each other.
MOST_TICKS = 4


def strip_scale(intervals: Sequence[Mapping[str, Any]]) -> NumberScale:
    """The scale that all strips of a table share."""
    numbers = [number for each in intervals for number in _numbers(each) if number is not None]
    return spanning_scale([number for number in numbers if math.isfinite(number)])


def strip_svg(interval: Mapping[str, Any], scale: NumberScale, words: str, is_marked: bool = False) -> str:
    """One interval as SVG that stretches to the width of what is around it; its colours come from the page.

    words:     what it says to those who do not see it
    is_marked: whether it stands out from the others

    >>> svg = strip_svg({"estimate": 0.5, "low": 0.4, "high": 0.6}, NumberScale(0.0, 1.0), "half")
    >>> 'cx="50%"' in svg, 'x1="40%"' in svg
    (True, True)
    """
    estimate, low, high = _numbers(interval)
    writer = SvgWriter()
    kind = "strip marked" if is_marked else "strip"
    writer.open("svg", class_=kind, width="100%", height=HEIGHT, role="img", aria_label=words)
    writer.leaf("line", class_="ground", x1="0", x2="100%", y1=MIDDLE, y2=MIDDLE)
    if low is not None and high is not None:
        ends = [_across(end, scale) for end in (low, high)]
        writer.leaf("line", x1=ends[0], x2=ends[1], y1=MIDDLE, y2=MIDDLE)
        for end in ends:
            writer.leaf("line", x1=end, x2=end, y1=MIDDLE - CAP, y2=MIDDLE + CAP)
    if estimate is not None:
        writer.leaf("circle", cx=_across(estimate, scale), cy=MIDDLE, r=RADIUS)
    writer.close()
    return writer.text


def strip_axis(scale: NumberScale) -> str:
    """The ticks below the strips, as SVG."""
    ticks = scale.ticks
    step = math.ceil(len(ticks) / MOST_TICKS)
    writer = SvgWriter()
    writer.open("svg", class_="strip axis", width="100%", height=HEIGHT, aria_hidden="true")
    for tick in ticks[::step]:
        x = f"{100 * tick.position:.2f}%"
        writer.leaf("line", x1=x, x2=x, y1=0, y2=4)
        writer.leaf("text", tick.label, x=x, y=17, text_anchor="middle")
    writer.close()
    return writer.text


def _across(number: float, scale: NumberScale) -> str:
    position = float(scale.positions(np.array([number]))[0])
    return f"{100 * position:.4g}%"


def _numbers(interval: Mapping[str, Any]) -> tuple[float | None, float | None, float | None]:
    estimate, low, high = (interval.get(name) for name in ("estimate", "low", "high"))
    return estimate, low, high
