"""A forest in plain values: which columns matter, by shuffling or by what their splits gained."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from heldout.learners.trees.tree_text import shown_label
from heldout.report.models.model_text import FEW_LINES, aligned, shortened
from heldout.text.words import plural

if TYPE_CHECKING:
    from heldout.learners.forests.importances import PermutationImportances

MOST_COLUMNS = 60
BY_SHUFFLING = (
    "Each column was shuffled among the rows that a tree had not seen. The standard error says how much the"
    " mean would still move with other trees, not with other rows; columns that tell the same share their"
    " importance."
)
BY_GAIN = "The share of each column in what the splits gained; it favors columns of many values."


def importance_view(
    forest: Any, shuffled: PermutationImportances | None = None, why_not: str = ""
) -> dict[str, Any]:
    """What the page and the terminal show of a fitted forest.

    shuffled: what shuffling each column costs; where it is left out, the gain of the splits is shown
    why_not:  why it was left out, in a sentence
    """
    has_spread = shuffled is not None and not bool(np.isnan(shuffled.mean).any())
    if shuffled is not None and has_spread:
        means, errors = shuffled.mean, shuffled.standard_error
        loss, n_judging = shuffled.loss, shuffled.n_trees
    else:
        means, errors = forest.feature_importances_, np.full(forest.n_features_in_, math.nan)
        loss, n_judging = "", int(forest.forest_.n_trees)
    order = np.argsort(-means, kind="stable")[:MOST_COLUMNS].tolist()
    rows = [_row(forest.inputs_.names[index], float(means[index]), float(errors[index])) for index in order]
    view = {
        "form": "importances",
        "how": "permutation" if has_spread else "gain",
        "loss": loss,
        "n_trees": int(forest.forest_.n_trees),
        "n_judging": n_judging,
        "n_leaves": int(forest.n_leaves_),
        "depth": int(forest.depth_),
        "importances": rows,
        "n_left_out": len(means) - len(rows),
        "notes": [BY_SHUFFLING if has_spread else BY_GAIN, *([why_not] if why_not else [])],
    }
    text = _text(view)
    return view | {
        "text": shortened(text),
        "short": shortened(text, FEW_LINES),
        "takeaway": _takeaway(view),
    }


def _row(name: str, mean: float, error: float) -> dict[str, Any]:
    return {
        "name": shown_label(name),
        "mean": mean,
        "standard_error": error if math.isfinite(error) else None,
    }


def _text(view: dict[str, Any]) -> str:
    size = f"{plural(view['n_trees'], 'tree')} of {view['n_leaves']:,} leaves in all"
    if view["how"] == "gain":
        head = f"{size}.\nThe share of each column in what the splits gained:"
        cells = [[row["name"], f"{row['mean']:.1%}"] for row in view["importances"]]
    else:
        head = f"{size}.\nBy how much the {view['loss']} grows when a column is shuffled:"
        digits = _digits([row["mean"] for row in view["importances"]])
        cells = [[row["name"], f"{row['mean']:.{digits}f}"] for row in view["importances"]]
    return f"{head}\n{aligned(cells)}" if cells else head


def _takeaway(view: dict[str, Any]) -> str:
    trees = plural(view["n_trees"], "tree")
    if not view["importances"] or view["importances"][0]["mean"] <= 0:
        return f"{trees}; shuffling a column does no harm."
    first = view["importances"][0]
    if view["how"] == "gain":
        due = "the largest part of what their splits gained is due to"
        return f"{trees}; {due} {first['name']}: {first['mean']:.0%}."
    digits = _digits([first["mean"]])
    grows = f"the {view['loss']} of a tree grows by {first['mean']:.{digits}f} when it is shuffled"
    return f"{trees}; {first['name']} matters most: {grows}."


def _digits(numbers: list[float]) -> int:
    """How many digits behind the point show three of the largest number."""
    largest = max((abs(number) for number in numbers), default=0.0)
    return min(10, max(0, 2 - math.floor(math.log10(largest)))) if 0 < largest < math.inf else 3
