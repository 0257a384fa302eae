"""A curve as the study file holds it, drawn again."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from heldout.charts.spread_picture import SpreadLine, SpreadPicture, spread_svg
from heldout.report.markup import Figure
from heldout.report.standing_rows import with_interval

MOST_ROWS = 60
PLANE_HEIGHT = 300.0


def curve_picture(curve: Mapping[str, Any], is_narrow: bool = False) -> str:
    """Its picture; empty where it holds no line.

    curve: the body of a fact of the kind "curve", whose `result` holds title, text, x, y, x_values and lines,
           each with label, means, lows and highs
    is_narrow: whether it fits a telephone
    """
    result = curve["result"]
    lines = [_line(line) for line in result["lines"]]
    if not any(math.isfinite(mean) for line in lines for mean in line.means):
        return ""
    picture = SpreadPicture(
        title=result["title"],
        caption="",
        description=result["text"],
        x_values=list(result["x_values"]),
        x=result["x"],
        y=result["y"],
        lines=lines,
        is_narrow=is_narrow,
        height=PLANE_HEIGHT,
    )
    return spread_svg(picture)


def curve_figure(curve: Mapping[str, Any]) -> Figure:
    """The curve as a figure, with its numbers as a table.

    curve: the body of a fact of the kind "curve"
    """
    result = curve["result"]
    lines = result["lines"]
    title = result["title"]
    indices = list(result["x_values"])
    rows = [
        (str(index), *(_cell(line, number) for line in lines))
        for number, index in enumerate(indices[:MOST_ROWS])
    ]
    return Figure(
        title=title[:1].upper() + title[1:],
        takeaway=result["takeaway"],
        picture=curve_picture(curve),
        narrow=curve_picture(curve, is_narrow=True),
        headings=(result["x"], *(line["label"] for line in lines)),
        rows=tuple(rows) if lines else (),
        caption=result["y"],
        notes=tuple(note for note in (result["remarks"], result["caption"]) if note),
    )


def _cell(line: Mapping[str, Any], number: int) -> str:
    """A mean with its band."""
    mean, low, high = (line[name][number] for name in ("means", "lows", "highs"))
    return with_interval({"estimate": mean, "low": low, "high": high}) if mean is not None else ""


def _line(line: Mapping[str, Any]) -> SpreadLine:
    sides = [[math.nan if n is None else float(n) for n in line[name]] for name in ("means", "lows", "highs")]
    return SpreadLine(line["label"], *sides)
