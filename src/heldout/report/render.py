"""Plain facts become a page: one HTML file that needs no other and runs no script."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from heldout.charts.theme import CARD, CLASS_COLOURS, EDGE, INK, LINE, MUTED, PAPER, Colour
from heldout.report.recorded_curve import curve_picture
from heldout.report.standing_rows import with_interval
from heldout.report.strips import strip_axis, strip_scale, strip_svg
from heldout.stats.shown_number import shown, shown_percent

if TYPE_CHECKING:
    from jinja2 import Environment

_ACCENT = CLASS_COLOURS[0]
_COLOURS = (PAPER, CARD, INK, MUTED, LINE, EDGE)


def render(summary: Mapping[str, Any]) -> str:
    """The page of a study as one HTML document.

    summary: as `summarize` gives it

    The page fetches nothing and runs nothing, whatever a column or a contender is called: names are escaped,
    and its Content-Security-Policy allows inline style and embedded pictures alone.
    """
    page = dict(summary)
    page["standings"] = _with_strips(summary["standings"])
    page["axis"] = _markup(strip_axis(_scale(summary))) if summary["standings"] else ""
    page["curves"] = [_curve(curve) for curve in summary["curves"]]
    page["number"] = _number(summary["verdict"] or {})
    page["looks"] = [
        look | {"shown": with_interval(look["score"]), "shown_fixed": with_interval(look["fixed"])}
        for look in summary["seal"]["looks"]
    ]
    style = _markup(_sheet())
    return _environment().get_template("page.html").render(style=style, **page)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

    return Environment(
        loader=PackageLoader("heldout.report"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _markup(made_by_us: str) -> Any:
    """What was escaped when it was made, and is not escaped again."""
    from markupsafe import Markup

    return Markup(made_by_us)


def _sheet() -> str:
    """The style sheet, behind the colours of the charts: a page and its pictures look alike."""
    rules = files("heldout.report").joinpath("templates", "page.css").read_text(encoding="utf-8")
    light, dark = (_properties(side) for side in ("light", "dark"))
    return f":root{{{light}}}\n@media (prefers-color-scheme:dark){{:root{{{dark}}}}}\n{rules}"


def _properties(side: str) -> str:
    def value(colour: Colour) -> str:
        return colour.dark if side == "dark" else colour.light

    named = {colour.name: value(colour) for colour in _COLOURS} | {"accent": value(_ACCENT)}
    return ";".join(f"--{name}:{colour}" for name, colour in named.items())


def _number(verdict: Mapping[str, Any]) -> str:
    """The verdict's number as a line of its own, with what kind of interval it has."""
    number = verdict.get("number") or {}
    if number.get("low") is None or number.get("high") is None:
        return f"{verdict.get('metric', '')} {with_interval(number)}"
    share = shown_percent(float(number.get("confidence") or 0.95))
    ends = f"{share} interval {shown(number['low'])} to {shown(number['high'])}"
    return f"{verdict.get('metric', '')} {shown(number['estimate'])}, {ends}"


def _scale(summary: Mapping[str, Any]) -> Any:
    return strip_scale([row["estimate"] for row in summary["standings"]])


def _with_strips(standings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    scale = strip_scale([row["estimate"] for row in standings])
    return [
        row | {"strip": _markup(strip_svg(row["estimate"], scale, row["shown"], row["is_winner"]))}
        for row in standings
    ]


def _curve(curve: Mapping[str, Any]) -> dict[str, Any]:
    result = curve.get("result") or {}
    said = {name: str(result.get(name, "")) for name in ("title", "text", "caption")}
    pictures = {"picture": curve_picture(curve), "narrow": curve_picture(curve, is_narrow=True)}
    return said | {name: _markup(picture) for name, picture in pictures.items()}
