"""The coefficients of a linear model in plain values, with intervals where the learner knows them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from heldout.learners.linear.coefficient_table import INTERCEPT
from heldout.learners.trees.tree_text import shown_label
from heldout.report.models.model_text import FEW_LINES, aligned, shortened
from heldout.text.numbers import number_text
from heldout.text.words import first_few, plural

MOST_COEFFICIENTS = 60
CONFIDENCE = 0.95
OF_RIDGE = (
    "These coefficients have no intervals: the penalty pulls them toward 0, so that an interval around them"
    " would not hold what it promises."
)
OF_PERCEPTRON = (
    "These weights have no intervals: a perceptron counts mistakes and has no model of errors from which"
    " an interval could be made."
)
OF_LEAST_SQUARES = (
    "The intervals hold if the errors of the target are independent, of one variance and about normal; they"
    " know nothing of the choice among contenders."
)
SCALED = (
    "Numbers were scaled to a standard deviation of 1 first, so the sizes of their coefficients can be"
    " compared."
)
NOT_SCALED = "A coefficient belongs to the unit of its column: a large one is not a large effect."


def least_squares_view(model: Any, is_scaled: bool) -> dict[str, Any]:
    """Of a LinearRegressor: coefficients with their intervals."""
    table = model.coefficients(CONFIDENCE)
    rows = [
        _row(name, "", *(float(number) for number in numbers))
        for name, *numbers in zip(
            table.names, table.estimates, table.lower, table.upper, table.p_values, strict=True
        )
    ]
    columns = [row for row in rows if row["name"] != INTERCEPT]
    clear = [row for row in columns if row["low"] is not None and row["low"] * row["high"] > 0]
    return _view(rows, columns, str(table), is_scaled) | {
        "confidence": CONFIDENCE,
        "has_intervals": any(row["low"] is not None for row in rows),
        "why_no_interval": "" if table.residual_degrees > 0 else "no degrees of freedom are left",
        "takeaway": _clear_ones(columns, clear),
        "notes": [OF_LEAST_SQUARES, SCALED if is_scaled else NOT_SCALED],
    }


def ridge_view(model: Any, is_scaled: bool) -> dict[str, Any]:
    """Of a RidgeRegressor: coefficients, and why they have no intervals."""
    numbers = zip(model.inputs_.names, model.coef_.tolist(), strict=True)
    columns = [_row(name, "", value) for name, value in numbers]
    first = [_row(INTERCEPT, "", float(model.intercept_))] if model.fit_intercept else []
    return _view([*first, *columns], columns, model.to_text(), is_scaled) | {
        "confidence": None,
        "has_intervals": False,
        "why_no_interval": OF_RIDGE,
        "takeaway": _largest(columns),
        "notes": [OF_RIDGE, SCALED if is_scaled else NOT_SCALED],
    }


def perceptron_view(model: Any, is_scaled: bool) -> dict[str, Any]:
    """Of a Perceptron: the weights of each class, of two classes those that speak for the second."""
    if hasattr(model, "updates_"):
        return _voted(model)
    found = model.coefficients()
    columns = [
        _row(name, str(each.class_), weight) for each in found for name, weight in each.weights.items()
    ]
    first = [_row(INTERCEPT, str(each.class_), each.intercept) for each in found if model.fit_intercept]
    return _view([*first, *columns], columns, model.to_text(), is_scaled) | {
        "confidence": None,
        "has_intervals": False,
        "why_no_interval": OF_PERCEPTRON,
        "takeaway": _largest(columns),
        "notes": [OF_PERCEPTRON, SCALED if is_scaled else NOT_SCALED],
    }


def _voted(model: Any) -> dict[str, Any]:
    text = model.to_text()
    why = "Many rows of weights vote, and none of them is the model: there are no coefficients to show."
    return {"form": "none", "text": text, "short": text, "takeaway": why, "notes": []}


def _row(
    name: str, of: str, estimate: float, low: float = math.nan, high: float = math.nan, p: float = math.nan
) -> dict[str, Any]:
    numbers = {"estimate": estimate, "low": low, "high": high, "p": p}
    known = {key: value if math.isfinite(value) else None for key, value in numbers.items()}
    return {"name": shown_label(name), "of": of, **known}


def _view(
    rows: Sequence[dict[str, Any]], columns: Sequence[dict[str, Any]], text: str, is_scaled: bool
) -> dict[str, Any]:
    """What all three have: of many columns those of the largest coefficients, in the order of the columns."""
    sizes: dict[str, float] = {}
    for row in columns:
        sizes[row["name"]] = max(sizes.get(row["name"], 0.0), abs(row["estimate"] or 0.0))
    largest = np.argsort([-size for size in sizes.values()], kind="stable")[:MOST_COEFFICIENTS].tolist()
    kept = {name for index, name in enumerate(sizes) if index in set(largest)}
    return {
        "form": "coefficients",
        "is_scaled": is_scaled,
        "coefficients": [row for row in rows if row["name"] in kept or row["name"] == INTERCEPT],
        "n_left_out": len(sizes) - len(kept),
        "text": shortened(text),
        "short": _short(rows, kept),
    }


def _short(rows: Sequence[dict[str, Any]], kept: set[str]) -> str:
    """The largest coefficients, the largest first: where there is room for few lines only."""
    ordered = sorted(
        (row for row in rows if row["name"] in kept), key=lambda row: -abs(row["estimate"] or 0.0)
    )
    cells = [[row["name"], *([row["of"]] if row["of"] else []), _number(row["estimate"])] for row in ordered]
    return shortened(aligned(cells), FEW_LINES) if cells else "no column has a coefficient"


def _number(value: float | None) -> str:
    return "-" if value is None else number_text(value)


def _clear_ones(columns: Sequence[dict[str, Any]], clear: Sequence[dict[str, Any]]) -> str:
    if not columns:
        return "There is no column: the prediction is the intercept."
    if len(columns) == 1 and clear:
        way = "raises" if clear[0]["estimate"] > 0 else "lowers"
        return f"The 95% interval of the coefficient leaves out 0: {clear[0]['name']} {way} the prediction."
    if not clear:
        which = "The 95% interval of the coefficient" if len(columns) == 1 else "Every 95% interval"
        return f"{which} has 0 in it, or is not known: no column has a clear effect by itself."
    names = first_few([row["name"] for row in clear], 4)
    counted = f"{len(clear):,} of {plural(len(columns), 'coefficient')}"
    return f"The 95% intervals of {counted} leave out 0: {names}."


def _largest(columns: Sequence[dict[str, Any]]) -> str:
    if not columns:
        return "There is no column: the prediction is the intercept."
    found = max(columns, key=lambda row: abs(row["estimate"] or 0.0))
    owner = f" for {found['of']}" if found["of"] else ""
    return f"{found['name']} has the largest coefficient: {_number(found['estimate'])}{owner}."
