"""The data section as its template takes it: cards with pictures, the table of columns, sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import Any

from heldout.charts.scales import NumberScale
from heldout.charts.small_charts import small_bar, small_histogram
from heldout.charts.theme import N_CLASS_COLOURS, class_colour
from heldout.report.markup import Figure, drawn, markup
from heldout.report.strips import strip_axis
from heldout.table.column import date_label
from heldout.text.numbers import share_text
from heldout.text.words import first_few, plural


def data_page(data: Mapping[str, Any]) -> dict[str, Any]:
    """What the section shows; empty where there are no data to show.

    data: as `data_facts` gives it
    """
    if not data:
        return {}
    cards = data_cards(data)
    for card in cards:
        card["picture"], card["axis"] = markup(card["picture"]), markup(card["axis"])
        card["levels"] = [level | {"picture": markup(level["picture"])} for level in card["levels"]]
    n_inputs = sum(column["role"] == "input" for column in data["columns"])
    return {
        "lead": _lead(data, n_inputs),
        "gaps": gaps_words(data),
        "takeaway": data_takeaway(data) if cards else "",
        "classes": _legend(data) if cards else [],
        "cards": cards,
        "undrawn": _undrawn(data["n_columns"] - len(cards), data["n_columns"]),
        "has_bits": any(column["bits"] is not None for column in data["columns"]),
        "table": drawn(data_figure(data)),
        "notes": data["notes"],
    }


def _undrawn(n_undrawn: int, n_columns: int) -> str:
    if not n_undrawn:
        return ""
    all_of_it = "has it" if n_undrawn == 1 else "has them"
    where = all_of_it if n_columns <= MOST_COLUMNS else f"has the first {MOST_COLUMNS} of all"
    return f"{plural(n_undrawn, 'column')} not drawn here; the table {where}."


def _lead(data: Mapping[str, Any], n_inputs: int) -> str:
    rows = f"The {plural(data['n_rows'], 'open row')} with {plural(n_inputs, 'input column')}"
    messages = f"{rows} to predict {data['target']} from."
    return f"{messages} {data['reason'][:1].upper()}{data['reason'][1:]}." if data["reason"] else messages


def _legend(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the colours stand for; the classes past the last colour share the grey."""
    named = [
        {"name": name, "n": count, "colour": class_colour(index).name}
        for index, (name, count) in enumerate(zip(data["classes"], data["class_counts"], strict=False))
    ]
    if len(named) <= N_CLASS_COLOURS:
        return named
    rest = named[N_CLASS_COLOURS:]
    others = {"name": f"{len(rest)} others", "n": sum(each["n"] for each in rest), "colour": "class-other"}
    return [*named[:N_CLASS_COLOURS], others]


# How often noise may pass for more in a table, by all of its columns together.
LEVEL = 0.05
# A longer table is longer than anyone reads.
MOST_COLUMNS = 200


def data_takeaway(data: Mapping[str, Any]) -> str:
    """What to see in the distributions, in one line.

    data: as `data_facts` gives it
    """
    requested = [column for column in data["columns"] if column["bits"] is not None]
    if not requested:
        return gaps_words(data)
    stated = sorted(_beyond_chance(requested), key=lambda column: -column["bits"])
    if not stated:
        return f"Taken alone, no column says more of {data['target']} than chance would."
    first = stated[0]
    messages = (
        f"Taken alone, {first['name']} says most of {data['target']}:"
        f" {first['bits']:.2f} of {data['class_bits']:.2f} bits"
    )
    after = " and ".join(f"{column['name']} ({column['bits']:.2f})" for column in stated[1:3])
    others = "; the others no more than chance would" if len(requested) > 1 else ""
    return f"{messages}; then {after}." if after else f"{messages}{others}."


