"""A curve as the study file holds it, drawn again."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from heldout.charts.spread_picture import SpreadLine, SpreadPicture, spread_svg


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
        caption=str(result.get("caption", "")),
        description=str(result.get("text", "")),
        places=list(result.get("places") or ()),
        x=str(result.get("x", "")),
        y=str(result.get("y", "")),
        lines=lines,
        is_narrow=is_narrow,
    )
    return spread_svg(picture)


def _line(line: Mapping[str, Any]) -> SpreadLine:
    sides = [[math.nan if n is None else float(n) for n in line[name]] for name in ("means", "lows", "highs")]
    return SpreadLine(str(line.get("label", "")), *sides)
