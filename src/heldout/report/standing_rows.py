"""The rows of the two tables: contenders from the best estimate on, and comparisons with their p."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heldout.metrics.metric_registry import METRICS
from heldout.stats.adjust import METHODS as ADJUSTMENTS
from heldout.stats.shown_number import shown, shown_alike, shown_p


def standing_rows(verdict: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One row per contender, the best estimate first; where one is not known, last.

    verdict: the body of its fact; an empty one gives no row

    >>> estimate = {"estimate": 0.9, "low": 0.85, "high": 0.94}
    >>> rows = standing_rows({"winner": "tree", "standings": [{"name": "tree", "estimate": estimate}]})
    >>> rows[0]["name"], rows[0]["shown"], rows[0]["is_winner"]
    ('tree', '0.900 (0.850 to 0.940)', True)
    """
    metric = METRICS.get(str(verdict.get("metric", "")))
    is_larger_better = metric is None or metric.is_larger_better
    rows = [_row(standing, verdict) for standing in verdict.get("standings") or ()]

    def order(row: Mapping[str, Any]) -> tuple[bool, float]:
        estimate = row["estimate"].get("estimate")
        return (estimate is None, 0.0 if estimate is None else (-estimate if is_larger_better else estimate))

    return sorted(rows, key=order)


def comparison_rows(verdict: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One row per comparison: who, the difference with its interval, p alone and adjusted."""
    return [_comparison(found, verdict) for found in verdict.get("comparisons") or ()]


def with_interval(interval: Mapping[str, Any] | None) -> str:
    """A number and its interval as they stand in a cell.

    >>> with_interval({"estimate": 0.5, "low": None, "high": None}), with_interval(None)
    ('0.500 (no interval)', 'unknown')
    """
    if not interval or interval.get("estimate") is None:
        return "unknown"
    low, high = interval.get("low"), interval.get("high")
    if low is None or high is None:
        return f"{shown(interval['estimate'])} (no interval)"
    estimate, low, high = shown_alike([interval["estimate"], low, high])
    return f"{estimate} ({low} to {high})"


def shown_bits(bits: float) -> str:
    """A length in bits, with three digits that count.

    >>> shown_bits(1234.5), shown_bits(7.775)
    ('1,230', '7.78')
    """
    return f"{float(f'{bits:.3g}'):,.0f}" if bits >= 100 else f"{bits:.3g}"


def shown_seconds(seconds: float) -> str:
    """Seconds as a person says them.

    >>> shown_seconds(0.0123), shown_seconds(75.0)
    ('0.012 s', '1 min 15 s')
    """
    if seconds < 60:
        return f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:,} h {minutes} min" if hours else f"{minutes} min {rest} s"


def _row(standing: Mapping[str, Any], verdict: Mapping[str, Any]) -> dict[str, Any]:
    estimate = dict(standing.get("estimate") or {})
    return {
        "name": str(standing.get("name", "")),
        "is_baseline": bool(standing.get("is_baseline")),
        "is_winner": standing.get("name") == verdict.get("winner"),
        "is_complete": bool(standing.get("is_complete", True)),
        "problem": str(standing.get("problem") or ""),
        "estimate": estimate,
        "shown": with_interval(estimate),
        "detail": _detail(standing) if estimate.get("estimate") is not None else [],
    }


def _detail(standing: Mapping[str, Any]) -> list[str]:
    """How far it is from the best, how long it is and how long it took; what is not known is left out."""
    difference, bits, seconds = (standing.get(name) for name in ("difference", "bits", "seconds"))
    found = [f"{difference.get('what', '')} {with_interval(difference)}"] if difference else []
    if bits is not None:
        pickled = " (size of a pickle)" if standing.get("bits_are_foreign") else ""
        found.append(f"{shown_bits(bits)} bits{pickled}")
    return [*found, shown_seconds(seconds)] if seconds is not None else found


def _comparison(found: Mapping[str, Any], verdict: Mapping[str, Any]) -> dict[str, Any]:
    nothing = float("nan")
    p_value, adjusted = found.get("p_value"), found.get("adjusted_p")
    return {
        "names": f"{found.get('name_a', '')} and {found.get('name_b', '')}",
        "is_of_winner": verdict.get("winner") in (found.get("name_a"), found.get("name_b")),
        "what": str((found.get("effect") or {}).get("what", "")),
        "effect": with_interval(found.get("effect")),
        "p": shown_p(nothing if p_value is None else p_value),
        "adjusted": "" if adjusted is None else shown_p(adjusted),
        "test": str(found.get("test", "")),
        "adjustment": ADJUSTMENTS.get(str(found.get("adjustment", "")), ""),
        "notes": " ".join(str(note) for note in found.get("notes") or ()),
    }