def _beyond_chance(columns: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Those that say more than a column of noise would, as many of them as there are."""
    limit = NormalDist().inv_cdf(1 - LEVEL / len(columns))
    return [column for column in columns if column["bits"] > 0 and (column.get("deviations") or 0.0) > limit]


def gaps_words(data: Mapping[str, Any]) -> str:
    """Which columns have gaps, in one line."""
    gaps = [column for column in data["columns"] if column["n_missing"]]
    if not gaps:
        return "No value is missing in any column."
    gaps.sort(key=lambda column: -column["missing_share"])
    named = first_few([f"{column['name']} ({share_text(column['missing_share'])})" for column in gaps], 3)
    verb = "has" if len(gaps) == 1 else "have"
    return f"{len(gaps):,} of {plural(data['n_columns'], 'column')} {verb} missing values: {named}."


def data_figure(data: Mapping[str, Any]) -> Figure:
    """The table of all columns; its pictures are the cards."""
    has_bits = any(column["bits"] is not None for column in data["columns"])
    has_reasons = any(column["reason"] for column in data["columns"])
    headings = ["column", "kind", "role", "missing", "values"]
    headings += ["bits about the class"] * has_bits + ["why this kind"] * has_reasons
    shown = data["columns"][:MOST_COLUMNS]
    is_whole = len(shown) == data["n_columns"]
    which = "All columns" if is_whole else f"The first {len(shown)} of {data['n_columns']:,} columns"
    return Figure(
        title="Columns",
        takeaway=data_takeaway(data),
        headings=tuple(headings),
        rows=tuple(_row(column, has_bits, has_reasons) for column in shown),
        caption=f"{which}, as they are in the {plural(data['n_rows'], 'open row')}",
    )


def _row(column: Mapping[str, Any], has_bits: bool, has_reasons: bool) -> tuple[str, ...]:
    missing = (
        f"{column['n_missing']:,} ({share_text(column['missing_share'])})" if column["n_missing"] else "none"
    )
    cells = [str(column["name"]), str(column["kind"]), str(column["role"] or ""), missing, _values(column)]
    if has_bits:
        cells.append("" if column["bits"] is None else f"{column['bits']:.2f}")
    if has_reasons:
        cells.append(str(column["reason"] or ""))
    return tuple(cells)


def _values(column: Mapping[str, Any]) -> str:
    """From where to where numbers go, or how many levels there are."""
    quantiles, kind = column["quantiles"] or [], str(column["kind"])
    if quantiles:
        low, middle, high = (shown_value(each, kind) for each in (quantiles[0], quantiles[2], quantiles[-1]))
        return f"{low} to {high}, half below {middle}"
    if column["n_levels"] is not None:
        return plural(int(column["n_levels"]), "level")
    return f"{int(column['n_distinct']):,} different" if column["n_distinct"] is not None else ""


MOST_LEVELS = 6
MOST_TICKS = 3


def data_cards(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One card per column that can be drawn: the target, then in the order of what they say of it.

    data: as `data_facts` gives it; pictures are SVG
    """
    # A category whose known values are all sealed has counts of no level: [[]].
    drawn = [column for column in data["columns"] if any(len(counts) for counts in column["counts"] or ())]
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
        found.append(f"{share_text(column['missing_share'])} missing")
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
    """A number, or a date, as it stands in a card; a year has no separator."""
    if kind == "date":
        return date_label(value)[:10]
    if abs(value) >= 1e15:
        return f"{value:.3g}"
    is_long = abs(value) >= 10_000
    return f"{round(value):,}" if is_long else f"{float(f'{value:.4g}'):.10g}"


def _levels(
    column: Mapping[str, Any], counts: Sequence[Sequence[float]], data: Mapping[str, Any]
) -> dict[str, Any]:
    totals = [sum(each[index] for each in counts) for index in range(len(column["levels"]))]
    widest = max(totals, default=0.0)
    shown = [
        {
            "label": label,
            "n": int(totals[index]),
            "picture": small_bar(
                [each[index] for each in counts], widest, _words(data, counts, label, index)
            ),
        }
        for index, label in enumerate(column["levels"][:MOST_LEVELS])
    ]
    return {"levels": shown, "n_more": max(int(column["n_levels"] or 0) - len(shown), 0)}


def _words(data: Mapping[str, Any], counts: Sequence[Sequence[float]], label: str, index: int) -> str:
    total = sum(each[index] for each in counts)
    messages = f"{label}: {plural(int(total), 'row')}"
    if not data["classes"] or not total:
        return messages
    names = [*data["classes"][:N_CLASS_COLOURS], "others"]
    parts = [f"{names[n]} {int(each[index]):,}" for n, each in enumerate(counts) if each[index]]
    return f"{messages}, of them {', '.join(parts)}"
