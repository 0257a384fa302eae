"""A curve as the study file holds it, drawn again."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from heldout.charts.spread_picture import SpreadLine, SpreadPicture, spread_svg


def curve_picture(curve: Mapping[str, Any]) -> tuple[str, str, str]:
    """Its title, what it says in words, and its picture; no picture where it holds no line.

    curve: the body of a fact of the kind "curve", whose `result` holds title, text, x, y, places and lines,
           each with label, means, lows and highs
    """
    result = curve.get("result") or {}
    title, text = str(result.get("title", "")), str(result.get("text", ""))
    lines = [_line(line) for line in result.get("lines") or ()]
    if not any(math.isfinite(mean) for line in lines for mean in line.means):
        return title, text, ""
    picture = SpreadPicture(
        title=title,
        caption=str(result.get("caption", "")),
        description=text,
        places=list(result.get("places") or ()),
        x=str(result.get("x", "")),
        y=str(result.get("y", "")),
        lines=lines,
    )
    return title, text, spread_svg(picture)


def _line(line: Mapping[str, Any]) -> SpreadLine:
    sides = [[math.nan if n is None else float(n) for n in line[name]] for name in ("means", "lows", "highs")]
    return SpreadLine(str(line.get("label", "")), *sides)
