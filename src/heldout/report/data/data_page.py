"""The data section as its template takes it: cards with pictures, the table of columns, sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heldout.charts.theme import N_CLASS_COLOURS, class_colour
from heldout.report.data.data_cards import data_cards
from heldout.report.data.data_words import MOST_COLUMNS, data_figure, data_takeaway, gaps_words
from heldout.report.markup import drawn, markup
from heldout.table.describe import plural


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
    said = f"{rows} to predict {data['target']} from."
    return f"{said} {data['reason'][:1].upper()}{data['reason'][1:]}." if data["reason"] else said


def _legend(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the colours stand for; the classes past the last colour share the grey."""
    named = [
        {"name": name, "n": count, "colour": class_colour(place).name}
        for place, (name, count) in enumerate(zip(data["classes"], data["class_counts"], strict=False))
    ]
    if len(named) <= N_CLASS_COLOURS:
        return named
    rest = named[N_CLASS_COLOURS:]
    others = {"name": f"{len(rest)} others", "n": sum(each["n"] for each in rest), "colour": "class-other"}
    return [*named[:N_CLASS_COLOURS], others]
