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

    curve: the body of a fact of the kind "curve", whose `result` holds title, text, x, y, places and lines,
           each with label, means, lows and highs
    is_narrow: whether it fits a telephone
    """
    result = curve.get("result") or {}
    lines = [_line(line) for line in result.get("lines") or ()]
    if not any(math.isfinite(mean) for line in lines for mean in line.means):
        return ""
    picture = SpreadPicture(
        title=str(result.get("title", "")),
        caption="",
        description=str(result.get("text", "")),
        places=list(result.get("places") or ()),
        x=str(result.get("x", "")),
        y=str(result.get("y", "")),
        lines=lines,
        is_narrow=is_narrow,
        height=PLANE_HEIGHT,
    )
    return spread_svg(picture)


def curve_figure(curve: Mapping[str, Any]) -> Figure:
    """The curve as a figure, with its numbers as a table.

    curve: the body of a fact of the kind "curve"
    """
    result = curve.get("result") or {}
    lines = [line for line in result.get("lines") or () if isinstance(line, Mapping)]
    title = str(result.get("title", ""))
    takeaway, _, rest = str(result.get("text", "")).partition(". ")
    places = list(result.get("places") or ())
    rows = [
        (str(place), *(_cell(line, number) for line in lines))
        for number, place in enumerate(places[:MOST_ROWS])
    ]
    return Figure(
        title=title[:1].upper() + title[1:],
        takeaway=f"{takeaway.rstrip('.')}." if takeaway else "",
        picture=curve_picture(curve),
        narrow=curve_picture(curve, is_narrow=True),
        headings=(str(result.get("x", "")), *(str(line.get("label", "")) for line in lines)),
        rows=tuple(rows) if lines else (),
        caption=str(result.get("y", "")),
        notes=tuple(note for note in (rest, str(result.get("caption", ""))) if note),
    )


def _cell(line: Mapping[str, Any], number: int) -> str:
    """A mean with its band."""
    found = [(line.get(name) or ()) for name in ("means", "lows", "highs")]
    mean, low, high = (each[number] if number < len(each) else None for each in found)
    return with_interval({"estimate": mean, "low": low, "high": high}) if mean is not None else ""


def _line(line: Mapping[str, Any]) -> SpreadLine:
    sides = [[math.nan if n is None else float(n) for n in line[name]] for name in ("means", "lows", "highs")]
    return SpreadLine(str(line.get("label", "")), *sides)
