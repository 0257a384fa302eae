"""The contenders, one line each: score, interval, the interval as a bar, and what the model takes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from heldout.cli.screen.interval_table import ScoreLine, score_lines
from heldout.cli.terminal import Terminal
from heldout.report.standing_rows import problem_of, shown_seconds
from heldout.stats.shown_number import shown_alike, shown_percent

MOST_ROWS = 12


def contender_lines(facts: Mapping[str, Any], terminal: Terminal) -> list[str]:
    """The table of a run: the best first, the winner marked, and how many are not shown.

    facts:    as `run_facts` gives them
    terminal: where it will be read
    """
    result, verdict = facts["result"], facts["verdict"]
    winner, is_larger_better = str(verdict.get("winner", "")), bool(verdict.get("is_larger_better", True))
    ordered = _ordered(result["standings"], is_larger_better)
    kept = _kept(ordered, winner)
    share = next((each["estimate"].get("confidence") for each in kept if each["estimate"]), None) or 0.95
    way = "" if is_larger_better else "less is better"
    has_r2 = _has_r2(kept)
    beside = ("R²",) if has_r2 else ()
    headings = (way, str(result["metric"]), f"{shown_percent(share)} interval", *beside, "bits", "time")
    lines = _lines(kept, winner)
    guess = next((line.ends[0] for line in lines if line.is_far), math.nan)
    drawn = score_lines(lines, headings, terminal, guess)
    n_more = len(ordered) - len(kept)
    return [*drawn, *([terminal.written(f"    … and {n_more} more, all in the report")] if n_more else [])]


def _ordered(standings: Sequence[Mapping[str, Any]], is_larger_better: bool) -> list[Mapping[str, Any]]:
    def place(standing: Mapping[str, Any]) -> tuple[bool, float]:
        score = standing["estimate"].get("estimate")
        return (score is None, 0.0 if score is None else (-score if is_larger_better else score))

    return sorted(standings, key=place)


def _kept(ordered: Sequence[Mapping[str, Any]], winner: str) -> list[Mapping[str, Any]]:
    """The best, and whatever their place the winner and the baselines."""
    if len(ordered) <= MOST_ROWS:
        return list(ordered)
    needed = [each for each in ordered if each["name"] == winner or each.get("is_baseline")][:MOST_ROWS]
    others = [each for each in ordered if each not in needed][: MOST_ROWS - len(needed)]
    return [each for each in ordered if each in needed or each in others]


def _lines(kept: Sequence[Mapping[str, Any]], winner: str) -> list[ScoreLine]:
    ends = [tuple(_number(each["estimate"].get(key)) for key in ("estimate", "low", "high")) for each in kept]
    best = next((each[0] for each in ends if not math.isnan(each[0])), math.nan)
    texts = iter(shown_alike([number for each in ends for number in each], guide=best))
    has_r2 = _has_r2(kept)
    found = []
    for each, (estimate, low, high) in zip(kept, ends, strict=True):
        score, first, last = next(texts), next(texts), next(texts)
        interval = "no interval" if math.isnan(low + high) else f"{first} to {last}"
        is_winner, is_baseline = each["name"] == winner, bool(each.get("is_baseline"))
        line = ScoreLine(
            f"{each['name']}, new" if each.get("is_new") else str(each["name"]),
            (estimate, low, high),
            (score, interval, *_r2(each, has_r2), _bits(each), _time(each)),
            style="good" if is_winner else "faint" if is_baseline else "",
            is_marked=is_winner,
            is_far=is_baseline,
            problem=(problem_of(each) or "it has no score") if math.isnan(estimate) else "",
        )
        found.append(line)
    return found


def _number(value: Any) -> float:
    return math.nan if value is None else float(value)


def _has_r2(standings: Sequence[Mapping[str, Any]]) -> bool:
    """Whether how much is explained stands beside an error in the target's unit."""
    return any(each.get("metric") != "r2" and "r2" in (each.get("scores") or {}) for each in standings)


def _r2(standing: Mapping[str, Any], is_shown: bool) -> tuple[str, ...]:
    score = (standing.get("scores") or {}).get("r2")
    return ("" if score is None else shown_alike([score], guide=1.0)[0],) if is_shown else ()


def _bits(standing: Mapping[str, Any]) -> str:
    bits = standing.get("bits")
    return "" if bits is None else f"{bits:,.0f}"


def _time(standing: Mapping[str, Any]) -> str:
    seconds = standing.get("seconds")
    return "" if seconds is None else shown_seconds(seconds)
