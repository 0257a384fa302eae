"""The columns as cards: a histogram of numbers, bars of levels, coloured by class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heldout.charts.scales import NumberScale
from heldout.charts.small_bar import small_bar
from heldout.charts.small_histogram import small_histogram
from heldout.charts.theme import N_CLASS_COLOURS
from heldout.report.strips import strip_axis
from heldout.stats.shown_number import shown_share
from heldout.table.column import date_label
from heldout.table.describe import plural

MOST_LEVELS = 6
MOST_TICKS = 3


def data_cards(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One card per column that can be drawn: the target, then in the order of what they say of it.

    data: as `data_facts` gives it; pictures are SVG

    >>> column = {"name": "age", "kind": "number", "role": "input", "n_missing": 0, "missing_share": 0.0}
    >>> column |= {"bits": None, "levels": [], "counts": [[3]], "quantiles": [0, 0, 1, 1, 1]}
    >>> card = data_cards({"columns": [column], "classes": [], "n_rows": 3})[0]
    >>> card["name"], card["axis"].startswith("<svg")
    ('age', True)
    """
    drawn = [column for column in data["columns"] if column["counts"]]
    drawn.sort(key=lambda each: (each["role"] != "target", each.get("rank") or 0, -(each["bits"] or 0.0)))
    return [_card(column, data) for column in drawn]


def _card(column: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    is_target = column["role"] == "target"
    counts = _coloured(column["counts"])
    card = {
        "name": str(column["name"]),
        "remarks": _remarks(column),
        "is_target": is_target,
        "picture": "",
        "axis": "",
        "levels": [],
        "n_more": 0,
    }
    if column["levels"]:
        return card | _levels(column, counts, data)
    numbers = _numbers(column, counts)
    return card | numbers | {"remarks": [*card["remarks"], numbers["median"]]}


def _coloured(counts: Sequence[Sequence[float]]) -> list[list[float]]:
    """By class as long as there are colours; the classes past the last colour are taken together."""
    listed = [list(map(float, each)) for each in counts]
    if len(listed) <= N_CLASS_COLOURS:
        return listed
    rest = [sum(column) for column in zip(*listed[N_CLASS_COLOURS:], strict=True)]
    return [*listed[:N_CLASS_COLOURS], rest]


def _remarks(column: Mapping[str, Any]) -> list[str]:
    """How much it says of the class, its role, a kind that the picture does not show, what is missing."""
    role, kind = str(column["role"] or ""), str(column["kind"] or "")
    found = [] if column["bits"] is None else [f"{column['bits']:.2f} bits"]
    if role not in ("input", ""):
        found.append(role)
    if kind not in ("number", "category") or not found:
        found.append(kind)
    if column["n_missing"]:
        found.append(f"{shown_share(column['missing_share'])} missing")
    return found


def _numbers(column: Mapping[str, Any], counts: Sequence[Sequence[float]]) -> dict[str, Any]:
    quantiles = column["quantiles"] or []
    names = [shown_value(each, str(column["kind"])) for each in (quantiles[0], quantiles[2], quantiles[-1])]
    words = f"distribution of {column['name']}: from {names[0]} to {names[2]}, half are below {names[1]}"
    low, high = float(quantiles[0]), float(quantiles[-1])
    if low == high:  # one bar, as wide as the card
        low, high = low - 0.5, high + 0.5
    scale = NumberScale(low, high, column["kind"] == "date")
    is_coded = (
        column["kind"] == "number" and column.get("n_distinct") == 2
    )  # 0 and 1 have no 0.4 between them
    return {
        "picture": small_histogram(counts, words),
        "axis": strip_axis(scale, MOST_TICKS, (low, high) if is_coded else ()),
        "median": f"median {names[1]}",
    }


def shown_value(value: float, kind: str) -> str:
    """A number, or a date, as it stands in a card; a year has no separator.

    >>> shown_value(1872.0, "number"), shown_value(54000.0, "number"), shown_value(18262.0, "date")
    ('1872', '54,000', '2020-01-01')
    """
    if kind == "date":
        return date_label(value)[:10]
    if abs(value) >= 1e15:
        return f"{value:.3g}"
    is_long = abs(value) >= 10_000
    return f"{round(value):,}" if is_long else f"{float(f'{value:.4g}'):.10g}"


def _levels(
    column: Mapping[str, Any], counts: Sequence[Sequence[float]], data: Mapping[str, Any]
) -> dict[str, Any]:
    totals = [sum(each[place] for each in counts) for place in range(len(column["levels"]))]
    widest = max(totals, default=0.0)
    shown = [
        {
            "label": label,
            "n": int(totals[place]),
            "picture": small_bar(
                [each[place] for each in counts], widest, _words(data, counts, label, place)
            ),
        }
        for place, label in enumerate(column["levels"][:MOST_LEVELS])
    ]
    return {"levels": shown, "n_more": max(int(column["n_levels"] or 0) - len(shown), 0)}


def _words(data: Mapping[str, Any], counts: Sequence[Sequence[float]], label: str, place: int) -> str:
    total = sum(each[place] for each in counts)
    said = f"{label}: {plural(int(total), 'row')}"
    if not data["classes"] or not total:
        return said
    names = [*data["classes"][:N_CLASS_COLOURS], "others"]
    parts = [f"{names[n]} {int(each[place]):,}" for n, each in enumerate(counts) if each[place]]
    return f"{said}, of them {', '.join(parts)}"
