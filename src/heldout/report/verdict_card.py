"""The verdict in one look: who won, the number large, its interval on a line, guessing beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heldout.report.markup import markup
from heldout.report.standing_rows import with_interval
from heldout.report.strips import strip_axis, strip_scale, strip_svg
from heldout.stats.shown_number import shown, shown_alike, shown_percent


def verdict_card(summary: Mapping[str, Any]) -> dict[str, Any]:
    """What the card shows; empty before the first verdict and where nobody won.

    summary: as `summarize` gives it
    """
    verdict = summary["verdict"] or {}
    number = verdict.get("number") or {}
    if not verdict.get("winner"):
        return {}
    baseline: Mapping[str, Any] = next((row for row in summary["standings"] if row["is_baseline"]), {})
    is_baseline = bool(baseline.get("is_winner"))
    guessing = None if is_baseline else baseline.get("estimate", {}).get("estimate")
    card = {
        "winner": verdict["winner"],
        "metric": verdict["metric"],
        "estimate": "unknown" if number.get("estimate") is None else shown_alike(_known(number))[0],
        "interval": _interval(number),
        "beside": _beside(summary, verdict["winner"]),
        "guessing": "" if guessing is None else f"guessing ({baseline['name']}) {shown(guessing)}",
        "strip": "",
        "axis": "",
    }
    if number.get("estimate") is None:
        return card
    scale = strip_scale([number], *([] if guessing is None else [guessing]))
    words = f"{verdict['metric']} {with_interval(number)}"
    strip = strip_svg(number, scale, words, True, guessing)
    return card | {"strip": markup(strip), "axis": markup(strip_axis(scale))}


def _beside(summary: Mapping[str, Any], winner: str) -> list[str]:
    """Of a predicted number what people ask next: how much is explained, and how far half of them miss."""
    row: Mapping[str, Any] = next((row for row in summary["standings"] if row["name"] == winner), {})
    r2, miss = (row.get("scores") or {}).get("r2"), row.get("median_miss")
    texts = [] if r2 is None else [f"R² {shown(r2)}"]
    return texts if miss is None else [*texts, f"half of the predictions miss by at most {shown(miss)}"]


def _known(number: Mapping[str, Any]) -> list[float]:
    return [float(number[name]) for name in ("estimate", "low", "high") if number.get(name) is not None]


def _interval(number: Mapping[str, Any]) -> str:
    """The ends of the interval in words.

    >>> _interval({"estimate": 0.9, "low": 0.85, "high": 0.94, "confidence": 0.95})
    '95% interval 0.850 to 0.940'
    """
    if number.get("low") is None or number.get("high") is None:
        return "no interval"
    share = shown_percent(float(number.get("confidence") or 0.95))
    _, low, high = shown_alike(_known(number)) if number.get("estimate") is not None else ("", "", "")
    return f"{share} interval {low} to {high}"
