"""A tree in plain values: its text, its drawing, and which columns it asks for."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.learners.pictures.tree_drawing import tree_drawing
from heldout.learners.pictures.tree_pictures import drawn_answers
from heldout.learners.rules.condition import listed
from heldout.learners.trees.tree_text import shown_label
from heldout.report.models.model_text import FEW_LINES, MOST_LINES, folded
from heldout.report.models.plain_tree import plain_tree
from heldout.table.describe import plural

# How far a drawing is opened; the parts with the most rows first.
MOST_ENDS, MOST_LEVELS = 16, 6
MOST_NAMES = 4


def tree_view(tree: Any) -> dict[str, Any]:
    """What the page and the terminal show of a fitted tree.

    >>> import heldout as ho
    >>> tree = ho.TreeClassifier().fit([[1.0], [2.0], [3.0], [4.0]], ["low"] * 2 + ["high"] * 2)
    >>> view = tree_view(tree)
    >>> view["takeaway"]
    'A tree of 2 leaves on 1 level; it uses x0 alone.'
    >>> print(view["text"])
    x0 <= 2.5: low (2)
    x0 > 2.5: high (2)
    """
    names = _asked(tree)
    drawing = tree_drawing(tree.tree_, tree.inputs_, drawn_answers(tree), MOST_LEVELS, MOST_ENDS)
    return {
        "form": "tree",
        "n_leaves": int(tree.n_leaves_),
        "depth": int(tree.depth_),
        "columns": names,
        "text": folded(tree.to_text, MOST_LINES),
        "short": folded(tree.to_text, FEW_LINES),
        "takeaway": _takeaway(tree, names),
        "drawing": plain_tree(drawing),
        "notes": [],
    }


def _asked(tree: Any) -> list[str]:
    """The columns that the tree asks for, that of the root first, then by what they gained."""
    features = tree.tree_.grown.feature
    asked = np.unique(features[features >= 0])
    gains = tree.feature_importances_
    ordered = sorted(asked.tolist(), key=lambda place: (place != int(features[0]), -gains[place], place))
    return [shown_label(tree.inputs_.names[place]) for place in ordered]


def _takeaway(tree: Any, names: list[str]) -> str:
    if not names:
        return "A tree of a single leaf: it predicts the same for every row."
    size = f"A tree of {plural(tree.n_leaves_, 'leaf', 'leaves')} on {plural(tree.depth_, 'level')}"
    if len(names) == 1:
        return f"{size}; it uses {names[0]} alone."
    if len(names) <= MOST_NAMES:
        return f"{size}; it uses {listed(names, 'and')}, first {names[0]}."
    return f"{size}; it uses {len(names):,} columns, first {names[0]}."
