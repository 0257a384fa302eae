"""The figures of the models that a page shows."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from heldout.charts.legend import LegendEntry
from heldout.charts.row_picture import PictureRow, RowMark, RowPicture, row_svg
from heldout.charts.theme import N_CLASS_COLOURS
from heldout.charts.tree_cards import PictureTree
from heldout.charts.tree_outline import outline_svg
from heldout.charts.tree_picture import tree_svg, tree_width
from heldout.report.markup import Figure
from heldout.report.models.plain_tree import tree_of_plain
from heldout.text.numbers import number_text, p_value_text, percent_text

# A page shows so much without making it too small to read.
WIDEST_CARDS, OUTLINE_WIDTH = 760.0, 660.0


def tree_figure(model: Mapping[str, Any]) -> Figure:
    """The figure of a tree.

    model: of the form "tree", as `recorded_models` gives it
    """
    nodes, tree = model["drawing"]["nodes"], tree_of_plain(model["drawing"])
    return Figure(
        title="The tree",
        takeaway=str(model["takeaway"]),
        picture=_wide(tree),
        narrow=outline_svg(tree),
        headings=("where a row goes", "answer", "rows"),
        rows=tuple(_tree_ends(nodes)),
        caption="The ends of the tree",
        notes=_notes(model, nodes),
    )


def _wide(tree: PictureTree) -> str:
    """Cards that grow down or to the right, whichever fits; an outline for what is too large for both."""
    for direction in ("down", "right"):
        if tree_width(tree, direction) <= WIDEST_CARDS:
            return tree_svg(tree, direction)
    return outline_svg(tree, OUTLINE_WIDTH)


def _tree_ends(nodes: list[Mapping[str, Any]]) -> list[tuple[str, str, str]]:
    """What a row meets on its way, the answer, and the rows behind it; for each end that is drawn."""
    has_more = {node["parent"] for node in nodes}
    rows = []
    for index, node in enumerate(nodes):
        if index in has_more:
            continue
        ways, above = [str(node["way"])], int(node["parent"])
        while above > 0:
            ways.append(str(nodes[above]["way"]))
            above = int(nodes[above]["parent"])
        rows.append((" and ".join(reversed(ways)), str(node["heading"]), str(node["description"])))
    return rows


def _notes(model: Mapping[str, Any], nodes: list[Mapping[str, Any]]) -> tuple[str, ...]:
    n_folded = sum(bool(node["note"]) for node in nodes)
    if not n_folded:
        return ()
    parts = "A part that holds" if n_folded == 1 else f"{n_folded} parts that hold"
    return (
        f"{parts} the fewest rows {'is' if n_folded == 1 else 'are'} folded in the drawing: the tree has"
        f" {int(model['n_leaves']):,} leaves.",
    )


MOST_ROWS = 20
INTERCEPT = "(intercept)"


def coefficient_figure(model: Mapping[str, Any]) -> Figure:
    """The coefficients around 0, with intervals where there are some; all of them stand in the table.

    model: of the form "coefficients"
    """
    found = [row for row in model["coefficients"] if row["name"] != INTERCEPT]
    classes = list(dict.fromkeys(row["of"] for row in found))
    names = list(dict.fromkeys(row["name"] for row in found))
    sizes = {name: max(abs(row["estimate"] or 0) for row in found if row["name"] == name) for name in names}
    largest = sorted(names, key=lambda name: -sizes[name])[:MOST_ROWS]
    rows = [_coefficient_row(name, found, classes, bool(model["has_intervals"])) for name in largest]
    share = percent_text(float(model["confidence"] or 0.95))
    caption = f"dot: the coefficient; line: its {share} interval" if model["has_intervals"] else ""
    has_classes = len(classes) > 1
    unit = "of a column scaled to a spread of 1" if model.get("is_scaled") else "for one unit of the column"
    picture = RowPicture(
        title="The coefficients",
        caption=caption,
        axis=f"coefficient {unit}",
        rows=rows,
        are_bars=not model["has_intervals"] and not has_classes,
        legend=tuple(LegendEntry(each) for each in classes[:N_CLASS_COLOURS]) if has_classes else (),
    )
    return Figure(
        title="The coefficients",
        takeaway=str(model["takeaway"]),
        picture=row_svg(picture) if rows else "",
        narrow=row_svg(replace(picture, is_narrow=True)) if rows else "",
        headings=_coefficient_headings(model, has_classes, share),
        rows=tuple(_coefficient_cells(row, model, has_classes) for row in model["coefficients"]),
        caption="The coefficients",
        notes=_left_out(model, len(names) - len(largest), "coefficients", "column"),
    )


def importance_figure(model: Mapping[str, Any]) -> Figure:
    """Which columns matter to a forest, the most important first.

    model: of the form "importances"
    """
    is_shuffled = model["how"] == "permutation"
    found = model["importances"]
    picture = RowPicture(
        title="The importances",
        caption="line: two standard errors, over the trees" if is_shuffled else "",
        axis=f"growth of the {model['loss']}" if is_shuffled else "share of what the splits gained",
        rows=[_importance_row(row) for row in found[:MOST_ROWS]],
    )
    heading = f"growth of the {model['loss']}" if is_shuffled else "share of the gain"
    return Figure(
        title="Which columns matter" if is_shuffled else "What the splits gained",
        takeaway=str(model["takeaway"]),
        picture=row_svg(picture) if found else "",
        narrow=row_svg(replace(picture, is_narrow=True)) if found else "",
        headings=("column", heading, *(["standard error"] if is_shuffled else [])),
        rows=tuple(
            (row["name"], _number(row["mean"]), *([_number(row["standard_error"])] if is_shuffled else []))
            for row in found
        ),
        caption="The importances",
        notes=_left_out(model, max(len(found) - MOST_ROWS, 0), "importances", "column"),
    )


def share_figure(model: Mapping[str, Any]) -> Figure:
    """The shares of the classes, of which a baseline says the largest.

    model: of the form "class"
    """
    found = sorted(model["shares"], key=lambda row: -float(row["share"]))
    rows = [
        PictureRow(row["class"], (RowMark(100 * row["share"]),), f"{row['class']}: {row['share']:.1%}")
        for row in found[:MOST_ROWS]
    ]
    picture = RowPicture("The shares of the classes", "", "percent of the open rows", rows)
    return Figure(
        title="The shares of the classes",
        takeaway=str(model["takeaway"]),
        picture=row_svg(picture),
        narrow=row_svg(replace(picture, is_narrow=True)),
        headings=("class", "share"),
        rows=tuple((row["class"], f"{row['share']:.1%}") for row in found),
        caption="The shares of the classes",
    )


def rule_figure(model: Mapping[str, Any]) -> Figure:
    """The rules as a table, read from the top.

    model: of the form "rules"
    """
    last = len(model["rules"]) - 1
    rows = [
        (str(index + 1), rule_words(rule, index == last and last > 0), rule["answer"], *rule_evidence(rule))
        for index, rule in enumerate(model["rules"])
    ]
    n_left_out = int(model.get("n_left_out") or 0)
    return Figure(
        title="The rules",
        takeaway=str(model["takeaway"]),
        headings=("", "if", "then", "training rows", "wrong"),
        rows=tuple(rows),
        caption="The rules, read from the top: the first that a row meets gives the answer",
        notes=(f"{n_left_out:,} more rules stand before the last one.",) if n_left_out else (),
    )


def rule_words(rule: Mapping[str, Any], is_last: bool) -> str:
    """What a rule asks, in words."""
    return ", and ".join(rule["conditions"]) or ("otherwise" if is_last else "always")


def rule_evidence(rule: Mapping[str, Any]) -> tuple[str, str]:
    """How many training rows a rule covers, and how many of them it has wrong."""
    return f"{rule['n_rows']:,}", str(rule["wrong"])


def _coefficient_row(
    name: str, found: Sequence[Mapping[str, Any]], classes: Sequence[str], has_intervals: bool
) -> PictureRow:
    own = [row for row in found if row["name"] == name]
    marks = tuple(
        RowMark(_value(row["estimate"]), _value(row["low"]), _value(row["high"]), classes.index(row["of"]))
        for row in own
    )
    messages = [
        f"{row['of']} {_number(row['estimate'])}".strip() + (f", {_ends(row)}" if has_intervals else "")
        for row in own
    ]
    return PictureRow(name, marks, f"{name}: {'; '.join(messages)}")


def _coefficient_headings(model: Mapping[str, Any], has_classes: bool, share: str) -> tuple[str, ...]:
    columns = ["column", *(["class"] if has_classes else []), "coefficient"]
    return (*columns, f"{share} interval", "test of 0") if model["has_intervals"] else tuple(columns)


def _coefficient_cells(
    row: Mapping[str, Any], model: Mapping[str, Any], has_classes: bool
) -> tuple[str, ...]:
    cells = [row["name"], *([row["of"]] if has_classes else []), _number(row["estimate"])]
    if not model["has_intervals"]:
        return tuple(cells)
    return (*cells, _ends(row), p_value_text(_value(row["p"])))


def _importance_row(row: Mapping[str, Any]) -> PictureRow:
    mean, error = _value(row["mean"]), _value(row["standard_error"])
    mark = RowMark(mean, mean - 2 * error, mean + 2 * error)
    known = "" if math.isnan(error) else f", standard error {_number(error)}"
    return PictureRow(row["name"], (mark,), f"{row['name']}: {_number(mean)}{known}")


def _left_out(model: Mapping[str, Any], n_undrawn: int, what: str, noun: str) -> tuple[str, ...]:
    """What the picture and the table leave out: the least."""
    n_missing = int(model.get("n_left_out") or 0)
    notes = []
    if n_undrawn + n_missing > 0:
        notes.append(f"The picture shows the {MOST_ROWS} {noun}s with the largest {what}.")
    if n_missing:
        notes.append(f"The table leaves out {n_missing:,} {noun}{'s' * (n_missing > 1)} with smaller ones.")
    return tuple(notes)


def _value(number: float | None) -> float:
    return math.nan if number is None else float(number)


def _number(number: float | None) -> str:
    return "" if number is None or math.isnan(number) else number_text(number)


def _ends(row: Mapping[str, Any]) -> str:
    if row["low"] is None or row["high"] is None:
        return "not known"
    return f"{_number(row['low'])} to {_number(row['high'])}"


_DRAWN: dict[str, Callable[[Mapping[str, Any]], Figure]] = {
    "tree": tree_figure,
    "rules": rule_figure,
    "coefficients": coefficient_figure,
    "importances": importance_figure,
    "class": share_figure,
}


def model_figures(models: Sequence[Mapping[str, Any]]) -> list[tuple[Mapping[str, Any], list[Figure]]]:
    """Each model with its figures; a model that has nothing to draw has none.

    models: as `summarize` gives them
    """
    return [(model, [_DRAWN[model["form"]](model)] if model["form"] in _DRAWN else []) for model in models]
